import pytest

from privstamp.sensitivity.presidio import ENTITIES
from privstamp.sensitivity.spans import SPELT, WORDED, is_identifier
from privstamp.types import Finding


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("POSTCODE", "LS1 4DY", True),
        ("IBAN_CODE", "GB82 WEST 1234", True),
        ("CREDENTIAL", "sunshine", True),
        ("HANDLE", "bluefrog", True),
        ("CASE", "QX-12", True),
        ("PROJECT", "blue heron", False),
        ("PERSON", "Ana 2nd", False),
        ("LOCATION", "12 Elm Grove", False),
        ("DATE_TIME", "3 May", False),
        ("RARE", "ramipril", False),
        ("NUMBER", "12", False),
    ],
)
def test_identifiers_are_told_from_words(kind, text, expected):
    found = Finding(4, 4 + len(text), kind, 1.0, "test", "rule")
    assert is_identifier(found, f"1 x {text} 7") is expected


def test_every_kind_that_can_be_found_is_words_or_holds_digits_or_is_spelt():
    numbered = ("_ID", "CARD", "CODE", "NUMBER", "ADDRESS", "LICENSE", "PASSPORT", "POSTCODE")
    loose = {kind for kind in ENTITIES - WORDED - SPELT if not kind.endswith(numbered)}
    assert {kind for kind in loose if "_" not in kind} == {"CRYPTO", "UUID"}
