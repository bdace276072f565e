import numpy as np

from privstamp.grouping import NO_SPAN, group, small_words
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


def test_one_important_unit_makes_its_span_important():
    units = SPACE.split("w1 w2 w3 w4")
    made = group(units, [finding(0, 5)], scores([0, 1, 1, 0]), replace_numbers=True)
    assert made.groups.tolist() == [1, 1, 3, 4]


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


def test_small_words_are_those_of_the_function_class():
    space = ToySpace(classes=("content", "function"))
    rows = np.array([0, 1, -1], dtype=np.int32)
    assert small_words(space, rows).tolist() == [False, True, False]
    assert not small_words(ToySpace(), rows).any()
