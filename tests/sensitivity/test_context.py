"""Words near a finding."""

import pytest

from privstamp.errors import PolicyError
from privstamp.sensitivity.custom import GAIN, REACH, Context
from privstamp.types import Finding


def score(text: str, start: int, **words: list[str]) -> float:
    one = Finding(start, start + 2, "US_SSN", 0.3, "x", "y")
    (raised,) = Context(words).raised(text, [one])
    return raised.score


@pytest.mark.parametrize(
    ("text", "start", "near"),
    [
        ("SSN: 12", 5, True),
        ("12 is my Social number", 0, True),
        ("ssnx 12", 5, False),
        ("ssn" + " " * REACH + "12", 3 + REACH, False),
        ("12", 0, False),
    ],
)
def test_a_word_before_or_after_counts_within_reach(text, start, near):
    expected = 0.3 + GAIN if near else 0.3
    assert score(text, start, US_SSN=["ssn", "social"]) == pytest.approx(expected)


def test_other_kinds_are_left_alone():
    assert score("ssn 12", 4, PERSON=["ssn"]) == 0.3


def test_a_score_stays_a_score():
    sure = Finding(4, 6, "US_SSN", 0.9, "x", "y")
    (raised,) = Context({"US_SSN": ["ssn"]}).raised("ssn 12", [sure])
    assert raised.score == 1.0


@pytest.mark.parametrize("words", [["a"], {"US_SSN": "ssn"}, {"US_SSN": []}, {"US_SSN": ["a b"]}])
def test_what_is_no_table_of_words_is_refused(words):
    with pytest.raises(PolicyError, match=r"sensitivity\.context"):
        Context(words)
