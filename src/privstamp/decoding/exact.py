"""Exact search: the output rows with the largest cosine, whatever the blocking.

A float32 matrix product finds every row that could win, given a proved bound on its rounding;
those few are compared in float64, row by row in a fixed order. So the result is that of a plain
float64 search, at the speed of the product. The same holds for the nearest raw vector: one more
coordinate turns the straight-line distance into a product.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from privstamp.decoding.race import PAIRS, Index, Race, reaching
from privstamp.decoding.scratch import Scratch
from privstamp.errors import Incompatible
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids, Table

QUERIES, COLUMNS = 512, 1024
"""Block of the product: two megabytes of scores, which stay in cache while they are read."""
_HALF_ULP = 2.0**-24


class Exact:
    """Search over each class's output rows, by float32 products."""

    approximate = False

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        for name, rows in zip(space.classes, space.outputs, strict=True):
            if not len(rows):
                raise Incompatible(f'{space.name}: class "{name}" has no row that may be an output')
        self._space = space
        self._queries = queries
        self._scratch = Scratch(queries, columns)
        self._directions: dict[int, Directions] = {}
        self._points: dict[int, _Points] = {}

    def decode(self, queries: Float64, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with the largest cosine; ties go to the lowest row id."""
        return self._search(queries, classes, 1, self._nearest)[:, 0]

    def decode_two(self, queries: Float64, classes: npt.NDArray[np.uint8]) -> Ids:
        """The two rows with the largest cosines, the nearer one first."""
        return self._search(queries, classes, 2, self._nearest_two)

    def decode_points(self, points: Float64, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows whose raw vector lies nearest; the last column is a weight > 0 to divide by."""
        return self._search(points, classes, 1, self._nearest_point)[:, 0]

    def _nearest(self, number: int, queries: Float64) -> Ids:
        return self._direction(number).nearest(queries, self._scratch)

    def _nearest_two(self, number: int, queries: Float64) -> Ids:
        return self._direction(number).nearest(queries, self._scratch, 2)

    def _nearest_point(self, number: int, points: Float64) -> Ids:
        return self._point(number).nearest(points, self._scratch)

    def _search(
        self,
        queries: Float64,
        classes: npt.NDArray[np.uint8],
        count: int,
        nearest: Callable[[int, Float64], Ids],
    ) -> Ids:
        if not np.all(np.isfinite(queries)):
            raise ValueError("a query is not finite")
        if min(map(len, self._space.outputs)) < count:
            raise Incompatible(f"{self._space.name}: a class has fewer than {count} output rows")
        out = np.empty((len(queries), count), dtype=np.int32)
        for number in np.unique(classes).tolist():
            mine = np.flatnonzero(classes == number)
            for start in range(0, len(mine), self._queries):
                block = mine[start : start + self._queries]
                out[block] = nearest(number, queries[block])
        return out

    # Two threads may both gather a class; either result is the same.
    def _direction(self, number: int) -> Directions:
        if number not in self._directions:
            self._directions[number] = Directions(self._space.unit, self._space.outputs[number])
        return self._directions[number]

    def _point(self, number: int) -> _Points:
        if number not in self._points:
            radius = self._space.radius[self._space.outputs[number]].astype(np.float64)
            self._points[number] = _Points(self._direction(number), radius)
        return self._points[number]


class Directions:
    """The output rows of one class, gathered once."""

    def __init__(self, table: Table, ids: Ids) -> None:
        run = int(ids[-1]) - int(ids[0]) + 1 == len(ids)
        rows = table[ids[0] : ids[-1] + 1] if run else table[ids]
        self.ids = ids
        self.rows = np.ascontiguousarray(rows, dtype=np.float32)
        self.length = np.empty(len(ids))
        for start in range(0, len(ids), PAIRS):
            wide = self.rows[start : start + PAIRS].astype(np.float64)
            self.length[start : start + PAIRS] = np.sqrt((wide * wide).sum(-1))
        if not np.all(self.length > 0):
            raise Incompatible("an output row has length zero")
        self.window = np.float32(2.0 * _product_error(self.rows.shape[1], self.length))

    def nearest(self, queries: Float64, scratch: Scratch, count: int = 1) -> Ids:
        """Winners of queries of any length; of a zero query, the first rows."""
        race = Race(unit(queries), self.cosine, count)
        ids: Ids = self.ids[_propose(race, self.rows, self.window, scratch)]
        return ids

    def cosine(self, queries: Float64, row: Index) -> Float64:
        """In float64, summed row by row, so that what else is in the block changes nothing."""
        products: Float64 = (queries * self.rows[row]).sum(-1) / self.length[row]
        return products


class _Points:
    """The raw vectors r u of one class, as rows whose product with a point ranks by distance.

    |p/w - r u| is least where r p.u - w r^2 / 2 is largest: the product of (p, R w / 2) and
    (s u, -s^2) for s = r / R, R the largest radius.
    """

    def __init__(self, directions: Directions, radius: Float64) -> None:
        self._directions = directions
        self._largest = float(radius.max()) or 1.0
        self._share = radius / self._largest
        rows = directions.rows
        self._rows = np.empty((len(rows), rows.shape[1] + 1), dtype=np.float32)
        np.multiply(rows, self._share[:, None], out=self._rows[:, :-1], casting="same_kind")
        self._rows[:, -1] = -self._share * self._share
        # Rows are at most sqrt(2) long, and rounded once more than those of the unit table.
        error = _product_error(self._rows.shape[1] + 2, directions.length)
        self._window = np.float32(2.0 * 1.5 * error)

    def nearest(self, points: Float64, scratch: Scratch) -> Ids:
        """Winners of points given with their weight."""
        lifted = points.copy()
        lifted[:, -1] *= self._largest / 2.0
        race = Race(unit(lifted), self._score)
        ids: Ids = self._directions.ids[_propose(race, self._rows, self._window, scratch)]
        return ids

    def _score(self, queries: Float64, row: Index) -> Float64:
        share = self._share[row]
        along = self._directions.cosine(queries[:, :-1], row)
        return along * share - queries[:, -1] * share * share


def _propose(race: Race, rows: Table, window: np.float32, scratch: Scratch) -> Index:
    """The best rows of each query by the exact score, which products miss by half the window."""
    queries, count = race.queries, race.count
    narrow = np.ascontiguousarray(queries.T, dtype=np.float32)
    peaks = np.full((count, len(queries)), -np.inf, dtype=np.float32)
    floor = peaks[-1]
    columns = scratch.columns(len(queries))
    for start in range(0, len(rows), columns):
        part = rows[start : start + columns]
        scores = scratch.floats(len(part), len(queries))
        np.matmul(part, narrow, out=scores)
        highest = _raise_peaks(peaks, scores)
        floor = np.nextafter(peaks[-1] - window, np.float32(-np.inf), dtype=np.float32)
        row, which = reaching(scores, highest, floor)
        race.enter(which, row + start, scores[row, which], floor)
    return race.finish(*race.waiting(floor))


def _raise_peaks(peaks: Table, scores: Table) -> Table:
    """Merge a block's highest scores into the peaks, in falling order; gives its highest."""
    highest: Table = scores.max(axis=0)
    if len(peaks) == 1:
        np.maximum(peaks[0], highest, out=peaks[0])
        return highest
    rising = np.flatnonzero(highest > peaks[-1])  # few, after the first block
    if len(rising):
        kept = min(len(peaks), len(scores))
        top = np.partition(scores[:, rising], len(scores) - kept, axis=0)[-kept:]
        merged = np.concatenate([peaks[:, rising], top])
        peaks[:, rising] = -np.sort(-merged, axis=0)[: len(peaks)]
    return highest


def unit(queries: Float64) -> Float64:
    """Queries of length one, whatever their size; a zero query stays zero."""
    largest = np.maximum(queries.max(axis=1, initial=0.0), -queries.min(axis=1, initial=0.0))
    out: Float64 = queries / np.where(largest > 0, largest, 1.0)[:, None]
    length = np.sqrt((out * out).sum(-1))
    out /= np.where(length > 0, length, 1.0)[:, None]
    return out


def _product_error(dimensions: int, length: Float64) -> float:
    """Most that a float32 dot product can differ from the cosine: rounding and rows' lengths.

    d roundings of the sum in any order and d products, one of the query; Higham's gamma.
    """
    steps = (dimensions + 2) * _HALF_ULP
    uneven = float(np.abs(length - 1.0).max())
    return 1.01 * (steps / (1.0 - steps) * float(length.max()) + uneven) + 1e-12
