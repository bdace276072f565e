"""Exact search by int8 products: they propose, float64 decides, so the result is `Exact`'s.

A row is s q + e with whole numbers q of one byte, a query t p + f. The product of both is then
s t (p . q) to within |e| + |f| |s q| (Cauchy and Schwarz), all four lengths known. Every row that
could win within these bounds is looked at again: in float32 with its own proved bound, then in
float64. Nothing is approximate, so whether float32 or int8 proposes shows in the time alone: which
is quicker on this machine is measured.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import alone, shared
from privstamp.decoding.exact import (
    COLUMNS,
    QUERIES,
    READING,
    Directions,
    Exact,
    Scratch,
    shared_blocks,
    unit,
)
from privstamp.decoding.race import Bounds, Index, Race, reaching
from privstamp.errors import Incompatible, MissingExtra, optional
from privstamp.noise import Float64, Vectors
from privstamp.protocols import Space
from privstamp.types import Ids

LEVELS = 127
ROWS = 1024
"""Rows that share a scale: they are sorted by their largest coordinate, so that one fits all."""
CROWD = 1024
"""Candidates per query from which the float32 search is the better one."""
_FEW = 256  # pairs at a time: their rows then stay in cache
_SHARE = 0.2  # of the time of a float32 product
_GATHERING = 100.0  # operations that a product does while one number is gathered
_SLACK = 1.0 + 1e-6  # covers the rounding of the bounds themselves


@dataclass
class BoundTally:
    """What the bounds were worth."""

    queries: int = 0
    rows: int = 0  # scored by the int8 product
    again: int = 0  # looked at again
    fallbacks: int = 0  # queries left to the float32 search

    @property
    def share(self) -> float:
        """Part of all scores that had to be looked at again."""
        return self.again / self.rows if self.rows else 0.0


@dataclass(frozen=True)
class _Block:
    """Coded rows with one scale, the longest error and the longest coded row among them."""

    start: int
    codes: Any  # torch tensor, int8, rows x dimensions
    scale: float
    error: float
    reach: float


@dataclass(frozen=True)
class _Coded:
    """Coded queries, the scale of each and the length of what its code leaves out."""

    codes: Any  # torch tensor, int8, queries x dimensions
    scale: Float64
    error: Float64


class Certified:
    """The rows of one class in int8, a quarter of their size, beside the rows themselves."""

    def __init__(self, directions: Directions) -> None:
        self._torch = integer_products()
        if directions.shape[1] * LEVELS * LEVELS >= 2**31:
            raise Incompatible("int8 products of this many dimensions would overflow")
        parts = (slice(at, at + ROWS) for at in range(0, directions.shape[0], ROWS))
        largest = np.concatenate([np.abs(directions.rows(part)).max(axis=1) for part in parts])
        self.directions = directions
        self._order = np.argsort(largest, kind="stable")
        self._blocks = [block for _, block in shared_blocks(self._code, directions.shape, ROWS)]
        self._uneven = float(np.abs(directions.length - 1.0).max()) + 1e-9
        self.tally = BoundTally()

    def _code(self, part: slice) -> _Block:
        rows = self.directions.rows(self._order[part]).astype(np.float64)
        scale = float(np.abs(rows).max()) / LEVELS
        coded = np.rint(rows / scale)
        rows -= coded * scale
        codes = self._torch.from_numpy(coded.astype(np.int8))
        return _Block(part.start, codes, scale, _longest(rows), _longest(coded) * scale)

    def nearest(self, queries: Vectors, scratch: Scratch) -> Ids:
        """Winners of queries of any length, one column as `Directions.nearest` gives them."""
        race = Race(unit(queries), self.directions.cosine)
        if not len(queries):
            return np.empty((0, 1), dtype=np.int32)
        coded = self._coded(race.queries)
        operations = _SHARE * 2.0 * max(len(queries), READING) * len(self._order) * queries.shape[1]

        def work(blocks: Iterator[_Block]) -> tuple[Race, Bounds] | None:
            with alone(self._torch):
                return self._look(race.another(), coded, blocks, scratch)

        parts = shared(self._blocks, work, operations)
        complete = [part for part in parts if part is not None]
        if len(complete) < len(parts):
            self.tally.fallbacks += len(queries)
            return self.directions.nearest(queries, scratch)
        which, row = race.joined(complete)
        self.tally.queries += len(queries)
        self.tally.rows += len(queries) * len(self._order)
        self.tally.again += len(which)
        ids: Ids = self.directions.ids[race.finish(*self._sieve(race.queries, which, row))]
        return ids

    def _look(
        self, race: Race, queries: _Coded, blocks: Iterator[_Block], scratch: Scratch
    ) -> tuple[Race, Bounds] | None:
        """Whoever may win among some blocks; nothing if they are a crowd."""
        count = len(queries.scale)
        floor = np.full(count, -np.inf, dtype=np.float32)
        candidates = 0
        for block in blocks:
            step = queries.scale * block.scale
            bound = _SLACK * (block.error + queries.error * block.reach) + self._uneven
            scores = scratch.integers(count, len(block.codes))
            self._torch._int_mm(queries.codes, block.codes.T, out=self._torch.from_numpy(scores))
            if not candidates:
                np.maximum(floor, _below(scores.max(axis=1) * step - bound), out=floor)
            # Later floors rise by the scores that reach them: no look for the highest of each line.
            level, flags = _whole((floor - bound) / step), scratch.flags(*scores.shape)
            which, row = reaching(scores, level, flags)
            candidates += len(row)
            if candidates > CROWD * count:
                return None
            score, margin = scores[which, row] * step[which], bound[which]
            np.maximum.at(floor, which, _below(score - margin))
            race.enter(which, self._order[row + block.start], _above(score + margin), floor)
        return race, floor

    def _coded(self, queries: Float64) -> _Coded:
        """Queries in int8, with their scales and the lengths of their errors."""
        scale = np.abs(queries).max(axis=1) / LEVELS
        scale[scale == 0.0] = 1.0
        coded = np.rint(queries / scale[:, None])
        rest = queries - coded * scale[:, None]
        error = np.sqrt(np.vecdot(rest, rest))
        return _Coded(self._torch.from_numpy(coded.astype(np.int8)), scale, error)

    def _sieve(self, queries: Float64, which: Index, row: Index) -> tuple[Index, Index]:
        """Those pairs that may still win after a product in float32."""
        narrow = queries.astype(np.float32)
        product = np.empty(len(which), dtype=np.float32)

        def work(firsts: Iterator[int]) -> None:
            for first in firsts:
                pairs = slice(first, first + _FEW)
                product[pairs] = np.vecdot(narrow[which[pairs]], self.directions.rows(row[pairs]))

        shared(range(0, len(which), _FEW), work, _GATHERING * len(which) * queries.shape[1])
        best = np.full(len(queries), -np.inf, dtype=np.float32)
        np.maximum.at(best, which, product)
        floor = np.nextafter(best - self.directions.window, np.float32(-np.inf), dtype=np.float32)
        left = product >= floor[which]
        return which[left], row[left]


def integer_products() -> Any:
    """torch, if its product of bytes works here."""
    torch = optional("torch", "torch", "decoding by int8 products")
    try:
        ones = torch.ones((32, 32), dtype=torch.int8)
        works = bool((torch._int_mm(ones, ones) == 32).all())
    except (RuntimeError, AttributeError, NotImplementedError):
        works = False
    if not works:
        raise Incompatible("this build of torch has no product of int8 matrices for this machine")
    return torch


def _longest(rows: Float64) -> float:
    return float(np.sqrt(np.vecdot(rows, rows).max()))


def _below(values: Float64) -> npt.NDArray[np.float32]:
    """As float32, never more."""
    return np.nextafter(values.astype(np.float32), np.float32(-np.inf), dtype=np.float32)


def _above(values: Float64) -> npt.NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(np.inf), dtype=np.float32)


def _whole(values: Float64) -> npt.NDArray[np.int32]:
    """The next whole number below, in the range of int32."""
    limited = np.clip(np.floor(values) - 1.0, -(2.0**31), 2.0**31 - 1)
    return limited.astype(np.int32)


Way: TypeAlias = Literal["float32", "int8"]

WORTH_IMPORTING, WORTH_TRYING = 2e12, 2e11
"""Operations to have been done before torch is imported (seconds), or measured if it is there."""
MANY = 64
"""Blocks of this many queries are bound by arithmetic, smaller ones by memory."""
REPEATS = 3

Case: TypeAlias = tuple[int, int, bool]
_verdicts: dict[Case, Way] = {}
"""By rows, dimensions and whether queries are many: who is quicker. Of this process."""


class Int8(Exact):
    """Search by int8 products with certified bounds; the same rows as `Exact`."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._certified: dict[int, Certified] = {}

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._coded(number).nearest(queries, self._scratch)

    def _coded(self, number: int) -> Certified:
        coded = self._certified.get(number)  # once: another thread may drop it in between
        if coded is None:
            coded = self._certified[number] = Certified(self._direction(number))
        return coded

    @property
    def tally(self) -> BoundTally:
        """What the bounds were worth so far."""
        total = BoundTally()
        for coded in list(self._certified.values()):
            total.queries += coded.tally.queries
            total.rows += coded.tally.rows
            total.again += coded.tally.again
            total.fallbacks += coded.tally.fallbacks
        return total


