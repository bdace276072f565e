"""Scores worked out by hand."""

import math

import pytest

from privstamp.lab.evals.answers import exact_match, judged, macro_f1, normalise, token_f1
from privstamp.lab.evals.contracts import Example


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("The  Reeds, of a Marsh!", "reeds of marsh"),
        ("An-other", "another"),
        ("theatre", "theatre"),
        ("the", ""),
    ],
)
def test_case_punctuation_articles_and_blanks_do_not_count(answer, bare):
    assert normalise(answer) == bare


def test_exact_match_is_with_any_gold_answer():
    assert exact_match("the Moss End.", ["Fen", "Moss End"]) == 1
    assert exact_match("Moss", ["Fen", "Moss End"]) == 0
    assert exact_match("", []) == 0


@pytest.mark.parametrize(
    ("answer", "gold", "score"),
    [
        ("Ada Quorl", ["Quorl"], 2 / 3),
        ("Ada Quorl", ["Quorl", "Ada Quorl"], 1),
        ("Ada Ada", ["Ada Quorl"], 1 / 2),
        ("Fen", ["Moss End"], 0),
        ("", ["Moss End"], 0),
        ("the", ["a"], 1),
        ("Fen", [], 0),
    ],
)
def test_f1_counts_shared_words_with_the_best_gold_answer(answer, gold, score):
    assert token_f1(answer, gold) == pytest.approx(score)


def test_rare_labels_weigh_as_much_in_macro_f1():
    labels, predicted = list("aaab"), list("aaaa")
    assert macro_f1(labels, predicted) == pytest.approx((6 / 7 + 0) / 2)
    assert macro_f1(labels, labels) == 1
    assert macro_f1(list("aab"), list("aac")) == pytest.approx(1 / 3)  # "c" was never right
    assert math.isnan(macro_f1([], []))
    assert macro_f1(list("aab"), list("aba"), [1.0, 0.5, 0.5]) == pytest.approx((2 / 3 + 0) / 2)
    with pytest.raises(ValueError, match="shorter"):
        macro_f1(list("aab"), list("aa"))


def test_judged_labels():
    examples = [Example("1", "1", "x", "?", label="a"), Example("2", "2", "x", "?", label="b")]
    assert judged(examples, ["a", "a"]) == [
        {"correct": 1.0, "label": "a", "predicted": "a"},
        {"correct": 0.0, "label": "b", "predicted": "a"},
    ]
