"""Chunks fall into the words, contractions, numbers and codes that a reader would name."""

from __future__ import annotations

import pytest

from privstamp.spaces.chunks import case_of, row_of
from privstamp.spaces.splitter import split
from privstamp.types import UNKNOWN, Kind, Label

LIST = """
    do not can will shall is are have would am they i it john mother-in-law x-ray o'brien u.s. at&t
    dr. etc. well-known café 10:30 3rd a1c 1990s 3/4 mg and/or iphone mcdonald parser html end the
    s mother in law well known cooperate
"""
WORDS = LIST.split()
KNOWN = {word: row for row, word in enumerate(WORDS)}
P, S, T, U = Label.POSSESSIVE, Label.SPLIT, Label.TITLE, Label.UPPER


def cut(text: str) -> list[tuple[str, str | None, Label]]:
    units = split(text, KNOWN)
    rows = [WORDS[row] if row != UNKNOWN else None for row in units.rows]
    return list(zip(units.surfaces(), rows, map(Label, units.labels.tolist()), strict=True))


def kinds(text: str) -> list[tuple[str, Kind]]:
    units = split(text, KNOWN)
    return list(zip(units.surfaces(), map(Kind, units.kinds.tolist()), strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", [("do", "do", Label(0)), ("n't", "not", S)]),
        ("Don’t", [("Do", "do", T), ("n’t", "not", S)]),
        ("DON'T", [("DO", "do", U), ("N'T", "not", U | S)]),
        ("can't", [("can", "can", Label(0)), ("'t", "not", S)]),
        ("won't", [("wo", "will", Label(0)), ("n't", "not", S)]),
        ("shan't", [("sha", "shall", Label(0)), ("n't", "not", S)]),
        ("They'd've", [("They", "they", T), ("'d", "would", S), ("'ve", "have", S)]),
        ("I'M", [("I", "i", T), ("'M", "am", U | S)]),
        ("n't", [("n't", "not", Label(0))]),
        ("it's", [("it's", "it", P)]),
        ("John’s.", [("John’s", "john", T | P)]),
        ("JOHN'S", [("JOHN'S", "john", U | P)]),
        ("O'Brien's", [("O'Brien's", "o'brien", T | P)]),
        ("O'Quux's", [("O", None, T), ("Quux's", None, T | P)]),
        ("Mother-in-law's", [("Mother-in-law's", "mother-in-law", T | P)]),
        ("in-law", [("in", "in", Label(0)), ("law", "law", Label(0))]),
        ("U.S.", [("U.S.", "u.s.", U)]),
        ("U.S.'s", [("U.S.'s", "u.s.", U | P)]),
        ("J.Q.", [("J", None, T), ("Q", None, T)]),
        ("J.Q.'s", [("J", None, T), ("Q", None, T), ("s", "s", Label(0))]),
        ("Dr. John", [("Dr.", "dr.", T), ("John", "john", T)]),
        ("the end.", [("the", "the", Label(0)), ("end", "end", Label(0))]),
        ("end.The", [("end", "end", Label(0)), ("The", "the", T)]),
        ("AT&T", [("AT&T", "at&t", U)]),
        ("iPhone McDonald", [("iPhone", "iphone", Label(0)), ("McDonald", "mcdonald", T)]),
        ("HTMLParser", [("HTML", "html", U), ("Parser", "parser", T)]),
        ("the_end", [("the", "the", Label(0)), ("end", "end", Label(0))]),
        ("cafe\u0301 CAFÉ", [("cafe\u0301", "café", Label(0)), ("CAFÉ", "café", U)]),
        ("co\u00adoperate", [("co\u00adoperate", "cooperate", Label(0))]),
        ("1990's", [("1990's", None, P)]),
    ],
)
def test_words(text: str, expected: list[tuple[str, str | None, Label]]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *[(text, Kind.NUMBER) for text in ("7", "1,234.56", "2026-11-15", "10:30", "555-0199")],
        *[(text, Kind.NUMBER) for text in ("192.168.0.1", "3/4", "١٢٣", "1990s", "9/11")],
        *[(text, Kind.ORDINAL) for text in ("3rd", "22nd", "1ST")],
        *[(text, Kind.CODE) for text in ("A1c", "x86", "AB12345", "2026-11-15T10:30:00Z")],
        ("550e8400-e29b-41d4-a716-446655440000", Kind.CODE),
    ],
)
def test_one_number_or_code(text: str, kind: Kind) -> None:
    assert kinds(text) == [(text, kind)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10mg", [("10", Kind.NUMBER), ("mg", Kind.WORD)]),
        ("5-10mg", [("5-10", Kind.NUMBER), ("mg", Kind.WORD)]),
        ("10:30am", [("10:30", Kind.NUMBER), ("am", Kind.WORD)]),
        ("COVID-19", [("COVID", Kind.WORD), ("19", Kind.NUMBER)]),
        ("72-year-old", [("72", Kind.NUMBER), ("year", Kind.WORD), ("old", Kind.WORD)]),
        ("a&b", [("a", Kind.WORD), ("&", Kind.SYMBOL), ("b", Kind.WORD)]),
        ("1\u0301", [("1", Kind.NUMBER), ("\u0301", Kind.SYMBOL)]),
        ("1\u200d2", [("1", Kind.NUMBER), ("\u200d", Kind.CONTROL), ("2", Kind.NUMBER)]),
        ("747's", [("747's", Kind.NUMBER)]),
    ],
)
def test_mixed_chunks(text: str, expected: list[tuple[str, Kind]]) -> None:
    assert kinds(text) == expected


def test_numbers_have_a_row_where_the_list_has_one() -> None:
    assert cut("10:30 10:31") == [("10:30", "10:30", Label(0)), ("10:31", None, Label(0))]


@pytest.mark.parametrize(
    ("surface", "label"),
    [
        *[("word", Label.LOWER), ("Word", T), ("WORD", U), ("iPhone", Label.LOWER)],
        *[("McDonald", T), ("I", T), ("A1", T), ("AB1", U), ("1990s", Label.LOWER)],
        *[("U.S.", U), ("É", T), ("ÉÀ", U), ("漢字", Label.LOWER), ("", Label.LOWER)],
    ],
)
def test_case(surface: str, label: Label) -> None:
    assert case_of(surface) == label


def test_words_longer_than_any_list_are_not_looked_up() -> None:
    long = "a" * 1000
    assert row_of({long: 1}, long) == UNKNOWN
