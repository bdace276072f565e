"""Addresses and telephones keep what a reader needs of them, and nothing of whose they are."""

from ipaddress import ip_address, ip_network

import pytest

from privstamp.mechanisms import networks
from privstamp.mechanisms.form import span_form
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.noise import Noise

SURROGATE = Surrogate()


def drawn(surface: str, kind: str, attempt: int = 0) -> set[str]:
    """Surrogates of a surface under fifty keys."""
    form = span_form(surface, kind)
    return {
        SURROGATE.draw(kind, 1, form, Noise.of_document(bytes([number]) * 32, [0]), attempt)
        for number in range(50)
    }


@pytest.mark.parametrize(
    "network",
    [
        *("10.20.0.0/16", "192.168.0.0/24", "172.16.0.0/12", "10.0.0.0/8", "10.9.8.16/28"),
        *("2001:db8:1::/48", "192.0.0.0/3", "10.1.2.3/32"),
    ],
)
@pytest.mark.parametrize("attempt", [0, 1])
def test_a_network_becomes_one_of_its_size(network, attempt):
    strings = drawn(network, "IP_ADDRESS", attempt)
    assert {ip_network(string).prefixlen for string in strings} == {ip_network(network).prefixlen}
    assert len(strings) <= SURROGATE.pool("IP_ADDRESS", span_form(network, "IP_ADDRESS")) or attempt


@pytest.mark.parametrize("address", ["10.20.3.4", "192.168.40.21", "8.8.8.8", "fe80::1"])
def test_a_machine_becomes_one(address):
    strings = drawn(address, "IP_ADDRESS")
    assert all(ip_address(string) for string in strings)
    assert address not in strings
    assert len(strings) > 20


def test_an_interface_keeps_its_host():
    assert all(string.endswith("/16") for string in drawn("10.20.3.4/16", "IP_ADDRESS"))
    assert span_form("10.20.3.4/16", "IP_ADDRESS") == "v4/16"


@pytest.mark.parametrize(
    ("surface", "begins"),
    [
        ("0161 496 0733", "0"),
        ("(0161) 496 0733", "(0"),
        ("07700 900123", "0"),
        ("0044 20 7946 0018", "00"),
        ("+44 20 7946 0733", "+"),
        ("+44 (0)20 7946 0018", "+"),
        ("+1 212-555-0142", "+"),
        ("+353 1 496 0018", "+"),
    ],
)
def test_a_telephone_says_how_it_is_dialled(surface, begins):
    for string in drawn(surface, "PHONE_NUMBER"):
        assert string.startswith(begins)
        assert [char.isdigit() for char in string] == [char.isdigit() for char in surface]
        digits = [char for char in surface if char.isdigit()]
        new = [char for char in string if char.isdigit()]
        if begins == "+":
            known, found = ("".join(figures) for figures in (digits, new))
            assert networks.country_digits(found) == networks.country_digits(known)
        assert ("(0)" in string) == ("(0)" in surface)


@pytest.mark.parametrize("pin", ["4471", "48213", "990017", "12345678"])
def test_a_code_keeps_its_length(pin):
    strings = drawn(pin, "CREDENTIAL")
    assert all(string.isdecimal() and len(string) == len(pin) for string in strings)
    assert len(strings) > 40
    assert SURROGATE.pool("CREDENTIAL", span_form(pin, "CREDENTIAL")) == 10 ** len(pin)


@pytest.mark.parametrize("secret", ["447", "123456789", "a471", "hunter2", "44 71"])
def test_any_other_secret_has_one_length(secret):
    assert {len(string) for string in drawn(secret, "CREDENTIAL")} == {20}


@pytest.mark.parametrize(
    ("image", "tail"),
    [
        ("registry.lomquist.io/billing:4.12.1", ".example.com/billing:4.12.1"),
        ("registry.lomquist.io:5000/team/lomquist:v2.3", ".example.com/team/app:v2.3"),
        ("lomquist.io/api:latest", ".example.com/api:latest"),
        ("lomquist.io/about", ".example.com"),
        ("lomquist.io:8443", ".example.com"),
    ],
)
def test_an_image_keeps_its_public_path_and_version(image, tail):
    assert all(string.endswith(tail) for string in drawn(image, "URL"))
    assert not any("lomquist" in string for string in drawn(image, "URL"))