class Quickest(Int8):
    """float32 at first; after some seconds of work, whichever proves quicker."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._done = 0.0
        self._possible = find_spec("torch") is not None

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        if self._possible and self._way(number, queries) == "int8":
            return self._coded(number).nearest(queries, self._scratch)
        return self._direction(number).nearest(queries, self._scratch)

    def _way(self, number: int, queries: Vectors) -> Way:
        rows = self._direction(number)
        case = (*rows.shape, len(queries) >= MANY)
        if case not in _verdicts:
            self._done += 2.0 * len(queries) * rows.shape[0] * rows.shape[1]
            wanted = WORTH_TRYING if "torch" in sys.modules else WORTH_IMPORTING
            if self._done < wanted:
                return "float32"
            _verdicts[case] = self._measured(number, queries)
        return _verdicts[case]

    def _measured(self, number: int, queries: Vectors) -> Way:
        """Both on the queries at hand, in turn; the best time of each counts."""
        rows, in_use = self._direction(number), number in self._certified
        try:
            coded = self._coded(number)
        except (MissingExtra, Incompatible):
            return "float32"
        ways: dict[Way, Directions | Certified] = {"float32": rows, "int8": coded}
        best = dict.fromkeys(ways, math.inf)
        for _ in range(REPEATS):
            for way, search in ways.items():
                started = time.perf_counter()
                search.nearest(queries, self._scratch)
                best[way] = min(best[way], time.perf_counter() - started)
        winner = min(best, key=best.__getitem__)
        if winner != "int8" and not in_use:
            self._certified.pop(number, None)
        return winner
