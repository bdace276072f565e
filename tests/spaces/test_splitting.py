"""Splitting covers any text exactly, in linear time; between units lie PASSING characters only."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import InputError
from privstamp.spaces.splitter import split
from privstamp.types import PASSING, UNKNOWN, Kind, Label, join_surfaces

KNOWN = {"word": 0, "a": 1, "not": 2, "привет": 3, "s": 4}
ODD = "aA1é'’-._/&,:@ \n\r\t\u0301\u200d\u200c\u00ad\ufe0f\u20e3😀🏽🇦я漢$€#§\x00\xa0\ue000śwcom/tn"
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from(ODD), max_size=40),
    st.lists(st.sampled_from([*ODD, "n't", "'s", "www.", "http://", ".com", "a@b.c"])).map("".join),
)


def kinds(text: str) -> list[tuple[str, Kind]]:
    units = split(text, KNOWN)
    return list(zip(units.surfaces(), map(Kind, units.kinds.tolist()), strict=True))


@settings(max_examples=1000, deadline=None)
@given(TEXTS)
def test_units_cover_everything_that_may_not_pass(text: str) -> None:
    units = split(text, KNOWN)
    assert join_surfaces(units, units.surfaces()) == text
    assert (units.starts < units.ends).all()
    assert (units.ends[:-1] <= units.starts[1:]).all()
    assert set(join_surfaces(units, [""] * len(units))) <= PASSING
    wordless = units.kinds >= Kind.EMAIL
    wordless &= units.kinds != Kind.FOREIGN
    assert (units.rows[wordless] == UNKNOWN).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("привет, мир", [("привет", Kind.FOREIGN), ("мир", Kind.FOREIGN)]),
        ("п'ять", [("п'ять", Kind.FOREIGN)]),
        ("你好世界", [("你好世界", Kind.FOREIGN)]),
        ("word手机", [("word", Kind.WORD), ("手机", Kind.FOREIGN)]),
        ("第3章", [("第", Kind.FOREIGN), ("3", Kind.NUMBER), ("章", Kind.FOREIGN)]),
        ("می\u200cخواهم", [("می\u200cخواهم", Kind.FOREIGN)]),
        ("हिन्दी", [("हिन्दी", Kind.FOREIGN)]),
        ("สวัสดี", [("สวัสดี", Kind.FOREIGN)]),
        ("👩‍👩‍👧‍👦👍🏽", [("👩‍👩‍👧‍👦", Kind.EMOJI), ("👍🏽", Kind.EMOJI)]),
        ("🇩🇪🇫🇷🇦", [("🇩🇪", Kind.EMOJI), ("🇫🇷", Kind.EMOJI), ("🇦", Kind.EMOJI)]),
        ("🏳️‍🌈 1️⃣ #⃣ ❤️", [(e, Kind.EMOJI) for e in ("🏳️‍🌈", "1️⃣", "#⃣", "❤️")]),
        ("🏴\U000e0067\U000e007f", [("🏴\U000e0067\U000e007f", Kind.EMOJI)]),
        (
            "$5 €6",
            [("$", Kind.CURRENCY), ("5", Kind.NUMBER), ("€", Kind.CURRENCY), ("6", Kind.NUMBER)],
        ),
        ("%°", [("%", Kind.SYMBOL), ("°", Kind.SYMBOL)]),
        ("\xa0\u2003\x0b\x0c\u2028", [(e, Kind.SPACE) for e in "\xa0\u2003\x0b\x0c\u2028"]),
        (
            "\x00\x1b\x7f\u200b\ufeff\ue000",
            [(e, Kind.CONTROL) for e in "\x00\x1b\x7f\u200b\ufeff\ue000"],
        ),
        ("mara@example.com's", [("mara@example.com's", Kind.EMAIL)]),
        ("(https://example.com)", [("https://example.com", Kind.URL)]),
        ("\u0301x", [("\u0301", Kind.SYMBOL), ("x", Kind.WORD)]),
        ("", []),
        (" \t\r\n.,;:!?'\"()[]{}-/\\_‘’“”–—…", []),
    ],
)
def test_kinds(text: str, expected: list[tuple[str, Kind]]) -> None:
    assert kinds(text) == expected


def test_foreign_words_are_known_where_the_list_has_them() -> None:
    units = split("Привет's мир", KNOWN)
    assert units.rows.tolist() == [3, UNKNOWN]
    assert units.labels[0] == Label.TITLE | Label.POSSESSIVE


def test_more_distinct_chunks_than_are_remembered() -> None:
    text = " ".join(f"a{number}" for number in range(120_000))
    assert len(split(text, KNOWN)) == 120_000


@pytest.mark.parametrize("point", [0xD800, 0xDC80, 0xDFFF])
def test_lone_surrogates_are_refused(point: int) -> None:
    for text in (f"word{chr(point)}", f"{chr(point)}é"):
        with pytest.raises(InputError, match="lone surrogate"):
            split(text, KNOWN)


PATTERNS = (
    *("a", ".", "-", "@", "'", " ", "漢", "A", "\u0301", "\u200d", "🇦", "$", "\x00"),
    *("a.", "a-", "a'", "a@", "a/", "a&", "1,", "1:", "1a", "aA", "'s", "x's.", "n't", "d'"),
    *("a\u200d", "a.b@", "www.", "://", "a://", "x.com.", ".com", "я'", "👩\u200d", "1-a", "-@"),
)
ENDINGS = (("a.", "aa"), ("a.", "com"), ("A", "a"), ("a-", "1"), ("a@", "b.c"), ("(", "http://a"))


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "ending"), [*((p, "") for p in PATTERNS), *ENDINGS])
def test_time_is_linear(pattern: str, ending: str) -> None:
    """A quadratic step takes minutes at this length; a linear one well under two seconds."""
    started = time.process_time()
    split(pattern * (200_000 // len(pattern)) + ending, KNOWN)
    assert time.process_time() - started < 10


@pytest.mark.slow
@pytest.mark.parametrize("character", ["a", ".", "-", "'", " ", "A", "1", "é"])
def test_five_million_of_one_character(character: str) -> None:
    started = time.process_time()
    units = split(character * 5_000_000, KNOWN)
    assert len(units) <= 1
    assert time.process_time() - started < 20


@pytest.mark.slow
def test_a_thousand_pages_take_seconds() -> None:
    page = "The patient doesn't report any well-known problem; see Dr. Quill's note of 2026-11-15. "
    text = page * (3_000_000 // len(page))
    started = time.process_time()
    split(text, KNOWN)
    assert time.process_time() - started < 15
