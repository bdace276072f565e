"""Addresses of the internet and of telephones: what shows of them, and ones that are nobody's.

Machines get addresses of ranges that are set aside for documentation, tests or private use; a
network gets one without bits of a host, as it had. Telephones keep what says how to dial.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, TypeAlias

from privstamp.noise import below
from privstamp.text.closed import COMMON_PORTS
from privstamp.text.terms import words
from privstamp.text.vocabulary import all_public

Pick: TypeAlias = Callable[[int, int], int]
"""The draw of a place in a row: uniform below a limit."""

V4, V6 = "v4", "v6"
NET4, NET6 = "n4", "n6"
"""The same, of a network."""
_DOCUMENTATION: Final = ("192.0.2", "198.51.100", "203.0.113")
_TESTS: Final = IPv4Network("198.18.0.0/15")
_PRIVATE: Final = IPv4Network("10.0.0.0/8")
_EXAMPLES: Final = IPv6Network("2001:db8::/32")
_TAIL: Final = re.compile(r"(/\d{1,3})?(?::(\d{1,5}))?\Z")


def machine_form(surface: str) -> str:
    """What shows of an address of the internet: its version, a network's size, a common port.

    >>> [machine_form(text) for text in ("10.1.2.3:8080", "10.1.2.0/24", "fe80::1", "10.1.2.3:90")]
    ['v4:8080', 'n4/24', 'v6', 'v4:8000']
    """
    tail = _TAIL.search(surface)
    size, port = (tail[1] or "", tail[2]) if tail else ("", None)
    six = surface.count(":") > 1
    if size and _is_network(surface):
        return (NET6 if six else NET4) + size
    if six:
        return V6 + size
    shown = "" if port is None else f":{port if port in COMMON_PORTS else '8000'}"
    return V4 + size + shown


def machine(form: str, pick: Pick, attempt: int) -> str:
    """An address set aside for documentation; from the second try on, for tests of networks."""
    version, tail = form[:2], form[2:] if form[:2] in (V4, V6, NET4, NET6) else ""
    if version in (NET4, NET6):
        return _network(int(tail[1:]), pick, attempt, six=version == NET6)
    if version == V6:
        groups = [f"{pick(place, 65536):x}" for place in range(4)]
        return f"2001:db8:{':'.join(groups[:3])}::{groups[3]}{tail}"
    host = 1 + pick(1, 254)
    if attempt == 0:
        return f"{_DOCUMENTATION[pick(0, len(_DOCUMENTATION))]}.{host}{tail}"
    return f"198.{18 + pick(0, 2)}.{pick(2, 256)}.{host}{tail}"


def machines(form: str) -> float:
    """How many addresses a first draw chooses from."""
    if form[:2] in (NET4, NET6):
        size, six = int(form[3:]), form.startswith(NET6)
        if not six and size >= _LEAST:
            return float(len(_DOCUMENTATION) << (size - _LEAST))
        return float(1 << max(0, size - _room(size, 0, six=six).prefixlen))
    return 65536.0**4 if form.startswith(V6) else float(len(_DOCUMENTATION) * 254)


_LEAST: Final = 24
"""The size of a range for documentation."""


def _network(size: int, pick: Pick, attempt: int, *, six: bool) -> str:
    """A network of a size, one of those that fit into a range."""
    room = _room(size, attempt, six=six)
    if not six and attempt == 0 and size >= _LEAST:
        room = IPv4Network(f"{_DOCUMENTATION[pick(1, len(_DOCUMENTATION))]}.0/24")
    chosen = pick(0, 1 << max(0, size - room.prefixlen))
    first = int(room.network_address) + (chosen << (room.max_prefixlen - size))
    return str(ip_network((first, size), strict=False))


def _room(size: int, attempt: int, *, six: bool) -> IPv4Network | IPv6Network:
    if six:
        return _EXAMPLES
    return _TESTS if size > _TESTS.prefixlen and attempt == 0 else _PRIVATE


def _is_network(surface: str) -> bool:
    try:
        ip_network(surface.rpartition(":")[0] if _PORTED.search(surface) else surface)
    except ValueError:
        return False
    return True


_PORTED: Final = re.compile(r"/\d{1,3}:\d{1,5}\Z")
_IMAGE: Final = re.compile(
    r"[\w.-]+(?::\d{1,5})?(?P<path>(?:/[\w.-]+){1,5}):(?P<tag>v?\d{1,4}(?:\.\d{1,4}){1,3}|latest)"
)


def image_path(surface: str) -> str:
    """The path and the version of an image in a registry, a word that is not public as `app`.

    >>> image_path("registry.lomquist.io/billing:4.12.1"), image_path("lomquist.io/quill:1.2")
    ('/billing:4.12.1', '/app:1.2')
    """
    image = _IMAGE.fullmatch(surface)
    if image is None:
        return ""
    names = [name if all_public(name) else "app" for name in image["path"][1:].split("/")]
    return f"/{'/'.join(names)}:{image['tag']}"


# Telephones: the zeros that a number begins with, and how long the code of its country is.

ZERO, COUNTRY = "o", "c"
"""Marks of a form: a zero that stays, a digit of the country's code."""
_TWO: Final = frozenset(
    words("""
        20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63
        64 65 66 81 82 84 86 90 91 92 93 94 95 98
    """)
)
_COUNTRIES: Final = {
    1: ("1", "7"),
    2: tuple(sorted(_TWO)),
    3: tuple(f"{zone}{last}" for zone in (22, 23, 24, 25, 26, 35, 37, 50, 59) for last in range(9)),
}
"""Codes of countries by their length."""


def country_digits(figures: str) -> int:
    """How many of the digits behind a plus are the code of a country.

    >>> [country_digits(figures) for figures in ("12125550100", "442079460018", "35314960018")]
    [1, 2, 3]
    """
    if figures[:1] in _COUNTRIES[1]:
        return 1
    return 2 if figures[:2] in _TWO else 3


def countries(form: str) -> int:
    """How many codes of a country there are to choose from; one where none is asked for."""
    return len(_COUNTRIES.get(form.count(COUNTRY), ("",)))


def dial(signs: list[str], form: str, word: int) -> None:
    """Write the code of a country and the zeros that stay where a form has them."""
    codes = _COUNTRIES.get(form.count(COUNTRY), ("",))
    code = iter(codes[below(word, len(codes))])
    for place, mark in enumerate(form):
        if mark == ZERO:
            signs[place] = "0"
        elif mark == COUNTRY:
            signs[place] = next(code, "")
