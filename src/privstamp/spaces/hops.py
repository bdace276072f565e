"""Steps between the nodes of a connected, undirected graph, for many nodes at a time.

A node holds one bit per source; one sweep ORs the bits of its neighbours into it. So 64 sources
cost about as much as one, and no matrix of all pairs is ever in memory.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids, Table

GRID: Final = 4000
"""Steps per unit length: products of two rows stay below 2^24, where float32 is exact."""
_GROUPS: Final = 64
_NEAR_BYTES: Final = 24 << 20

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
        size = max(1, _NEAR_BYTES // (4 * self._columns.shape[1]))
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
                rows = unknown[classes == number]
                self._places[rows] = self._nearest(number, rows)
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


MOST_STEPS: Final = 254
_WORDS: Final = 64  # of 64 sources each: the bits of 50,000 nodes take 25 MB
_SOURCES: Final = 64  # whose distances are written out at a time
_FEW: Final = 3  # sources that are walked from one by one
_BYTES: Final = 1 << 19  # of bits that are swept at a time, to stay near the processor
_ALONE: Final = 16  # far picks up to which each is walked to by itself
_PICKING: Final = 4  # words of 64 sources that are swept from to pick one node each
_WALKED: Final = 4096  # links of the last step of a walk; a node with more is swept from
_WALKING: Final = 1 << 18  # links that are walked along at a time
_MANY: Final = 64  # neighbours; a node with more is swept by itself

Steps = npt.NDArray[np.uint8]
Bits = npt.NDArray[np.uint64]


class Sweeps:
    """A graph laid out for sweeps: nodes by falling degree, their n-th neighbours side by side."""

    def __init__(self, start: Nodes, ends: npt.NDArray[np.int32]) -> None:
        degree = np.diff(start)
        self._start, self._ends, self._degree = start, ends, degree
        sums = np.concatenate([[0], np.cumsum(degree[ends])])
        self._second = sums[start[1:]] - sums[start[:-1]]  # links of a node's neighbours
        self._order = np.argsort(-degree, kind="stable")
        self._place = np.empty_like(self._order)
        self._place[self._order] = np.arange(len(degree))
        sorted_degree, sorted_start = degree[self._order], start[:-1][self._order]
        self._slots = []
        for slot in range(min(int(degree.max(initial=0)), _MANY)):
            have = int(np.searchsorted(-sorted_degree, -slot, side="left"))
            self._slots.append(self._place[ends[sorted_start[:have] + slot]])
        crowded = int(np.searchsorted(-sorted_degree, -_MANY, side="left"))
        self._rest = [
            self._place[ends[first + _MANY : first + size]]
            for first, size in zip(sorted_start[:crowded], sorted_degree[:crowded], strict=True)
        ]

    def __len__(self) -> int:
        return len(self._order)

    def shells(self) -> npt.NDArray[np.int32]:
        """How many nodes lie at each distance from each node; the last column is the diameter."""
        counts = np.zeros((len(self), 1), dtype=np.int32)
        for first in range(0, len(self), 64 * _WORDS):
            sources = np.arange(first, min(first + 64 * _WORDS, len(self)))
            reach = self._bits(sources)
            seen = _ones(reach)
            counts[:, 0] += seen
            depth = 0
            while seen.min() < len(sources):
                reach = self._sweep(reach, seen < len(sources))
                depth += 1
                if depth > MOST_STEPS:
                    raise Incompatible("a graph this stretched out needs a larger k")
                if depth == counts.shape[1]:
                    counts = np.pad(counts, ((0, 0), (0, 1)))
                now = _ones(reach)
                counts[:, depth] += now - seen
                seen = now
        return counts[self._place]

    def hops(self, nodes: Nodes) -> Steps:
        """Distance from each of these nodes (rows) to every node."""
        if len(nodes) <= _FEW:
            return np.array([self._walk(node) for node in nodes.tolist()], dtype=np.uint8)
        steps = np.empty((len(nodes), len(self)), dtype=np.uint8)
        for first in range(0, len(nodes), _SOURCES):
            sources = nodes[first : first + _SOURCES]
            reach = self._bits(self._place[sources])
            out = np.zeros((64 * reach.shape[1], len(self)), dtype=np.uint8)
            while (seen := _ones(reach)).min() < len(sources):
                out += _absent(reach)
                reach = self._sweep(reach, seen < len(sources))
            steps[first : first + _SOURCES] = out[: len(sources), self._place]
        return steps

    def pick(self, nodes: Nodes, depth: Nodes, uniform: Float64) -> Nodes:
        """For each node one that is exactly so many steps away, all of them equally likely."""
        out = nodes.copy()
        order = np.lexsort((nodes, depth))
        order = order[np.searchsorted(depth[order], 1) :]
        links = np.where(depth == 1, self._degree[nodes], self._second[nodes])[order]
        walked = (depth[order] <= 2) & (links <= _WALKED)
        near, parts = order[walked], np.cumsum(links[walked]) // _WALKING
        for part in _split(near, parts, depth[near]):
            first, last, ends = self._shells_walked(nodes[part], int(depth[part[0]]))
            out[part] = ends[_ranks(first, last, uniform[part])] % len(self)
        far = order[~walked]
        alike = _split(far, nodes[far], depth[far])
        if len(alike) <= _ALONE:
            for units in alike:
                node, steps = int(nodes[units[0]]), int(depth[units[0]])
                members = np.flatnonzero(self._walk(node, steps) == steps)
                places = np.sort(self._place[members])  # in the order that sweeps have
                out[units] = self._order[places[_ranks(0, len(places), uniform[units])]]
            return out
        for start in range(0, len(alike), 64 * _PICKING):
            self._pick_swept(alike[start : start + 64 * _PICKING], nodes, depth, uniform, out)
        return out

    def _shells_walked(self, nodes: Nodes, depth: int) -> tuple[Nodes, Nodes, Nodes]:
        """Where each node's own part of the list starts and ends, and the list, ascending.

        An entry is the place of the node it belongs to, times the number of nodes, plus a node.
        """
        count = len(self)
        distinct, which = np.unique(nodes, return_inverse=True)
        frontier = np.arange(len(distinct)) * count + distinct
        before = frontier[:0]
        for _ in range(depth):
            place, node = np.divmod(frontier, count)
            near = np.repeat(place * count, self._degree[node])
            near += self._beside(node)
            near = _once(near)
            for known in (before, frontier):
                near = near[~_within(near, known)]
            before, frontier = frontier, near
        edges = np.searchsorted(frontier, np.arange(len(distinct) + 1) * count)
        return edges[which], edges[which + 1], frontier

    def _pick_swept(
        self, alike: list[Nodes], nodes: Nodes, depth: Nodes, uniform: Float64, out: Nodes
    ) -> None:
        """By sweeps, which go as far as the last one has to; those alike share one bit."""
        first = np.array([units[0] for units in alike])
        far = depth[first]
        reach = self._bits(self._place[nodes[first]])
        for steps in range(1, int(far.max()) + 1):
            before, reach = reach, self._sweep(reach)
            here = np.flatnonzero(far == steps)
            for word in np.unique(here // 64).tolist():
                new = reach[:, word] & ~before[:, word]
                for lane in here[here // 64 == word].tolist():
                    members = np.flatnonzero((new & np.uint64(1 << lane % 64)) != 0)
                    units = alike[lane]
                    rank = _ranks(0, len(members), uniform[units])
                    out[units] = self._order[members[rank]]

    def _beside(self, frontier: Nodes) -> npt.NDArray[np.int32]:
        """Neighbours of some nodes, one list after another."""
        size = self._degree[frontier]
        before = np.cumsum(size) - size
        place = np.arange(size.sum()) + np.repeat(self._start[frontier] - before, size)
        near: npt.NDArray[np.int32] = self._ends[place]
        return near

    def _walk(self, node: int, most: int = MOST_STEPS) -> Steps:
        """Distance from one node, from frontier to frontier; what lies further has the largest."""
        steps = np.full(len(self), MOST_STEPS + 1, dtype=np.uint8)
        steps[node] = depth = 0
        frontier, left = np.array([node]), len(self) - 1
        while left and depth < most:
            depth += 1
            near = self._beside(frontier)
            steps[near[steps[near] > MOST_STEPS]] = depth
            frontier = np.flatnonzero(steps == depth)
            left -= len(frontier)
        return steps

    def _bits(self, sources: Nodes) -> Bits:
        """Bit i at the i-th source."""
        bits = np.zeros((len(self), -(-len(sources) // 64)), dtype=np.uint64)
        lane = np.arange(len(sources))
        bit = np.uint64(1) << (lane % 64).astype(np.uint64)
        np.bitwise_or.at(bits, (sources, lane // 64), bit)
        return bits

    def _sweep(self, reach: Bits, missing: npt.NDArray[np.bool_] | None = None) -> Bits:
        """Every node takes over what its neighbours have, unless it has all."""
        out = reach.copy()
        rows = max(1, _BYTES // (8 * reach.shape[1]))
        taken = np.empty((min(rows, len(self)), reach.shape[1]), dtype=np.uint64)
        for first in range(0, len(self), rows):
            if missing is not None and not missing[first : first + rows].any():
                continue
            block = out[first : first + rows]
            for slot in self._slots:
                neighbours = slot[first : first + rows]
                if not len(neighbours):
                    break
                theirs = taken[: len(neighbours)]
                np.take(reach, neighbours, axis=0, out=theirs, mode="clip")  # quicker than [...]
                block[: len(neighbours)] |= theirs
        for node, neighbours in enumerate(self._rest):
            out[node] |= np.bitwise_or.reduce(reach[neighbours], axis=0)
        return out


def _split(order: Nodes, starts: Nodes, targets: Nodes) -> list[Nodes]:
    """Parts in which two values stay as they are."""
    changes = (np.diff(starts) != 0) | (np.diff(targets) != 0)
    return [part for part in np.split(order, np.flatnonzero(changes) + 1) if len(part)]


def _ranks(first: Nodes | int, last: Nodes | int, uniform: Float64) -> Nodes:
    """A whole number from first up to, not with, last, by a uniform number."""
    ranks: Nodes = np.minimum(first + (uniform * (last - first)).astype(np.int64), last - 1)
    return ranks


def _once(nodes: Nodes) -> Nodes:
    """Each once, ascending; quicker here than numpy's `unique`."""
    nodes.sort()
    once: Nodes = nodes[np.diff(nodes, prepend=-1) != 0]
    return once


def _within(some: Nodes, others: Nodes) -> npt.NDArray[np.bool_]:
    """Which are among the others; both ascend."""
    if not len(others):
        return np.zeros(len(some), dtype=np.bool_)
    place = np.minimum(np.searchsorted(others, some), len(others) - 1)
    among: npt.NDArray[np.bool_] = others[place] == some
    return among


def _ones(bits: Bits) -> npt.NDArray[np.int32]:
    count: npt.NDArray[np.int32] = np.bitwise_count(bits).sum(axis=1, dtype=np.int32)
    return count


def _absent(bits: Bits) -> npt.NDArray[np.uint8]:
    """1 where a source (rows) has not reached a node (columns)."""
    octets = np.ascontiguousarray((~bits).astype("<u8").view(np.uint8).T)
    lanes = (octets[:, None, :] >> np.arange(8, dtype=np.uint8)[:, None]) & np.uint8(1)
    return lanes.reshape(-1, len(bits))
