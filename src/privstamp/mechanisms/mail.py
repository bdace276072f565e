"""Addresses that are made of a person's name: their surrogate is made of the name's surrogate.

Which addresses are so, and how (`ann.lee`, `alee`, `lee7`), is an equality between parts of the
text: PUBLIC, and named in the certificate. No other letter of an address is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from privstamp.mechanisms.form import DIGIT
from privstamp.mechanisms.kept import PARTICLES

DOMAINS = ("example.com", "example.org", "example.net")
"""Set aside for examples; a second address of the same make takes the next."""
_TOKENS = re.compile(r"[^\W\d_]+|\d+|[._+-]")


@dataclass(frozen=True, repr=False)
class Person:
    """PRIVATE. Given and family names as they are compared, in order."""

    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, repr=False, slots=True)
class Piece:
    """A name, or its first letter, by which it is known; else a sign, or the form of digits."""

    name: str = ""
    initial: bool = False
    form: str = ""


def pieces(address: str, people: Iterable[Person]) -> list[Piece] | None:
    """How an address is made of one person's name; None if it is not."""
    local = plain(address.partition("@")[0])
    tokens = _TOKENS.findall(local)
    if "".join(tokens) != local:
        return None
    for person in people:
        made = [_made(token, person) for token in tokens]
        flat = [piece for group in made if group is not None for piece in group]
        whole = any(piece.name and not piece.initial for piece in flat)
        if whole and all(group is not None for group in made):
            return flat
    return None


def plain(name: str) -> str:
    """As names and addresses are compared: lower case, without accents and apostrophes."""
    apart = unicodedata.normalize("NFD", name.casefold())
    return "".join(
        char for char in apart if not unicodedata.combining(char) and char not in "'\u2019"
    )


def _made(token: str, person: Person) -> list[Piece] | None:
    """A token of an address from one or two parts of a name."""
    if token.isdigit():
        return [Piece(form=DIGIT * len(token))]
    if not token.isalpha():
        return [Piece(form=token)]
    parts = list(_parts(person))
    for text, piece in parts:
        if text == token:
            return [piece]
    for text, piece in parts:  # dasilva
        if not piece.initial and token.endswith(text) and token[: -len(text)] in PARTICLES:
            return [piece]
    for text, piece in parts:
        for other, second in parts:
            if text + other == token and piece.name != second.name:
                return [piece, second]
    return None


def _parts(person: Person) -> Iterator[tuple[str, Piece]]:
    """Whole names first, then first letters."""
    names = (*person.given, *person.family)
    for name in names:
        yield plain(name), Piece(name)
    for name in names:
        yield plain(name)[:1], Piece(name, initial=True)
