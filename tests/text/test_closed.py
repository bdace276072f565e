"""Closed classes: every word is of one class, and what is drawn for it is of that class too."""

import pytest

from privstamp.text.closed import DOUBTFUL, POOLS, SMALL, class_of


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("July JULY july Sept. may March", "MONTH"),
        ("Sunday tues", "WEEKDAY"),
        ("eight forty one forty-two Ninety-nine", "CARDINAL"),
        ("first second third twentieth forty-second", "ORDINAL_WORD"),
        ("days weeks seconds", "TIME_UNITS"),
        ("the every a", "EVERY"),
        ("half quarter", "FRACTION"),
        ("am p.m.", "MERIDIEM"),
        ("o'clock", "CLOCK"),
        ("miles pounds metres litres", "MEASURES"),
        ("mile pint metre kilometre litre", "MEASURE"),
    ],
)
def test_words_have_their_class(words, name):
    assert {class_of(word) for word in words.split()} == {name}


@pytest.mark.parametrize("word", ["harvest", "Shawral", "", ".", "forty-shoes", "forty-first-aid"])
def test_other_words_have_none(word):
    assert class_of(word) is None


def test_what_is_drawn_is_of_the_class():
    for name, words in POOLS.items():
        assert len(set(words)) == len(words) >= 2
        if name != "FRACTION":  # thirds come after seconds
            assert {class_of(word) for word in words} == {name}


def test_months_and_weekdays_tell_what_they_are_and_others_do_not():
    assert DOUBTFUL.isdisjoint([*POOLS["MONTH"], *POOLS["WEEKDAY"]])
    assert {"six", "days", "the"} <= DOUBTFUL
    assert set(POOLS) > SMALL
