"""The public graph of a space: every output row linked to its nearest ones in its class.

Undirected (a link counts if either end lists the other) and connected by construction, so that
the number of steps between two rows is a finite metric. Nothing here depends on any text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import Incompatible, UsageError
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.spaces.glove import shipped
from privstamp.spaces.hops import (
    Nearest,
    Nodes,
    Representatives,
    Sweeps,
    closest_pair,
    on_grid,
    outputs_key,
)
from privstamp.types import Ids, Table

MOST_NEIGHBOURS: Final = 64
_FORMAT: Final = "1"
_CANDIDATES: Final = 128  # nearest rows among which those of like frequency are looked for
_PARTS: Final = 256  # of an octave of frequency, and of a place in the list
_BLOCK: Final = 4096
_SMALL: Final = 4000
"""Output rows up to which a graph is made in less time than a file takes to be checked."""


@dataclass(frozen=True, eq=False, repr=False)
class ClassGraph:
    """The graph over one class's output rows; node n is the n-th of `rows`."""

    rows: Ids
    start: Nodes  # neighbours of node n: ends[start[n] : start[n + 1]]
    ends: npt.NDArray[np.int32]
    shells: npt.NDArray[np.int32]  # how many nodes lie 0, 1, 2, ... steps away
    islands: int  # parts that the nearest neighbours alone would have left unconnected

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"ClassGraph({len(self)} rows, diameter {self.diameter})"

    @property
    def diameter(self) -> int:
        return int(self.shells.shape[1]) - 1

    @property
    def mean_distance(self) -> float:
        """Steps between two random rows."""
        steps = self.shells.sum(axis=0, dtype=np.float64) @ np.arange(self.diameter + 1)
        return float(steps / max(len(self) * (len(self) - 1), 1))

    @property
    def degree(self) -> Nodes:
        """Neighbours of each node."""
        return np.diff(self.start)

    @cached_property
    def edges(self) -> tuple[Nodes, Nodes]:
        """Both ends of every link, each link once."""
        starts = np.repeat(np.arange(len(self)), self.degree)
        once = starts < self.ends
        return starts[once], self.ends[once].astype(np.int64)

    @cached_property
    def sweeps(self) -> Sweeps:
        return Sweeps(self.start, self.ends)


class Graph:
    """One graph per class of a space, and the public map from every row to its node."""

    def __init__(self, space: Space, k: int, classes: tuple[ClassGraph, ...]) -> None:
        self.k = k
        self.classes = classes
        self._representatives = Representatives(space)
        digest = blake2b(f"{space.fingerprint} {k}".encode(), digest_size=16)
        for graph in classes:
            for values in (graph.start, graph.ends, graph.shells):  # as they are used
                digest.update(np.ascontiguousarray(values).data)
        self.fingerprint = digest.hexdigest()

    def __repr__(self) -> str:
        return f"Graph({len(self.classes)} classes, diameter {self.diameter})"

    @property
    def diameter(self) -> int:
        """Most steps between two rows of one class."""
        return max(graph.diameter for graph in self.classes)

    def nodes(self, ids: Ids) -> Ids:
        """The node that stands for each row in its class: itself, or the nearest output row."""
        return self._representatives.places(ids)


def neighbour_graph(space: Space, k: int = 8, alike: int = 0) -> Graph:
    """The graph of the k nearest rows by cosine, class by class; made once and kept.

    With `alike` a row that is twice as frequent, or half, counts as that many places further down
    the list of the nearest, so that an attacker who knows frequencies gains less from them.
    """
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_NEIGHBOURS:
        raise UsageError(f"k must be a whole number from 1 to {MOST_NEIGHBOURS}")
    if isinstance(alike, bool) or not isinstance(alike, int) or not 0 <= alike <= _CANDIDATES:
        raise UsageError(f"alike must be a whole number from 0 to {_CANDIDATES}")
    if not all(len(rows) for rows in space.outputs):
        raise Incompatible(f"{space.name}: a class without output rows has no graph")
    if sum(map(len, space.outputs)) <= _SMALL:
        return Graph(space, k, tuple(_build(space, k, alike)))
    recipe = recipe_of(space, k, alike)

    def build(folder: Path) -> None:
        ready = shipped(recipe)
        classes = (vars(built) for built in _build(space, k, alike)) if ready is None else ready
        for number, arrays in enumerate(classes):
            for name in ("start", "ends", "shells", "islands"):
                np.save(folder / f"{number}-{name}.npy", arrays[name])

    folder = derived("graph", recipe, build, label="building the graph of neighbours (once)")
    return Graph(space, k, tuple(_read(space, folder)))


