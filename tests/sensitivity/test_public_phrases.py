"""What everybody calls so is nobody's name, whatever lists and recognisers make of its words."""

import pytest

from privstamp.sensitivity.public_terms import without_phrases
from privstamp.text.phrases import phrases
from privstamp.types import Finding


def left(text, name, kind="PERSON"):
    """What is left of a finding of this name."""
    start = text.index(name)
    finding = Finding(start, start + len(name), kind, 0.9, "presidio", "model")
    return [text[piece.start : piece.end] for piece in without_phrases(text, [finding])]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a Cox regression of stays", "Cox"),
        ("sold on Black Friday only", "Black"),
        ("a glasgow coma scale of 14", "glasgow coma scale"),
        ("a laptop with 8 GB RAM and", "RAM"),
        ("repeat U&Es on Monday", "Es"),
        ("Ethnicity: White British", "White"),
        ("before District Judge Imrie", "District"),
    ],
)
def test_phrases_are_no_names(text, name):
    assert left(text, name) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("we met Mrs Black Friday morning", "Black"),
        ("ask P. Cox regression or not", "Cox"),
        ("RAM SINGH GILL OF WARD FOUR", "RAM"),
        ("Ram Gill came in", "Ram"),
        ("Coxon Regressions is a firm", "Coxon"),
    ],
)
def test_people_who_are_called_alike_are(text, name):
    assert left(text, name) == [name]


def test_a_name_beside_a_phrase_is_left():
    text = "seen by Community Nurse Ifeoma Brandt today"
    assert left(text, "Community Nurse Ifeoma Brandt") == ["Ifeoma Brandt"]
    assert left("as Holm et al. found", "Holm et al") == ["Holm"]


def test_numbers_beside_a_phrase_are_not_looked_at():
    finding = Finding(5, 8, "NUMERIC_ID", 0.9, "numbers", "number")
    assert without_phrases("PHQ-9 901", [finding]) == [finding]


def test_the_longest_phrase_counts_and_places_are_those_of_the_text():
    text = "STRASSE, Stra\u00dfe: an \u0130, then Depo-Medrone and Cox proportional hazards"
    found = [text[start:end] for start, end in phrases(text)]
    assert found == ["Depo-Medrone", "Cox proportional hazards"]
