"""Shares of listed words: ordered as the lists order them."""

from functools import cache

import pytest

from privstamp.sensitivity.lexicon_claims import (
    FAMILY,
    GIVEN,
    NAME,
    NAMES,
    PLACE,
    RULES,
    read_claims,
)


@cache
def english():
    return read_claims("en")


def test_a_listed_word_is_what_the_lists_say():
    rules = {word: english().rules[word] for word in ("priya", "raghavan", "james", "lisbon")}
    assert rules["lisbon"] == PLACE
    assert rules["priya"] in (GIVEN, NAME) and rules["raghavan"] in (FAMILY, NAME)
    assert rules["james"] == NAME
    assert set(english().rules.values()) == set(RULES)


def test_shares_follow_the_census_and_the_population():
    shares = english().shares
    assert shares["smith"] > shares["nakamura"] > 0
    assert shares["india"] > shares["paris"] > shares["sheffield"]
    assert shares["smith"] < NAMES and shares.keys() == english().rules.keys()


def test_the_words_of_a_longer_place_share_its_people():
    assert english().shares["angeles"] < english().shares["chicago"] * 2
    assert "los angeles" not in english().rules


@pytest.mark.slow
def test_names_of_the_texts_own_language_weigh_more():
    assert read_claims("de").shares["annegret"] > 5 * english().shares["annegret"]
    assert read_claims("de").shares["smith"] < english().shares["smith"]


def test_single_letters_are_no_names():
    assert all(len(word) > 1 for word in english().rules)
