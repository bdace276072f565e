"""Exact search: the output row with the largest cosine, whatever the blocking.

A float32 matrix product finds every row that could win, given a proved bound on its rounding;
those few are compared in float64, row by row in a fixed order. So the result is that of a plain
float64 search, at the speed of the product.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids, Table

QUERIES, COLUMNS = 512, 1024
"""Block of the product: two megabytes of scores, which stay in cache while they are read."""
_PAIRS = 4096
_HALF_ULP = 2.0**-24


class Exact:
    """Cosine search over each class's output rows."""

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        for name, rows in zip(space.classes, space.outputs, strict=True):
            if not len(rows):
                raise Incompatible(f'{space.name}: class "{name}" has no row that may be an output')
        self._space = space
        self._queries = queries
        self._columns = columns
        self._gathered: dict[int, _Class] = {}

    def decode(self, queries: Float64, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with the largest cosine; ties go to the lowest row id."""
        if not np.all(np.isfinite(queries)):
            raise ValueError("a query is not finite")
        out = np.empty(len(queries), dtype=np.int32)
        for number in np.unique(classes).tolist():
            mine = np.flatnonzero(classes == number)
            for start in range(0, len(mine), self._queries):
                block = mine[start : start + self._queries]
                out[block] = self._class(number).nearest(unit(queries[block]), self._columns)
        return out

    def _class(self, number: int) -> _Class:
        # Two threads may both gather a class; either result is the same.
        if number not in self._gathered:
            self._gathered[number] = _Class(self._space.unit, self._space.outputs[number])
        return self._gathered[number]


class _Class:
    """The output rows of one class, gathered once."""

    def __init__(self, table: Table, ids: Ids) -> None:
        run = int(ids[-1]) - int(ids[0]) + 1 == len(ids)
        rows = table[ids[0] : ids[-1] + 1] if run else table[ids]
        self._ids = ids
        self._rows = np.ascontiguousarray(rows, dtype=np.float32)
        self._length = np.empty(len(ids))
        for start in range(0, len(ids), _PAIRS):
            wide = self._rows[start : start + _PAIRS].astype(np.float64)
            self._length[start : start + _PAIRS] = np.sqrt((wide * wide).sum(-1))
        if not np.all(self._length > 0):
            raise Incompatible("an output row has length zero")
        self._window = np.float32(2.0 * _product_error(self._rows.shape[1], self._length))

    def nearest(self, queries: Float64, columns: int) -> Ids:
        """Winner of each query of unit length (or zero, when the first row wins)."""
        narrow = queries.astype(np.float32)
        best = np.full(len(queries), -np.inf, dtype=np.float64)
        winner = np.zeros(len(queries), dtype=np.intp)
        peak = np.full(len(queries), -np.inf, dtype=np.float32)
        room = np.empty(len(queries) * min(columns, len(self._rows)), dtype=np.float32)
        for start in range(0, len(self._rows), columns):
            rows = self._rows[start : start + columns]
            scores = room[: len(queries) * len(rows)].reshape(len(queries), len(rows))
            np.matmul(narrow, rows.T, out=scores)
            highest = scores.max(axis=1)
            np.maximum(peak, highest, out=peak)
            floor = np.nextafter(peak - self._window, np.float32(-np.inf), dtype=np.float32)
            live = np.flatnonzero(highest >= floor)
            hit, column = np.nonzero(scores[live] >= floor[live, None])
            self._rank(queries, live[hit], column + start, best, winner)
        ids: Ids = self._ids[winner]
        return ids

    def _rank(
        self,
        queries: Float64,
        which: npt.NDArray[np.intp],
        rows: npt.NDArray[np.intp],
        best: Float64,
        winner: npt.NDArray[np.intp],
    ) -> None:
        """Put the better of old winner and candidates in place; candidates ascend by query, row."""
        for start in range(0, len(which), _PAIRS):
            query, row = which[start : start + _PAIRS], rows[start : start + _PAIRS]
            cosine = (queries[query] * self._rows[row]).sum(-1) / self._length[row]
            order = np.lexsort((row, -cosine, query))
            query, row, cosine = query[order], row[order], cosine[order]
            first = np.flatnonzero(np.diff(query, prepend=-1))
            query, row, cosine = query[first], row[first], cosine[first]
            better = cosine > best[query]
            best[query[better]], winner[query[better]] = cosine[better], row[better]


def unit(queries: Float64) -> Float64:
    """Queries of length one, whatever their size; a zero query stays zero."""
    largest = np.abs(queries).max(axis=1, initial=0.0)[:, None]
    scaled = queries / np.where(largest > 0, largest, 1.0)
    length = np.sqrt((scaled * scaled).sum(-1))[:, None]
    out: Float64 = scaled / np.where(length > 0, length, 1.0)
    return out


def _product_error(dimensions: int, length: Float64) -> float:
    """Most that a float32 dot product can differ from the cosine: rounding and rows' lengths.

    d roundings of the sum in any order and d products, one of the query; Higham's gamma.
    """
    steps = (dimensions + 2) * _HALF_ULP
    uneven = float(np.abs(length - 1.0).max())
    return 1.01 * (steps / (1.0 - steps) * float(length.max()) + uneven) + 1e-12
