"""Exact undo: what was changed in a release and where, so that the release itself comes back whole.

A release is made in layers: invisible characters are taken out, then units are replaced, and a
format or a repair may add its own. Each layer is a list of edits in the text that it gave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from privstamp.text.invisible import Edits, Visible
from privstamp.types import Units


@dataclass(frozen=True, repr=False, slots=True)
class Exact:
    """PRIVATE. One released text by its digest, and the edits that undo it, last layer first."""

    digest: str
    layers: tuple[Edits, ...]

    @classmethod
    def of(cls, release: str, *layers: Edits) -> Exact:
        """`layers`: the first undoes the release, each further one what the one before it gave."""
        return cls(_digest(release), tuple(layer for layer in layers if layer))

    def __repr__(self) -> str:
        return f"Exact(private, {sum(map(len, self.layers))} edits)"

    def above(self, before: str, after: str) -> Exact:
        """The same release after one more change of the whole text, such as a repair."""
        if before == after:
            return self
        return Exact.of(after, ((0, len(after), before),), *self.layers)

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
    def from_json(cls, value: object) -> Exact | None:
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

    parts: tuple[tuple[int, Exact], ...]

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

    def above(self, before: str, after: str) -> Exact:
        """The same release after one more change of the whole text, such as a repair."""
        return Exact.of(after, ((0, len(after), self.undo(before) or before),))

    def to_json(self) -> dict[str, object]:
        return {"parts": [[length, exact.to_json()] for length, exact in self.parts]}


def release_from_json(value: object) -> Exact | Chain | None:
    """What either wrote, or nothing where it is something else."""
    if not isinstance(value, dict) or set(value) != {"parts"}:
        return Exact.from_json(value)
    parts: list[tuple[int, Exact]] = []
    for part in value["parts"] if isinstance(value["parts"], list) else [None]:
        if not isinstance(part, list) or len(part) != 2:
            return None
        length, exact = part[0], Exact.from_json(part[1])
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
