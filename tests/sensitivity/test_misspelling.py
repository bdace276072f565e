"""Slips in everyday words are everyday words; names that come close are not."""

import pytest

from privstamp.sensitivity.lexicon import Lexicon
from privstamp.sensitivity.misspelling import Slips

ORDINARY = {"seasoning", "service", "different", "shaman", "restaurant", "receive", "tomato"}
ORDINARY |= {"recognized", "broccoli", "close", "lamp", "heat", "recommend", "front", "zork"}
SLIPS = Slips(ORDINARY, lambda word: word != "zork")


@pytest.mark.parametrize(
    "word",
    [
        *("sesoning", "sevice", "diffrent", "resturant", "recieve", "serrvice", "seasuning"),
        *("recongnized", "recoomend", "restaraunt", "diffezent"),
    ],
)
def test_a_slip_is_ordinary(word):
    assert word in SLIPS


@pytest.mark.parametrize(
    "word",
    [
        "shamhan",
        "kervice",
        "serwice",
        "tmto",
        "srvic",
        "frontier",
        "heatlamp",
        "closer",
        "recovend",
        "brocolo",
        "services2",
        "s\u00e9rvice",
    ],
)
def test_other_words_are_none(word):
    assert word not in SLIPS


def test_short_slips_count_of_frequent_words_alone():
    slips = Slips({"with", "still", "myth", "alarm"}, str.isdigit, {"with": 6.8, "still": 5.9})
    for word in ("wiht", "stil", "sitll"):
        assert word in slips
    for word in ("mtyh", "alrm", "whit2", "wit", "iwth", "stll\u00e9"):
        assert word not in slips


def test_the_lexicon_asks_in_small_letters_only_and_after_its_lists():
    lexicon = Lexicon()
    assert lexicon.is_public("sesoning") and lexicon.is_public("diffrent")
    assert not lexicon.is_public("okonkwo") and not lexicon.is_public("raghunathan")
    assert not lexicon.is_public("johanssen")
    assert lexicon.is_public("agian") and lexicon.is_public("watre")
    assert not lexicon.is_public("ncube") and not lexicon.is_public("menea")
