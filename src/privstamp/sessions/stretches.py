"""Addresses of noise that depend on what a unit is and stands beside, not on where: a stretch of
text that comes again meets the same noise. docs/concepts/sessions.md has the proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from privstamp.budget import Budget
from privstamp.protocols import Fluent
from privstamp.release.document import Chosen, Labelled
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts
from privstamp.release.replaced import paragraphs
from privstamp.sessions.versions import WORD, Version, Versions

REACH: Final = 4
"""Units on either side that are part of a stretch."""
REDRAWS: Final = 2
"""Draws of a word between the same two neighbours; every further one is the first again."""
_SENSITIVE: Final = 2
"""Groups up to this are sensitive."""


class Draw(NamedTuple):
    """A new address, the account of the content that it is charged to, and what it costs."""

    account: bytes
    address: int
    metric: str
    epsilon: float
    diameter: float


@dataclass(repr=False)
class Learned:
    """What a turn added: draws, addresses that were there and are another content's as well,
    importance at the first release, rows that laws with fluency gave, texts, and draws that were
    the first again."""

    draws: list[Draw] = field(default_factory=list)
    known: list[tuple[bytes, int]] = field(default_factory=list)
    groups: dict[bytes, int] = field(default_factory=dict)
    rows: dict[int, int] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    held: int = 0


class Stretches:
    """Of one session: what was released, by its digests alone."""

    def __init__(
        self,
        key: bytes,
        facts: tuple[bytes, ...],
        parts: Parts,
        budget: Budget,
        *,
        redraws: int = REDRAWS,
        reopen: bool = False,
    ) -> None:
        """`reopen`: a new task may raise the epsilon of words that have left."""
        self.noise = key
        self._key = blake2b(b"addresses", key=key, digest_size=32).digest()
        self._facts = joined(*facts)
        self.parts, self.budget = parts, budget
        self._redraws, self._reopen = redraws, reopen
        first, second, third, fourth = budget.epsilon
        self.freezes = first != second or third != fourth
        self._groups: dict[bytes, int] = {}  # at the first release
        self._accounts: dict[bytes, list[int]] = {}  # addresses of a word between two others
        self._rows: dict[int, int] = {}
        self.versions = Versions()
        self.addresses: set[int] = set()  # of draws
        self.held = 0  # draws that were the first again
        self.learned = Learned()

    def take(self, learned: Learned) -> None:
        """Know what an earlier turn added."""
        paid = [(draw.account, draw.address) for draw in learned.draws]
        for account, address in paid + learned.known:
            self._accounts.setdefault(account, []).append(address)
            self.addresses.add(address)
        self._groups.update(learned.groups)
        self._rows.update(learned.rows)
        for version in learned.versions:
            self.versions.add(version)
        self.held += learned.held

    def of(self, origin: str) -> Addressed:
        return Addressed(self, origin)

    def importance(self, stretch: bytes, group: int) -> int:
        """The importance that a stretch had when it left; a higher epsilon if that is reopened."""
        first = self._groups.get(stretch, group)
        alike = (first <= _SENSITIVE) == (group <= _SENSITIVE)
        epsilon = self.budget.epsilon
        if not alike or (self._reopen and epsilon[group - 1] > epsilon[first - 1]):
            first = group
        if alike or stretch not in self._groups:
            self._groups[stretch] = self.learned.groups[stretch] = first
        return first

    def drawn(self, account: bytes, address: int, epsilon: float, group: int) -> int:
        """The address itself, or the first of its account once that has had its draws: an edit
        gives words nearby new addresses, and edits would add up. Word, epsilon and mechanism are
        the same there, so it is the same draw."""
        known = self._accounts.setdefault(account, [])
        if address in known:
            return address
        if address in self.addresses:  # outside of an edit, but beside it
            known.append(address)
            self.learned.known.append((account, address))
            return address
        if len(known) >= self._redraws:
            self.held += 1
            self.learned.held += 1
            return known[0]
        mechanism = self.parts.mechanisms[group]
        draw = Draw(account, address, mechanism.metric, epsilon, mechanism.diameter)
        self.learned.draws.append(draw)
        known.append(address)
        self.addresses.add(address)
        return address

    def row(self, address: int, draw: Callable[[int], int]) -> int:
        """What a law with fluency gives at an address. Kept: for another law it would be another
        draw from the same noise."""
        if address not in self._rows:
            self._rows[address] = self.learned.rows[address] = draw(address)
        return self._rows[address]

    def draws_of(self, account: bytes) -> int:
        """How often a content was drawn."""
        return len(self._accounts.get(account, ()))

    def stretches(self, document: Labelled, origin: str) -> list[bytes]:
        """Each unit's stretch: origin, its text and its neighbours', and which copy it is. Outside
        of the edits of a text that left before, as it was there."""
        surfaces = document.units.surfaces()
        if not (self.freezes or document.perturbed.any()):
            return self._natural(document, origin, surfaces, {})
        words = [self.keyed(surface.encode())[:WORD] for surface in surfaces]
        nearest = self.versions.nearest(origin, words)
        aligned = {} if nearest is None else self.versions.aligned(nearest, words)
        stretches = self._natural(document, origin, surfaces, aligned)
        version = Version(
            origin, b"".join(words), b"".join(stretches), self.versions.first(nearest)
        )
        self.versions.add(version)
        self.learned.versions.append(version)
        return stretches

    def _natural(
        self, document: Labelled, origin: str, surfaces: list[str], aligned: dict[int, bytes]
    ) -> list[bytes]:
        numbers = paragraphs(document.units).tolist()
        taken = set(aligned.values())
        copies: dict[tuple[str, ...], int] = {}
        stretches: list[bytes] = []
        for unit in range(len(surfaces)):
            if unit in aligned:
                stretches.append(aligned[unit])
                continue
            near = range(max(0, unit - REACH), min(len(surfaces), unit + REACH + 1))
            beside = [n for n in near if numbers[n] == numbers[unit]]
            text = (str(beside.index(unit)), *(surfaces[n] for n in beside))
            while True:
                copies[text] = copies.get(text, 0) + 1
                parts = (origin, str(copies[text]), *text)
                stretch = self.keyed(joined(*map(str.encode, parts)))
                if stretch not in taken:
                    break
            stretches.append(stretch)
        return stretches

    def law(self, document: Labelled, unit: int) -> bytes:
        """What a draw depends on beside its word."""
        group = int(document.grouping.groups[unit])
        mechanism = getattr(self.parts.mechanisms.get(group), "name", "")
        return repr((group, float(document.epsilon[unit]), mechanism)).encode()

    def address(self, *parts: bytes) -> int:
        return int.from_bytes(self.keyed(joined(*parts, self._facts))[:8], "little") >> 1

    def keyed(self, content: bytes) -> bytes:
        return blake2b(content, key=self._key, digest_size=16).digest()


class Addressed:
    """The addresses of one message."""

    def __init__(self, stretches: Stretches, origin: str) -> None:
        self._of, self._origin = stretches, origin
        self.noise = stretches.noise
        self._stretches: list[bytes] | None = None

    def frozen(self, document: Labelled) -> Labelled:
        """With stretches that have left as important as they were then."""
        if not self._of.freezes:
            return document
        before = document.grouping.groups
        groups = before.copy()
        for unit, stretch in enumerate(self._known(document)):
            groups[unit] = self._of.importance(stretch, int(before[unit]))
        plain = document.epsilon == self._of.budget.of_groups(before)
        epsilon = np.where(plain, self._of.budget.of_groups(groups), document.epsilon)
        grouping = replace(document.grouping, groups=groups)
        return replace(document, epsilon=epsilon, grouping=grouping)

    def positions(self, document: Chosen) -> npt.NDArray[np.int64]:
        """Addresses of the units that are drawn or replaced."""
        positions = np.zeros(len(document.units), dtype=np.int64)
        stretches = self._known(document)
        for unit in np.flatnonzero(np.isfinite(document.epsilon)).tolist():
            law, thing = self._of.law(document, unit), _thing(document, unit)
            positions[unit] = self._of.address(stretches[unit], law, thing)
        for unit in document.drawn.tolist():
            if not self._fluent(document, unit):
                positions[unit] = self._drawn(document, unit, int(positions[unit]))
        return positions

    def row(self, document: Chosen, unit: int, released: str, draw: Callable[[int], int]) -> int:
        """What is drawn by a law that depends on what was released before it: at an address of its
        own, or the row of the first."""
        position = int(document.positions[unit]).to_bytes(8, "little")
        address = self._drawn(document, unit, self._of.address(position, released.encode()))
        return self._of.row(address, draw)

    def _known(self, document: Labelled) -> list[bytes]:
        if self._stretches is None:
            self._stretches = self._of.stretches(document, self._origin)
        return self._stretches

    def _fluent(self, document: Chosen, unit: int) -> bool:
        return isinstance(self._of.parts.mechanisms[int(document.grouping.groups[unit])], Fluent)

    def _drawn(self, document: Chosen, unit: int, address: int) -> int:
        units = document.units
        beside = [
            units.surface(n) if 0 <= n < len(units) else "" for n in (unit - 1, unit, unit + 1)
        ]
        law = self._of.law(document, unit)
        account = self._of.keyed(joined(self._origin.encode(), law, *map(str.encode, beside)))
        epsilon, group = float(document.epsilon[unit]), int(document.grouping.groups[unit])
        return self._of.drawn(account, address, epsilon, group)


def _thing(document: Labelled, unit: int) -> bytes:
    """All of what is replaced with a unit as one, which may reach farther than a stretch."""
    span = int(document.grouping.spans[unit])
    if span == NO_SPAN or document.epsilon[unit]:
        return b""
    finding = document.grouping.findings[span]
    return document.units.text[finding.start : finding.end].encode()


def joined(*parts: bytes) -> bytes:
    """Strings as one, so that no two lists of them are the same."""
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
