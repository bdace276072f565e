"""Attribute inference: learns where there is something to learn, and the floor is honest."""

import math

import pytest

from lab.audit.stand import quiet, stand
from privstamp.budget import Budget
from privstamp.lab.audit.labels import _gender, _learnt, _sentences, _wholes, attributes
from privstamp.lab.audit.subject import SampleText

EVEN = [SampleText(f"w1 w3 w5 w{n}. w1 w3 w7.", None, "odd") for n in (11, 13, 15)]
ODD = [SampleText(f"w2 w4 w6 w{n}. w2 w4 w8.", None, "even") for n in (12, 14, 16)]


@pytest.mark.parametrize(("epsilon", "learnt"), [(math.inf, True), (0.0, False)])
def test_a_label_is_learnt_only_from_what_was_released(monkeypatch, epsilon, learnt):
    nobody = {"w99": "PERSON"}
    subject = stand(monkeypatch, EVEN + ODD, budget=Budget.uniform(epsilon), kinds=nobody)
    figures = attributes(subject, quiet).figures
    assert figures["attribute_original"].value == 1.0
    assert figures["attribute_floor"].value == 0.5
    assert (figures["attribute_released"].value == 1.0) == learnt


def test_a_text_never_teaches_its_own_label():
    texts = ["w1 w1", "w2 w2", "w2 w3", "w1 w5"]
    hits, floor = _learnt(_wholes(texts), ["a", "b", "a", "b"])
    assert hits == [False] * 4 and sum(floor) == 2
    assert _learnt(_wholes(texts[:2]), ["a", "b"])[0] == [False, False]


def test_sentences_are_cut_and_short_ones_left_out():
    found = _sentences(["One two three. No! Four five six?\nseven eight nine", "a"])
    assert [one.words for one in found] == [
        ("one", "two", "three"), ("four", "five", "six"), ("seven", "eight", "nine"),
    ]  # fmt: skip


def test_gendered_words_are_counted():
    before = _wholes(["She met her brother.", "He left.", "It rains."])
    after = _wholes(["She saw it.", "It left.", "He rains."])
    row = _gender(before, after)
    assert row["count"] == 2 and row["original"].value == 1.0 and row["released"].value == 0.5


def test_without_labels_gendered_words_are_left(monkeypatch):
    section = attributes(stand(monkeypatch, [SampleText("w1 w2")]), quiet)
    assert [row["attribute"] for row in section.rows] == ["gendered words of a text"]
    assert section.figures["attribute_released"].value is None
