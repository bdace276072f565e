"""What a private map holds: strings and what they stood for, and the edits that undo a release."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from privstamp.mechanisms.surrogate import MASK
from privstamp.mechanisms.wordlists import CONNECTING, PERCENTS
from privstamp.restore.substitution import Beside, telling
from privstamp.text.closed import DOUBTFUL
from privstamp.text.invisible import Edits, Visible
from privstamp.types import Units

_PLACEHOLDER: Final = re.compile(r"\[([A-Z]+(?:_[A-Z]+)*)_(\d+)\]")
SHORTEST_NUMBER: Final = 3
"""Digits of a number that is put back wherever it stands."""


@dataclass(frozen=True, repr=False, slots=True)
class MapEntry:
    """PRIVATE. One string that was sent, what it stood for, and of what type that is."""

    surrogate: str
    original: str
    kind: str
    beside: tuple[Beside, ...] = ()
    """Words around it in the release, for what cannot be told from other text by itself."""

    def __repr__(self) -> str:
        return "Entry(private)"

    @property
    def returns(self) -> bool:
        """Whether it is put back wherever it stands."""
        return self.surrogate != MASK and telling(self.surrogate) and not short(self.surrogate)


def unbracketed(surrogate: str) -> list[str]:
    """As models write a placeholder: without its brackets, or as words. Of a surrogate, nothing.

    >>> unbracketed("[DATE_TIME_2]")
    ['DATE_TIME_2', 'date_time_2', 'DATE TIME 2']
    """
    match = _PLACEHOLDER.fullmatch(surrogate)
    if match is None:
        return []
    bare = surrogate[1:-1]
    return [bare, bare.lower(), f"{match[1].replace('_', ' ')} {match[2]}"]


def short(surrogate: str) -> bool:
    """Whether it cannot be told from other text by itself: answers count, list and number
    things, and are full of small words."""
    signs = [sign for sign in surrogate if sign.isalnum()]
    digits = sum(map(str.isdecimal, signs))
    letters = "".join(signs).lower().strip("0123456789")
    counts = digits < SHORTEST_NUMBER and letters in ("", "st", "nd", "rd", "th")
    single = len(signs) == 1 and surrogate.isalpha()
    listed = surrogate in PERCENTS + CONNECTING or surrogate.lower() in DOUBTFUL
    return (bool(digits) and counts) or single or listed


# Initials follow the name: who was sent as Vera Coulter is V. Coulter in an answer.


_NAMELIKE: Final = 2


def initials(surrogate: str, original: str) -> Iterator[tuple[str, str]]:
    """Pairs of shortened writings of a person's name, those of the surrogate first.

    >>> list(initials("Vera Coulter", "Priya Rao"))[:2]
    [('V. Coulter', 'P. Rao'), ('V Coulter', 'P Rao')]
    """
    sent, kept = _Name(surrogate.split()), _Name(original.split())
    if sent.whole and kept.whole:
        alike = len(sent.words) == len(kept.words)
        for written, kept_writing in zip(sent.writings(), kept.writings(), strict=False):
            if alike or written.count(" ") < _NAMELIKE:
                yield written, kept_writing


class _Name:
    """The words of a name; writings of two names are in the same order."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.whole = len(words) >= _NAMELIKE and _is_name(words[0])

    def writings(self) -> Iterator[str]:
        first, *inner, last = self.words
        for pattern in ("{0}. {1}", "{0} {1}", "{1}, {0}.", "{1} {0}.", "{0}.{1}"):
            yield pattern.format(first[0], last)
        letters = [word[0] for word in self.words]
        for join in (".", ". "):
            yield join.join([*letters, ""]).rstrip()
        if inner:
            for join in (".", ". "):
                yield f"{join.join([*letters[:-1], '']).rstrip()} {last}"
            yield " ".join([first, *(f"{word[0]}." for word in inner), last])


def _is_name(word: str) -> bool:
    """No title and no initial, which stand as they are."""
    return len(word) > 1 and word[0].isalpha() and not word.endswith(".")


# Exact undo: what was changed in a release and where, so that the release itself comes back whole.
#
# A release is made in layers: invisible characters are taken out, then units are replaced, and a
# format or a repair may add its own. Each layer is a list of edits in the text that it gave.


