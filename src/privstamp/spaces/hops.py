"""Steps between the nodes of a connected, undirected graph, for many nodes at a time.

A node holds one bit per source; one sweep ORs the bits of its neighbours into it. So 64 sources
cost about as much as one, and no matrix of all pairs is ever in memory.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.spaces.nearest import Nodes

MOST_STEPS: Final = 254
_WORDS: Final = 64  # of 64 sources each: the bits of 50,000 nodes take 25 MB
_SOURCES: Final = 64  # whose distances are written out at a time
_FEW: Final = 3  # sources that are walked from one by one
_BYTES: Final = 1 << 19  # of bits that are swept at a time, to stay near the processor
_MANY: Final = 64  # neighbours; a node with more is swept by itself

Steps = npt.NDArray[np.uint8]
Bits = npt.NDArray[np.uint64]


class Sweeps:
    """A graph laid out for sweeps: nodes by falling degree, their n-th neighbours side by side."""

    def __init__(self, start: Nodes, ends: npt.NDArray[np.int32]) -> None:
        degree = np.diff(start)
        self._start, self._ends, self._degree = start, ends, degree
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
            self._place[ends[one + _MANY : one + size]]
            for one, size in zip(sorted_start[:crowded], sorted_degree[:crowded], strict=True)
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

    def shell(self, node: int, depth: int) -> Nodes:
        """Nodes exactly so many steps from one, ascending; quick where they are few steps away."""
        before, frontier = np.empty(0, dtype=np.int64), np.array([node])
        for _ in range(depth):
            near = np.unique(self._beside(frontier)).astype(np.int64)
            inside = np.isin(near, np.concatenate([before, frontier]))
            before, frontier = frontier, near[~inside]
        return frontier

    def _beside(self, frontier: Nodes) -> npt.NDArray[np.int32]:
        """Neighbours of some nodes, one list after another."""
        size = self._degree[frontier]
        before = np.cumsum(size) - size
        place = np.arange(size.sum()) + np.repeat(self._start[frontier] - before, size)
        near: npt.NDArray[np.int32] = self._ends[place]
        return near

    def _walk(self, node: int) -> Steps:
        """Distance from one node, from frontier to frontier."""
        steps = np.full(len(self), MOST_STEPS + 1, dtype=np.uint8)
        steps[node] = depth = 0
        frontier, left = np.array([node]), len(self) - 1
        while left:
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
        one = np.uint64(1) << (lane % 64).astype(np.uint64)
        np.bitwise_or.at(bits, (sources, lane // 64), one)
        return bits

    def _sweep(self, reach: Bits, missing: npt.NDArray[np.bool_]) -> Bits:
        """Every node takes over what its neighbours have."""
        out = reach.copy()
        rows = _BYTES // (8 * reach.shape[1])
        for first in range(0, len(self), rows):
            if not missing[first : first + rows].any():
                continue
            mine = out[first : first + rows]
            for slot in self._slots:
                neighbours = slot[first : first + rows]
                if not len(neighbours):
                    break
                mine[: len(neighbours)] |= reach[neighbours]
        for node, neighbours in enumerate(self._rest):
            out[node] |= np.bitwise_or.reduce(reach[neighbours], axis=0)
        return out


def _ones(bits: Bits) -> npt.NDArray[np.int32]:
    count: npt.NDArray[np.int32] = np.bitwise_count(bits).sum(axis=1, dtype=np.int32)
    return count


def _absent(bits: Bits) -> npt.NDArray[np.uint8]:
    """1 where a source (rows) has not reached a node (columns)."""
    octets = np.ascontiguousarray((~bits).astype("<u8").view(np.uint8).T)
    lanes = (octets[:, None, :] >> np.arange(8, dtype=np.uint8)[:, None]) & np.uint8(1)
    return lanes.reshape(-1, len(bits))
