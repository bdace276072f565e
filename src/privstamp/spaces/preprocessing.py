"""Public preprocessing of a table, so that no unit survives by standing apart from the rest.

Rows are made unit length, centred, freed of the directions they all share ("all but the top"),
and made unit length again. The result does not depend on the machine: what a linear algebra
library computes is rounded to a grid before use, and the rest is done in a fixed order.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import UsageError
from privstamp.types import Table

Float64 = npt.NDArray[np.float64]

RECIPES: Final = "raw, centred, abttN (N components removed, such as abtt2)"
_ABTT: Final = re.compile(r"abtt([1-9][0-9]?)")
_BLOCK: Final = 8192
_GRID: Final = 2.0**24
"""Far coarser than what libraries disagree by, far finer than what a table means."""


def components(recipe: str) -> int | None:
    """How many components a recipe removes; None if it does not even centre."""
    if recipe == "raw":
        return None
    if recipe == "centred":
        return 0
    if match := _ABTT.fullmatch(recipe):
        return int(match[1])
    raise UsageError(f'no preprocessing "{recipe}". Known: {RECIPES}')


def preprocess(raw: Table, recipe: str) -> tuple[Table, npt.NDArray[np.float32]]:
    """Unit rows, and each row's length just before it was made unit length.

    A row without a direction (all zeros, before or after centring) gets radius 0 and stays zero.
    It cannot be a unit vector: whoever makes a space gives such a unit no row, so that it counts
    as unknown and is never an output.
    """
    count = components(recipe)
    if raw.ndim != 2 or not raw.size:
        raise UsageError(f"a table has rows and columns; got shape {raw.shape}")
    if count is not None and count >= raw.shape[1]:
        raise UsageError(
            f'"{recipe}" leaves nothing of {raw.shape[1]} dimensions. Known: {RECIPES}'
        )
    if not np.isfinite(raw).all():
        raise UsageError("the table holds numbers that are not finite")
    unit = np.empty(raw.shape, dtype=np.float32)
    radius = np.empty(len(raw), dtype=np.float32)
    mean, top = _directions(raw, count) if count is not None else (None, None)
    for start in range(0, len(raw), _BLOCK):
        here = slice(start, start + _BLOCK)
        columns = _columns(raw[here])
        if mean is not None and top is not None:
            columns = _direct(columns)[0]
            zero = ~columns.any(axis=0)
            columns = columns - mean[:, None]
            for axis in top:
                columns -= axis[:, None] * (columns * axis[:, None]).sum(axis=0)
            columns[:, zero] = 0.0
        columns, lengths = _direct(columns)
        unit[here], radius[here] = columns.T, lengths
    return unit, radius


def _columns(rows: Table) -> Float64:
    """One line per dimension: sums over dimensions are then plain additions, in order."""
    return np.ascontiguousarray(rows.T, dtype=np.float64)


def _direct(columns: Float64) -> tuple[Float64, Float64]:
    """Directions and lengths; what is shorter than rounding counts as zero."""
    lengths = np.sqrt((columns * columns).sum(axis=0))
    lengths[lengths < 1e-6] = 0.0
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return columns * scale, lengths


def _directions(raw: Table, count: int) -> tuple[Float64, Float64]:
    """The mean of the unit rows and their `count` main directions around it."""
    width = raw.shape[1]
    total, squares, rows = np.zeros(width), np.zeros((width, width)), 0
    for start in range(0, len(raw), _BLOCK):
        columns = _direct(_columns(raw[start : start + _BLOCK]))[0]
        total += columns.sum(axis=1)
        squares += columns @ columns.T
        rows += int(columns.any(axis=0).sum())
    rows = max(rows, 1)
    mean = total / rows
    covariance = squares / rows - np.outer(mean, mean)
    top = np.linalg.eigh(covariance)[1][:, ::-1][:, :count].T
    return _rounded(mean), _rounded(top)


def _rounded(values: Float64) -> Float64:
    return np.rint(values * _GRID) / _GRID
