"""Draws from the von Mises-Fisher law on the sphere, one centre and concentration per row.

Wood's rejection scheme for the cosine, with Ulrich's symmetric beta proposal, rewritten so that
no step cancels; polar.md derives every line. The tangent is a normal vector projected off the
centre, so there is no rotation matrix and no direction in which the formula breaks down.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

from privstamp.noise import Float32, Float64, Lane, Noise, Vectors, room
from privstamp.types import Ids, Table

_DEGENERATE = 1e-2
"""A projection with less than this part of its vector's square is drawn again: it lost digits."""
_NUMBERS = 140_000
"""Most normals that are drawn at a time: few enough to stay in a core's cache."""
_AT_ONCE = 2
"""Proposals of a cosine per attempt: both cost less than a second attempt."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y).

    Of a centre only the direction is read.
    """

    def fetch(rows: slice, out: Vectors) -> None:
        out[:] = centres[rows]

    out = np.empty(centres.shape)
    _around(fetch, kappa, noise, out)
    return out


def vmf_rows(table: Table, ids: Ids, kappa: Float64, noise: Noise) -> Float32:
    """The same around rows of a table, in float32 but for what decides how far a draw goes.

    The draws lie in memory that the next call of this thread overwrites.
    """

    def fetch(rows: slice, out: Vectors) -> None:
        np.take(table, ids[rows], axis=0, out=out, mode="clip")  # "raise" would copy once more

    out = room.floats("draws", (len(ids), table.shape[1]))
    _around(fetch, kappa, noise, out)
    return out


def _around(
    fetch: Callable[[slice, Vectors], None], kappa: Float64, noise: Noise, out: Vectors
) -> None:
    """Fills `out` with draws around centres that are fetched a few at a time."""
    below, above = cosine_gaps(kappa, out.shape[1], noise)
    cosine, sine = 1.0 - below, np.sqrt(below * above)
    parts = -(-out.size // _NUMBERS)
    size = max(1, -(-len(out) // max(1, parts)))

    for start in range(0, len(out), size):  # one thread: a second one would wait for the first
        rows = slice(start, start + size)
        drawn = out[rows]
        centres = room.like("centres", out, len(drawn))
        fetch(rows, centres)
        along, across, length = tangents(centres, noise.take(rows), drawn)
        scale = sine[rows] / across
        drawn *= scale[:, None].astype(out.dtype)
        centres *= ((cosine[rows] - scale * along) / length)[:, None].astype(out.dtype)
        drawn += centres


def cosine_gaps(
    kappa: Float64, dimensions: int, noise: Noise, attempt: int = 0
) -> tuple[Float64, Float64]:
    """1 - w and 1 + w of the cosine w between draw and centre, each to full relative precision."""
    half = 0.5 * (dimensions - 1)
    b = half / (kappa + np.hypot(kappa, half))
    # One line per proposal, one column per row.
    u = np.ascontiguousarray(noise.uniform(3 * _AT_ONCE, Lane.COSINE, attempt).T)
    rim, fate = np.log(u[:-_AT_ONCE]).reshape(2, _AT_ONCE, -1)
    minus, plus = _beta_gaps(dimensions, rim, u[-_AT_ONCE:])
    spread = b * plus
    spread += minus
    rest = spread / (1.0 + b)  # 1 - t of polar.md, never rounded through t near 1
    log_accept = (1.0 - dimensions) * ((1.0 - rest) / rest + np.log(rest))
    kept = fate <= log_accept
    first = kept.argmax(axis=0), np.arange(len(kappa))
    within = 2.0 / spread[first]
    below, above = b * (plus[first] * within), minus[first] * within
    missed = np.flatnonzero(~kept[first])
    if len(missed):
        again = cosine_gaps(kappa[missed], dimensions, noise.take(missed), attempt + 1)
        below[missed], above[missed] = again
    return below, above


def _beta_gaps(dimensions: int, log_u: Float64, turn: Float64) -> tuple[Float64, Float64]:
    """1 - x and 1 + x, x the first coordinate of a uniform point on the sphere."""
    angle = np.pi * turn
    plus, minus = np.cos(angle), np.sin(angle)
    for gap in (plus, minus):
        gap *= gap
        gap *= 2.0
    if dimensions == 2:
        return minus, plus
    # The first two coordinates lie at radius r with 1 - r^2 = u^(2 / (d - 2)), at any angle.
    log_rim = log_u * (2.0 / (dimensions - 2))
    radius = np.sqrt(-np.expm1(log_rim))
    inside = np.exp(log_rim) / (1.0 + radius)
    for gap in (plus, minus):
        gap *= radius
        gap += inside
    return minus, plus


def tangents(centres: Vectors, noise: Noise, raw: Vectors) -> tuple[Float64, Float64, Float64]:
    """Draws normals into `raw`: their part along the centre, the rest's length, the centre's.

    What is left, over its length, is a uniform unit vector orthogonal to the centre.
    """
    noise.normal(raw.shape[1], Lane.TANGENT, out=raw)
    # Row by row, not a matrix product: its rounding would depend on the size of the block.
    length = np.sqrt(_products(centres, centres))
    along, whole = _products(raw, centres) / length, _products(raw, raw)
    across = whole - along * along
    rows = np.flatnonzero(across <= _DEGENERATE * whole)
    for attempt in count(1):
        if not len(rows):
            break
        again = np.empty((len(rows), raw.shape[1]), dtype=raw.dtype)
        noise.take(rows).normal(raw.shape[1], Lane.TANGENT, attempt, out=again)
        raw[rows] = again
        along[rows] = _products(again, centres[rows]) / length[rows]
        whole = _products(again, again)
        across[rows] = whole - along[rows] * along[rows]
        rows = rows[across[rows] <= _DEGENERATE * whole]
    return along, np.sqrt(across), length


def _products(one: Vectors, other: Vectors) -> Float64:
    products: Float64 = np.vecdot(one, other).astype(np.float64)
    return products
