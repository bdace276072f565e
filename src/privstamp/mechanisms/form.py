"""The visible shape of a unit: all that a replacement is told about what it replaces.

A form is PUBLIC. It can be read off the released text: how many digits and letters a number or
code has and where its separators and signs stand, the case of a word (never its length), a common
sign itself, and for anything else nothing but its kind.

Strings are drawn from that alone, again where one is like something released already.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from privstamp.mechanisms.kept import PARTICLES
from privstamp.mechanisms.networks import (
    COUNTRY,
    ZERO,
    country_digits,
    image_path,
    machine_form,
)
from privstamp.mechanisms.wordlists import CURRENCIES
from privstamp.noise import Noise
from privstamp.protocols import Replacement
from privstamp.text.closed import SMALL
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

SIGNS: Final = frozenset("!#$%&*+<=>@^`|~°§±×÷€£¥‰•©®™«»ºª") | frozenset(CURRENCIES)
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


_SPAN_FORMS: Final = {"EMAIL_ADDRESS": EMAIL, "EMAIL": EMAIL}


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


def _mixture(match: re.Match[str]) -> str:
    cases = {"a", "A"} & set(match[0])
    mark = EITHER_CASE if len(cases) > 1 else MIXED_LOWER if "a" in cases else MIXED_UPPER
    return mark * len(match[0])


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
    ['a.a', '+cc 00']
    """
    if kind == "URL":
        return URL if "://" in surface else HOST + image_path(surface)
    if kind == "HANDLE":
        return HANDLE if surface.startswith("@") else LOWER
    if kind == "IP_ADDRESS":
        return machine_form(surface)
    if kind in _SPAN_FORMS:
        return _SPAN_FORMS[kind]
    if kind == "PHONE_NUMBER" or (kind == "NUMERIC_ID" and _LIKE_A_PHONE.fullmatch(surface)):
        return _telephone(surface)
    if kind == "CREDENTIAL":
        return shape_of(surface) if surface.isdecimal() and len(surface) in _TYPED else ""
    if kind in ("MAC_ADDRESS", "UUID"):
        mark = "A" if any(map(str.isupper, surface)) else DIGIT
        return "".join(mark if char.isalnum() else char for char in surface)
    return shape_of(surface)


_TYPED: Final = range(4, 9)
"""Digits of a code that is typed on a keypad: how many it has shows."""
_LIKE_A_PHONE: Final = re.compile(r"00?[1-9](?:[ .-]?\d){8,12}")
_DIALLED: Final = re.compile(r"\d")
_TRUNK: Final = re.compile(r"[^\d+]?0{1,2}|\+[\d .\u00a0-]{1,5}\(0(?=\))")


def _telephone(surface: str) -> str:
    """The shape of a telephone number: the zeros that it begins with, and the digits of a country.

    >>> _telephone("0161 496"), _telephone("+353 (0)1 496"), _telephone("+1 555")
    ('o000 000', '+ccc (o)0 000', '+c 000')
    """
    signs = list(shape_of(surface))
    if trunk := _TRUNK.match(surface):
        signs[trunk.end() - 1] = ZERO
        if surface[trunk.end() - 2 : trunk.end() - 1] == "0":
            signs[trunk.end() - 2] = ZERO
    if surface[:1] == "+":
        places = [match.start() for match in _DIALLED.finditer(surface)]
        figures = "".join(surface[place] for place in places)
        for place in places[: country_digits(figures)]:
            signs[place] = COUNTRY
    return "".join(signs)


ATTEMPTS: Final = 72
PLAIN: Final = 64
"""Attempts at a name of a list before it becomes a compound, or may miss its article."""
_ALWAYS: Final = 3
"""Draws that equal the one before, in a row, after which nothing else is expected."""
_REPEATED: Final = SMALL | {"CONNECTING"}
"""Classes so small that texts repeat their words anyway."""


class Wanted(NamedTuple):
    """All that the draw for one thing reads."""

    replacement: Replacement
    kind: str
    form: str
    noise: Noise
    article: str = ""  # that stands before it and leaves as it is written


