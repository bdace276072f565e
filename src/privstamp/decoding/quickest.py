"""Exact search by whichever product is quicker on this machine: measured, not believed.

Both give the same rows, so the choice shows in the time alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from privstamp.decoding.certified import Certified, Tally
from privstamp.decoding.exact import COLUMNS, QUERIES, Exact
from privstamp.errors import Incompatible, MissingExtra
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids

WORTH_IMPORTING, WORTH_TRYING = 2e12, 2e11
"""Operations to have been done before torch is imported (seconds), or measured if it is there."""
MANY = 64
"""Blocks of this many queries are bound by arithmetic, smaller ones by memory."""
REPEATS = 3

_verdicts: dict[tuple[int, int, bool], bool] = {}
"""By rows, dimensions and whether queries are many: does int8 win? Of this process."""


class Int8(Exact):
    """Search by int8 products with certified bounds; the same rows as `Exact`."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._certified: dict[int, Certified] = {}

    def _nearest(self, number: int, queries: Float64) -> Ids:
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
    """float32 at first; after some seconds of work, whichever proves quicker."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        super().__init__(space, queries=queries, columns=columns)
        self._done = 0.0
        self._possible = find_spec("torch") is not None

    def _nearest(self, number: int, queries: Float64) -> Ids:
        rows = self._direction(number)
        case = (*rows.shape, len(queries) >= MANY)
        if self._possible and case not in _verdicts:
            self._done += 2.0 * len(queries) * rows.shape[0] * rows.shape[1]
            wanted = WORTH_TRYING if "torch" in sys.modules else WORTH_IMPORTING
            if self._done >= wanted:
                _verdicts[case] = self._int8_wins(number, queries)
        if self._possible and _verdicts.get(case, False):
            return super()._nearest(number, queries)
        return rows.nearest(queries, self._scratch)

    def _int8_wins(self, number: int, queries: Float64) -> bool:
        """Both on the queries at hand, in turn; the best time of each counts."""
        try:
            coded = self._coded(number)
        except (MissingExtra, Incompatible):
            self._possible = False
            return False
        rows = self._direction(number)
        times: dict[Callable[..., Ids], list[float]] = {coded.nearest: [], rows.nearest: []}
        for _ in range(REPEATS):
            for step, seconds in times.items():
                started = time.perf_counter()
                step(queries, self._scratch)
                seconds.append(time.perf_counter() - started)
        wins = min(times[coded.nearest]) < min(times[rows.nearest])
        if not wins:
            self._certified.pop(number, None)
        return wins