@dataclass(frozen=True, repr=False, slots=True)
class Undo:
    """PRIVATE. One released text by its digest, and the edits that undo it, last layer first."""

    digest: str
    layers: tuple[Edits, ...]

    @classmethod
    def of(cls, release: str, *layers: Edits) -> Undo:
        """`layers`: the first undoes the release, each further one what the one before it gave."""
        return cls(_digest(release), tuple(layer for layer in layers if layer))

    def __repr__(self) -> str:
        return f"Exact(private, {sum(map(len, self.layers))} edits)"

    def above(self, before: str, after: str) -> Undo:
        """The same release after one more change of the whole text, such as a repair."""
        if before == after:
            return self
        return Undo.of(after, ((0, len(after), before),), *self.layers)

    def undo(self, text: str) -> str | None:
        """The original, if this is the release, else nothing."""
        if _digest(text) != self.digest:
            return None
        for layer in self.layers:
            text = Visible(text, layer).original()
        return text

    def to_json(self) -> dict[str, object]:
        return {"digest": self.digest, "layers": self.layers}

    @classmethod
    def from_json(cls, value: object) -> Undo | None:
        """What `to_json` wrote, or nothing where it is something else."""
        if not isinstance(value, dict) or set(value) != {"digest", "layers"}:
            return None
        digest, layers = value["digest"], value["layers"]
        if not isinstance(digest, str) or not isinstance(layers, list):
            return None
        if not all(map(_is_layer, layers)):
            return None
        return cls(digest, tuple(tuple(tuple(edit) for edit in layer) for layer in layers))


@dataclass(frozen=True, repr=False, slots=True)
class Chain:
    """PRIVATE. A release in parts: how long each of them is, and what undoes it."""

    parts: tuple[tuple[int, Undo], ...]

    def __repr__(self) -> str:
        return f"Chain(private, {len(self.parts)} parts)"

    def undo(self, text: str) -> str | None:
        """The original, if this is the whole release, else nothing."""
        if len(text) != sum(length for length, _ in self.parts):
            return None
        pieces: list[str] = []
        start = 0
        for length, exact in self.parts:
            piece = exact.undo(text[start : start + length])
            if piece is None:
                return None
            pieces.append(piece)
            start += length
        return "".join(pieces)

    def above(self, before: str, after: str) -> Undo:
        """The same release after one more change of the whole text, such as a repair."""
        return Undo.of(after, ((0, len(after), self.undo(before) or before),))

    def to_json(self) -> dict[str, object]:
        return {"parts": [[length, exact.to_json()] for length, exact in self.parts]}


def release_from_json(value: object) -> Undo | Chain | None:
    """What either wrote, or nothing where it is something else."""
    if not isinstance(value, dict) or set(value) != {"parts"}:
        return Undo.from_json(value)
    parts: list[tuple[int, Undo]] = []
    for part in value["parts"] if isinstance(value["parts"], list) else [None]:
        if not isinstance(part, list) or len(part) != 2:
            return None
        length, exact = part[0], Undo.from_json(part[1])
        if exact is None or type(length) is not int or length < 0:
            return None
        parts.append((length, exact))
    return Chain(tuple(parts))


def changes(units: Units, surfaces: Sequence[str]) -> Edits:
    """Edits of the text that `join_surfaces` makes of the same arguments."""
    edits: list[tuple[int, int, str]] = []
    length = position = 0
    for start, end, surface in zip(
        units.starts.tolist(), units.ends.tolist(), surfaces, strict=True
    ):
        length += max(0, start - position)
        was = units.text[max(start, position) : end]
        if surface != was:
            edits.append((length, length + len(surface), was))
        length += len(surface)
        position = end
    return tuple(edits)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _is_layer(layer: Any) -> bool:
    """Edits in order, none over another."""
    if not isinstance(layer, list):
        return False
    for edit in layer:
        if not isinstance(edit, list) or [type(value) for value in edit] != [int, int, str]:
            return False
        if not 0 <= edit[0] <= edit[1]:
            return False
    return all(first[1] <= second[0] for first, second in pairwise(layer))
