"""Roles are told by closed lists and by place, never by the letters of a name."""

import re
from itertools import pairwise

import pytest

from privstamp.mechanisms.kept import HE, SHE, PersonMention, sides
from privstamp.mechanisms.roles import KEPT, SpanWords, roles

_UNIT = re.compile(r"[^\W\d_]+|\d+[A-Za-z]*|[&+]")


def read(text, kind):
    found = list(_UNIT.finditer(text))
    gaps = [text[one.end() : other.start()] for one, other in pairwise(found)] + [""]
    words = [match[0] for match in found]
    numbers = [not word.isalpha() for word in words]
    return {
        " ".join(words[role.first : role.last + 1]): role.kind
        for role in roles(kind, SpanWords(words, gaps, numbers))
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zworg Quux", {"Zworg": "PERSON_GIVEN", "Quux": "PERSON_FAMILY"}),
        ("Zworg", {"Zworg": "PERSON"}),
        ("Dr. Quux", {"Dr": KEPT, "Quux": "PERSON_FAMILY"}),
        ("sister Quux", {"sister": KEPT, "Quux": "PERSON_GIVEN"}),
        ("Sir Zworg Quux", {"Sir": KEPT, "Zworg": "PERSON_GIVEN", "Quux": "PERSON_FAMILY"}),
        ("Mr. and Mrs. Quux", {"Mr": KEPT, "and": KEPT, "Mrs": KEPT, "Quux": "PERSON_FAMILY"}),
        ("Quux, Zworg", {"Quux": "PERSON_FAMILY", "Zworg": "PERSON_GIVEN"}),
        ("Zworg Quux-Plugh",
         {"Zworg": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "Plugh": "PERSON_FAMILY"}),
        ("Zworg-Plugh Quux",
         {"Zworg": "PERSON_GIVEN", "Plugh": "PERSON_GIVEN", "Quux": "PERSON_FAMILY"}),
        ("Quux-Plugh", {"Quux": "PERSON", "Plugh": "PERSON"}),
        ("Mrs Quux-Plugh", {"Mrs": KEPT, "Quux": "PERSON_FAMILY", "Plugh": "PERSON_FAMILY"}),
        ("Danish", {"Danish": "NRP"}),
        ("Zworg Quux and I",
         {"Zworg": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "and": KEPT, "I": KEPT}),
        ("Quux and Nurse Plugh",
         {"Quux": "PERSON", "and": KEPT, "Nurse": KEPT, "Plugh": "PERSON_FAMILY"}),
        ("J. R. Quux", {"J": "PERSON_INITIAL", "R": "PERSON_INITIAL", "Quux": "PERSON_FAMILY"}),
        ("Zworg O'Quux", {"Zworg": "PERSON_GIVEN", "O Quux": "PERSON_FAMILY"}),
        ("Zworg van Quux", {"Zworg": "PERSON_GIVEN", "van": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zworg al-Quux", {"Zworg": "PERSON_GIVEN", "al": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zworg van der Quux",
         {"Zworg": "PERSON_GIVEN", "van der": "CONNECTING", "Quux": "PERSON_FAMILY"}),
        ("Zworg Quux Jr", {"Zworg": "PERSON_GIVEN", "Quux": "PERSON_FAMILY", "Jr": KEPT}),
    ],
)  # fmt: skip
def test_persons(name, expected):
    assert read(name, "PERSON") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zworg Logistics Ltd", {"Zworg": "ORGANIZATION_PART", "Logistics": KEPT, "Ltd": KEPT}),
        ("Zworg Quux AS", {"Zworg": "ORGANIZATION_PART", "Quux": "ORGANIZATION", "AS": KEPT}),
        ("Zworg", {"Zworg": "ORGANIZATION_NAME"}),
        ("ZORK QUUX PLC", {"ZORK": "ORGANIZATION_PART", "QUUX": "ORGANIZATION", "PLC": KEPT}),
        ("ZRK Quux Ltd", {"ZRK": "ORGANIZATION_NAME", "Quux": "ORGANIZATION", "Ltd": KEPT}),
        ("Zworg GmbH", {"Zworg": "ORGANIZATION_NAME", "GmbH": KEPT}),
        ("Zworg S.A.", {"Zworg": "ORGANIZATION_NAME", "S": KEPT, "A": KEPT}),
        ("University of Zworg Quux", {"University": KEPT, "of": KEPT, "Zworg Quux": "LOCATION"}),
        ("Bank of Portugal", {"Bank": KEPT, "of": KEPT, "Portugal": "COUNTRY"}),
        ("Ministry of Defence", {"Ministry": KEPT, "of": KEPT, "Defence": KEPT}),
        ("Norwegian Zworg Bank", {"Norwegian": "NRP", "Zworg": "ORGANIZATION_PART", "Bank": KEPT}),
        ("Zworg & Quux", {"Zworg": "ORGANIZATION_PART", "Quux": "ORGANIZATION_PART"}),
        ("Zworg-Quux", {"Zworg": "ORGANIZATION_PART", "Quux": "ORGANIZATION_PART"}),
        (
            "Order of Saint Zworg",
            {"Order": KEPT, "of": KEPT, "Saint": KEPT, "Zworg": "ORGANIZATION_PART"},
        ),
        ("Deutsche Bank AG", {"Deutsche Bank": "ORG_BANK", "AG": KEPT}),
        ("the New York Times", {"the New York Times": "ORG_NEWSPAPER"}),
        ("U.S. Treasury", {"U S": "COUNTRY_WITH_THE", "Treasury": KEPT}),
        ("St. Zworg Hospital", {"St": KEPT, "Zworg": "ORGANIZATION_PART", "Hospital": KEPT}),
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
        ("Zworg", {"Zworg": "LOCATION"}),
        ("Zworg Quux", {"Zworg Quux": "LOCATION"}),
        ("Zworg Hospital", {"Zworg": "ORGANIZATION_PART", "Hospital": KEPT}),
        ("Lake Zworg", {"Lake": KEPT, "Zworg": "STREET"}),
        ("Park", {"Park": "LOCATION"}),
        ("14 Zworg Road", {"14": "HOUSE_NUMBER", "Zworg": "STREET", "Road": KEPT}),
        ("Zworgstraße 5, 10115 Quux",
         {"Zworgstraße": "STREET_1", "5": "HOUSE_NUMBER", "10115": "CODE", "Quux": "LOCATION"}),
        ("22 Zworg St, Quux Town, TX 75001",
         {"22": "HOUSE_NUMBER", "Zworg": "STREET", "St": KEPT, "Quux Town": "LOCATION",
          "TX": "STATE_CODE", "75001": "CODE"}),
        ("3 Zworg Lane, St. Quux",
         {"3": "HOUSE_NUMBER", "Zworg": "STREET", "Lane": KEPT, "St Quux": "LOCATION"}),
        ("41 Zworg Hill, Quux",
         {"41": "HOUSE_NUMBER", "Zworg": "STREET", "Hill": KEPT, "Quux": "LOCATION"}),
        ("Zworg Hill", {"Zworg Hill": "LOCATION"}),
        ("8 Zworg Terrace Quux",
         {"8": "HOUSE_NUMBER", "Zworg": "STREET", "Terrace": KEPT, "Quux": "LOCATION"}),
        ("12 rue de la Zworg",
         {"12": "HOUSE_NUMBER", "rue": KEPT, "de la": "CONNECTING", "Zworg": "STREET"}),
        ("300 Wharf Street, Suite 14, Zworg",
         {"300": "HOUSE_NUMBER", "Wharf": "STREET", "Street": KEPT, "Suite": KEPT,
          "14": "HOUSE_NUMBER", "Zworg": "LOCATION"}),
        ("88 Harbour Parade", {"88": "HOUSE_NUMBER", "Harbour": "STREET", "Parade": KEPT}),
        ("7 Harbour Zworg", {"7": "HOUSE_NUMBER", "Harbour Zworg": "STREET"}),
        ("12 Lake Shore Drive Apt 4",
         {"12": "HOUSE_NUMBER", "Lake Shore": "STREET", "Drive": KEPT, "Apt": KEPT,
          "4": "HOUSE_NUMBER"}),
        ("9 North Street East",
         {"9": "HOUSE_NUMBER", "North": "STREET", "Street": KEPT, "East": KEPT}),
        ("4 House Street", {"4": "HOUSE_NUMBER", "House": "STREET", "Street": KEPT}),
        ("calle de la Plaza", {"calle": KEPT, "de la": "CONNECTING", "Plaza": "STREET"}),
        ("5 Avenue Zworg", {"5": "HOUSE_NUMBER", "Avenue": KEPT, "Zworg": "STREET"}),
        ("Bridge Street", {"Bridge": "STREET", "Street": KEPT}),
        ("Street", {"Street": "LOCATION"}),
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
    assert read("Zworg Quux", "RARE") == {}
    assert read("Samsung", "RARE") == {"Samsung": "ORG_TECHNOLOGY"}


