"""The default detector as a whole: kinds, long texts, slips, silence, refusals."""

import logging
import re
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from documents import as_units, said
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privstamp import Policy, Privatizer
from privstamp.errors import AssetError, Incompatible, PolicyError
from privstamp.sensitivity import ner
from privstamp.sensitivity.ner import SIZE
from privstamp.sensitivity.presidio import ENTITIES, PresidioSensitivity

NOTE = (
    "Priya Raghunathan of Northgate Clinic in Sheffield, SSN 219-09-9999, "
    "IBAN GB82 WEST 1234 5698 7654 32, wrote to ann@example.org on 3 March."
)


def found(detector: PresidioSensitivity, text: str) -> dict[str, str]:
    return said(text, detector.find([as_units(text)])[0])


def test_names_and_identifiers(presidio):
    assert found(presidio, NOTE) == {
        "Priya Raghunathan": "PERSON",
        "Northgate Clinic": "ORGANIZATION",
        "Sheffield": "LOCATION",
        "219-09-9999": "US_SSN",
        "GB82 WEST 1234 5698 7654 32": "IBAN_CODE",
        "ann@example.org": "EMAIL_ADDRESS",
    }


def test_it_serves_a_policy_by_itself():
    private = Privatizer(Policy.of({"extends": "selective", "sensitivity": "presidio"}))
    released = private.privatize("Priya Raghunathan lives in Sheffield.")
    assert "Raghunathan" not in released.text


def test_an_article_is_no_part_of_a_name(presidio):
    text = "He flew to the United States and the Netherlands."
    assert list(found(presidio, text)) == ["United States", "Netherlands"]


def test_dates_are_by_choice():
    both = PresidioSensitivity(entities=["DATE_TIME", "PERSON"])
    assert found(both, NOTE) == {"Priya Raghunathan": "PERSON", "3 March": "DATE_TIME"}


def test_kinds_without_names_need_no_model(monkeypatch):
    def refuse(*_):
        raise AssetError("not here")

    monkeypatch.setattr(ner, "find_model", refuse)
    only = PresidioSensitivity(entities=["EMAIL_ADDRESS"])
    assert found(only, NOTE) == {"ann@example.org": "EMAIL_ADDRESS"}
    with pytest.raises(AssetError):
        PresidioSensitivity()


def test_names_in_capitals(presidio):
    text = "PATIENT: PRIYA RAGHUNATHAN, SEEN IN SHEFFIELD"
    assert found(presidio, text).items() >= {
        ("PRIYA RAGHUNATHAN", "PERSON"), ("SHEFFIELD", "LOCATION")
    }  # fmt: skip


@pytest.mark.parametrize("text", ["Postcode: none", "Dear Postcode\nIBAN\nSSN", "Email Phone Fax"])
def test_words_for_fields_are_no_names(presidio, text):
    assert found(presidio, text) == {}


def test_spans_do_not_overlap_and_say_why(presidio):
    findings = presidio.find([as_units(NOTE * 3)])[0]
    for one, two in pairwise(findings):
        assert one.end <= two.start
    assert {f.source for f in findings} <= {"presidio", "rules"}
    assert all(f.rule and 0.4 <= f.score <= 1 for f in findings)


def test_long_texts_in_full(presidio):
    filler = "the water was cold and nobody said anything about it for a while. "
    text = ""
    while len(text) < 6 * SIZE:
        text += filler * (7 + len(text) % 5) + "Then Priya Raghunathan spoke. "
    findings = presidio.find([as_units(text)])[0]
    whole = {f.start for f in findings if text[f.start : f.end] == "Priya Raghunathan"}
    there = [i for i in range(len(text)) if text.startswith("Priya Raghunathan", i)]
    assert len(there) > 30
    assert whole >= set(there)


def test_documents_of_a_batch_stay_apart(presidio):
    texts = [NOTE, "", "  \n", NOTE * 100, "nothing here", NOTE]
    together = presidio.find([as_units(text) for text in texts])
    assert together == [presidio.find([as_units(text)])[0] for text in texts]
    assert together[1] == together[2] == []


@pytest.mark.parametrize(
    "before", ["\U0001f469\u200d\U0001f680 ", "e\u0301 \r\n", "\0\0 ", "\u05d0 "]
)
def test_offsets_are_exact(presidio, before):
    text = before * 50 + "\n" + NOTE
    assert found(presidio, text).items() >= {
        ("Priya Raghunathan", "PERSON"), ("ann@example.org", "EMAIL_ADDRESS")
    }  # fmt: skip


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.text())
def test_any_text_gives_spans_inside_it(presidio, text):
    for finding in presidio.find([as_units(text)])[0]:
        assert 0 <= finding.start < finding.end <= len(text)


def test_no_network_and_no_word_to_the_log(monkeypatch, caplog, capfd):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    with caplog.at_level(logging.DEBUG):
        assert found(PresidioSensitivity(), NOTE)
    assert caplog.text == ""
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("entities", [["PERSONS"], ["EMAIL"], []])
def test_unknown_kinds_are_refused_with_a_suggestion(entities):
    with pytest.raises(PolicyError, match="PERSON"):
        PresidioSensitivity(entities=entities)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), "0.5"])
def test_a_threshold_that_is_none_is_refused(threshold):
    with pytest.raises(PolicyError, match="threshold"):
        PresidioSensitivity(threshold=threshold)


def test_a_kind_that_the_model_lacks_is_refused():
    with pytest.raises(Incompatible, match="MISC"):
        PresidioSensitivity(entities=["MISC"])


def test_a_threshold_leaves_the_unsure_out():
    text = "code 90210, mail ann@example.org"
    strict = PresidioSensitivity(entities=["NUMERIC_ID", "EMAIL_ADDRESS"], threshold=0.9)
    assert found(strict, text) == {"ann@example.org": "EMAIL_ADDRESS"}


def test_fingerprint_tells_settings_apart(presidio):
    few = [
        PresidioSensitivity(entities=["URL"]),
        PresidioSensitivity(entities=["URL"], threshold=0.5),
        PresidioSensitivity(entities=["URL", "UUID"]),
    ]
    assert len({presidio.fingerprint, *(one.fingerprint for one in few)}) == 4
    assert PresidioSensitivity(entities=["URL"]).fingerprint == few[0].fingerprint


def test_the_docs_name_every_kind():
    page = Path(__file__).parents[2] / "docs" / "guides" / "sensitivity.md"
    assert set(re.findall(r"`([A-Z_]+)`", page.read_text())) >= ENTITIES


def test_importing_loads_neither_spacy_nor_presidio():
    program = (
        "import sys, privstamp.sensitivity.presidio; "
        "assert not {'spacy', 'presidio_analyzer', 'tldextract', 'phonenumbers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["(", "'s", "a", ".", "1.", "@", "AB "])
def test_hostile_texts_take_bounded_time(presidio, piece):
    """Quadratic tokenizing made the first of these take minutes."""
    presidio.find([as_units(piece * (16_000 // len(piece)))])


@pytest.mark.parametrize(
    "text", ["In what year was the bridge built?", "On which day did they leave?"]
)
def test_a_date_that_is_asked_for_is_none(text):
    assert found(PresidioSensitivity(entities=["DATE_TIME"]), text) == {}


def test_a_date_that_is_named_is_one():
    text = "They left in May 1987; in what year?"
    assert list(found(PresidioSensitivity(entities=["DATE_TIME"]), text)) == ["May 1987"]
