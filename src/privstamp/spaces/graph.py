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
        one = np.repeat(np.arange(len(self)), self.degree)
        once = one < self.ends
        return one[once], self.ends[once].astype(np.int64)

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
        made = (vars(one) for one in _build(space, k, alike)) if ready is None else ready
        for number, arrays in enumerate(made):
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
            one = np.repeat(everyone, np.diff(start))
            one, other = np.append(one, extra[:, 0]), np.append(ends, extra[:, 1])
            start, ends = _undirected(count, one, other)
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


def _undirected(count: int, one: Nodes, other: Nodes) -> tuple[Nodes, npt.NDArray[np.int32]]:
    """Both directions of every link, once, as start and ends."""
    both = np.unique(np.concatenate([one * count + other, other * count + one]))
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