@pytest.mark.parametrize("kind", ["PERSON", "ORGANIZATION", "LOCATION", "ADDRESS", "NRP"])
def test_roles_do_not_read_names(kind):
    """Two names that no list holds have the same roles, word for word."""
    for form in ("{} {}", "{}", "{}-{} Ltd", "{} of {}", "9 {} Road, {}", "Dr {} {}", "{}, {}"):
        one = list(read(form.format("Zworg", "Quux"), kind).values())
        other = list(read(form.format("Bartholomewson", "Xi"), kind).values())
        assert one == other


def test_pronouns_and_titles_tell():
    released = {0: "mr", 3: "left", 5: "later", 8: "said", 9: "she", 13: "her", 14: "cat"}
    mentions = [PersonMention(1, 2, (0,), (1,)), PersonMention(6, 7, (2,), (1,))]
    assert sides(mentions, released) | {1: HE} == {0: HE, 2: SHE, 1: HE}


def test_what_is_not_released_tells_nothing():
    mentions = [PersonMention(1, 2, (0,), (1,))]
    assert sides(mentions, {}) == {}
    assert sides(mentions, {0: "zworg", 5: "they"}) == {}
    assert sides(mentions, {5: "he", 9: "she"}) == {}


def test_given_names_of_one_person_are_of_one_side():
    mentions = [PersonMention(0, 2, (0, 1), (2,)), PersonMention(9, 11, (3, 4), (5,))]
    assert sides(mentions, {}) == {0: HE, 1: HE, 3: SHE, 4: SHE}
    told = sides(mentions, {3: "she"})
    assert (told[0], told[1]) == (SHE, SHE)
