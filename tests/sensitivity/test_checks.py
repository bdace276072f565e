"""Checksums accept what is right and reject a changed digit; libraries stay off the network."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.sensitivity import checksums as checks


@given(st.text("0123456789", min_size=1, max_size=18), st.integers(1, 9))
def test_luhn_has_one_right_check_digit(body, shift):
    right = [digit for digit in "0123456789" if checks.luhn(body + digit)]
    assert len(right) == 1
    wrong = str((int(right[0]) + shift) % 10)
    assert not checks.luhn(body + wrong)


@pytest.mark.parametrize("iban", ["GB82WEST12345698765432", "DE89370400440532013000"])
def test_mod97_notices_every_single_changed_digit(iban):
    assert checks.mod97(iban)
    for index in range(4, len(iban)):
        if iban[index].isdigit():
            changed = str((int(iban[index]) + 1) % 10)
            assert not checks.mod97(iban[:index] + changed + iban[index + 1 :])


def test_digits_of_any_script_are_read():
    assert checks.digits_of("\u0664\u0662 - 7") == "427"


@pytest.mark.parametrize(
    ("text", "right"),
    [("10.0.0.1", True), ("256.1.1.1", False), ("fe80::1", True), ("1:2", False), ("", False)],
)
def test_addresses(text, right):
    assert checks.is_address(text) is right


def test_telephone_plans():
    assert checks.is_dialled("+44 20 7946 0958", ("US",))
    assert checks.is_dialled("(212) 555-0147", ("US",))
    assert not checks.is_dialled("(212) 555-0147", ("GB",))
    assert not checks.is_dialled("no number", ("US",))


def test_top_level_domains_need_no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    domains = checks.top_level_domains.__wrapped__()
    assert {"com", "uk", "museum"} <= domains
    assert "txt" not in domains