def recipe_of(space: Space, k: int, alike: int) -> dict[str, str]:
    """All that a graph depends on."""
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs_key(space),
        "k": str(k),
        "format": _FORMAT,
    }
    return recipe | {"alike": str(alike)} if alike else recipe


def _read(space: Space, folder: Path) -> Iterator[ClassGraph]:
    for number, rows in enumerate(space.outputs):
        start, ends, shells = (
            np.load(folder / f"{number}-{name}.npy", mmap_mode="r", allow_pickle=False)
            for name in ("start", "ends", "shells")
        )
        islands = int(np.load(folder / f"{number}-islands.npy", allow_pickle=False))
        yield ClassGraph(rows, start, ends, shells, islands)


def _build(space: Space, k: int, alike: int) -> Iterator[ClassGraph]:
    for rows in space.outputs:
        steps = on_grid(space.unit[rows])
        count, most = len(rows), min(k, len(rows) - 1)
        everyone = np.arange(count)
        looked_at = min(_CANDIDATES, count - 1) if alike else most
        near = Nearest(steps).search(steps, looked_at, without=everyone)
        if alike:
            near = _of_like_frequency(near, space.prior[rows], most, alike)
        start, ends = _undirected(count, np.repeat(everyone, most), near.reshape(-1))
        islands = int(_parts(start, ends).max()) + 1
        while (part := _parts(start, ends)).max() > 0:
            extra = np.array(list(_links(steps, part)))
            starts = np.repeat(everyone, np.diff(start))
            starts, targets = np.append(starts, extra[:, 0]), np.append(ends, extra[:, 1])
            start, ends = _undirected(count, starts, targets)
        yield ClassGraph(rows, start, ends, Sweeps(start, ends).shells(), islands)


def _of_like_frequency(near: Nodes, prior: Float64, k: int, alike: int) -> Nodes:
    """Of each list the k entries with the fewest places, those of frequency included."""
    mantissa, exponent = np.frexp(prior)
    # A logarithm to base two in straight pieces: exact, so the same on every machine.
    octave = np.rint(_PARTS * (exponent + 2.0 * mantissa)).astype(np.int64)
    out = np.empty((len(near), k), dtype=np.int64)
    for start in range(0, len(near), _BLOCK):
        block = near[start : start + _BLOCK]
        apart = np.abs(octave[block] - octave[start : start + _BLOCK, None])
        places = _PARTS * np.arange(block.shape[1]) + alike * apart
        order = np.argsort(places, axis=1, kind="stable")[:, :k]
        out[start : start + _BLOCK] = np.take_along_axis(block, order, axis=1)
    return out


def _undirected(count: int, starts: Nodes, targets: Nodes) -> tuple[Nodes, npt.NDArray[np.int32]]:
    """Both directions of every link, once, as start and ends."""
    both = np.unique(np.concatenate([starts * count + targets, targets * count + starts]))
    start = np.searchsorted(both, np.arange(count + 1) * count)
    return start, (both % count).astype(np.int32)


def _parts(start: Nodes, ends: npt.NDArray[np.int32]) -> Nodes:
    """The connected part of each node, by its lowest node. Every node has a link, or none has."""
    label = np.arange(len(start) - 1)
    if not len(ends):
        return label
    while True:
        lower = np.minimum(label, np.minimum.reduceat(label[ends], start[:-1]))
        lower = lower[lower]
        if np.array_equal(lower, label):
            return np.unique(label, return_inverse=True)[1]
        label = lower


def _links(steps: Table, part: Nodes) -> Iterator[tuple[int, int]]:
    """For every part but the largest, its most similar pair with the rest."""
    size = np.bincount(part)
    for number in range(len(size)):
        if number != int(np.argmax(size)):
            inside = part == number
            yield closest_pair(steps, np.flatnonzero(inside), np.flatnonzero(~inside))


# Balanced public clusters of similar rows, the same on every machine.
#
# First the most listed neighbours gather the rows nearest to them, set by set; then pairs of rows
# of two clusters change places wherever that brings similar rows together. All in whole numbers
# (see `nearest`), with ties by row. Sizes differ by one at most.

Labels = npt.NDArray[np.int32]
Whole = npt.NDArray[np.float64]
"""Whole numbers far below 2^53: float64 adds them exactly in any order."""
ROUNDS: Final = 8
_NEIGHBOURS: Final = 8
_BYTES: Final = 32 << 20
_SMALL_TABLE: Final = 2000
_CLUSTERS_FORMAT: Final = "1"


