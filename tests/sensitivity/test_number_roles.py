"""Every number gets a role from the few words beside it."""

import time

import pytest
from number_snippets import snippets, worded

from privstamp.sensitivity.number_roles import Numbers

NUMBERS = Numbers("en")
ALL = list(snippets())


def roles(text: str) -> list[tuple[int, int, str, bool]]:
    return [(n.start, n.end, n.role.value, n.sensitive) for n in NUMBERS.of(text)]


@pytest.mark.parametrize(("text", "numbers"), ALL, ids=[text[:40] for text, _ in ALL])
def test_snippet(text, numbers):
    assert [(text[a:b], *more) for a, b, *more in roles(text)] == [
        (text[a:b], *more) for a, b, *more in numbers
    ]


def test_there_are_enough_of_them():
    assert sum(len(numbers) for _, numbers in ALL) >= 150


@pytest.mark.parametrize(
    ("text", "worded"),
    [
        ("on the third of May", [("third of May", "DATE")]),
        ("May the twenty-first was cold", [("May the twenty-first", "DATE")]),
        ("the twenty first of June, 1990 it was", [("twenty first of June, 1990", "DATE")]),
        ("aged ninety-two, she", [("ninety-two", "AGE")]),
        ("he is ninety-one years old", [("ninety-one years old", "AGE")]),
        ("a hundred and two years old", [("a hundred and two years old", "AGE")]),
        ("My husband Lemuel is ninety and frail", [("ninety", "AGE")]),
        ("there were ninety and more", []),
        ("aged sixty", []),
        ("one hundred people", []),
        ("call five five five, zero one four", [("five five five, zero one four", "NUMERIC_ID")]),
        ("the third of them, one two three", []),
        ("the first of many in March", []),
    ],
)
def test_words_that_are_sensitive(text, worded):
    numbers = NUMBERS.in_words(text, every=False)
    assert [(text[n.start : n.end], n.role.value) for n in numbers] == worded


@pytest.mark.parametrize(("text", "sensitive"), worded())
def test_ages_and_dates_in_words(text, sensitive):
    numbers = sorted(NUMBERS.in_words(text, every=False))
    assert [text[n.start : n.end] for n in numbers if n.sensitive] == sensitive


@pytest.mark.parametrize(
    ("text", "words", "role"),
    [
        ("aged sixty", "sixty", "AGE"),
        ("at half past nine", "nine", "TIME"),
        ("three of them", "three", "COUNT"),
        ("forty-two years old", "forty-two years old", "AGE"),
        ("two hundred and six euros", "two hundred and six euros", "MONEY"),
        ("twenty-one", "twenty-one", "COUNT"),
        ("five miles", "five miles", "QUANTITY"),
    ],
)
def test_every_number_in_words(text, words, role):
    found = {
        text[n.start : n.end].removesuffix(" of"): n.role.value
        for n in NUMBERS.in_words(text, every=True)
    }
    assert found == {words: role}


@pytest.mark.parametrize(
    "unit", ["7", " ", "7 ", "7-", "a7", "7.", "7,", "1/", "0:", "May ", "7a-", "$ "]
)
def test_long_runs_take_time_in_proportion(unit):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        list(NUMBERS.of(text)), list(NUMBERS.in_words(text, every=True))
        return time.process_time() - start

    small, large = (min(seconds(size) for _ in range(3)) for size in (30_000, 240_000))
    assert large < 40 * max(small, 0.01)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("BDAY:1981-04-09", ["1981-04-09"]),
        ("DTSTAMP:20240304T101500Z", ["20240304T101500Z"]),
        ("[10/Oct/2023:13:55:36 -0700]", ["10/Oct/2023:13:55:36"]),
        ("ratio 3:1981-04-09", []),
    ],
)
def test_dates_behind_labels_and_in_logs(text, date):
    assert [text[a:b] for a, b, role, _ in roles(text) if role == "DATE"] == date


def test_formulas_are_no_codes():
    assert [sensitive for *_, sensitive in roles("CaCO3 and Fe2O3 beside BN2231")] == [0, 0, 1]


@pytest.mark.parametrize(
    ("text", "sensitive"),
    [
        ("Haemoglobin 9.8 g/dL 11.5-16.5", False),
        ("Platelets 162 10^9/L     150-400", False),
        ("order 150-400", True),
        ("16.5-11.5", True),
    ],
)
def test_limits_of_a_value_are_no_identifier(text, sensitive):
    assert any(one for *_, one in roles(text)) == sensitive
