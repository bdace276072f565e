"""Telephones of the world: by plan, by mark, by a word before them."""

import re

import pytest

from privstamp.sensitivity.phones import PHONE, Phone
from privstamp.sensitivity.rules import Rules

NUMBER = re.compile(PHONE)


@pytest.fixture
def phone() -> Phone:
    return Phone(("phone", "tel"), ("US", "GB"))


def look(phone: Phone, text: str):
    match = NUMBER.search(text)
    return None if match is None else phone(match, 0.75)


def test_a_number_outside_every_plan_needs_a_mark(phone):
    assert look(phone, "room 000 000 0000") is None
    assert look(phone, "Phone: 000 000 0000") == (7, 19, 0.5)
    assert look(phone, "megaphone 000 000 0000") is None


def test_a_number_in_a_plan_has_the_full_score(phone):
    assert look(phone, "020 7946 0958") == (0, 13, 0.75)


def test_a_national_number_needs_its_plan():
    assert look(Phone((), ("FR",)), "01 42 68 53 00") == (0, 14, 0.75)
    assert look(Phone((), ("US",)), "01 42 68 53 00") is None


@pytest.mark.parametrize(
    ("language", "number"),
    [
        ("any", "+91 98765 43210"),
        ("any", "+81 3-1234-5678"),
        ("any", "+234 803 123 4567"),
        ("en", "(212) 555-0147"),
        ("de", "030 901820"),
        ("es", "912 345 678"),
        ("it", "06 6982 0011"),
        ("nl", "020 624 1111"),
        ("pt", "213 456 789"),
        ("fr", "01 42 68 53 00"),
    ],
)
def test_numbers_of_the_world(language, number):
    text = f"x: {number}, y"
    found = Rules(entities=["PHONE_NUMBER"], language=language).scan(text)
    assert {text[one.start : one.end] for one in found} == {number}


@pytest.mark.parametrize("text", ["1999-2003", "12.05.2023", "1 2 3 4 5 6 7 8", "12 34 56"])
def test_dates_and_lists_are_none(phone, text):
    assert look(phone, text) is None