def balanced_clusters(space: Space, size: int) -> tuple[Labels, ...]:
    """For every class, the cluster of each of its outputs; made once and kept."""
    if isinstance(size, bool) or not isinstance(size, int) or size < 2:
        raise UsageError("size: a cluster has 2 rows or more; a single row would be named by it")
    if sum(map(len, space.outputs)) <= _SMALL_TABLE:
        return tuple(cluster(on_grid(space.unit[rows]), size) for rows in space.outputs)
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs_key(space),
        "size": str(size),
        "format": _CLUSTERS_FORMAT,
    }

    def build(folder: Path) -> None:
        for number, rows in enumerate(space.outputs):
            np.save(folder / f"{number}.npy", cluster(on_grid(space.unit[rows]), size))

    folder = derived("clusters", recipe, build, label="sorting words into clusters (once)")
    return tuple(
        np.load(folder / f"{number}.npy", mmap_mode="r", allow_pickle=False)
        for number in range(len(space.outputs))
    )


def cluster(steps: Table, size: int, rounds: int = ROUNDS) -> Labels:
    """Clusters of `size` rows or slightly more; fewer rows than twice that are one cluster."""
    count = max(1, len(steps) // size)
    if count == 1:
        return np.zeros(len(steps), dtype=np.int32)
    labels = _gather(steps, np.diff(np.arange(count + 1) * len(steps) // count))
    for _ in range(rounds):
        if not _exchange(steps, labels):
            break
    return labels


def _gather(steps: Table, sizes: Nodes) -> Labels:
    """Each cluster's first row is the most listed neighbour left; its nearest rows left follow."""
    search = Nearest(steps)
    near = search.search(steps, min(_NEIGHBOURS, len(steps) - 1), without=np.arange(len(steps)))
    left = np.argsort(-np.bincount(near.reshape(-1), minlength=len(steps)), kind="stable")
    labels = np.full(len(steps), -1, dtype=np.int32)
    table = steps[left]
    for number, size in enumerate(sizes.tolist()):
        free = labels[left] < 0
        if 4 * int(free.sum()) < 3 * len(left):
            left, table, free = left[free], table[free], free[free]
        scores = np.where(free, table @ table[np.argmax(free)], -np.inf)
        edge = np.partition(scores, -size)[-size]
        above, at = np.flatnonzero(scores > edge), np.flatnonzero(scores == edge)
        labels[left[above]] = number
        labels[left[at[: size - len(above)]]] = number
    return labels


def _exchange(steps: Table, labels: Labels) -> int:
    """One round of exchanges, at most one per cluster; how many were made."""
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    start = np.cumsum(sizes) - sizes
    sums: Whole = np.add.reduceat(steps[order].astype(np.float64), start, axis=0)
    means = np.rint(sums / sizes[:, None]).astype(np.float32)
    target = Nearest(means).search(steps, 1, without=labels.astype(np.int64))[:, 0]
    better = (steps * means[target]).sum(1) > (steps * means[labels]).sum(1)
    movers = np.flatnonzero(better)
    gain, partner = np.empty(len(movers)), np.empty(len(movers), dtype=np.int64)
    width = int(sizes.min())
    block = max(1, _BYTES // (8 * width * steps.shape[1]))
    for first in range(0, len(movers), block):
        nodes = movers[first : first + block]
        theirs = order[start[target[nodes]][:, None] + np.arange(width)]
        gains = _gains(steps, sums, labels[nodes], target[nodes], nodes, theirs)
        best = np.argmax(gains, axis=1)
        row = np.arange(len(nodes))
        gain[first : first + block], partner[first : first + block] = (
            gains[row, best],
            theirs[row, best],
        )
    used = np.zeros(len(sizes), dtype=np.bool_)
    swaps = 0
    for place in np.argsort(-gain, kind="stable")[: int((gain > 0).sum())].tolist():
        node, mate = int(movers[place]), int(partner[place])
        here, there = int(labels[node]), int(target[node])
        if not (used[here] or used[there]):
            used[here] = used[there] = True
            labels[node], labels[mate] = there, here
            swaps += 1
    return swaps


def _gains(
    steps: Table, sums: Whole, here: Labels, there: Nodes, nodes: Nodes, theirs: Nodes
) -> Whole:
    """What similarity inside the two clusters gains if a row changes places with one of theirs."""
    near, others = steps[nodes].astype(np.float64), steps[theirs].astype(np.float64)
    left, right = sums[here] - near, sums[there]
    both = np.einsum("nkd,nd->nk", others, near)
    arrive = (near * right).sum(1)[:, None] - both + np.einsum("nkd,nd->nk", others, left)
    leave = np.einsum("nkd,nd->nk", others, right) - np.einsum("nkd,nkd->nk", others, others)
    gains: Whole = arrive - leave - (near * left).sum(1)[:, None]
    return gains
