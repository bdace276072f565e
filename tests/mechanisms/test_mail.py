"""An address made of a name follows the name; any other is blind."""

import pytest

from privstamp.mechanisms.form import AddressPiece, Person, pieces, plain

PEOPLE = [Person(("zork",), ("quux",)), Person(("ådne", "b"), ("o'plugh",))]


def shape(address):
    made = pieces(address, PEOPLE)
    if made is None:
        return None
    return [part.form or (part.name, part.initial) for part in made]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("zork.quux@a.example", [("zork", False), ".", ("quux", False)]),
        ("ZQuux@a.example", [("zork", True), ("quux", False)]),
        ("quux.z@a.example", [("quux", False), ".", ("zork", True)]),
        ("zorkquux84@a.example", [("zork", False), ("quux", False), "00"]),
        ("adne_oplugh@a.example", [("ådne", False), "_", ("o'plugh", False)]),
        ("zork.vanquux@a.example", [("zork", False), ".", ("quux", False)]),
        ("z.q@a.example", None),  # letters alone are nobody's
        ("sales@a.example", None),
        ("zork.plugh@a.example", None),  # two people
        ("zork!quux@a.example", None),
        ("", None),
    ],
)
def test_how_an_address_is_made(address, expected):
    assert shape(address) == expected


def test_names_are_compared_without_accents():
    assert plain("O\u2019Ådne") == "oadne"
    assert pieces("x@a.example", []) is None
    assert "zork" not in repr(PEOPLE[0]) + repr(AddressPiece("zork"))
