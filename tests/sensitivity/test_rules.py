"""The rules as a part: choice of kinds, exact offsets, reasons, fingerprint."""

import time

import pytest
from documents import as_units, said
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import PolicyError
from privstamp.sensitivity.rules import DEFAULT, Rules


def test_dates_are_by_choice():
    text = "on 2024-01-15 at ann@example.com"
    assert said(text, Rules().find([as_units(text)])[0]) == {"ann@example.com": "EMAIL_ADDRESS"}
    dates = Rules(entities=["DATE_TIME"])
    assert said(text, dates.find([as_units(text)])[0]) == {"2024-01-15": "DATE_TIME"}


@pytest.mark.parametrize("entities", [["EMAIL_ADRESS"], [], "EMAIL_ADDRESS", [3]])
def test_unknown_kinds_are_refused_with_a_suggestion(entities):
    with pytest.raises(PolicyError, match="EMAIL_ADDRESS"):
        Rules(entities=entities)


@pytest.mark.parametrize(
    "before",
    ["", "\U0001f600\U0001f469\u200d\U0001f469 ", "e\u0301\u0301 ", "a\r\nb\r\n", "\0 \0 "],
)
def test_offsets_are_exact(before):
    text = before + "ann@example.com" + before[::-1]
    (finding,) = (f for f in Rules().find([as_units(text)])[0] if f.kind == "EMAIL_ADDRESS")
    assert text[finding.start : finding.end] == "ann@example.com"


def test_every_finding_says_why():
    text = "card 4111 1111 1111 1111, mail a@example.org"
    for finding in Rules().find([as_units(text)])[0]:
        assert finding.source == "rules"
        assert finding.rule
        assert 0 < finding.score <= 1
        assert finding.kind in DEFAULT


def test_documents_stay_apart():
    found = Rules().find([as_units("a@example.org"), as_units(""), as_units("b c")])
    assert [len(one) > 0 for one in found] == [True, False, False]


def test_fingerprint_depends_on_the_choice():
    assert Rules().fingerprint == Rules().fingerprint
    assert Rules().fingerprint != Rules(entities=["URL"]).fingerprint


def test_labels_depend_on_context():
    assert Rules.scope.contextual


@settings(deadline=None)
@given(st.text())
def test_any_text_gives_spans_inside_it(text):
    for finding in Rules().find([as_units(text)])[0]:
        assert 0 <= finding.start < finding.end <= len(text)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["a", "@", ".", "1", "a@", "word "])
def test_a_million_characters_take_seconds(piece):
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    Rules().find([as_units(text)])
    assert time.process_time() - began < 8  # one or two on an idle machine
