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


def test_a_number_outside_every_plan_needs_a_mark():
    number = r"(?P<number>[+(]*\d[\d -]+\d)"
    assert confirm.phone(match(number, "room 000 000 0000"), 0.75) is None
    marked = confirm.phone(match(number, "Phone: 000 000 0000"), 0.75)
    assert marked is not None
    assert marked[2] == 0.5


def test_a_number_in_a_plan_has_the_full_score():
    hit = confirm.phone(match(r"(?P<number>.+)", "020 7946 0958"), 0.75)
    assert hit == (0, 13, 0.75)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Ana. Then she", "Ana"),
        ("J. Smith left", "J. Smith"),
        ("van der Berg", None),
        ("Ludwig van Beethoven's", "Ludwig van Beethoven"),
    ],
)
def test_named_stops_where_the_name_does(name, kept):
    hit = confirm.named(match(r"(?P<name>.+)", name), 0.7)
    assert (name[hit[0] : hit[1]] if hit else None) == kept
