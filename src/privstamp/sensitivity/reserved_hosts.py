"""Addresses that RFC 2606 keeps for examples: nobody lives there."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.vocabulary import all_public

_RESERVED: Final = re.compile(
    r"(?:[a-z][a-z+]{1,9}://)?(?P<host>(?:[\w-]+\.)*)"
    r"(?:example\.(?:com|org|net)|example|test|invalid|localhost)"
    r"(?::\d{1,5})?(?P<path>(?:/[\w.~-]*)*)",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[^\W_]+")
_FIGURES: Final = 4


def is_example(address: str) -> bool:
    """Whether an address is of a reserved host, and every word of it is public.

    >>> is_example("https://api.example.com/v2"), is_example("example.com/~mquillfeather")
    (True, False)
    """
    match = _RESERVED.fullmatch(address)
    if match is None:
        return False
    words = _WORDS.findall(f"{match['host']} {match['path']}")
    return all(len(word) <= _FIGURES if not word.isalpha() else all_public(word) for word in words)