_VOWEL: Final = re.compile(r"(?i)(?!eu|ew|one|uni|u[bkrst][aeiou])[aeiou]")


def fits(string: str, article: str) -> bool:
    """Whether a string can follow an article.

    >>> fits("Irving", "an"), fits("Irving", "a"), fits("Eugene", "a"), fits("Irving", "")
    (True, False, True, True)
    """
    return not article or (article == "an") == (_VOWEL.match(string) is not None)


def strings(
    wanted: Iterable[Wanted], taken: set[str], numbers: dict[str, int], *, distinct: bool
) -> list[str]:
    """One for each, in this order. `taken` are the words that were released or drawn, and
    `numbers` how many things of each kind there were: both grow. What is not to be `distinct` is
    drawn once; else it is drawn again where it does not fit its article."""
    drawn = []
    for replacement, kind, form, noise, article in wanted:
        entity = numbers[kind] = numbers.get(kind, 0) + 1
        previous, again, string = None, 0, ""
        for attempt in range(ATTEMPTS):
            string = replacement.draw(kind, entity, form, noise, attempt)
            again = again + 1 if string == previous else 0
            if again == _ALWAYS or not distinct:
                break
            fitting = fits(string, article) or attempt >= PLAIN
            if fitting and (kind in _REPEATED or not is_taken(string, taken)):
                break
            previous = string
        taken.update(string.casefold().split())
        drawn.append(string)
    return drawn


def is_taken(drawn: str, taken: set[str]) -> bool:
    """Whether every word of it stands somewhere in what is released already."""
    words = drawn.casefold().split()
    return bool(words) and taken.issuperset(words)


# Addresses that are made of a person's name: their surrogate is made of the name's surrogate.
#
# Which addresses are so, and how (`ann.lee`, `alee`, `lee7`), is an equality between parts of the
# text: PUBLIC, and named in the certificate. No other letter of an address is looked at.


DOMAINS = ("example.com", "example.org", "example.net")
"""Set aside for examples; a second address of the same make takes the next."""
_TOKENS = re.compile(r"[^\W\d_]+|\d+|[._+-]")


@dataclass(frozen=True, repr=False)
class Person:
    """PRIVATE. Given and family names as they are compared, in order."""

    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, repr=False, slots=True)
class AddressPiece:
    """A name, or its first letter, by which it is known; else a sign, or the form of digits."""

    name: str = ""
    initial: bool = False
    form: str = ""


def pieces(address: str, people: Iterable[Person]) -> list[AddressPiece] | None:
    """How an address is made of one person's name; None if it is not."""
    local = plain(address.partition("@")[0])
    tokens = _TOKENS.findall(local)
    if "".join(tokens) != local:
        return None
    for person in people:
        pieces = [_made(token, person) for token in tokens]
        flat = [piece for group in pieces if group is not None for piece in group]
        named = any(piece.name and not piece.initial for piece in flat)
        if named and all(group is not None for group in pieces):
            return flat
    return None


def plain(name: str) -> str:
    """As names and addresses are compared: lower case, without accents and apostrophes."""
    apart = unicodedata.normalize("NFD", name.casefold())
    return "".join(
        char for char in apart if not unicodedata.combining(char) and char not in "'\u2019"
    )


def _made(token: str, person: Person) -> list[AddressPiece] | None:
    """A token of an address from one or two parts of a name."""
    if token.isdigit():
        return [AddressPiece(form=DIGIT * len(token))]
    if not token.isalpha():
        return [AddressPiece(form=token)]
    parts = list(_parts(person))
    for text, piece in parts:
        if text == token:
            return [piece]
    for text, piece in parts:  # dasilva
        if not piece.initial and token.endswith(text) and token[: -len(text)] in PARTICLES:
            return [piece]
    for text, piece in parts:
        for begin, second in parts:
            if text + begin == token and piece.name != second.name:
                return [piece, second]
    return None


def _parts(person: Person) -> Iterator[tuple[str, AddressPiece]]:
    """Whole names first, then first letters."""
    names = (*person.given, *person.family)
    for name in names:
        yield plain(name), AddressPiece(name)
    for name in names:
        yield plain(name)[:1], AddressPiece(name, initial=True)
