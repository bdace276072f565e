"""Slips in everyday words are everyday words; names that come close are not."""

import pytest

from privstamp.sensitivity.lexicon import Lexicon
from privstamp.sensitivity.misspelling import is_misspelt

ORDINARY = {"seasoning", "service", "different", "shaman", "restaurant", "receive", "tomato"}


@pytest.mark.parametrize(
    "word", ["sesoning", "sevice", "diffrent", "resturant", "recieve", "serrvice", "seasuning"]
)
def test_a_slip_is_ordinary(word):
    assert is_misspelt(word, ORDINARY)


@pytest.mark.parametrize(
    "word",
    ["shamhan", "kervice", "serwice", "tmto", "srvic", "services2", "s\u00e9rvice"],
)
def test_other_words_are_none(word):
    assert not is_misspelt(word, ORDINARY)


def test_the_lexicon_asks_in_small_letters_only_and_after_its_lists():
    lexicon = Lexicon()
    assert lexicon.is_public("sesoning") and lexicon.is_public("diffrent")
    assert not lexicon.is_public("okonkwo") and not lexicon.is_public("raghunathan")
    assert not lexicon.is_public("johanssen")
