"""The shipped samples keep their promises, and each check is seen to catch what it is for."""

import ast
import csv
import io
import json
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from privstamp.errors import InputError
from privstamp.lab.evals import samples
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.fantasy import PassageQuestion
from privstamp.lab.evals.samples import GO, KINDS, NUMBERS, STAY

SAMPLES = samples.load()


def test_the_set_has_no_fault():
    assert samples.check_all(SAMPLES) == []


def test_ten_kinds_with_six_texts_each_two_of_them_held_out():
    assert Counter(sample.kind for sample in SAMPLES) == dict.fromkeys(KINDS, 6)
    assert Counter(sample.kind for sample in samples.load("held")) == dict.fromkeys(KINDS, 2)
    assert len(samples.load("dev")) + len(samples.load("held")) == len(SAMPLES)


def test_every_kind_of_mark_occurs_and_half_of_the_texts_have_facts():
    assert {span.kind for sample in SAMPLES for span in sample.go} == GO
    assert {span.kind for sample in SAMPLES for span in sample.stay} == STAY
    facts = [len(sample.facts) for sample in SAMPLES if sample.facts]
    assert len(facts) >= 30 and min(facts) >= 3 and max(facts) <= 6


def test_addresses_of_mail_are_of_no_one():
    mails = [
        sample.text[span.start : span.end]
        for sample in SAMPLES
        for span in sample.go
        if span.kind == "EMAIL_ADDRESS"
    ]
    assert mails and all(mail.endswith("@example.com") for mail in mails)


def test_structured_samples_parse():
    for sample in SAMPLES:
        text = sample.text
        if sample.format == "json":
            json.loads(text)
        elif sample.format == "jsonl":
            assert all(json.loads(line) for line in text.splitlines())
        elif sample.format == "python":
            ast.parse(text)
        elif sample.format == "xml":
            ElementTree.fromstring(text.encode())
        elif sample.format == "csv":
            delimiter = ";" if ";" in text.partition("\n")[0] else ","
            rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
            assert len({len(row) for row in rows}) == 1


def test_the_file_stays_small():
    assert (files(samples.__package__) / "data" / "samples.jsonl").stat().st_size < 200_000


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kind": "poem"}, "kind is unknown"),
        ({"split": "test"}, "split is unknown"),
        ({"format": "pdf"}, "format is unknown"),
        ({"task": ""}, "task is empty"),
        ({"text": "too short"}, "words"),
        ({"go": ()}, "nothing is marked go"),
        ({"stay": (Span(0, 3, "dosage"),)}, "unknown kind"),
        ({"go": (Span(0, 5, "PERSON"), Span(4, 9, "PERSON"))}, "overlap"),
        ({"facts": (PassageQuestion("Who?", ("Nobody At All",)),)}, "does not occur"),
    ],
)
def test_each_fault_is_noticed_and_the_text_is_not_quoted(change, fault):
    broken = replace(SAMPLES[0], **change)
    found = samples.check(broken)
    assert any(fault in line for line in found)
    assert not any("Nobody" in line for line in found)


def test_a_mark_that_does_not_match_is_refused_by_line():
    row = {"id": "x", "kind": "news", "format": "plain", "split": "dev", "task": "t", "text": "Ada"}
    row |= {"go": [[0, 3, "PERSON", "Bob"]], "stay": [], "facts": []}
    with pytest.raises(InputError, match=r"line 1 is not a sample") as caught:
        samples.parse([json.dumps(row)])
    assert "Bob" not in str(caught.value) and caught.value.__context__ is None


def test_an_unknown_split_is_refused():
    with pytest.raises(InputError, match="dev, held"):
        samples.load("test")


def test_roles_of_numbers_are_kinds_that_stay():
    assert NUMBERS < STAY
