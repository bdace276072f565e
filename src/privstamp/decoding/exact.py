"""Exact search: the output rows with the largest cosine, whatever the blocking.

A float32 matrix product finds every row that could win, given a proved bound on its rounding;
those few are compared in float64, row by row in a fixed order. So the result is that of a plain
float64 search, at the speed of the product. The same holds for the nearest raw vector: one more
coordinate turns the straight-line distance into a product.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import shared
from privstamp.decoding.race import Bounds, Index, Race, reaching
from privstamp.errors import Incompatible
from privstamp.noise import Float64, Vectors
from privstamp.protocols import Space
from privstamp.types import Ids, Table


class Scratch(threading.local):
    """Room for a block of scores of four bytes, one line per query, one column per row."""

    def __init__(self) -> None:
        self._room = np.empty(0, dtype=np.float32)
        self._flags = np.empty(0, dtype=np.bool_)

    def floats(self, queries: int, rows: int) -> Table:
        if rows * queries > len(self._room):
            self._room = np.empty(rows * queries, dtype=np.float32)
        return self._room[: rows * queries].reshape(queries, rows)

    def integers(self, queries: int, rows: int) -> npt.NDArray[np.int32]:
        """The same room, for whole numbers."""
        return self.floats(queries, rows).view(np.int32)

    def flags(self, queries: int, rows: int) -> npt.NDArray[np.bool_]:
        """Room for what has been found out about each score."""
        if rows * queries > len(self._flags):
            self._flags = np.empty(rows * queries, dtype=np.bool_)
        return self._flags[: rows * queries].reshape(queries, rows)


Made = TypeVar("Made")

QUERIES = 512
COLUMNS = 1200
"""Rows of a block: its scores stay near the core while they are read, and it is a multiple of
the processor's vectors but no power of two, at which the lines of a block would meet in cache."""
TOGETHER, STACKED = 1 << 18, 16
"""Scores, and blocks, that are taken at a time if queries are few: calls take longer than they."""
READING = 16
"""Queries that are multiplied while the rows are read: fewer take no less time."""
_COPYING = 20.0
"""Operations that a product does while one number is copied."""
_HALF_ULP = 2.0**-24
_TINY = 1e-200


Stacks: TypeAlias = list[tuple[int, Table]]
"""Rows turned into columns, as numpy multiplies them: where each stack of blocks starts, and its
blocks, all of one size. There are two: blocks of `COLUMNS` rows, and what is left over."""


