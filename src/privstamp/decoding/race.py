"""Rows that may still win: kept as mere numbers while the floor rises, compared exactly at the end.

What proposes them (a float32 or an int8 product) decides how fast a search is, never its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from privstamp.noise import Float64

Index: TypeAlias = npt.NDArray[np.intp]
Bounds: TypeAlias = npt.NDArray[np.float32]
Score: TypeAlias = Callable[[Float64, Index], Float64]
Number = TypeVar("Number", np.float32, np.int32)

PENDING = 1 << 16
"""Pairs of query and row that may wait for the exact comparison."""
PAIRS = 4096
"""Pairs compared at a time in float64."""


class Race:
    """The best `count` rows of each query by the exact score, among those that enter."""

    def __init__(self, queries: Float64, score: Score, count: int = 1) -> None:
        self.queries = queries
        self.count = count
        self._score = score
        self._best = np.full((len(queries), count), -np.inf)
        self._winner = np.zeros((len(queries), count), dtype=np.intp)
        self._pending: list[tuple[Index, Index, Bounds]] = []
        self._waiting = 0

    def enter(self, which: Index, row: Index, most: Bounds, floor: Bounds) -> None:
        """Pairs of query and row with the most each can score; winners will reach the floor."""
        if len(which):
            self._pending.append((which, row, most))
            self._waiting += len(which)
        if self._waiting > PENDING:
            self._compare(*self.waiting(floor))

    def waiting(self, floor: Bounds) -> tuple[Index, Index]:
        """Pairs that can still reach the floor; they wait no longer."""
        if not self._pending:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        which, row, most = (np.concatenate(column) for column in zip(*self._pending, strict=True))
        self._pending, self._waiting = [], 0
        left = most >= floor[which]
        return which[left], row[left]

    def another(self) -> Race:
        """A race of the same queries, for rows that another thread looks at."""
        return Race(self.queries, self._score, self.count)

    def joined(self, others: Sequence[tuple[Race, Bounds]]) -> tuple[Index, Index]:
        """Take over other races, each with its floor; gives the pairs still to be compared."""
        for racer, _ in others:
            self._pending += racer._pending
            which, place = np.nonzero(racer._best > -np.inf)
            if len(which):  # few races are compared before they end
                row, exact = racer._winner[which, place], racer._best[which, place]
                _merge(which, row, exact, self._best, self._winner)
        return self.waiting(np.maximum.reduce([floor for _, floor in others]))

    def finish(self, which: Index, row: Index) -> Index:
        """The winners, once the last pairs have been compared."""
        if self.count == 1:
            which, row = self._contested(which, row)
        self._compare(which, row)
        return self._winner

    def _contested(self, which: Index, row: Index) -> tuple[Index, Index]:
        """Pairs that have to be compared: a row that nobody else contests has won."""
        rivals = np.bincount(which, minlength=len(self.queries))
        rivals += self._best[:, 0] > -np.inf
        won = rivals[which] == 1
        self._winner[which[won], 0] = row[won]
        return which[~won], row[~won]

    def _compare(self, which: Index, row: Index) -> None:
        for first in range(0, len(which), PAIRS):
            pairs = slice(first, first + PAIRS)
            exact = self._score(self.queries[which[pairs]], row[pairs])
            _merge(which[pairs], row[pairs], exact, self._best, self._winner)


def reaching(
    scores: npt.NDArray[Number], floor: npt.NDArray[Number], flags: npt.NDArray[np.bool_]
) -> tuple[Index, Index]:
    """Query and row of every score that reaches its query's floor; one line per query."""
    np.greater_equal(scores, floor[:, None], out=flags)
    return np.divmod(np.flatnonzero(flags), scores.shape[1])  # far quicker than nonzero in 2-D


def _merge(which: Index, row: Index, exact: Float64, best: Float64, winner: Index) -> None:
    """Put the best of old winners and candidates in place; ties go to the lower row."""
    old = np.unique(which)
    count = best.shape[1]
    which = np.concatenate([np.repeat(old, count), which])
    row = np.concatenate([winner[old].ravel(), row])
    exact = np.concatenate([best[old].ravel(), exact])
    order = np.lexsort((row, -exact, which))
    which, row, exact = which[order], row[order], exact[order]
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    place = np.arange(len(which)) - np.repeat(starts, np.diff(starts, append=len(which)))
    kept = place < count
    best[which[kept], place[kept]] = exact[kept]
    winner[which[kept], place[kept]] = row[kept]
