"""Balanced public clusters of similar rows, the same on every machine.

First the most listed neighbours gather the rows nearest to them, set by set; then pairs of rows of
two clusters change places wherever that brings similar rows together. All in whole numbers (see
`nearest`), with ties by row. Sizes differ by one at most.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import UsageError
from privstamp.protocols import Space
from privstamp.spaces.hops import Nearest, Nodes, on_grid, outputs_key
from privstamp.types import Table

Labels = npt.NDArray[np.int32]
Whole = npt.NDArray[np.float64]
"""Whole numbers far below 2^53: float64 adds them exactly in any order."""
ROUNDS: Final = 8
_NEIGHBOURS: Final = 8
_BYTES: Final = 32 << 20
_SMALL: Final = 2000
_FORMAT: Final = "1"


def balanced_clusters(space: Space, size: int) -> tuple[Labels, ...]:
    """For every class, the cluster of each of its outputs; made once and kept."""
    if isinstance(size, bool) or not isinstance(size, int) or size < 2:
        raise UsageError("a cluster has 2 rows or more: one of a single row would name its row")
    if sum(map(len, space.outputs)) <= _SMALL:
        return tuple(cluster(on_grid(space.unit[rows]), size) for rows in space.outputs)
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs_key(space),
        "size": str(size),
        "format": _FORMAT,
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
        mine = movers[first : first + block]
        theirs = order[start[target[mine]][:, None] + np.arange(width)]
        gains = _gains(steps, sums, labels[mine], target[mine], mine, theirs)
        best = np.argmax(gains, axis=1)
        row = np.arange(len(mine))
        gain[first : first + block], partner[first : first + block] = (
            gains[row, best],
            theirs[row, best],
        )
    used = np.zeros(len(sizes), dtype=np.bool_)
    made = 0
    for place in np.argsort(-gain, kind="stable")[: int((gain > 0).sum())].tolist():
        one, other = int(movers[place]), int(partner[place])
        here, there = int(labels[one]), int(target[one])
        if not (used[here] or used[there]):
            used[here] = used[there] = True
            labels[one], labels[other] = there, here
            made += 1
    return made


def _gains(
    steps: Table, sums: Whole, here: Labels, there: Nodes, mine: Nodes, theirs: Nodes
) -> Whole:
    """What similarity inside the two clusters gains if a row changes places with one of theirs."""
    one, others = steps[mine].astype(np.float64), steps[theirs].astype(np.float64)
    left, right = sums[here] - one, sums[there]
    both = np.einsum("nkd,nd->nk", others, one)
    arrive = (one * right).sum(1)[:, None] - both + np.einsum("nkd,nd->nk", others, left)
    leave = np.einsum("nkd,nd->nk", others, right) - np.einsum("nkd,nkd->nk", others, others)
    gains: Whole = arrive - leave - (one * left).sum(1)[:, None]
    return gains
