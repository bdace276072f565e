"""Every language has every field that it can have, and no other is assumed."""

from dataclasses import fields

import pytest

from privstamp.errors import PolicyError
from privstamp.sensitivity.languages import ANY, WORDS, Words, listed, words_of

FORMS_OF_WAYS = {"ways_after", "ways_before", "ways_glued"}


@pytest.mark.parametrize("language", sorted(WORDS))
def test_every_field_is_filled(language):
    words = WORDS[language]
    empty = {field.name for field in fields(Words) if not getattr(words, field.name)}
    assert empty <= FORMS_OF_WAYS and empty != FORMS_OF_WAYS


def test_seven_languages_at_least():
    assert WORDS.keys() >= {"en", "de", "fr", "es", "it", "nl", "pt"}


@pytest.mark.parametrize("language", ["xx", "EN", "english", "pl"])
def test_a_language_without_words_is_refused(language):
    with pytest.raises(PolicyError, match=rf'no words for language "{language}".*Known: any, de'):
        words_of(language)


def test_none_is_not_english():
    with pytest.raises(PolicyError, match="language"):
        words_of([])


def test_any_has_no_words():
    assert words_of(ANY) == Words()


def test_languages_add_up():
    both = words_of(["de", "fr"])
    assert {"herr", "madame"} <= set(listed(both.titles))
    assert "street" not in listed(both.ways_after)


def test_longer_phrases_come_first():
    assert listed("is, is not, is") == ("is not", "is")
