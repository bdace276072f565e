"""A public partition of outputs into sets of near ones, the same on every machine."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from privstamp.cache import derived
from privstamp.protocols import Space
from privstamp.types import Ids, Table

Labels = npt.NDArray[np.int32]
_GRID = 2.0**11
"""Vectors are rounded to whole numbers of 1/_GRID: products then add up exactly in float32, so that
no linear algebra library can tell two machines apart."""


def partition(space: Space, size: int) -> tuple[Labels, ...]:
    """For every class, the set of each of its outputs. Made once per space and size."""
    outputs = blake2b(digest_size=16)
    for rows in space.outputs:
        outputs.update(len(rows).to_bytes(8, "little") + rows.astype("<i4").tobytes())
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs.hexdigest(),
        "size": str(size),
        "rule": "greedy, most frequent first, 1",
    }

    def build(folder: Path) -> None:
        for number, rows in enumerate(space.outputs):
            np.save(folder / f"{number}.npy", greedy(space.unit[rows], order_of(space, rows), size))

    folder = derived("partition", recipe, build, label="sorting outputs into sets (once)")
    return tuple(np.load(folder / f"{number}.npy") for number in range(len(space.outputs)))


def order_of(space: Space, rows: Ids) -> Labels:
    """Places of the most frequent rows first; ties by row."""
    order: Labels = np.argsort(-space.prior[rows], kind="stable").astype(np.int32)
    return order


def greedy(unit: Table, order: Labels, size: int) -> Labels:
    """The first row that is left takes its size - 1 nearest rows by cosine, and so on.

    Fewer than `size` left at the end join the last set, so that no set is smaller than `size`
    unless there are not that many rows.
    """
    labels = np.full(len(unit), -1, dtype=np.int32)
    rounded = np.rint(unit * np.float32(_GRID)).astype(np.float32)
    left, table = order, rounded[order]
    for number in range(max(1, len(unit) // size)):
        free = labels[left] < 0
        if 2 * int(free.sum()) < len(left):  # few are left: carry the others along no further
            left, table, free = left[free], table[free], free[free]
        seed = int(np.argmax(free))
        cosine = np.where(free, table @ table[seed], -np.inf)
        cosine[seed] = np.inf
        labels[left[_largest(cosine, size)]] = number
    labels[labels < 0] = number
    return labels


def _largest(values: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.intp]:
    """Places of the largest values; ties go to the earlier place."""
    if count >= len(values):
        return np.arange(len(values))
    edge = np.partition(values, -count)[-count]
    above, at = np.flatnonzero(values > edge), np.flatnonzero(values == edge)
    return np.concatenate([above, at[: count - len(above)]])
