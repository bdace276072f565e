"""A structured text on the line: its names are drawn, its fields written, its syntax passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from privstamp.mechanisms.identifier import Identifiers
from privstamp.policy import Policy
from privstamp.protocols import PublicWords
from privstamp.release.document import Document
from privstamp.release.parts import Parts
from privstamp.restore.entry import Entry
from privstamp.sensitivity.lexicon import Lexicon
from privstamp.text.formats.names import words_of
from privstamp.text.formats.syntax import passes
from privstamp.text.formats.template import Template
from privstamp.text.invisible import Edits
from privstamp.text.vocabulary import default
from privstamp.types import Units

_LONG = 3
_SMALL = frozenset(
    {"as", "at", "by", "db", "id", "in", "io", "is", "na", "of", "on", "or", "to", "up"}
)
"""Short words that are written in one with others."""
NAME = "IDENTIFIER"
"""Kind of a key, tag or identifier in the private map."""


def renamed(
    document: Document, parts: Parts, policy: Policy, replaced: Iterable[Entry]
) -> dict[str, str]:
    """New names for the keys, tags and identifiers that are not public."""
    if document.template is None:
        return {}
    known: dict[str, str] = {}
    for entry in replaced:
        if entry.surrogate.isascii() and _alike(entry.surrogate, entry.original):
            known.setdefault(entry.original.casefold(), entry.surrogate.casefold())
    carried = document.pseudonyms
    identifiers = None if carried is None else carried.identifiers
    if identifiers is None:
        identifiers = Identifiers(document.key, public_words(parts, policy), known)
    if carried is not None:
        carried.identifiers = identifiers
        identifiers.learn(known)
    return identifiers.replaced(document.template.keys())


def _alike(surrogate: str, original: str) -> bool:
    """Whether both are words, or both numbers: one may stand in a name for the other."""
    if surrogate.isdigit() and original.isdigit():
        return surrogate[0] != "0"
    return surrogate.isalpha() and original.isalpha()


def name_entries(names: Mapping[str, str]) -> tuple[Entry, ...]:
    """The same for the private map."""
    return tuple(Entry(new, name, NAME) for name, new in names.items())


def filled(
    template: Template, units: Units, surfaces: Sequence[str], names: Mapping[str, str]
) -> tuple[str, Edits]:
    """The released text, and where it differs from the one that came."""
    return template.write(list(_fields(template, units, surfaces)), names)


def _fields(template: Template, units: Units, surfaces: Sequence[str]) -> Iterator[str]:
    """What each field became."""
    text = units.text
    lows = np.searchsorted(units.starts, template.firsts).tolist()
    highs = np.searchsorted(units.starts, template.lasts).tolist()
    bounds = zip(template.firsts.tolist(), template.lasts.tolist(), lows, highs, strict=True)
    for position, last, low, high in bounds:
        pieces: list[str] = []
        for index in range(low, high):
            pieces += (text[position : units.starts[index]], surfaces[index])
            position = int(units.ends[index])
        if position > last:
            raise ValueError("a unit lies across two fields")
        pieces.append(text[position:last])
        yield "".join(pieces)


@cache
def _lexicon() -> Lexicon:
    return Lexicon()


def public_words(parts: Parts, policy: Policy) -> Callable[[str], bool]:
    """Whether a word in lower case names nobody: by lists and the policy, never by its context."""
    sensitivity = parts.sensitivity
    asked = sensitivity.is_public if isinstance(sensitivity, PublicWords) else _lexicon().is_public
    allowed, denied = _words(policy.allow), _words(policy.deny)

    @cache
    def is_public(word: str) -> bool:
        if word in denied:
            return False
        return word in allowed or passes(word) or asked(word) or _compound(word, asked)

    return is_public


def _words(terms: Sequence[str]) -> frozenset[str]:
    return frozenset(word.lower() for term in terms for word in words_of(term))


def _compound(word: str, asked: Callable[[str], bool]) -> bool:
    """Whether it is two public words written as one, as programmers do: groupby, isnan."""
    if not word.isascii() or not word.isalpha() or _lexicon().is_listed(word):
        return False
    cuts = ((word[:cut], word[cut:]) for cut in range(2, len(word) - 1))
    return any(all(_piece(half, asked) for half in halves) for halves in cuts)


def _piece(word: str, asked: Callable[[str], bool]) -> bool:
    if len(word) < _LONG:
        return word in _SMALL
    return passes(word) or (asked(word) and default().has(word))
