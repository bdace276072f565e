"""The second looks, at the borders that patterns alone do not settle."""

import re

import pytest

from privstamp.sensitivity import confirm


def match(pattern: str, text: str) -> re.Match[str]:
    found = re.search(pattern, text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "kept"), [("'x@y.org'.", "x@y.org"), ("a.b)", "a.b"), ("...", None)]
)
def test_trimmed_leaves_the_sentence_outside(text, kept):
    hit = confirm.trimmed(match(r".+", text), 1.0)
    assert (text[hit[0] : hit[1]] if hit else None) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("case INV-2024-0091 closed", "INV-2024-0091"),
        ("a b-c-d-12345x", "b-c-d-12345x"),
        ("AB123456C", "AB123456C"),
        ("Windows-2000", None),
        ("1000mg", None),
    ],
)
def test_mixed_takes_in_the_words_joined_to_the_first_digit(text, kept):
    hit = confirm.mixed(match(r"\d[^\W_]*+(?:[-_/#][^\W_]++)*+", text), 0.5)
    assert (text[hit[0] : hit[1]] if hit else None) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [("x SW1A 1AA", "SW1A 1AA"), ("m1 1ae", "m1 1ae"), ("Sw1 1aa", None), ("ABC1 1AA", None)],
)
def test_uk_postcodes_have_one_or_two_letters_of_one_case(text, kept):
    hit = confirm.uk_postcode(match(r"\d[A-Za-z\d]? ?\d[A-Za-z]{2}", text), 0.5)
    assert (text[hit[0] : hit[1]] if hit else None) == kept


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("pin 1234", True),
        ("my PIN is: 1234", True),
        ("security code #1234", True),
        ("spin 1234", False),
        ("pin1234", False),
        ("pin and 1234", False),
    ],
)
def test_after_hears_whole_phrases(text, heard):
    after = confirm.After("pin, security code", verbs="is")
    assert (after(match(r"\d+", text), 0.5) is not None) == heard


def test_a_checksum_by_name():
    nif = confirm.valued("nif")
    assert nif(match(".+", "X-1234567-L"), 0.5) == (0, 11, 0.5)
    assert nif(match(".+", "X-1234567-M"), 0.5) is None
