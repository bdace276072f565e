"""Whole addresses are one span."""

import pytest
from address_snippets import with_address, without_address

from privstamp.parts import assemble
from privstamp.policy import Policy
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


@pytest.mark.parametrize("text", without_address())
def test_no_address(found, text):
    assert "ADDRESS" not in found(text).values()


@pytest.mark.parametrize(
    "unit", ["7 ", "Aa ", "Aa 7 ", "Flat 3, ", "rue de la Aa ", "\n, ", "Apt. "]
)
def test_long_runs_end(unit):
    postal.addresses(unit * (500_000 // len(unit)), [], [])
