"""Nearest rows by cosine, the same on every machine.

Coordinates are whole steps on a fine grid, so that float32 products of rows are exact sums of
integers: no order of summation, block size or processor can change a neighbour.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.protocols import Space
from privstamp.types import Ids, Table

GRID: Final = 4000
"""Steps per unit length: products of two rows stay below 2^24, where float32 is exact."""
_GROUPS: Final = 64
_BYTES: Final = 24 << 20

Nodes = npt.NDArray[np.int64]


def on_grid(unit: Table) -> Table:
    """Unit rows in whole steps."""
    steps = np.rint(unit.astype(np.float64) * GRID)
    if len(steps) and (steps * steps).sum(1).max() >= 2.0**24:
        raise Incompatible("rows longer than one have no place on the grid of cosines")
    return steps.astype(np.float32)


class Nearest:
    """Exact search among the rows of one table on the grid."""

    def __init__(self, steps: Table) -> None:
        self._count = len(steps)
        padding = np.zeros((-len(steps) % _GROUPS, steps.shape[1]), dtype=np.float32)
        self._columns = np.concatenate([steps, padding]).T.copy()

    def search(self, queries: Table, k: int, *, without: Nodes | None = None) -> Nodes:
        """Per query the k most similar rows, best first, ties by number; `without` one row each."""
        out = np.empty((len(queries), k), dtype=np.int64)
        size = max(1, _BYTES // (4 * self._columns.shape[1]))
        room = np.empty((min(size, len(queries)), self._columns.shape[1]), dtype=np.float32)
        for start in range(0, len(queries), size):
            block = queries[start : start + size]
            scores = np.matmul(block, self._columns, out=room[: len(block)])
            scores[:, self._count :] = -np.inf
            if without is not None:
                scores[np.arange(len(scores)), without[start : start + size]] = -np.inf
            out[start : start + size] = _best(scores, k)
        return out


def _best(scores: Table, k: int) -> Nodes:
    """Columns of the k largest entries of each row. Few columns are looked at one by one:
    those in a group whose largest entry is among the k largest of all groups."""
    groups = scores.reshape(len(scores), _GROUPS, -1)  # column = member * groups + group
    top = groups.max(axis=1)
    fewest = max(k, 1)
    if top.shape[1] >= fewest:
        limit = np.partition(top, -fewest, axis=1)[:, -fewest]
    else:
        limit = np.full(len(scores), -np.inf, dtype=np.float32)
    row, group = np.nonzero(top >= limit[:, None])
    entries = groups[row, :, group]
    hit, member = np.nonzero(entries >= limit[row, None])
    row, column, score = row[hit], member * top.shape[1] + group[hit], entries[hit, member]
    order = np.lexsort((column, -score, row))
    first = np.searchsorted(row[order], np.arange(len(scores)))
    best: Nodes = column[order][first[:, None] + np.arange(k)]
    return best


class Representatives:
    """The public map from every row to the output row of its class that stands for it."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._searches: dict[int, Nearest] = {}
        self._places = np.full(len(space.unit), -1, dtype=np.int32)
        for rows in space.outputs:
            self._places[rows] = np.arange(len(rows))

    def places(self, ids: Ids) -> Ids:
        """Where, among the outputs of its class, each row is, or else the one most similar to it.

        Found when first asked for: 300,000 such rows of the default space would take a minute.
        """
        unknown = ids[self._places[ids] < 0]
        if len(unknown):
            unknown = np.unique(unknown)
            classes = self._space.class_of[unknown]
            for number in np.unique(classes).tolist():
                mine = unknown[classes == number]
                self._places[mine] = self._nearest(number, mine)
        out: Ids = self._places[ids]
        return out

    def _nearest(self, number: int, rows: Ids) -> Nodes:
        """Places of the outputs of a class that are most similar to these rows."""
        if number not in self._searches:
            outputs = self._space.unit[self._space.outputs[number]]
            self._searches[number] = Nearest(on_grid(outputs))
        return self._searches[number].search(on_grid(self._space.unit[rows]), 1)[:, 0]


def closest_pair(steps: Table, inside: Nodes, outside: Nodes) -> tuple[int, int]:
    """The most similar pair of a row inside and a row outside, ties by number."""
    best = Nearest(steps[outside]).search(steps[inside], 1)[:, 0]
    scores = (steps[inside].astype(np.float64) * steps[outside[best]]).sum(1)
    winner = int(np.argmax(scores))
    return int(inside[winner]), int(outside[best[winner]])


def outputs_key(space: Space) -> str:
    """A hash of which rows may leave, for the key of whatever is derived from them."""
    digest = blake2b(digest_size=16)
    for rows in space.outputs:
        digest.update(len(rows).to_bytes(8, "little") + rows.astype("<i4").tobytes())
    return digest.hexdigest()
