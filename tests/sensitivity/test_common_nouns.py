"""Things are told from names by their plural and by the words around them."""

from functools import cache

import pytest

from privstamp.sensitivity.common_nouns import forms_of, is_derived
from privstamp.sensitivity.company import Company
from privstamp.sensitivity.frequencies import LARGE, zipf_frequencies
from privstamp.sensitivity.lexicon_claims import read_claims
from privstamp.spaces.glove import Glove

company = cache(Company)


@cache
def told() -> set[str]:
    frequency = zipf_frequencies("en", LARGE)
    names = {word for word in read_claims("en").rules if frequency.get(word, 0.0) < 3.0}
    asked = ("mango", "burger", "canal", "ferry", "mozart", "mandela", "maria", "chicago")
    return company().common_nouns(asked, frequency, names)


def test_things_are_words_and_names_are_not():
    assert told() == {"mango", "burger", "canal", "ferry"}


def test_a_plural_must_be_in_use_and_no_name():
    frequency = {"mango": 4.0, "mangos": 2.5, "mangoes": 2.9, "adam": 4.5, "adams": 4.2}
    assert company().common_nouns(["mango", "adam"], frequency, {"adams"}) == set()
    assert company().common_nouns(["mango"], frequency | {"mangoes": 3.0}, set()) == {"mango"}


@pytest.mark.parametrize(
    "word", ["shortness", "happiness", "pianos", "lobbies", "dosing", "staked"]
)
def test_forms_of_frequent_words(word):
    frequent = {"short", "happy", "piano", "lobby", "dose", "stake"}
    assert forms_of(frequent, {word, "ramipril", "nessly"}) == {word}


def test_derived_words_have_an_english_ending_and_a_stem():
    assert all(map(is_derived, ["photosynthetic", "solubility", "nationalisms"]))
    assert not any(map(is_derived, ["raghunathan", "metformin", "sing", "o'reilly"]))


def test_the_company_of_words_is_that_of_the_space():
    space = Glove()
    words = ["london", "boston", "smith", "maria", "table", "will", "the", "1990", "nakamura"]
    rows = {word: space.split(word).rows[0] for word in words}
    kinds = {word: space.classes[space.class_of[row]] for word, row in rows.items()}
    named, places = company().names_and_places(words)
    assert named == {word for word in words if kinds[word] in ("name", "place")}
    assert places == {word for word in words if kinds[word] == "place"} >= {"london", "boston"}
