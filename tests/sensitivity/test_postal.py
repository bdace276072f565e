"""Whole addresses are one span."""

import pytest
from address_snippets import with_address, without_address

from privstamp.lab.bench.line import documents
from privstamp.policy import Policy
from privstamp.release.parts import assemble
from privstamp.sensitivity import postal

ADDRESSES = list(with_address())
WHOLE = 0.9


@pytest.fixture(scope="module")
def found():
    parts = assemble(Policy.preset("selective"))

    def find(text: str) -> dict[str, str]:
        (findings,) = parts.sensitivity.find([parts.space.split(text)])
        return {text[f.start : f.end]: f.kind for f in findings}

    return find


def test_addresses_are_whole(found):
    missed = [text for text, address in ADDRESSES if found(text).get(address) != "ADDRESS"]
    assert len(missed) <= (1 - WHOLE) * len(ADDRESSES), missed


@pytest.mark.parametrize(
    ("before", "address", "after"),
    [
        ("The seller, ", "61 Corn Exchange, Bristol BS1 9ZZ", ', ("Seller").'),
        ("Please send it to ", "7 The Flour Exchange, York YO9 7ZZ", " by Friday."),
        ("Jonas Petrie\n", "3 Long Green\nBath\nBA9 2QT", "\n"),
        ("ship to ", "18 the granary, bristol bs9 4ql", " please"),
        ("She is staying at ", "9 Long Rigging, Cambridge", "."),
    ],
)
def test_a_street_of_plain_words_is_whole(found, before, address, after):
    assert found(before + address + after).get(address) == "ADDRESS"


@pytest.mark.parametrize("text", without_address())
def test_no_address(found, text):
    assert "ADDRESS" not in found(text).values()


@pytest.mark.parametrize(
    "unit",
    ["7 ", "Aa ", "Aa 7 ", "Flat 3, ", "rue de la Aa ", "\n, ", "Apt. ", "7 Aa, ", "7 Aa Aa\n"],
)
def test_long_runs_end(unit):
    postal.addresses(unit * (500_000 // len(unit)), [], [])


def test_units_and_ways_are_those_of_the_whole_patterns():
    texts = [
        "Suite 200, Apt. 4B; APT#3 No. 7 no I PO Box 12 unit B unit Bc room 12/34",
        "Flat nº 5, ste. D9",
        "ground floor, 2nd Floor, top floor, 4º izq 2.ª C, first floors, NO 7 NR. 8",
        "Lindenstra\u00dfe 5, calle Alameda 23, 12 rue de la Paix, during 5 rings",
        "\u0130 suite 5",  # small letters are two characters
        *documents(20),
    ]
    for text in texts:
        quick = [match.span() for match in postal._units_in(text, text.lower())]
        assert quick == [match.span() for match in postal._UNITS.finditer(text)]
        ways = [match.span() for match in postal._ways_in(text, text.lower())]
        assert ways == [match.span() for match in postal._WAYS.finditer(text)]
    assert list(postal._ways_in(texts[3], texts[3].lower()))
