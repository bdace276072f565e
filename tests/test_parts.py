import math

import pytest

from privstamp.budget import Budget
from privstamp.errors import BudgetError, Incompatible, PolicyError, UnknownName
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.release.parts import PartShelf, assemble, decoder_of

RULES = Part(name="rules")


def policy(**changes):
    return Policy(**{"extends": "stamp", "sensitivity": RULES, **changes})


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
    assert result.certificate.groups[2].replacement is None  # nothing of it was replaced
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
        Policy.from_toml("extends = 'stamp'\n[groups.5]\nname = 'surrogate'")
    made = Policy.from_toml(
        "extends = 'stamp'\n[groups.2]\nname = 'surrogate'\n[budget]\nepsilon = [1, 0, 2, 3]"
    )
    assert made.mechanism_of(2).name == "surrogate" and made.mechanism_of(1).name == "polar"
    assert Policy.from_toml(made.to_toml()) == made


LEXICON = Part(name="lexicon")
PUBLIC = {
    "extends": "stamp",
    "sensitivity": LEXICON,
    "importance": Part(name="task-match"),
    "grouping": "public",
}


def test_a_public_map_is_made_of_parts_that_look_at_each_word_alone():
    made = Policy(**PUBLIC)
    facts = Privatizer(made).privatize("Priya saw Bill in Lisbon.", "Who?").certificate
    assert facts.map == "public" and "as stated" in facts.scope
    other = Privatizer(made.model_copy(update={"grouping": "contextual"}))
    assert other.privatize("Priya saw Bill.").certificate.map == "contextual"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sensitivity": RULES}, 'sensitivity "rules" does not .*Name "lexicon"'),
        ({"importance": Part(name="relevance")}, 'importance "relevance" does not'),
        ({"allow": ("Sheffield",)}, "no words of its owner"),
        ({"deny": ("falcon",)}, "no words of its owner"),
    ],
)
def test_a_public_map_takes_no_part_that_looks_around(changes, message):
    with pytest.raises(Incompatible, match=message):
        assemble(Policy(**{**PUBLIC, **changes}))


def test_a_public_map_needs_words_as_units(monkeypatch):
    from privstamp.release import parts
    from privstamp.types import Kind
    from toys import ToySpace

    space = ToySpace()
    whole = space.split
    monkeypatch.setattr(parts, "open_space", lambda _: space)
    monkeypatch.setattr(parts, "check_keep_rates", lambda *_: None)  # it knows no toys
    assemble(Policy(**PUBLIC))

    def pieces(text):
        units = whole(text)
        units.kinds[:] = Kind.PIECE
        return units

    monkeypatch.setattr(space, "split", pieces)
    with pytest.raises(Incompatible, match="needs words as units"):
        assemble(Policy(**PUBLIC))


def test_groups_of_a_public_map_do_not_depend_on_the_neighbours():
    line = Privatizer(Policy(**PUBLIC))
    note = "Ask Bill Okonkwo of New York about the bill, may 47 US states pay rose Rose?"
    words = note.split()
    seen: dict[tuple[str, int], int] = {}
    for text in (note, " ".join(reversed(words)), *words):
        trace = line.group(text, "Which states pay the bill?")
        keys = zip(trace.units.surfaces(), trace.units.labels.tolist(), strict=True)
        for key, group in zip(keys, trace.grouping.groups.tolist(), strict=True):
            assert seen.setdefault(key, group) == group, key
    assert set(seen.values()) == {1, 2, 3, 4}


def test_a_policy_names_the_decoder_and_the_certificate_an_approximate_one():
    pytest.importorskip("faiss")
    text = "the doctor saw the patient in the morning"
    for name, approximate in (("exact", False), ("faiss", True)):
        options = {"index": "Flat"} if approximate else {}
        made = Privatizer(policy(decoder=part(name, **options)), seed=1).privatize(text)
        assert ("approximate search" in " ".join(made.certificate.notes)) == approximate
    with pytest.raises(UnknownName, match='no decoder "exakt"'):
        assemble(policy(decoder=part("exakt")))
    with pytest.raises(PolicyError, match='no option "effrt"'):
        assemble(policy(decoder=part("hnsw", effrt=3)))
    with pytest.raises(PolicyError, match="links is a whole number"):
        assemble(policy(decoder=part("hnsw", links=1)))


def test_policies_with_one_shelf_share_what_they_name_alike():
    shelf, light = PartShelf(), policy()
    stronger = policy(budget=Budget.stamp(10.0))
    angular = policy(budget=Budget.stamp(15.0, metric="angular"))
    first, second, third = (assemble(one, shelf) for one in (light, stronger, angular))
    assert first.space is second.space is third.space
    assert first.sensitivity is second.sensitivity
    assert first.importance is second.importance
    assert first.mechanisms[1] is second.mechanisms[4]
    assert first.mechanisms[1] is not third.mechanisms[1]
    assert "parts" in repr(shelf)


def test_parts_that_were_built_before_release_the_same():
    given, text = policy(), "The harbour was empty before dawn."
    made = Privatizer(given, seed=1, parts=assemble(given, PartShelf()))
    assert made.privatize(text).text == Privatizer(given, seed=1).privatize(text).text


def test_whoever_takes_a_decoder_first_may_wrap_it():
    given, shelf, seen = policy(), PartShelf(), []
    space = assemble(given).space

    def wrap(decoder):
        seen.append(decoder)
        return decoder

    one = decoder_of(given, space, shelf, wrap)
    assert seen == [one]
    assert decoder_of(given, space, shelf) is one
