"""What our mechanisms state about themselves: distances by the name of the metric, the loss that
follows from them, no exact law. A mechanism that knows better says so itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Fluent, Mechanism, Space
from privstamp.types import Ids


class Stated:
    """Every output is at most exp(epsilon * distance) times as likely for one unit as for another
    of its class; no two of them are further apart than the diameter."""

    metric: str
    diameter: float
    _space: Space

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair."""
        return DISTANCES[self.metric](self._space, ids, others)

    def loss(self, number: int, epsilon: float, distance: Float64 | None = None) -> Float64:
        """Nats proved for units of a class so far apart; without a distance, for any two."""
        return epsilon * (self._furthest(number) if distance is None else distance)

    def _furthest(self, number: int) -> Float64:  # noqa: ARG002
        """The largest distance in a class, or a bound of it."""
        return np.array(self.diameter)

    def law(self, number: int) -> ExactLaw | None:  # noqa: ARG002
        """Draws are all there is."""
        return None


def comes_with_us(mechanism: Mechanism) -> bool:
    """Whether it, and what it was made of, is part of this package, whose tests audit it."""
    kinds = [type(mechanism)]
    if isinstance(mechanism, Fluent):
        kinds.append(type(mechanism.mechanism))
    return all(kind.__module__.partition(".")[0] == "privstamp" for kind in kinds)


def unit_rows(space: Space, ids: Ids | slice) -> Float64:
    """Rows of the table, of length one in float64: the vectors that the metrics speak of."""
    rows = space.unit[ids].astype(np.float64)
    rows /= np.sqrt(np.vecdot(rows, rows))[:, None]
    return rows


def _chordal(space: Space, ids: Ids, others: Ids) -> Float64:
    return _lengths(unit_rows(space, ids) - unit_rows(space, others))


def _angular(space: Space, ids: Ids, others: Ids) -> Float64:
    half = np.clip(_chordal(space, ids, others) / 2.0, 0.0, 1.0)
    angle: Float64 = 2.0 * np.arcsin(half) / np.pi
    return angle


def _euclidean(space: Space, ids: Ids, others: Ids) -> Float64:
    radius = space.radius.astype(np.float64)
    raw = [unit_rows(space, rows) * radius[rows, None] for rows in (ids, others)]
    return _lengths(raw[0] - raw[1])


def _different(space: Space, ids: Ids, others: Ids) -> Float64:  # noqa: ARG001
    differs: Float64 = (ids != others).astype(np.float64)
    return differs


def _lengths(apart: Float64) -> Float64:
    lengths: Float64 = np.sqrt((apart * apart).sum(axis=1))
    return lengths


DISTANCES: Final[dict[str, Callable[[Space, Ids, Ids], Float64]]] = {
    "chordal": _chordal,
    "angular": _angular,
    "euclidean": _euclidean,
    "truncated": _chordal,
    "ldp": _different,
}
"""Metrics that the table alone decides."""
