from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.mechanisms.surrogate import MASK, Placeholder
from privstamp.types import Kind
from statistical import fresh

PLACEHOLDER = Placeholder()
NOISE = fresh(1)


def draw(kind, entity=1, form="Aa", attempt=0, noise=NOISE):
    return PLACEHOLDER.draw(kind, entity, form, noise, attempt)


def test_types_are_numbered():
    assert draw("PERSON") == "[PERSON_1]"
    assert draw("PERSON", 10) == "[PERSON_10]"
    assert draw("US_SSN", 2) == "[US_SSN_2]"
    assert draw("EMAIL") == "[EMAIL_1]"
    assert [draw(kind, 3) for kind in ("NUMBER", "ORDINAL", "CODE")] == [
        "[NUMBER_3]", "[ORDINAL_3]", "[CODE_3]",
    ]  # fmt: skip


def test_without_a_type_it_is_a_mask():
    for kind in ("WORD", "PIECE", "SYMBOL", "EMOJI", "FOREIGN"):
        assert draw(kind) == draw(kind, 7, "00", attempt=3) == MASK


def test_odd_spacing_and_control_characters_leave_no_mark():
    assert draw("SPACE") == " "
    assert draw("CONTROL") == ""


@given(st.sampled_from(["PERSON", "NUMBER", "URL"]), st.integers(1, 99), st.text(max_size=9))
def test_neither_form_nor_noise_changes_it(kind, entity, form):
    assert draw(kind, entity, form) == draw(kind, entity, "", noise=fresh(1))


def test_no_two_placeholders_coincide():
    """Not even those of types with numbers in their names, whatever was redrawn."""
    kinds = ("PERSON", "PERSON_1", "PERSON_1_1", "COVID_19")
    made = [draw(k, e, attempt=a) for k, e, a in itertools.product(kinds, range(1, 21), range(4))]
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"\[\w+(-\d+)?\]", each) for each in made)


@pytest.mark.parametrize("kind", ["PERSON", "LOCATION", "DENIED", "EMAIL_ADDRESS", "URL"])
def test_typed_spans_are_replaced_whole(kind):
    assert PLACEHOLDER.whole(kind)
    assert PLACEHOLDER.pool(kind, "Aa") == 1.0


def test_untyped_units_are_replaced_one_by_one():
    assert not any(PLACEHOLDER.whole(kind.name) for kind in (Kind.WORD, Kind.PIECE, Kind.SYMBOL))
