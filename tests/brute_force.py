"""The promise of a discrete mechanism, checked on a small table by looking at every pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.protocols import Space

SLACK = 1e-9
"""Nats that float64 may add to a loss."""

Distances = npt.NDArray[np.float64]


def proved_loss(mechanism: Any, space: Space, epsilon: float, distance: Distances) -> float:
    """The smallest epsilon that would be true: the worst log P(v|w) / P(v|w') over d(w, w').

    Over all pairs of rows of one class, inputs that never leave included. Pairs at an infinite
    distance are promised nothing; pairs at distance zero must have the same law.
    """
    rows = len(space.unit)
    channel = mechanism.channel(np.arange(rows, dtype=np.int32), np.full(rows, epsilon))
    with np.errstate(divide="ignore"):
        logs = np.log(channel)
    worst = 0.0
    for row in range(rows):
        with np.errstate(invalid="ignore"):
            gaps = logs[row] - logs
        gaps[np.isnan(gaps)] = -np.inf  # neither gives this output
        gap = gaps.max(-1)
        counted = (space.class_of == space.class_of[row]) & np.isfinite(distance[row])
        apart = counted & (distance[row] > 0)
        if np.any(gap[counted & ~apart] > SLACK):
            return float("inf")
        if apart.any():
            worst = max(worst, float(((gap[apart] - SLACK) / distance[row, apart]).max()))
    return worst


def assert_proved(mechanism: Any, space: Space, epsilon: float, distance: Distances) -> None:
    """On a table where the bound is tight: it holds, and neither a smaller claim nor less noise."""
    loss = proved_loss(mechanism, space, epsilon, distance)
    assert loss <= epsilon, "the promise holds"
    assert loss > 0.9 * epsilon, "a claim smaller by 10 % would be wrong: the table is tight"
    noisy = proved_loss(mechanism, space, epsilon / 0.7, distance)
    assert noisy > epsilon, "30 % too little noise is noticed"


def chord_matrix(space: Space) -> Distances:
    """All straight-line distances of unit vectors, from differences."""
    unit = space.unit.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    return np.linalg.norm(unit[:, None] - unit[None], axis=-1)
