"""Exact search by whichever product is quicker on this machine: measured, not believed.

All give the same rows, so the choice shows in the time alone.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal, TypeAlias, TypeVar

from privstamp.decoding.certified import Certified, Tally
from privstamp.decoding.exact import COLUMNS, QUERIES, Directions, Exact
from privstamp.decoding.packed import packed
from privstamp.errors import Incompatible, MissingExtra
from privstamp.noise import Vectors
from privstamp.protocols import Space
from privstamp.types import Ids

Given = TypeVar("Given")
Made = TypeVar("Made")
Way: TypeAlias = Literal["float32", "packed", "int8"]

WORTH_IMPORTING, WORTH_TRYING = 2e12, 2e11
"""Operations to have been done before torch is imported (seconds), or measured if it is there."""
MANY = 64
"""Blocks of this many queries are bound by arithmetic, smaller ones by memory."""
REPEATS = 3

Case: TypeAlias = tuple[int, int, bool, int]
_verdicts: dict[Case, Way] = {}
"""By rows, dimensions, whether queries are many and winners wanted: who is quickest. Of this
process."""


class Int8(Exact):
    """Search by int8 products with certified bounds; the same rows as `Exact`."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._certified: dict[int, Certified] = {}

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._coded(number).nearest(queries, self._scratch)

    def _coded(self, number: int) -> Certified:
        made = self._certified.get(number)  # once: another thread may drop it in between
        if made is None:
            made = self._certified[number] = Certified(self._direction(number))
        return made

    @property
    def tally(self) -> Tally:
        """What the bounds were worth so far."""
        total = Tally()
        for one in list(self._certified.values()):
            total.queries += one.tally.queries
            total.rows += one.tally.rows
            total.again += one.tally.again
            total.fallbacks += one.tally.fallbacks
        return total


class Quickest(Int8):
    """float32 at first; after some seconds of work, whichever proves quickest."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._done = 0.0
        self._possible = find_spec("torch") is not None
        self._packed: set[int] = set()

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._quickest(number, queries, 1)

    def _nearest_two(self, number: int, queries: Vectors) -> Ids:
        return self._quickest(number, queries, 2)

    def _quickest(self, number: int, queries: Vectors, count: int) -> Ids:
        rows = self._direction(number)
        case = (*rows.shape, len(queries) >= MANY, count)
        if self._possible and case not in _verdicts:
            self._done += 2.0 * len(queries) * rows.shape[0] * rows.shape[1]
            wanted = WORTH_TRYING if "torch" in sys.modules else WORTH_IMPORTING
            if self._done >= wanted:
                _verdicts[case] = self._measured(number, queries, count)
        way = _verdicts.get(case, "float32") if self._possible else "float32"
        if way == "int8":
            return self._coded(number).nearest(queries, self._scratch)
        if way == "packed" and number not in self._packed:
            self._lay_out(number, packed(rows))
        return self._direction(number).nearest(queries, self._scratch, count)

    def _lay_out(self, number: int, rows: Directions) -> None:
        """From now on the rows of this class are these, also where other ways fall back on them:
        the memory of the others is free."""
        self._directions[number] = rows
        for way in (self._certified.get(number), self._points.get(number)):
            if way is not None:
                way.directions = rows
        self._packed.add(number)

    def _measured(self, number: int, queries: Vectors, count: int) -> Way:
        """All on the queries at hand, in turn; the best time of each counts."""
        rows, in_use = self._direction(number), number in self._certified
        laid_out = None if number in self._packed else _made(packed, rows)
        coded = _made(self._coded, number) if count == 1 else None
        now: Way = "packed" if number in self._packed else "float32"
        ways: dict[Way, Callable[[], Ids]] = {
            now: lambda: rows.nearest(queries, self._scratch, count)
        }
        if laid_out is not None:
            ways["packed"] = lambda: laid_out.nearest(queries, self._scratch, count)
        if coded is not None:
            ways["int8"] = lambda: coded.nearest(queries, self._scratch)
        best = dict.fromkeys(ways, math.inf)
        for _ in range(REPEATS):
            for way, step in ways.items():
                started = time.perf_counter()
                step()
                best[way] = min(best[way], time.perf_counter() - started)
        winner = min(best, key=best.__getitem__)
        if laid_out is not None and winner == "packed":
            self._lay_out(number, laid_out)
        if winner != "int8" and not in_use:
            self._certified.pop(number, None)
        return winner


def _made(make: Callable[[Given], Made], given: Given) -> Made | None:
    """What is made, if it can be here."""
    try:
        return make(given)
    except (MissingExtra, Incompatible):
        return None
