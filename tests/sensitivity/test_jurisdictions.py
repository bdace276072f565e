"""Countries and states that are named as law or court."""

import pytest

from privstamp.sensitivity.jargon import jurisdictions, without_laws
from privstamp.types import Finding


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("governed by the law of Scotland.", ["Scotland"]),
        ("the laws of the State of New York apply", ["the State of New York"]),
        ("jurisdiction of the courts of England and Wales", ["England and Wales"]),
        ("Courts in Ontario", []),
        ("the courts of Leeds and the mayor of Texas", []),
        ("he lives in Scotland", []),
        ("Governing law: England and Wales.", ["England and Wales"]),
        ("The applicable law is that of Scotland", ["Scotland"]),
        ("Governing lawyers in Texas", []),
    ],
)
def test_only_known_ones_that_follow_a_legal_word(text, places):
    assert [text[start:end] for start, end in jurisdictions(text)] == places


def test_findings_of_other_kinds_and_places_stay():
    text = "the laws of Scotland; Scotland"
    findings = [
        Finding(12, 20, "LOCATION", 0.9, "lexicon", "listed place"),
        Finding(12, 20, "CREDENTIAL", 0.9, "rules", "said"),
        Finding(22, 30, "LOCATION", 0.9, "lexicon", "listed place"),
    ]
    assert without_laws(text, findings) == findings[1:]
