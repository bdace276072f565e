"""A subject on the toy space, for tests of the audit's checks."""

from line import make
from privstamp.budget import Budget
from privstamp.lab.audit import claims as claims_module
from privstamp.lab.audit import subject as subject_module
from privstamp.lab.audit.subject import SampleText, Subject
from privstamp.types import Finding

TEXTS = [
    SampleText(
        "w1 w2 w3 w14 w5 Zworg w6 w17", "w3?", "a", (Finding(3, 5, "PERSON", 1.0, "s", "m"),)
    ),
    SampleText(
        "w41 w12 w13 w4 w15 w16 w7 w8", None, "b", (Finding(0, 3, "PERSON", 1.0, "s", "m"),)
    ),
    SampleText("w31 w42 w33 w34 w45 w46 w37 w38 12", None, "a", ()),
]


def quiet(_share):
    pass


def stand(monkeypatch, texts=TEXTS, *, budget=None, kinds=None, draws=2_000, **policy):
    """A subject whose detector knows w2 alone, and few draws of every pair."""
    monkeypatch.setattr(claims_module, "_DRAWS", draws)
    monkeypatch.setattr(claims_module, "_CANARIES", draws)
    budget = budget or Budget.uniform(2.0)
    if "policy_draws" in policy:
        policy["draws"] = policy.pop("policy_draws")
    made = make(monkeypatch, seed=1, budget=budget, kinds=kinds or {"w2": "PERSON"}, **policy)
    monkeypatch.setattr(subject_module, "Privatizer", lambda *_args, **_more: made)
    return Subject(made.policy, texts, seed=1)
