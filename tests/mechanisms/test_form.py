from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from privstamp.mechanisms._wordlists import PERCENTS
from privstamp.mechanisms.form import SHAPED, WORD_FORMS, form_of
from privstamp.types import PASSING, Kind, Label

TEXTS = st.text(max_size=40)
KINDS = st.sampled_from(Kind)
LABELS = st.integers(0, 15)


@given(TEXTS, KINDS, LABELS)
def test_a_form_holds_no_other_letter_or_digit(surface, kind, label):
    assert {c for c in form_of(surface, kind, label) if c.isalnum()} <= set("0aA")


@given(TEXTS, st.sampled_from(sorted(SHAPED)), LABELS)
def test_a_shape_goes_character_by_character(surface, kind, label):
    form = form_of(surface, kind, label)
    assert len(form) == len(surface)
    for mine, theirs in zip(form, surface, strict=True):
        assert mine == theirs if theirs in PASSING else mine in "0aA"
    assert form_of(form, kind, label) == form


@given(TEXTS, TEXTS, st.sampled_from(sorted(set(Kind) - SHAPED)), LABELS)
def test_otherwise_only_kind_and_case_show(one, other, kind, label):
    """Not even the length: two units of one kind and label look the same."""
    assume(not {one, other} & set(PERCENTS))
    assert form_of(one, kind, label) == form_of(other, kind, label)


def test_a_symbol_shows_whether_it_means_per_cent():
    forms = {form_of(sign, Kind.SYMBOL, Label.LOWER) for sign in PERCENTS}
    assert len(forms) == 1 and form_of("§", Kind.SYMBOL, Label.LOWER) not in forms
    assert form_of("%", Kind.CURRENCY, Label.LOWER) == form_of("$", Kind.CURRENCY, Label.LOWER)


@pytest.mark.parametrize(
    ("surface", "kind", "form"),
    [
        ("1,234.50", Kind.NUMBER, "0,000.00"),
        ("(020) 7946-0018", Kind.NUMBER, "(000) 0000-0000"),
        ("22nd", Kind.ORDINAL, "00aa"),
        ("1ST", Kind.ORDINAL, "0AA"),
        ("A1c", Kind.CODE, "A0a"),
        ("x86_64", Kind.CODE, "a00_00"),
        ("ÉÀß9", Kind.CODE, "AAa0"),
        ("漢9+", Kind.CODE, "a0a"),
        ("٣½²Ⅷ", Kind.NUMBER, "0000"),
        ("", Kind.CODE, ""),
    ],
)
def test_shapes(surface, kind, form):
    assert form_of(surface, kind, Label.LOWER) == form


@pytest.mark.parametrize(
    ("label", "form"),
    [
        (Label.LOWER, "a"),
        (Label.TITLE, "Aa"),
        (Label.UPPER, "AA"),
        (Label.TITLE | Label.POSSESSIVE, "Aa"),
        (Label.UPPER | Label.POSSESSIVE, "AA"),
        (Label.SPLIT, "a"),
    ],
)
def test_case_of_words(label, form):
    assert form_of("Raghunathan", Kind.WORD, label) == form
    assert form_of("Raghu", Kind.PIECE, label) == form
    assert form in WORD_FORMS


def test_every_digit_of_unicode_is_a_zero():
    digits = [chr(c) for c in range(sys.maxunicode) if unicodedata.category(chr(c)) == "Nd"]
    assert len(digits) > 600
    assert set(form_of("".join(digits), Kind.NUMBER, 0)) == {"0"}


def test_constants_tell_kinds_apart_and_are_no_shape():
    constant = [kind for kind in Kind if kind not in SHAPED | {Kind.WORD, Kind.PIECE, Kind.FOREIGN}]
    forms = [form_of("?", kind, 0) for kind in constant]
    assert len(set(forms)) == len(forms)
    shape = re.compile("[0aA" + re.escape("".join(PASSING)) + "]*")
    assert not any(shape.fullmatch(form) for form in forms)
