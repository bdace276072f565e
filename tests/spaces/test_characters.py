"""Sketches: one typical character for each, passing ones from passing ones only."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.spaces import chunks as c
from privstamp.types import PASSING

ANY = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.slow
def test_only_passing_characters_are_drawn_as_passing_ones() -> None:
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        sort = c.sort_of(character)
        assert len(sort) == 1
        assert (sort in PASSING) == (character in PASSING), hex(point)


@given(ANY)
def test_a_sketch_is_as_long_as_its_text(text: str) -> None:
    assert len(c.sketch(text)) == len(text)


@pytest.mark.parametrize(
    ("character", "sort"),
    [
        ("a", "a"),
        ("é", c.LOWER),
        ("Ł", c.UPPER),
        ("ß", c.LOWER),
        ("Ａ", c.UPPER),
        ("𝐇", c.UPPER),
        ("ﬁ", c.LOWER),
        ("ж", c.SPACED),
        ("α", c.SPACED),
        ("ع", c.SPACED),
        ("한", c.SPACED),
        ("漢", c.UNSPACED),
        ("か", c.UNSPACED),
        ("ก", c.UNSPACED),
        ("\u0301", c.MARK),
        ("\u093f", c.MARK),
        ("٣", "0"),
        ("९", "0"),
        ("½", c.SYMBOL),
        ("€", c.CURRENCY),
        ("₹", c.CURRENCY),
        ("«", c.SYMBOL),
        ("。", c.SYMBOL),
        ("\u00a0", c.SPACE),
        ("\u2028", c.SPACE),
        ("\u3000", c.SPACE),
        ("\u200b", c.CONTROL),
        ("\u202e", c.CONTROL),
        ("\ue000", c.CONTROL),
        ("\uffff", c.CONTROL),
        ("\u200d", c.JOINER),
        ("😺", c.PICTURE),
        ("\U0001faff", c.PICTURE),
        ("🇫", c.REGION),
        ("🏿", c.TONE),
        ("’", "'"),
        ("“", '"'),
    ],
)
def test_sorts(character: str, sort: str) -> None:
    assert c.sort_of(character) == sort


@pytest.mark.parametrize("wrong", [None, b"bytes", 3, ["text"]])
def test_what_is_not_text_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match=f"not {type(wrong).__name__}"):
        c.sketch(wrong)


@pytest.mark.parametrize("point", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_lone_surrogates_are_refused_by_position_and_without_the_text(point: int) -> None:
    with pytest.raises(InputError, match="character 6 is a lone surrogate") as caught:
        c.sketch("secret" + chr(point))
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None
