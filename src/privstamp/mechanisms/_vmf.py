"""Draws from the von Mises-Fisher law on the sphere, one centre and concentration per row.

Wood's rejection scheme for the cosine, with Ulrich's symmetric beta proposal, rewritten so that
no step cancels; polar.md derives every line. The tangent is a normal vector projected off the
centre, so there is no rotation matrix and no direction in which the formula breaks down.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from privstamp.noise import Float64, Lane, Noise

_DEGENERATE = 1e-4
"""A projection with less than this part of its vector's square is drawn again: it lost digits."""
_NUMBERS = 1 << 16
"""How many normals are drawn at a time: few enough to stay in a core's cache."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y)."""
    below, above = cosine_gaps(kappa, centres.shape[1], noise)
    sine = np.sqrt(below * above)
    out = np.empty_like(centres)
    size = max(1, _NUMBERS // centres.shape[1])
    spare = np.empty((min(size, len(centres)), centres.shape[1]))
    for start in range(0, len(centres), size):
        rows = slice(start, start + size)
        raw, mu = out[rows], centres[rows]
        along, across = tangents(mu, noise.take(rows), raw)
        scale = sine[rows] / across
        raw *= scale[:, None]
        weight = 1.0 - below[rows] - scale * along
        raw += np.multiply(mu, weight[:, None], out=spare[: len(mu)])
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
