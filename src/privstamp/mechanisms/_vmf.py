"""Draws from the von Mises-Fisher law on the sphere, one centre and concentration per row.

Wood's rejection scheme for the cosine, with Ulrich's symmetric beta proposal, rewritten so that
no step cancels; polar.md derives every line. The tangent is a normal vector projected off the
centre, so there is no rotation matrix and no direction in which the formula breaks down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from privstamp.noise import Float64, Lane, Noise, room
from privstamp.threads import shared
from privstamp.types import Ids, Table

_DEGENERATE = 1e-4
"""A projection with less than this part of its vector's square is drawn again: it lost digits."""
_NUMBERS = 1 << 15
"""How many normals are drawn at a time: few enough to stay in a core's cache."""
_DRAWING = 2000.0
"""Operations that a product does while one normal is drawn."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y)."""

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
        out /= np.sqrt(np.vecdot(out, out))[:, None]

    return _around(fetch, kappa, noise, room.doubles("draws", (len(ids), table.shape[1])))


def _around(
    fetch: Callable[[slice, Float64], None], kappa: Float64, noise: Noise, out: Float64
) -> Float64:
    """Fills `out` with draws around centres that are fetched a few at a time."""
    below, above = cosine_gaps(kappa, out.shape[1], noise)
    sine = np.sqrt(below * above)
    size = max(1, _NUMBERS // out.shape[1])

    def work(starts: Iterator[int]) -> None:
        for start in starts:
            rows = slice(start, start + size)
            raw = out[rows]
            centres = room.doubles("centres", raw.shape)
            fetch(rows, centres)
            along, across = tangents(centres, noise.take(rows), raw)
            scale = sine[rows] / across
            raw *= scale[:, None]
            centres *= (1.0 - below[rows] - scale * along)[:, None]
            raw += centres

    shared(range(0, len(out), size), work, _DRAWING * out.size)
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
        mine = noise.take(rows)
        minus, plus = _beta_gaps(dimensions, mine, attempt)
        b_row = b[rows]
        spread = minus + b_row * plus
        rest = spread / (1.0 + b_row)  # 1 - t of polar.md, never rounded through t near 1
        log_accept = (1.0 - dimensions) * ((1.0 - rest) / rest + np.log(rest))
        kept = np.log(mine.uniform(1, Lane.ACCEPT, attempt)[:, 0]) <= log_accept
        done = rows[kept]
        below[done] = (2.0 * b_row * plus / spread)[kept]
        above[done] = (2.0 * minus / spread)[kept]
        rows = rows[~kept]
    return below, above


def _beta_gaps(dimensions: int, noise: Noise, attempt: int) -> tuple[Float64, Float64]:
    """1 - x and 1 + x, x the first coordinate of a uniform point on the sphere."""
    u = noise.uniform(2, Lane.COSINE, attempt)
    angle = np.pi * u[:, 1]
    if dimensions == 2:
        return 2.0 * np.sin(angle) ** 2, 2.0 * np.cos(angle) ** 2
    # The first two coordinates lie at radius r with 1 - r^2 = u^(2 / (d - 2)), at any angle.
    log_rim = np.log(np.ascontiguousarray(u[:, 0])) * (2.0 / (dimensions - 2))
    radius = np.sqrt(-np.expm1(log_rim))
    inside = np.exp(log_rim) / (1.0 + radius)
    return inside + 2.0 * radius * np.sin(angle) ** 2, inside + 2.0 * radius * np.cos(angle) ** 2


def tangents(centres: Float64, noise: Noise, raw: Float64) -> tuple[Float64, Float64]:
    """Fills `raw` with normals; gives their part along the centre and the length of what is left.

    What is left, over its length, is a uniform unit vector orthogonal to the centre.
    """
    noise.normal(centres.shape[1], Lane.TANGENT, out=raw)
    # Row by row, not a matrix product: its rounding would depend on the size of the block.
    along, whole = np.vecdot(raw, centres), np.vecdot(raw, raw)
    across = whole - along * along
    rows = np.flatnonzero(across <= _DEGENERATE * whole)
    for attempt in count(1):
        if not len(rows):
            break
        again = noise.take(rows).normal(centres.shape[1], Lane.TANGENT, attempt)
        raw[rows] = again
        along[rows], whole = np.vecdot(again, centres[rows]), np.vecdot(again, again)
        across[rows] = whole - along[rows] * along[rows]
        rows = rows[across[rows] <= _DEGENERATE * whole]
    return along, np.sqrt(across)
