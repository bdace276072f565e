"""Addresses of noise that depend on what a unit is and stands beside, not on where: a stretch of
text that comes again meets the same noise. docs/concepts/sessions.md has the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.budget import Budget
from privstamp.release.document import Document
from privstamp.release.parts import Parts
from privstamp.release.surrogates import paragraphs

REACH: Final = 4
"""Units on either side that are part of a stretch."""
REDRAWS: Final = 2
"""Draws of a word between the same two neighbours; every further one is the first again."""
_SENSITIVE: Final = 2
"""Groups up to this are sensitive."""


class Stretches:
    """Of one session: what was released, by its digests alone."""

    def __init__(self, key: bytes, facts: tuple[bytes, ...], parts: Parts, budget: Budget) -> None:
        self._key = blake2b(b"addresses", key=key, digest_size=32).digest()
        self._facts = _joined(*facts)
        self._parts, self._budget = parts, budget
        first, second, third, fourth = budget.epsilon
        self._freezes = first != second or third != fourth
        self._groups: dict[bytes, int] = {}  # at the first release
        self._accounts: dict[bytes, list[int]] = {}  # addresses of a word between two others
        self.addresses: set[int] = set()  # of draws
        self.held = 0  # draws that were the first again

    def freeze(self, document: Document, origin: str) -> None:
        """Give stretches that have left the importance that they had then."""
        if not self._freezes:
            return
        groups = document.grouping.groups.copy()
        for unit, stretch in self._of(document, origin, range(len(groups))):
            first = self._groups.setdefault(stretch, int(groups[unit]))
            if (first <= _SENSITIVE) == (groups[unit] <= _SENSITIVE):
                groups[unit] = first
        plain = document.epsilon == self._budget.of_groups(document.grouping.groups)
        document.epsilon[plain] = self._budget.of_groups(groups)[plain]
        document.grouping = replace(document.grouping, groups=groups)

    def of(self, origin: str) -> Addressed:
        return Addressed(self, origin)

    def positions(self, document: Document, origin: str) -> npt.NDArray[np.int64]:
        """Addresses of the units that are drawn or replaced."""
        positions = np.zeros(len(document.units), dtype=np.int64)
        drawn = np.flatnonzero(np.isfinite(document.epsilon)).tolist()
        for unit, stretch in self._of(document, origin, drawn):
            group = int(document.grouping.groups[unit])
            mechanism = getattr(self._parts.mechanisms.get(group), "name", "")
            law = repr((group, float(document.epsilon[unit]), mechanism)).encode()
            positions[unit] = self._digest(stretch, law, self._facts)
        for unit in document.drawn.tolist():
            positions[unit] = self._held(document, origin, unit, int(positions[unit]))
        self.addresses.update(positions[document.drawn].tolist())
        return positions

    def _held(self, document: Document, origin: str, unit: int, address: int) -> int:
        """The address itself, or the first of its account once that has had its draws: an edit
        gives words nearby new addresses, and edits would add up. Word, epsilon and mechanism are
        the same there, so it is the same draw."""
        units, group = document.units, int(document.grouping.groups[unit])
        beside = [
            units.surface(n) if 0 <= n < len(units) else "" for n in (unit - 1, unit, unit + 1)
        ]
        law = repr((group, float(document.epsilon[unit]))).encode()
        account = self._keyed(_joined(origin.encode(), law, *map(str.encode, beside)))
        known = self._accounts.setdefault(account, [])
        if address in known:
            return address
        if len(known) < REDRAWS:
            known.append(address)
            return address
        self.held += 1
        return known[0]

    def after(self, position: int, released: str) -> int:
        """The address of a law that depends on what was released before."""
        return self._digest(position.to_bytes(8, "little"), released.encode())

    def _of(
        self, document: Document, origin: str, units: range | list[int]
    ) -> Iterator[tuple[int, bytes]]:
        """Each unit's stretch: origin, its text and its neighbours', and which copy it is."""
        numbers = paragraphs(document.units).tolist()
        words = document.units.surfaces()
        copies: Counter[tuple[str, ...]] = Counter()
        for unit in units:
            near = range(max(0, unit - REACH), min(len(words), unit + REACH + 1))
            beside = [n for n in near if numbers[n] == numbers[unit]]
            stretch = (str(beside.index(unit)), *(words[n] for n in beside))
            copies[stretch] += 1
            number = str(copies[stretch])
            yield unit, self._keyed(_joined(*map(str.encode, (origin, number, *stretch))))

    def _keyed(self, content: bytes) -> bytes:
        return blake2b(content, key=self._key, digest_size=16).digest()

    def _digest(self, *parts: bytes) -> int:
        return int.from_bytes(self._keyed(_joined(*parts))[:8], "little") >> 1


class Addressed:
    """The addresses of one message."""

    def __init__(self, stretches: Stretches, origin: str) -> None:
        self._stretches, self._origin = stretches, origin

    def positions(self, document: Document) -> npt.NDArray[np.int64]:
        return self._stretches.positions(document, self._origin)

    def after(self, position: int, released: str) -> int:
        return self._stretches.after(position, released)


def _joined(*parts: bytes) -> bytes:
    """Strings as one, so that no two lists of them are the same."""
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
