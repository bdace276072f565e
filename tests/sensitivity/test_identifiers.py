"""National numbers are named by how they are written and by their check digits."""

import pytest

from privstamp.sensitivity.identifiers import KINDS, SHAPES
from privstamp.sensitivity.rules import Rules


def named(text: str) -> set[tuple[str, str]]:
    found = Rules(entities=sorted(KINDS)).scan(text)
    return {(text[one.start : one.end], one.kind) for one in found}


@pytest.mark.parametrize(
    ("text", "number", "kind"),
    [
        ("NHS no. 943 476 5919.", "943 476 5919", "UK_NHS"),
        ("CPF 529.982.247-25,", "529.982.247-25", "BR_CPF"),
        ("CNPJ 11.222.333/0001-81", "11.222.333/0001-81", "BR_CNPJ"),
        ("Aadhaar: 2363 1234 5679", "2363 1234 5679", "IN_AADHAAR"),
        ("Steuer-ID 86 095 742 719", "86 095 742 719", "DE_TAX_ID"),
        ("n° 2 55 08 14 168 025 38", "2 55 08 14 168 025 38", "FR_NIR"),
        ("BSN 111222333", "111222333", "NL_BSN"),
        ("AHV 756.9217.0769.85", "756.9217.0769.85", "CH_AHV"),
        ("NRN 85.07.30-033.28", "85.07.30-033.28", "BE_NRN"),
        ("SIN 046 454 286", "046 454 286", "CA_SIN"),
        ("personnummer 811228-9874", "811228-9874", "SE_PERSONNUMMER"),
        ("PESEL 44051401359", "44051401359", "PL_PESEL"),
        ("ID 8001015009087", "8001015009087", "ZA_ID_NUMBER"),
    ],
)
def test_names_the_number(text, number, kind):
    assert (number, kind) in named(text)


@pytest.mark.parametrize(
    "text",
    [
        "943 476 5918", "529.982.247-24", "2363 1234 5670", "86 095 742 718", "756.9217.0769.86",
        "1234567890123456789012345", "x943 476 5919", "943 476 5919x", "0.943 476 5919",
    ],
)  # fmt: skip
def test_wrong_digits_and_longer_runs_have_no_name(text):
    assert named(text) == set()


def test_a_kind_that_was_not_asked_for_is_not_named():
    found = list(Rules(entities=["BR_CPF"]).scan("943 476 5919 and 529.982.247-25"))
    assert [one.kind for one in found] == ["BR_CPF"]


def test_shapes_hold_zeros_and_separators_only():
    assert all(set(shape) <= set("0 .-/") for shape in SHAPES)
