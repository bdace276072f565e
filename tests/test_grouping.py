import numpy as np
import pytest

from privstamp.release.groups import NO_SPAN, group, join_names, small_words
from privstamp.types import Finding, Scores
from toys import ToySpace

SPACE = ToySpace()


def finding(start: int, end: int) -> Finding:
    return Finding(start, end, "PERSON", 1.0, "test", "rule")


def scores(values: list[float]) -> Scores:
    return Scores(np.array(values, dtype=np.float32), 0.5)


def test_four_groups():
    units = SPACE.split("w1 w2 w3 w4")
    made = group(units, [finding(0, 5)], scores([0, 0, 1, 0]), replace_numbers=True)
    assert made.groups.tolist() == [2, 2, 3, 4]


@pytest.mark.parametrize(("values", "expected"), [([0.2, 0.9], 1), ([0.2, 0.7], 2)])
def test_a_span_is_important_by_its_mean(values, expected):
    units = SPACE.split("w1 w2 w3 w4")
    made = group(units, [finding(0, 5)], scores([*values, 1, 0]), replace_numbers=True)
    assert made.groups.tolist() == [expected, expected, 3, 4]


def test_a_kept_unit_makes_its_span_important_and_nothing_else_does_without_a_task():
    units = SPACE.split("w1 w2 w3 w4")
    none = Scores(np.zeros(4, dtype=np.float32), np.inf, kept=np.array([0, 1, 0, 0], dtype=bool))
    made = group(units, [finding(0, 5), finding(6, 11)], none, replace_numbers=True)
    assert made.groups.tolist() == [1, 1, 2, 2]


def test_a_unit_that_merely_touches_a_span_is_sensitive():
    units = SPACE.split("w11 w22 w33")
    made = group(units, [finding(2, 5)], scores([0, 0, 0]), replace_numbers=True)
    assert made.groups.tolist() == [2, 2, 4]
    assert made.spans.tolist() == [0, 0, NO_SPAN]
    between = group(units, [finding(3, 4)], scores([0, 0, 0]), replace_numbers=True)
    assert between.groups.tolist() == [4, 4, 4]


def test_unknown_units_and_numbers_are_sensitive():
    units = SPACE.split("w1 zzz w2")
    made = group(units, [], scores([0, np.nan, 1]), replace_numbers=True)
    assert made.groups.tolist() == [4, 2, 3]


def test_known_numbers_are_a_rule_that_the_policy_can_lift():
    units = SPACE.split("w1 w2")
    units.kinds[1] = 2  # a number that has a row
    kept = group(units, [], scores([0, 0]), replace_numbers=False)
    ruled = group(units, [], scores([0, 0]), replace_numbers=True)
    assert kept.groups.tolist() == [4, 4] and not kept.by_rule.any()
    assert ruled.groups.tolist() == [4, 2] and ruled.by_rule.tolist() == [False, True]


def test_empty_text_has_no_groups():
    made = group(SPACE.split(""), [], scores([]), replace_numbers=True)
    assert len(made.groups) == 0


def test_a_capitalised_small_word_inside_a_span_is_a_rule():
    units = SPACE.split("W1 w2 W2")
    small = np.array([False, True, True])
    options = {"replace_numbers": True, "small": small}
    part = group(units, [finding(0, 5)], scores([0, 0, 0]), **options)
    assert part.by_rule.tolist() == [False, False, False]
    whole = group(units, [finding(0, 8)], scores([0, 0, 0]), **options)
    assert whole.by_rule.tolist() == [False, False, True]


def test_units_of_identifiers_are_a_rule_and_those_of_names_are_not():
    units = SPACE.split("w1 w2 w3 zz9")
    code = Finding(0, 5, "POSTCODE", 1.0, "test", "rule")
    found = [code, finding(6, 8), Finding(9, 12, "POSTCODE", 1.0, "test", "rule")]
    for numbers in (True, False):
        made = group(units, found, scores([0, 0, 0, 0]), replace_numbers=numbers)
        assert made.by_rule.tolist() == [True, True, False, False]  # the last is unknown
        assert made.groups.tolist() == [2, 2, 2, 2]
    alone = [Finding(3, 5, "POSTCODE", 1.0, "test", "rule")]
    public = group(units, alone, scores([0, 0, 0, 0]), replace_numbers=True, public=True)
    assert public.by_rule.tolist() == [False, True, False, False]


def test_small_words_are_those_of_the_function_class():
    space = ToySpace(classes=("content", "function"))
    rows = np.array([0, 1, -1], dtype=np.int32)
    assert small_words(space, rows).tolist() == [False, True, False]
    assert not small_words(ToySpace(), rows).any()


def test_a_public_map_refuses_spans_of_several_units():
    units = SPACE.split("w1 w2 w3")
    one = group(units, [finding(0, 2)], scores([0, 1, 0]), replace_numbers=True, public=True)
    assert one.groups.tolist() == [2, 3, 4]
    with pytest.raises(ValueError, match="several units"):
        group(units, [finding(0, 5)], scores([0, 1, 0]), replace_numbers=True, public=True)


def word(text: str, part: str, kind: str, source: str = "lexicon") -> Finding:
    start = text.index(part)
    return Finding(start, start + len(part), kind, 0.5, source, f"rule {part}")


@pytest.mark.parametrize(
    ("text", "parts", "expected"),
    [
        ("Ana Li came", {"Ana": "PERSON", "Li": "PERSON"}, ["Ana Li"]),
        ("Ana-Li Roe", {"Ana": "PERSON", "Li": "PERSON", "Roe": "PERSON"}, ["Ana-Li Roe"]),
        ("Ana, Li", {"Ana": "PERSON", "Li": "PERSON"}, ["Ana", "Li"]),
        ("Ana Quux", {"Ana": "PERSON", "Quux": "RARE"}, ["Ana Quux"]),
        ("Ana quux", {"Ana": "PERSON", "quux": "RARE"}, ["Ana", "quux"]),
        ("Ana Rome", {"Ana": "PERSON", "Rome": "LOCATION"}, ["Ana", "Rome"]),
        ("Foo Bar", {"Foo": "RARE", "Bar": "RARE"}, ["Foo", "Bar"]),
        ("A B C D E F", dict.fromkeys("ABCDEF", "LOCATION"), ["A B C D E", "F"]),
    ],
)
def test_parts_of_one_name_are_joined(text, parts, expected):
    found = [word(text, part, kind) for part, kind in parts.items()]
    joined = join_names(text, found)
    assert [text[one.start : one.end] for one in joined] == expected


def test_a_joined_name_names_both_reasons_and_only_words_of_the_list_are_joined():
    [both] = join_names("Ana Li", [word("Ana Li", "Ana", "PERSON"), word("Ana Li", "Li", "PERSON")])
    assert (both.kind, both.source, both.rule) == ("PERSON", "lexicon", "rule Ana; rule Li")
    others = [word("Ana Li", name, "PERSON", "presidio") for name in ("Ana", "Li")]
    assert join_names("Ana Li", others) == others
