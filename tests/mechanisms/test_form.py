from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from privstamp.mechanisms.form import SHAPED, SIGNS, WORD_FORMS, form_of, span_form
from privstamp.types import PASSING, Kind, Label

TEXTS = st.text(max_size=40)
KINDS = st.sampled_from(Kind)
LABELS = st.integers(0, 15)
SPANS = [
    "CREDENTIAL",
    "EMAIL_ADDRESS",
    "HANDLE",
    "IP_ADDRESS",
    "MAC_ADDRESS",
    "PHONE",
    "URL",
    "UUID",
]


@given(TEXTS, KINDS, LABELS)
def test_a_form_holds_no_other_letter_or_digit(surface, kind, label):
    signs = "\u00ba\u00aa"  # of an ordinal, which Python counts as letters
    assert {c for c in form_of(surface, kind, label) if c.isalnum()} <= set("0aAxXz" + signs)


@given(TEXTS, st.sampled_from(sorted(SHAPED)), LABELS)
def test_a_shape_goes_character_by_character(surface, kind, label):
    form = form_of(surface, kind, label)
    assert len(form) == len(surface)
    for mine, theirs in zip(form, surface, strict=True):
        assert mine == theirs if theirs in PASSING | SIGNS else mine in "0aAxXz"
    if not set(form) & set("xXz"):
        assert form_of(form, kind, label) == form


def test_where_letters_stand_in_a_long_key_does_not_show():
    keys = ("d41d8cd98f00b204", "0cc175b9c0f1b6a8", "ffffffffffffff01", "9" * 15 + "a")
    assert {form_of(key, Kind.CODE, 0) for key in keys} == {"x" * 16}
    assert form_of("1A1zP1eP5QGefi2DMP", Kind.CODE, 0) == "z" * 18
    assert form_of("KL-20931", Kind.CODE, 0) == "AA-00000"


@given(TEXTS, TEXTS, st.sampled_from(sorted(set(Kind) - SHAPED)), LABELS)
def test_otherwise_only_kind_and_case_show(one, other, kind, label):
    """Not even the length: two units of one kind and label look the same."""
    assume(not {one, other} & SIGNS)
    assert form_of(one, kind, label) == form_of(other, kind, label)


def test_a_common_sign_shows_and_others_look_alike():
    for sign in "+#&%§‰":
        assert form_of(sign, Kind.SYMBOL, Label.LOWER) == sign
    assert form_of("$", Kind.CURRENCY, Label.LOWER) == "$"
    assert form_of("₺", Kind.CURRENCY, Label.LOWER) == form_of("₿", Kind.CURRENCY, Label.LOWER)
    assert form_of("☭", Kind.SYMBOL, Label.LOWER) == form_of("☯", Kind.SYMBOL, Label.LOWER)


@given(st.text("0123456789abcdefABC:-. +/@", min_size=1, max_size=40), st.sampled_from(SPANS))
def test_a_span_shows_its_form_alone(surface, kind):
    """The same surface with other letters and digits of the same case has the same form."""
    swap = str.maketrans("012345678 9abcdefABC", "987654321 0fedcbaCBA")
    if kind != "IP_ADDRESS":
        assert span_form(surface, kind) == span_form(surface.translate(swap), kind)
    assert not set(span_form(surface, kind)) - set("0aAxXzv468:/.@-+ ") - set("12357 9")


def test_a_secret_shows_nothing():
    assert len({span_form(secret, "CREDENTIAL") for secret in ("hunter2", "x" * 90, "A-b c")}) == 1


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
        ("漢9+", Kind.CODE, "a0+"),
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
