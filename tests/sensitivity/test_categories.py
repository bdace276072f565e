"""Lists of words by kind: opt-in, English, and clean."""

import pytest

from privstamp.errors import PolicyError
from privstamp.sensitivity.categories import FILES, terms
from privstamp.sensitivity.rules import DEFAULT, Rules

NOTE = (
    "The nurse, a Muslim of Somali origin, has type 2 diabetes and takes metformin. "
    "She is a lesbian woman, a trade unionist; allergies: none."
)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("HEALTH", {"type 2 diabetes", "metformin", "allergies"}),
        ("JOB_TITLE", {"nurse"}),
        ("RELIGION", {"Muslim"}),
        ("ETHNICITY", {"Somali"}),
        ("ORIENTATION", {"lesbian"}),
        ("GENDER", {"woman"}),
        ("POLITICS", {"trade unionist"}),
    ],
)
def test_each_kind_finds_its_words(kind, words):
    found = list(Rules(entities=[kind]).scan(NOTE))
    assert {NOTE[one.start : one.end] for one in found} == words
    assert {(one.kind, one.rule) for one in found} == {(kind, f"list of {kind}")}


def test_none_of_them_by_default():
    assert not DEFAULT & FILES.keys()
    assert not {one.kind for one in Rules().scan(NOTE)} & FILES.keys()


@pytest.mark.parametrize("language", ["de", "any", ["en", "fr"]])
def test_a_language_without_a_list_is_refused(language):
    with pytest.raises(PolicyError, match=r"HEALTH has no list for language.*Known: en"):
        Rules(entities=["HEALTH"], language=language)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_lists_are_clean_and_not_short(kind):
    found = list(terms(kind, "en"))[::2]
    assert len(found) >= 40
    assert all(term and term == term.lower() == " ".join(term.split()) for term in found)
    assert len(set(found)) == len(found)
