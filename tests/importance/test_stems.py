import pytest

from privstamp.errors import PolicyError
from privstamp.importance.task_match import ALGORITHMS, stemmer


def test_forms_of_a_word_have_one_stem_whatever_their_case():
    stem = stemmer("en")
    assert len({stem(word) for word in ("payment", "Payments", " PAYMENT", "payment's")}) == 1
    assert stem("payment") != stem("salary")
    assert stem("clinic\u2019s") == stem("clinic")


@pytest.mark.parametrize("language", ALGORITHMS)
def test_every_named_language_has_a_stemmer(language):
    assert stemmer(language)("42") == "42"


def test_german_is_not_stemmed_as_english():
    assert stemmer("de")("Häuser") == stemmer("de")("Häusern")
    assert stemmer("en")("Häuser") != stemmer("en")("Häusern")


def test_an_unknown_language_names_the_known_ones():
    with pytest.raises(PolicyError, match="Known: ar"):
        stemmer("xx")
