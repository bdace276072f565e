"""Roles are told by closed lists and by place, never by the letters of a name."""

import re
from itertools import pairwise

import pytest

from privstamp.mechanisms.gender import HE, SHE, Mention, sides
from privstamp.mechanisms.roles import KEPT, Span, roles

_UNIT = re.compile(r"[^\W\d_]+|\d+[A-Za-z]*|[&+]")


def read(text, kind):
    found = list(_UNIT.finditer(text))
    gaps = [text[one.end() : other.start()] for one, other in pairwise(found)] + [""]
    words = [match[0] for match in found]
    numbers = [not word.isalpha() for word in words]
    return {
        " ".join(words[role.first : role.last + 1]): role.kind
        for role in roles(kind, Span(words, gaps, numbers))
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zork Quux", {"Zork": "PERSON_GIVEN", "Quux": "PERSON_FAMILY"}),
        ("Zork", {"Zork": "PERSON"}),
        ("Dr. Quux", {"Dr": KEPT, "Quux": "PERSON_FAMILY"}),
        ("Mr. and Mrs. Quux", {"Mr": KEPT, "and": KEPT, "Mrs": KEPT, "Quux": "PERSON_FAMILY"}),
        ("Quux, Zork", {"Quux": "PERSON_FAMILY", "Zork": "PERSON_GIVEN"}),
        ("Zork Quux-Plugh",
         {"Zork": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "Plugh": "PERSON_FAMILY"}),
        ("Zork-Plugh Quux",
         {"Zork": "PERSON_GIVEN", "Plugh": "PERSON_GIVEN", "Quux": "PERSON_FAMILY"}),
        ("Quux-Plugh", {"Quux": "PERSON", "Plugh": "PERSON"}),
        ("Mrs Quux-Plugh", {"Mrs": KEPT, "Quux": "PERSON_FAMILY", "Plugh": "PERSON_FAMILY"}),
        ("Danish", {"Danish": "NRP"}),
        ("Zork Quux and I",
         {"Zork": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "and": KEPT, "I": KEPT}),
        ("Quux and Nurse Plugh",
         {"Quux": "PERSON", "and": KEPT, "Nurse": KEPT, "Plugh": "PERSON_FAMILY"}),
        ("J. R. Quux", {"J": "PERSON_INITIAL", "R": "PERSON_INITIAL", "Quux": "PERSON_FAMILY"}),
        ("Zork O'Quux", {"Zork": "PERSON_GIVEN", "O Quux": "PERSON_FAMILY"}),
        ("Zork van Quux", {"Zork": "PERSON_GIVEN", "van": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zork al-Quux", {"Zork": "PERSON_GIVEN", "al": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zork van der Quux",
         {"Zork": "PERSON_GIVEN", "van der": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zork Quux Jr", {"Zork": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "Jr": KEPT}),
    ],
)  # fmt: skip
def test_persons(name, expected):
    assert read(name, "PERSON") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zork Logistics Ltd", {"Zork": "ORGANIZATION_PART", "Logistics": KEPT, "Ltd": KEPT}),
        ("Zork Quux AS", {"Zork": "ORGANIZATION_PART", "Quux": "ORGANIZATION", "AS": KEPT}),
        ("Zork", {"Zork": "ORGANIZATION_NAME"}),
        ("Zork GmbH", {"Zork": "ORGANIZATION_NAME", "GmbH": KEPT}),
        ("Zork S.A.", {"Zork": "ORGANIZATION_NAME", "S": KEPT, "A": KEPT}),
        ("University of Zork Quux", {"University": KEPT, "of": KEPT, "Zork Quux": "LOCATION"}),
        ("Bank of Portugal", {"Bank": KEPT, "of": KEPT, "Portugal": "COUNTRY"}),
        ("Ministry of Defence", {"Ministry": KEPT, "of": KEPT, "Defence": KEPT}),
        ("Norwegian Zork Bank", {"Norwegian": "NRP", "Zork": "ORGANIZATION_PART", "Bank": KEPT}),
        ("Zork & Quux", {"Zork": "ORGANIZATION_PART", "Quux": "ORGANIZATION_PART"}),
        ("Zork-Quux", {"Zork": "ORGANIZATION_PART", "Quux": "ORGANIZATION_PART"}),
        (
            "Order of Saint Zork",
            {"Order": KEPT, "of": KEPT, "Saint": KEPT, "Zork": "ORGANIZATION_PART"},
        ),
        ("Deutsche Bank AG", {"Deutsche Bank": "ORG_BANK", "AG": KEPT}),
        ("the New York Times", {"the New York Times": "ORG_NEWSPAPER"}),
        ("U.S. Treasury", {"U S": "COUNTRY_WITH_THE", "Treasury": KEPT}),
        ("St. Zork Hospital", {"St": KEPT, "Zork": "ORGANIZATION_PART", "Hospital": KEPT}),
        ("Bank", {"Bank": "ORGANIZATION_NAME"}),  # alone it may be somebody's name
    ],
)
def test_organisations(name, expected):
    assert read(name, "ORGANIZATION") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("North Carolina", {"North Carolina": "STATE"}),
        ("the United Kingdom", {"the United Kingdom": "COUNTRY_WITH_THE"}),
        ("U.S.", {"U S": "COUNTRY_WITH_THE"}),
        ("Zork", {"Zork": "LOCATION"}),
        ("Zork Quux", {"Zork Quux": "LOCATION"}),
        ("Zork Hospital", {"Zork": "ORGANIZATION_PART", "Hospital": KEPT}),
        ("Lake Zork", {"Lake": KEPT, "Zork": "STREET"}),
        ("Park", {"Park": "LOCATION"}),
        ("14 Zork Road", {"14": "HOUSE_NUMBER", "Zork": "STREET", "Road": KEPT}),
        ("Zorkstraße 5, 10115 Quux",
         {"Zorkstraße": "STREET_1", "5": "HOUSE_NUMBER", "10115": "CODE", "Quux": "LOCATION"}),
        ("22 Zork St, Quux Town, TX 75001",
         {"22": "HOUSE_NUMBER", "Zork": "STREET", "St": KEPT, "Quux Town": "LOCATION",
          "TX": "STATE_CODE", "75001": "CODE"}),
        ("3 Zork Lane, St. Quux",
         {"3": "HOUSE_NUMBER", "Zork": "STREET", "Lane": KEPT, "St Quux": "LOCATION"}),
        ("41 Zork Hill, Quux",
         {"41": "HOUSE_NUMBER", "Zork": "STREET", "Hill": KEPT, "Quux": "LOCATION"}),
        ("Zork Hill", {"Zork Hill": "LOCATION"}),
        ("8 Zork Terrace Quux",
         {"8": "HOUSE_NUMBER", "Zork": "STREET", "Terrace": KEPT, "Quux": "LOCATION"}),
        ("12 rue de la Zork",
         {"12": "HOUSE_NUMBER", "rue": KEPT, "de": "CONNECTING", "la": "CONNECTING",
          "Zork": "STREET"}),
    ],
)  # fmt: skip
def test_places(name, expected):
    assert read(name, "LOCATION") == expected


