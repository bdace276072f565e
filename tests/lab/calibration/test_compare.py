"""What changes between two policies, on the toy space."""

import math

import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.lab.audit.subject import SampleText
from privstamp.lab.calibration.groups import changes, figures, on_sample
from privstamp.policy import Policy


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)


def policy(**more):
    values = {"extends": "stamp", "space": "toy", "sensitivity": "rules",
              "mechanism": "exponential",
              "budget": Budget.of([0, 1, 9, math.inf]), **more}  # fmt: skip
    return Policy.of(values)


def test_figures_from_nothing_to_everything():
    first, second, third, fourth = figures(policy())
    assert (first.mechanism, first.keep.value, first.cosine.value) == ("surrogate", 0.0, 0.0)
    assert first.recovery.value == pytest.approx(0.301, abs=0.001)  # a blind guess
    assert second.recovery.value < third.recovery.value < 1.0
    assert second.keep.value < third.keep.value and second.cosine.value < third.cosine.value
    assert fourth.mechanism == "unprotected" and fourth.recovery.value == 1.0


def test_changes_name_parts_and_never_the_owners_words():
    one = policy(deny=["Quixworth"])
    two = policy(
        mechanism={"name": "neighbourhood", "k": 4},
        budget=Budget.uniform(2.0, metric="hops"),
        sensitivity={"name": "rules", "custom": ["Zebulon"]},
        draws="independent",
    )
    found = changes(one, two)
    assert found["mechanism"] == ("exponential", "neighbourhood (k = 4)")
    assert found["group 4"] == found["mechanism"] and found["draws"] == ("once", "independent")
    assert found["deny"] == ("1 terms", "0 terms")
    assert found["sensitivity"] == ("rules", "rules (custom)")
    assert "Quixworth" not in str(found) and "Zebulon" not in str(found)
    assert changes(one, one) == {}


def test_a_sample_is_counted_by_group():
    texts = [SampleText("w1 w2 w3 w4 w5 w6 w7 w8")]
    loose = on_sample(policy(budget=Budget.uniform(math.inf)), texts)
    assert [one["units"] for one in loose] == [0, 0, 0, 8] and loose[3]["changed"] == 0.0
    tight = on_sample(policy(budget=Budget.uniform(0.1), deny=["w2"]), texts)
    assert [one["units"] for one in tight] == [0, 1, 0, 7]
    assert tight[3]["changed"] > 0.5 and tight[0]["changed"] is None
