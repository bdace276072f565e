"""Draws from the von Mises-Fisher law on the sphere, one centre and concentration per row.

Wood's rejection scheme for the cosine, with Ulrich's symmetric beta proposal, rewritten so that
no step cancels; polar.md derives every line. The tangent is a normal vector projected off the
centre, so there is no rotation matrix and no direction in which the formula breaks down.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from privstamp.noise import Float64, Lane, Noise

_DEGENERATE = 1e-6
"""A projection shorter than this part of its vector has lost digits and is drawn again."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y)."""
    below, above = cosine_gaps(kappa, centres.shape[1], noise)
    sine = np.sqrt(below * above)
    return centres - below[:, None] * centres + sine[:, None] * tangents(centres, noise)


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


def tangents(centres: Float64, noise: Noise) -> Float64:
    """A uniform unit vector orthogonal to each centre."""
    out = np.empty_like(centres)
    rows = np.arange(len(centres))
    for attempt in count():
        if not len(rows):
            break
        mu = centres[rows]
        raw = noise.take(rows).normal(centres.shape[1], Lane.TANGENT, attempt)
        flat = _project(_project(raw, mu), mu)  # twice: the second removes the first's rounding
        length = np.sqrt((flat * flat).sum(-1))
        kept = length > _DEGENERATE * np.sqrt((raw * raw).sum(-1))
        out[rows[kept]] = flat[kept] / length[kept, None]
        rows = rows[~kept]
    return out


def _project(vectors: Float64, mu: Float64) -> Float64:
    # Row sums, not a matrix product: its rounding would depend on the size of the block.
    off: Float64 = vectors - (vectors * mu).sum(-1)[:, None] * mu
    return off
