"""Text whose line ends and accents are written out is read as its reader would, and stays so."""

import pytest
from exchange import fields, undone

from privstamp.text.formats.recognition import read

REVIEW = r"Nice d\u00e9cor.\n\nus three had \"the special\" \\o/.\nMarisol said hello"


def test_line_ends_and_accents_are_read_for_what_they_are():
    template = read(REVIEW)
    assert template is not None and template.format == "escaped"
    assert template.reading == 'Nice décor.\nus three had "the special" \\o/.\nMarisol said hello'


def test_a_line_that_changes_is_written_as_it_was():
    template = read(REVIEW)
    words = [
        line.replace("décor", "café 🙂").replace("Marisol", "Zoë") for line in fields(template)
    ]
    new, edits = template.write(words, {})
    expected = REVIEW.replace(r"d\u00e9cor", r"caf\u00e9 \ud83d\ude42")
    assert new == expected.replace("Marisol", r"Zo\u00eb")
    assert undone(new, edits) == REVIEW


@pytest.mark.parametrize(
    "text",
    [
        r"Copy it to C:\new\notes.txt, please.",
        r"It lies on \\server\nina and on \\server\rosa.",
        r"In general \nabla f = \frac{1}{2} holds.",
        r"Look in data\notes for it.",
        r"The pattern \d+\n matches.",
        "Nothing is written out here.",
    ],
)
def test_paths_formulas_and_patterns_are_none(text):
    assert read(text) is None


def test_a_real_line_end_beside_a_written_one_stays():
    text = 'One\\n\\nMarisol Vance came\nlast \\u00e9t\\u00e9 with \\"her\\" dog'
    template = read(text)
    new, edits = template.write([f.replace("Marisol", "Ana") for f in fields(template)], {})
    assert new == text.replace("Marisol", "Ana") and undone(new, edits) == text
