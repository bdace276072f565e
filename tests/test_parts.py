import math

import pytest

from privstamp.budget import Budget
from privstamp.errors import BudgetError, Incompatible, PolicyError, UnknownName
from privstamp.parts import assemble
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy

RULES = Part(name="rules")


def policy(**changes):
    return Policy(sensitivity=RULES, **changes)


def part(name, **options):
    return Part.model_validate({"name": name, **options})


def test_groups_share_what_is_described_alike():
    parts = assemble(policy())
    assert len({id(one) for one in parts.mechanisms.values()}) == 1
    assert len({id(one) for one in parts.replacements.values()}) == 1


def test_a_group_may_have_its_own_mechanism_and_metric():
    budget = Budget.of([30, 15, 60, 3], metric=("chordal", "chordal", "angular", "l1"))
    made = policy(groups={"4": part("laplace-coordinate")}, budget=budget)
    parts = assemble(made)
    assert [parts.mechanisms[g].metric for g in (1, 2, 3, 4)] == ["chordal"] * 2 + ["angular", "l1"]
    assert parts.mechanisms[1] is parts.mechanisms[2] is not parts.mechanisms[3]
    facts = Privatizer(made).privatize("the doctor saw Mara", "who?").certificate
    assert {one.name for one in facts.mechanisms} == {"polar", "laplace-coordinate"}
    assert set(facts.loss.summed_epsilon) <= {"chordal", "angular", "l1"}
    assert facts.groups[3].metric.startswith("l1@")


def test_a_group_may_be_replaced_in_its_own_way():
    groups = {"1": part("placeholder"), "2": part("placeholder")}
    made = policy(groups=groups, budget=Budget.of([0, 0, math.inf, math.inf]))
    result = Privatizer(made).privatize("Ask Dr. Mara Quillfeather about it.")
    assert "[PERSON_1]" in result.text and "Mara" not in result.text
    assert result.certificate.groups[0].replacement == "placeholder"
    assert result.certificate.groups[2].replacement == "surrogate"
    assert result.certificate.mechanisms == []


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"groups": {"2": part("surrogate")}}, BudgetError, "must be 0"),
        ({"mechanism": part("surrogate")}, Incompatible, "no strength"),
        ({"replacement": part("polar")}, Incompatible, "not a replacement"),
        ({"budget": Budget.uniform(3, metric="l1")}, BudgetError, r'"l1".*chordal, angular'),
        ({"mechanism": part("polr")}, UnknownName, 'Did you mean "polar"'),
        ({"mechanism": part("polar", strength=1)}, PolicyError, 'no option "strength"'),
        ({"space": part("glove", preprocesing="raw")}, PolicyError, "preprocessing"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_put_together(changes, error, message):
    with pytest.raises(error, match=message):
        assemble(policy(**changes))


def test_groups_are_named_one_to_four():
    with pytest.raises(PolicyError, match="groups"):
        Policy.from_toml("[groups.5]\nname = 'surrogate'")
    made = Policy.from_toml("[groups.2]\nname = 'surrogate'\n[budget]\nepsilon = [1, 0, 2, 3]")
    assert made.mechanism_of(2).name == "surrogate" and made.mechanism_of(1).name == "polar"
    assert Policy.from_toml(made.to_toml()) == made
