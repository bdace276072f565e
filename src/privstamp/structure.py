"""A structured text on the line: its names are drawn, its fields written, its syntax passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from privstamp.document import Document
from privstamp.mechanisms.identifier import Identifiers
from privstamp.restore.map import Entry
from privstamp.sensitivity.lexicon import Lexicon
from privstamp.text.formats.syntax import passes
from privstamp.text.formats.template import Template
from privstamp.text.invisible import Edits
from privstamp.types import Kind, Label, Units

NAME = "IDENTIFIER"
"""Kind of a key, tag or identifier in the private map."""


def renamed(document: Document) -> dict[str, str]:
    """New names for the keys, tags and identifiers that are not public."""
    if document.template is None:
        return {}
    return Identifiers(document.key, is_public).replaced(document.template.keys())


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


@lru_cache(maxsize=100_000)
def is_public(word: str) -> bool:
    """Whether a word in lower case names nobody: by lists alone, never by its context."""
    return passes(word) or _lexicon().verdict(word, Kind.WORD, Label.LOWER) is None