class Exact:
    """Search over each class's output rows, by float32 products."""

    approximate = False

    def __init__(self, space: Space, *, queries: int = QUERIES, columns: int = COLUMNS) -> None:
        for name, rows in zip(space.classes, space.outputs, strict=True):
            if not len(rows):
                raise Incompatible(f'{space.name}: class "{name}" has no row that may be an output')
        self._space = space
        self._queries = queries
        self._columns = columns
        self._scratch = Scratch()
        self._directions: dict[int, Directions] = {}
        self._points: dict[int, _Points] = {}

    def decode(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows of `outputs[class]` with the largest cosine; ties go to the lowest row id."""
        return self._search(queries, classes, 1, self._nearest)[:, 0]

    def decode_two(self, queries: Vectors, classes: npt.NDArray[np.uint8]) -> Ids:
        """The two rows with the largest cosines, the nearer one first."""
        return self._search(queries, classes, 2, self._nearest_two)

    def decode_points(self, points: Float64, classes: npt.NDArray[np.uint8]) -> Ids:
        """Rows whose raw vector lies nearest; the last column is a weight > 0 to divide by."""
        return self._search(points, classes, 1, self._nearest_point, more=1)[:, 0]

    def _nearest(self, number: int, queries: Vectors) -> Ids:
        return self._direction(number).nearest(queries, self._scratch)

    def _nearest_two(self, number: int, queries: Vectors) -> Ids:
        return self._direction(number).nearest(queries, self._scratch, 2)

    def _nearest_point(self, number: int, points: Float64) -> Ids:
        return self._point(number).nearest(points, self._scratch)

    def _search(
        self,
        queries: Vectors,
        classes: npt.NDArray[np.uint8],
        count: int,
        nearest: Callable[[int, Any], Ids],
        more: int = 0,
    ) -> Ids:
        if queries.shape != (len(classes), self._space.unit.shape[1] + more):
            raise ValueError("a query has as many numbers as a row, and one class")
        if not np.all(np.isfinite(queries)):
            raise ValueError("a query is not finite")
        if min(map(len, self._space.outputs)) < count:
            raise Incompatible(f"{self._space.name}: a class has fewer than {count} output rows")
        out = np.empty((len(queries), count), dtype=np.int32)
        for number in np.unique(classes).tolist():
            here = np.flatnonzero(classes == number)
            alike = len(here) == len(queries)  # as most blocks are: nothing has to be gathered
            for start in range(0, len(here), self._queries):
                part = slice(start, start + self._queries)
                block = part if alike else here[part]
                out[block] = nearest(number, queries[block])
        return out

    # Two threads may both gather a class; either result is the same.
    def _direction(self, number: int) -> Directions:
        if number not in self._directions:
            ids = self._space.outputs[number]
            self._directions[number] = Directions(self._space.unit, ids, self._columns)
        return self._directions[number]

    def _point(self, number: int) -> _Points:
        if number not in self._points:
            radius = self._space.radius[self._space.outputs[number]].astype(np.float64)
            self._points[number] = _Points(self._direction(number), radius)
        return self._points[number]


class Directions:
    """The output rows of one class, and beside them the same turned, as products read them."""

    def __init__(self, table: Table, ids: Ids, columns: int = COLUMNS) -> None:
        self.ids = ids
        self.shape = len(ids), table.shape[1]
        self.columns = columns
        self._table = table
        self.length = np.empty(len(ids))
        self.stacks = _turned(self._turn, self.shape, columns)
        if not np.all(self.length > 0):
            raise Incompatible("an output row has length zero")
        self.window = np.float32(2.0 * _product_error(table.shape[1], self.length))

    def _turn(self, part: slice, out: Table) -> None:
        rows = self.rows(part)
        wide = rows.astype(np.float64)
        self.length[part] = np.sqrt((wide * wide).sum(-1))
        out[:] = rows.T

    def rows(self, which: Index | slice) -> Table:
        """Some of the rows, by their place in the class."""
        rows: Table = self._table[self.ids[which]]
        return rows

    def nearest(self, queries: Vectors, scratch: Scratch, count: int = 1) -> Ids:
        """Winners of queries of any length; of a zero query, the first rows."""
        race = Race(unit(queries), self.cosine, count)
        ids: Ids = self.ids[_propose(race, self.stacks, self.shape[1], self.window, scratch)]
        return ids

    def cosine(self, queries: Float64, row: Index) -> Float64:
        """In float64, summed row by row, so that what else is in the block changes nothing."""
        products: Float64 = (queries * self.rows(row)).sum(-1) / self.length[row]
        return products


class _Points:
    """The raw vectors r u of one class, as rows whose product with a point ranks by distance.

    |p/w - r u| is least where r p.u - w r^2 / 2 is largest: the product of (p, R w / 2) and
    (s u, -s^2) for s = r / R, R the largest radius.
    """

    def __init__(self, directions: Directions, radius: Float64) -> None:
        self.directions = directions
        self._largest = float(radius.max()) or 1.0
        self._share = radius / self._largest
        self._shape = directions.shape[0], directions.shape[1] + 1
        self._stacks = _turned(self._lift, self._shape, directions.columns)
        # Rows are at most sqrt(2) long, and rounded once more than those of the unit table.
        error = _product_error(directions.shape[1] + 3, directions.length)
        self._window = np.float32(2.0 * 1.5 * error)

    def _lift(self, part: slice, out: Table) -> None:
        share = self._share[part]
        out[:-1] = self.directions.rows(part).T * share
        out[-1] = -share * share

    def nearest(self, points: Float64, scratch: Scratch) -> Ids:
        """Winners of points given with their weight."""
        lifted = points.copy()
        lifted[:, -1] *= self._largest / 2.0
        race = Race(unit(lifted), self._score)
        found = _propose(race, self._stacks, self._shape[1], self._window, scratch)
        ids: Ids = self.directions.ids[found]
        return ids

    def _score(self, queries: Float64, row: Index) -> Float64:
        share = self._share[row]
        along = self.directions.cosine(queries[:, :-1], row)
        return along * share - queries[:, -1] * share * share


def shared_blocks(
    make: Callable[[slice], Made], shape: tuple[int, int], columns: int
) -> list[tuple[int, Made]]:
    """What is made of the rows, block by block, each with where it starts."""

    def work(parts: Iterator[slice]) -> list[tuple[int, Made]]:
        return [(part.start, make(part)) for part in parts]

    parts = (slice(start, start + columns) for start in range(0, shape[0], columns))
    pieces = shared(parts, work, _COPYING * shape[0] * shape[1])
    return sorted(chain.from_iterable(pieces), key=lambda piece: piece[0])


def _turned(turn: Callable[[slice, Table], None], shape: tuple[int, int], columns: int) -> Stacks:
    """Rows as columns, block by block."""
    (full, rest), dimensions = divmod(shape[0], columns), shape[1]
    stack = np.empty((full, dimensions, columns), dtype=np.float32)
    last = np.empty((min(rest, 1), dimensions, rest), dtype=np.float32)

    def make(part: slice) -> None:
        number = part.start // columns
        turn(part, stack[number] if number < full else last[0])

    shared_blocks(make, shape, columns)
    both = ((0, stack), (full * columns, last))
    return [(start, rows) for start, rows in both if len(rows)]


def _propose(
    race: Race, stacks: Stacks, dimensions: int, window: np.float32, scratch: Scratch
) -> Index:
    """The best rows of each query by the exact score, which products miss by half the window."""
    queries, count = race.queries, race.count
    narrow = queries.astype(np.float32)

    def work(parts: Iterator[tuple[int, Table]]) -> tuple[Race, Bounds]:
        racer = race.another()
        peaks = np.full((len(queries), count), -np.inf, dtype=np.float32)
        floor = peaks[:, -1]
        for start, stack in parts:
            shape = len(stack), len(queries), stack.shape[2]
            scores = scratch.floats(shape[0] * shape[1], shape[2])
            np.matmul(narrow, stack, out=scores.reshape(shape))
            highest = scores[np.arange(len(scores)), scores.argmax(axis=1)]  # quicker than max
            highest = highest.reshape(shape[:2])
            _raise_peaks(peaks, scores, highest)
            floor = np.nextafter(peaks[:, -1] - window, np.float32(-np.inf), dtype=np.float32)
            live = np.flatnonzero(highest >= floor)  # few, after some blocks
            block, query = np.divmod(live, len(queries))
            flags = scratch.flags(len(live), shape[2])
            place, row = reaching(scores[live], floor[query], flags)
            most = scores[live[place], row]
            racer.enter(query[place], row + (start + block[place] * shape[2]), most, floor)
        return racer, floor

    together = TOGETHER // max(1, len(queries) * stacks[0][1].shape[2])
    size = min(max(1, together), STACKED) if count == 1 else 1
    parts = [
        (start + first * stack.shape[2], stack[first : first + size])
        for start, stack in stacks
        for first in range(0, len(stack), size)
    ]
    rows = sum(len(stack) * stack.shape[2] for _, stack in stacks)
    operations = 2.0 * max(len(queries), READING) * rows * dimensions
    return race.finish(*race.joined(shared(parts, work, operations)))


def _raise_peaks(peaks: Table, scores: Table, highest: Table) -> None:
    """Merge the highest scores of a stack, or all of one block, into the peaks in falling order."""
    if peaks.shape[1] == 1:
        np.maximum(peaks[:, 0], highest.max(axis=0), out=peaks[:, 0])
        return
    rising = np.flatnonzero(highest[0] > peaks[:, -1])  # few, after the first block
    if len(rising):
        size = scores.shape[1]
        kept = min(peaks.shape[1], size)
        top = np.partition(scores[rising], size - kept, axis=1)[:, -kept:]
        merged = np.concatenate([peaks[rising], top], axis=1)
        peaks[rising] = -np.sort(-merged, axis=1)[:, : peaks.shape[1]]


def unit(queries: Vectors) -> Float64:
    """Queries of length one, whatever their size; a zero query stays zero."""
    queries = queries.astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        square = np.vecdot(queries, queries)
    odd = np.flatnonzero(~((square > _TINY) & (square < 1.0 / _TINY)))
    square[odd] = 1.0
    out: Float64 = queries / np.sqrt(square)[:, None]
    if len(odd):
        out[odd] = _scaled(queries[odd])
    return out


def _scaled(queries: Float64) -> Float64:
    """The same where squares would be out of range."""
    largest = np.abs(queries).max(axis=1, initial=0.0)
    out: Float64 = queries / np.where(largest > 0, largest, 1.0)[:, None]
    length = np.sqrt(np.vecdot(out, out))
    out /= np.where(length > 0, length, 1.0)[:, None]
    return out


def _product_error(dimensions: int, length: Float64) -> float:
    """Most that a float32 dot product can differ from the cosine: rounding and rows' lengths.

    d roundings of the sum in any order and d products, one of the query; Higham's gamma.
    """
    steps = (dimensions + 2) * _HALF_ULP
    uneven = float(np.abs(length - 1.0).max())
    return 1.01 * (steps / (1.0 - steps) * float(length.max()) + uneven) + 1e-12
