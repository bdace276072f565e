"""Draws from the von Mises-Fisher law on the sphere, one centre and concentration per row.

Wood's rejection scheme for the cosine, with Ulrich's symmetric beta proposal, rewritten so that
no step cancels; polar.md derives every line. The tangent is a normal vector projected off the
centre, so there is no rotation matrix and no direction in which the formula breaks down.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

from privstamp.noise import Float64, Lane, Noise, room
from privstamp.types import Ids, Table

_DEGENERATE = 1e-4
"""A projection with less than this part of its vector's square is drawn again: it lost digits."""
_NUMBERS = 72_000
"""Most normals that are drawn at a time: few enough to stay in a core's cache."""
_AT_ONCE = 3
"""Proposals of a cosine per attempt: all of them cost less than a second attempt."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y).

    Of a centre only the direction is read.
    """

    def fetch(rows: slice, out: Float64) -> None:
        out[:] = centres[rows]

    return _around(fetch, kappa, noise, np.empty(centres.shape))


def vmf_rows(table: Table, ids: Ids, kappa: Float64, noise: Noise) -> Float64:
    """The same around rows of a table, each made of length one in float64 as it is needed.

    The draws lie in memory that the next call of this thread overwrites.
    """

    def fetch(rows: slice, out: Float64) -> None:
        narrow = room.floats("rows", out.shape)
        np.take(table, ids[rows], axis=0, out=narrow, mode="clip")  # "raise" would copy once more
        out[:] = narrow

    return _around(fetch, kappa, noise, room.doubles("draws", (len(ids), table.shape[1])))


def _around(
    fetch: Callable[[slice, Float64], None], kappa: Float64, noise: Noise, out: Float64
) -> Float64:
    """Fills `out` with draws around centres that are fetched a few at a time."""
    below, above = cosine_gaps(kappa, out.shape[1], noise)
    sine = np.sqrt(below * above)
    parts = -(-out.size // _NUMBERS)
    size = max(1, -(-len(out) // max(1, parts)))

    for start in range(0, len(out), size):  # one thread: a second one would wait for the first
        rows = slice(start, start + size)
        drawn = out[rows]
        pair = room.doubles("pairs", (2 * len(drawn), out.shape[1]))
        pair = pair.reshape(len(drawn), 2, -1)
        fetch(rows, pair[:, 1])
        length = np.sqrt(np.vecdot(pair[:, 1], pair[:, 1]))
        along, across = tangents(pair, length, noise.take(rows))
        share = np.empty((len(drawn), 1, 2))
        scale = np.divide(sine[rows], across, out=share[:, 0, 0])
        np.divide(1.0 - below[rows] - scale * along, length, out=share[:, 0, 1])
        np.matmul(share, pair, out=drawn[:, None])  # row by row as well
    return out


def cosine_gaps(kappa: Float64, dimensions: int, noise: Noise) -> tuple[Float64, Float64]:
    """1 - w and 1 + w of the cosine w between draw and centre, each to full relative precision."""
    half = 0.5 * (dimensions - 1)
    b = half / (kappa + np.hypot(kappa, half))
    below, above = np.empty(len(kappa)), np.empty(len(kappa))
    rows = np.arange(len(kappa))
    for attempt in count():
        if not len(rows):
            break
        mine, b_row = noise.take(rows), b[rows, None]
        minus, plus = _beta_gaps(dimensions, mine, attempt)
        spread = minus + b_row * plus
        rest = spread / (1.0 + b_row)  # 1 - t of polar.md, never rounded through t near 1
        log_accept = (1.0 - dimensions) * ((1.0 - rest) / rest + np.log(rest))
        kept = np.log(mine.uniform(_AT_ONCE, Lane.ACCEPT, attempt)) <= log_accept
        found = kept.any(axis=1)
        first = np.flatnonzero(found), kept.argmax(axis=1)[found]
        done = rows[found]
        below[done] = 2.0 * b[done] * (plus[first] / spread[first])
        above[done] = 2.0 * (minus[first] / spread[first])
        rows = rows[~found]
    return below, above


def _beta_gaps(dimensions: int, noise: Noise, attempt: int) -> tuple[Float64, Float64]:
    """1 - x and 1 + x, x the first coordinate of a uniform point on the sphere."""
    u = noise.uniform(2 * _AT_ONCE, Lane.COSINE, attempt)
    angle = np.pi * u[:, _AT_ONCE:]
    if dimensions == 2:
        return 2.0 * np.sin(angle) ** 2, 2.0 * np.cos(angle) ** 2
    # The first two coordinates lie at radius r with 1 - r^2 = u^(2 / (d - 2)), at any angle.
    log_rim = np.log(np.ascontiguousarray(u[:, :_AT_ONCE])) * (2.0 / (dimensions - 2))
    radius = np.sqrt(-np.expm1(log_rim))
    inside = np.exp(log_rim) / (1.0 + radius)
    return inside + 2.0 * radius * np.sin(angle) ** 2, inside + 2.0 * radius * np.cos(angle) ** 2


def tangents(pair: Float64, length: Float64, noise: Noise) -> tuple[Float64, Float64]:
    """Draws normals beside centres of the given lengths: their part along, the length of the rest.

    What is left, over its length, is a uniform unit vector orthogonal to the centre.
    """
    raw, centres = pair[:, 0], pair[:, 1]
    noise.normal(pair.shape[2], Lane.TANGENT, out=raw)
    # Row by row, not a matrix product: its rounding would depend on the size of the block.
    whole, along = np.vecdot(pair[:, :1], pair).T
    along /= length
    across = whole - along * along
    rows = np.flatnonzero(across <= _DEGENERATE * whole)
    for attempt in count(1):
        if not len(rows):
            break
        again = noise.take(rows).normal(pair.shape[2], Lane.TANGENT, attempt)
        raw[rows] = again
        along[rows] = np.vecdot(again, centres[rows]) / length[rows]
        whole = np.vecdot(again, again)
        across[rows] = whole - along[rows] * along[rows]
        rows = rows[across[rows] <= _DEGENERATE * whole]
    return along, np.sqrt(across)