def test_an_age_in_words_is_one():
    assert read("aged ninety-two", "AGE") == {"aged": KEPT, "ninety two": "AGE_WORDS"}
    assert read("ninety years", "AGE") == {"ninety": "AGE_WORDS", "years": KEPT}
    assert read("a hundred and two", "AGE") == {"a hundred and two": "AGE_WORDS"}
    assert read("ninety-fifth", "AGE") == {"ninety fifth": "AGE_ORDINAL"}


def test_other_types_have_no_roles():
    assert read("Zork Quux", "RARE") == {}
    assert read("Samsung", "RARE") == {"Samsung": "ORG_TECHNOLOGY"}


@pytest.mark.parametrize("kind", ["PERSON", "ORGANIZATION", "LOCATION", "ADDRESS", "NRP"])
def test_roles_do_not_read_names(kind):
    """Two names that no list holds have the same roles, word for word."""
    for form in ("{} {}", "{}", "{}-{} Ltd", "{} of {}", "9 {} Road, {}", "Dr {} {}", "{}, {}"):
        one = list(read(form.format("Zork", "Quux"), kind).values())
        other = list(read(form.format("Bartholomewson", "Xi"), kind).values())
        assert one == other


def test_pronouns_and_titles_tell():
    released = {0: "mr", 3: "left", 5: "later", 8: "said", 9: "she", 13: "her", 14: "cat"}
    mentions = [Mention(1, 2, (0,), (1,)), Mention(6, 7, (2,), (1,))]
    assert sides(mentions, released) | {1: HE} == {0: HE, 2: SHE, 1: HE}


def test_what_is_not_released_tells_nothing():
    mentions = [Mention(1, 2, (0,), (1,))]
    assert sides(mentions, {}) == {}
    assert sides(mentions, {0: "zork", 5: "they"}) == {}
    assert sides(mentions, {5: "he", 9: "she"}) == {}
