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
    rules = {word: english()[word].rule for word in ("priya", "raghavan", "james", "lisbon")}
    assert rules["lisbon"] == PLACE
    assert rules["priya"] in (GIVEN, NAME) and rules["raghavan"] in (FAMILY, NAME)
    assert rules["james"] == NAME
    assert {claim.rule for claim in english().values()} == set(RULES)


def test_shares_follow_the_census_and_the_population():
    claims = english()
    assert claims["smith"].share > claims["nakamura"].share > 0
    assert claims["india"].share > claims["paris"].share > claims["sheffield"].share
    assert claims["smith"].share < NAMES


def test_the_words_of_a_longer_place_share_its_people():
    assert english()["angeles"].share < english()["chicago"].share * 2
    assert "los angeles" not in english()


@pytest.mark.slow
def test_names_of_the_texts_own_language_weigh_more():
    assert read_claims("de")["annegret"].share > 5 * english()["annegret"].share
    assert read_claims("de")["smith"].share < english()["smith"].share


def test_single_letters_are_no_names():
    assert all(len(word) > 1 for word in english())
