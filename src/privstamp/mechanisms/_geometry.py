"""Exact distances from one row to many, in float64, without holding a float64 table."""

from __future__ import annotations

import numpy as np

from privstamp.mechanisms._decoded import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids

_BLOCK = 4096
_CLOSE = 1e-3
"""Squared lengths below this are worked out from differences: cosines would lose their digits."""


def cosines(space: Space, row: int, others: Ids) -> Float64:
    """u.v of a row and each of the others."""
    unit = unit_rows(space, np.array([row], dtype=np.int32))[0]
    out = np.empty(len(others))
    for start in range(0, len(others), _BLOCK):
        rows = space.unit[others[start : start + _BLOCK]].astype(np.float64)
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        out[start : start + _BLOCK] = (rows @ unit) / length
    return out


def chords(space: Space, row: int, others: Ids) -> Float64:
    """|u - v|, exactly zero for equal vectors."""
    return _lengths(space, row, others, cosines(space, row, others), -1.0)


def angles(space: Space, row: int, others: Ids) -> Float64:
    """The angle between u and v, 0 to pi."""
    cosine = cosines(space, row, others)
    minus, plus = (_lengths(space, row, others, cosine, sign) for sign in (-1.0, 1.0))
    angle: Float64 = 2.0 * np.arctan2(minus, plus)
    return angle


def _lengths(space: Space, row: int, others: Ids, cosine: Float64, sign: float) -> Float64:
    """|u + sign v|."""
    squared = 2.0 + 2.0 * sign * cosine
    close = np.flatnonzero(squared < _CLOSE)
    unit = unit_rows(space, np.array([row], dtype=np.int32))[0]
    difference = unit + sign * unit_rows(space, others[close])
    squared[close] = (difference * difference).sum(-1)
    length: Float64 = np.sqrt(squared)
    return length
