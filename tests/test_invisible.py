"""What nobody sees is taken out, and can be put back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.text.invisible import visible

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("pass\u200bword", "password"),
        ("\ufeffstart", "start"),
        ("co\u00adoperate", "cooperate"),
        ("a\u202eb\u202cc", "abc"),
        ("1\u00a0000\u202f000", "1 000 000"),
        ("one\u2028two\x0bthree\x85four", "one\ntwo\nthree\nfour"),
        ("tag\U000e0041\U000e0042ged", "tagged"),
        ("blank\u2800braille\u3164filler", "blank braillefiller"),
        ("private\ue000use", "privateuse"),
        ("heart\u2764\ufe0f", "heart\u2764"),
        ("nul\x00bell\x07", "nulbell"),
        ("tabs\tand\r\nlines", "tabs\tand\r\nlines"),
    ],
)
def test_invisible_characters_go_and_odd_spaces_become_plain(text, seen):
    assert visible(text).text == seen
    assert visible(text).original() == text


@pytest.mark.parametrize("text", ["", "plain", "naïve café", "你好 мир", "e\u0301", "½ × 3 °C"])
def test_what_can_be_seen_stays_as_it_is(text):
    assert visible(text).text is text and visible(text).edits == ()


@given(TEXTS)
def test_any_text_comes_back_and_nothing_unseen_is_left(text):
    shown = visible(text)
    assert shown.original() == text
    assert visible(shown.text).edits == ()
    assert not [
        sign
        for sign in shown.text
        if unicodedata.category(sign) in ("Cf", "Co", "Cc") and sign not in "\t\n\r"
    ]


@given(TEXTS)
def test_every_edit_is_counted_once_and_in_order(text):
    edits = visible(text).edits
    assert [start for start, _, _ in edits] == sorted(start for start, _, _ in edits)
    assert all(len(was) == 1 and end - start <= 1 for start, end, was in edits)


def test_its_repr_shows_no_text():
    assert "secret" not in repr(visible("secret\u200b"))
