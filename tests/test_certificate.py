import json
import math

import jsonschema
import pytest

from line import Budget, make
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.release.certificate import Certificate, scope_sentence
from privstamp.release.total import Account, Total

TEXT = "W1 w2 Zworg w3 9 quuxify"


@pytest.fixture
def certificate(monkeypatch):
    def build(**policy):
        return make(monkeypatch, **policy).privatize(TEXT, "w3 Ouagadougou").certificate

    return build


def test_it_validates_against_its_own_schema(certificate):
    schema = Certificate.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for budget in (Budget.stamp(15), Budget.uniform(math.inf)):
        data = json.loads(certificate(budget=budget).to_json())
        jsonschema.validate(data, schema)
        assert Certificate.model_validate(data).to_dict() == data
    broken = {**data, "surprise": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_nothing_of_the_input_is_in_it(certificate):
    text = certificate(deny=("Zworg",)).to_json().casefold()
    assert not any(word in text for word in ("zworg", "quuxify", "ouagadougou"))


def test_counts_and_groups_add_up(certificate):
    made = certificate(kinds={"w2": "PERSON"})
    assert made.counts.units == 6 and made.counts.unknown == 3 and made.counts.perturbed == 3
    assert sum(group.units for group in made.groups) == 6
    assert made.counts.characters_passed == 5


def test_what_depends_on_the_input_beyond_the_guarantee_is_not_in_it(monkeypatch):
    made = make(monkeypatch, budget=Budget.uniform(1.0), seed=1)
    one, two = (made.privatize(f"w{n} w9").certificate.to_dict() for n in (1, 2))
    one["time"] = two["time"] = None
    for facts in (one, two):
        facts["fingerprints"].pop("text")  # of what was released, so within the guarantee
    assert one == two


def test_the_metric_names_the_space(certificate):
    made = certificate()
    assert made.mechanisms[0].metric == f"chordal@{made.space.fingerprint[:16]}"
    assert made.groups[0].metric == made.mechanisms[0].metric
    assert made.mechanisms[0].groups == [1, 2, 3, 4]


def test_lists_and_tasks_are_fingerprinted_under_a_key(certificate):
    one, two = certificate(deny=("Zworg",)), certificate(deny=("Zworg",))
    assert one.fingerprints.policy_keyed
    assert one.fingerprints.policy != two.fingerprints.policy  # another Privatizer, another key
    assert one.fingerprints.task != two.fingerprints.task
    plain = certificate()
    assert not plain.fingerprints.policy_keyed
    assert plain.fingerprints.policy == certificate().fingerprints.policy


def test_a_secret_makes_keyed_fingerprints_comparable(certificate):
    secret = b"0123456789abcdef"
    one, two = certificate(secret=secret), certificate(secret=secret)
    assert one.fingerprints.task == two.fingerprints.task
    assert one.randomness == "secret"


def test_a_seed_is_named_insecure(certificate):
    made = certificate(seed=1)
    assert made.randomness == "seed" and "insecure" in " ".join(made.notes)
    assert certificate(seed=1).fingerprints.task != made.fingerprints.task


def test_scope_says_what_the_promise_hangs_on():
    assert "given the labels" in scope_sentence(contextual=True, once=True)
    assert "as stated" in scope_sentence(contextual=False, once=True)
    assert "equal sensitive" not in scope_sentence(contextual=False, once=False)


def test_it_names_the_preset(certificate):
    made = certificate()
    assert (made.preset, made.changed) == ("stamp", False)
    assert certificate(deny=["w9"]).changed


def test_a_calibration_is_carried_while_it_holds(certificate):
    known = {"fingerprint": "f", "target_recovery": {"1": 0.1}, "prior": "uniform",
             "statistic": "mean", "saw": "private sample"}  # fmt: skip
    budget = Budget.stamp(15)
    parts = Policy(extends="stamp", budget=budget).measured_parts()
    made = certificate(budget=budget, calibration={**known, "parts": parts})
    assert made.calibration.model_dump() == known
    assert certificate(budget=budget, calibration={**known, "parts": "other"}).calibration is None
    assert certificate(budget=budget).calibration is None


def test_a_tight_constant_shows_what_the_general_argument_would_state():
    quick = {"sensitivity": Part(name="rules"), "importance": Part(name="task-match")}
    readable = Policy.preset("readable").model_copy(update=quick)
    groups = Privatizer(readable).privatize("we walked home").certificate.groups
    assert groups[0].nominal is None  # replaced
    assert groups[3].epsilon < groups[3].nominal < 2 * groups[3].epsilon
    plain = (
        Privatizer(Policy(extends="stamp", **quick)).privatize("we walked home").certificate.groups
    )
    assert [one.nominal for one in plain] == [None] * 4  # polar's bound is what it is


def test_the_owner_can_tell_which_text_a_certificate_is_of(monkeypatch):
    line = make(monkeypatch, secret=b"no secret at all", budget=Budget.uniform(2.0))
    first, again, other = (
        line.privatize(text).certificate.fingerprints.text for text in ("w1 w2", "w1 w2", "w3 w4")
    )
    assert first == again != other


def test_no_replacement_is_named_where_everything_was_released(certificate):
    """An infinite epsilon: w3 is important and known, group 4 has words that the space has not."""
    infinite = Budget.uniform(math.inf)
    certified = certificate(budget=infinite)
    units = {group.group: (group.replacement, group.units > 0) for group in certified.groups}
    assert {replacement for replacement, any_ in units.values() if not any_} == {None}
    replaced = [replacement for replacement, _ in units.values() if replacement]
    assert replaced == ["surrogate"] and certified.counts.unknown > 0
    assert {group.replacement for group in certificate(budget=Budget.stamp(15)).groups} == {
        "surrogate"
    }


def test_of_parts_the_total_names_what_replaced_in_any(certificate):
    some = certificate(budget=Budget.uniform(math.inf))
    none = some.model_copy(
        update={"groups": [g.model_copy(update={"replacement": None}) for g in some.groups]}
    )
    for parts in ((some, none), (none, some)):
        total = Total(b"k" * 16)
        for part in parts:
            total.add(Account(part, "text", dict.fromkeys(part.loss.mean_epsilon, 1)))
        assert [g.replacement for g in total.certificate().groups] == [
            g.replacement for g in some.groups
        ]
