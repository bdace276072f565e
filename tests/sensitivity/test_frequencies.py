"""Word frequencies are those of wordfreq, and a language without a list is refused."""

import pytest
import wordfreq

from privstamp.errors import PolicyError
from privstamp.sensitivity.frequencies import (
    FREQUENT,
    OPENING,
    check_language,
    common_words,
    languages,
    zipf_frequencies,
)


@pytest.mark.parametrize(("language", "words"), [("en", "the may okonkwo"), ("ru", "и дом")])
def test_frequencies_are_those_that_the_package_gives(language, words):
    found = zipf_frequencies(language, 3.0)
    for word in words.split():
        expected = wordfreq.zipf_frequency(word, language)
        assert round(found.get(word, 0.0), 2) == (expected if expected >= 3 else 0.0)


def test_a_lower_limit_gives_more_words():
    some, more = zipf_frequencies("en", 3.0), zipf_frequencies("en", 2.5)
    assert some.items() < more.items()
    assert min(some.values()) >= 3.0 > min(more.values()) >= 2.5


def test_only_what_is_asked_is_kept():
    every = zipf_frequencies("en", 3.0)
    asked = {"the", "maybe", "okonkwo"}
    assert zipf_frequencies("en", 3.0, asked) == {w: every[w] for w in asked if w in every}


def test_languages_without_a_list_or_without_blanks_are_refused():
    assert {"en", "de", "ar"} <= set(languages())
    assert not {"zh", "ja", "ko"} & set(languages())
    with pytest.raises(PolicyError, match='no word list for language "xx"'):
        check_language("xx", 3.0)
    with pytest.raises(PolicyError, match="ends at a Zipf frequency of 3"):
        check_language("el", 2.0)
    with pytest.raises(PolicyError, match="ends at a Zipf frequency of 1"):
        check_language("en", 0.5)


def test_frequent_words_with_their_frequency():
    words = common_words("en")
    assert words["the"] > OPENING > words["table"] > FREQUENT
    assert "raghunathan" not in words


def test_a_language_without_a_list_has_none():
    assert common_words("xx") == {}
    assert {"strasse", "marz"} <= common_words("de").keys()
