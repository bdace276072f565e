"""The visible shape of a unit: all that a replacement is told about what it replaces.

A form is PUBLIC. It can be read off the released text: how many digits and letters a number or
code has and where its separators and signs stand, the case of a word (never its length), a common
sign itself, and for anything else nothing but its kind.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.mechanisms._technical import machine_form
from privstamp.mechanisms.wordlists import CURRENCIES
from privstamp.types import PASSING, Kind, Label

DIGIT: Final = "0"
MIXED_LOWER, MIXED_UPPER, EITHER_CASE = "x", "X", "z"
"""A letter or a digit, of a long mixture of them."""
LOWER: Final = "a"
TITLE: Final = "Aa"
UPPER: Final = "AA"
EMAIL: Final = "a@a"
URL: Final = "@://"
HOST: Final = "a.a"
HANDLE: Final = "@a"
SYMBOL: Final = "◦"
CURRENCY: Final = "¤"
EMOJI: Final = "☺"
SPACE: Final = "␣"
CONTROL: Final = "¬"

SIGNS: Final = frozenset("!#$%&*+<=>@^`|~°§±×÷€£¥‰•©®™«»") | frozenset(CURRENCIES)
"""Signs that show as they are: exchanged for others, they make a text false or unreadable."""
WORD_FORMS: Final = frozenset({LOWER, TITLE, UPPER})
SHAPED: Final = frozenset({Kind.NUMBER, Kind.ORDINAL, Kind.CODE})
"""Kinds whose form is a character by character shape; all others have a constant."""

_CONSTANT: Final = {
    Kind.EMAIL: EMAIL,
    Kind.URL: URL,
    Kind.SYMBOL: SYMBOL,
    Kind.CURRENCY: CURRENCY,
    Kind.EMOJI: EMOJI,
    Kind.SPACE: SPACE,
    Kind.CONTROL: CONTROL,
    Kind.FOREIGN: LOWER,
}


_SPAN_FORMS: Final = {"EMAIL_ADDRESS": EMAIL, "EMAIL": EMAIL, "CREDENTIAL": ""}


class _Shape(dict[int, str]):
    """Code point to its shape, filled as characters turn up."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        if char in PASSING:
            shape = char
        elif char.isnumeric() and not char.isalpha():
            shape = DIGIT
        elif char in SIGNS:
            shape = char
        else:
            shape = "A" if char.isupper() else "a"
        self[point] = shape
        return shape


_SHAPE = _Shape()
_MIXED: Final = re.compile(r"(?=[aA]*0+[aA]|0*[aA]+0)[0aA]{12,}")
"""Letters and digits in turn: where each stands tells a long key or hash apart from all others."""


def shape_of(surface: str) -> str:
    """Digits as `0`, letters as `a` and `A`; in long mixtures of them only the
    case of the letters shows.

    >>> shape_of("AB-12,5x"), shape_of("d41d8cd98f00b204")
    ('AA-00,0a', 'xxxxxxxxxxxxxxxx')
    """
    return _MIXED.sub(_mixture, surface.translate(_SHAPE))


def _mixture(found: re.Match[str]) -> str:
    cases = {"a", "A"} & set(found[0])
    mark = EITHER_CASE if len(cases) > 1 else MIXED_LOWER if "a" in cases else MIXED_UPPER
    return mark * len(found[0])


def form_of(surface: str, kind: Kind, label: int) -> str:
    """The visible shape of a unit. It holds no letter or digit but the marks of `shape_of`.

    >>> form_of("AB-12,5x", Kind.CODE, Label.LOWER)
    'AA-00,0a'
    >>> form_of("Raghunathan", Kind.WORD, Label.TITLE | Label.POSSESSIVE)
    'Aa'
    """
    if kind in SHAPED:
        return shape_of(surface)
    if kind in (Kind.SYMBOL, Kind.CURRENCY) and surface in SIGNS:
        return surface
    if kind in _CONSTANT:
        return _CONSTANT[kind]
    if label & Label.UPPER:
        return UPPER
    return TITLE if label & Label.TITLE else LOWER


def span_form(surface: str, kind: str) -> str:
    """The visible shape of a span that is replaced as one.

    >>> [span_form(*pair) for pair in (("ann.example.org", "URL"), ("+44 20", "PHONE_NUMBER"))]
    ['a.a', '+00 00']
    """
    if kind == "URL":
        return URL if "://" in surface else HOST
    if kind == "HANDLE":
        return HANDLE if surface.startswith("@") else LOWER
    if kind == "IP_ADDRESS":
        return machine_form(surface)
    if kind in _SPAN_FORMS:
        return _SPAN_FORMS[kind]
    if kind in ("MAC_ADDRESS", "UUID"):
        mark = "A" if any(map(str.isupper, surface)) else DIGIT
        return "".join(mark if char.isalnum() else char for char in surface)
    return shape_of(surface)
