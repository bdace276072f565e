"""Exact distances from some rows to others, in float64, without holding a float64 table."""

from __future__ import annotations

import numpy as np

from privstamp.mechanisms._decoded import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids

_BLOCK = 4096
_CLOSE = 1e-3
"""Squared lengths below this are worked out from differences: cosines would lose their digits."""


def cosines(space: Space, rows: Ids, others: Ids) -> Float64:
    """u.v, a line for each row and a column for each of the others."""
    units = unit_rows(space, rows)
    out = np.empty((len(rows), len(others)))
    for start in range(0, len(others), _BLOCK):
        theirs = space.unit[others[start : start + _BLOCK]].astype(np.float64)
        length = np.sqrt(np.einsum("ij,ij->i", theirs, theirs))
        # Line by line: the rounding of one product of all would depend on how many there are.
        product = np.matmul(units[:, None], theirs.T)[:, 0]
        out[:, start : start + _BLOCK] = product / length
    return out


def chords(space: Space, rows: Ids, others: Ids) -> Float64:
    """|u - v|, exactly zero for equal vectors."""
    return _lengths(space, rows, others, cosines(space, rows, others), -1.0)


def angles(space: Space, rows: Ids, others: Ids) -> Float64:
    """The angle between u and v, 0 to pi."""
    cosine = cosines(space, rows, others)
    minus, plus = (_lengths(space, rows, others, cosine, sign) for sign in (-1.0, 1.0))
    angle: Float64 = 2.0 * np.arctan2(minus, plus)
    return angle


def _lengths(space: Space, rows: Ids, others: Ids, cosine: Float64, sign: float) -> Float64:
    """|u + sign v|."""
    squared = 2.0 + 2.0 * sign * cosine
    close = np.argwhere(squared < _CLOSE)
    for start in range(0, len(close), _BLOCK):
        line, column = close[start : start + _BLOCK].T
        difference = unit_rows(space, rows[line]) + sign * unit_rows(space, others[column])
        squared[line, column] = (difference * difference).sum(-1)
    length: Float64 = np.sqrt(squared)
    return length
