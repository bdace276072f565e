"""User names are sensitive as a whole, where a list knows one part of them."""

import pytest

from privstamp.sensitivity.people import whole
from privstamp.types import Finding


def handles(text, part, kind="PERSON"):
    start = text.index(part)
    finding = Finding(start, start + len(part), kind, 0.9, "lexicon", "listed name")
    return [text[one.start : one.end] for one in whole(text, [finding])]


@pytest.mark.parametrize(
    ("text", "part", "handle"),
    [
        ("ask tobi.o about it", "tobi", "tobi.o"),
        ("by s.okafor, today", "okafor", "s.okafor"),
        ("by m_lindgren_2.", "lindgren", "m_lindgren_2"),
        ("[09:04] hae-won: morning", "hae", "hae-won"),
        ("<mei-fan> hello", "mei", "mei-fan"),
        ("first\nhae-won: morning", "hae", "hae-won"),
    ],
)
def test_the_rest_of_a_user_name_goes_too(text, part, handle):
    assert handles(text, part) == [handle]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a london-based firm", "london"),
        ("it was tobi. Then", "tobi"),
        ("see tobi", "tobi"),
        ("in okonedo.py:44 today", "okonedo"),
        ("open margaret.notes.txt", "margaret"),
        ("Tobi.O said", "Tobi"),
    ],
)
def test_other_words_are_left_alone(text, part):
    assert handles(text, part) == []


def test_only_names_and_unknown_words_grow():
    assert handles("ask tobi.o", "tobi", "DATE") == []
