"""Countries and states that are named as law or court."""

import pytest

from privstamp.sensitivity.jurisdictions import jurisdictions


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("governed by the law of Scotland.", ["Scotland"]),
        ("the laws of the State of New York apply", ["the State of New York"]),
        ("jurisdiction of the courts of England and Wales", ["England and Wales"]),
        ("Courts in Ontario", []),
        ("the courts of Leeds and the mayor of Texas", []),
        ("he lives in Scotland", []),
    ],
)
def test_only_known_ones_that_follow_a_legal_word(text, places):
    assert [text[start:end] for start, end in jurisdictions(text)] == places
