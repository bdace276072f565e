"""Laplace noise on the unit vector, decoded by direction: the baselines. Proof: laplace.md.

Both draw on a scale on which the noise has unit size: decoding reads directions only, so
scale * u + noise is as good as u + noise / scale, and no epsilon can overflow it.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from privstamp.errors import Incompatible
from privstamp.mechanisms._decoded import Decoded, blocks, unit_rows
from privstamp.noise import Float64, Lane, Noise
from privstamp.protocols import Decoder, Space
from privstamp.types import Epsilons, Ids


class LaplaceL2(Decoded):
    """Density proportional to exp(-epsilon * length of the noise): the metric calibration."""

    name = "laplace-l2"
    metrics: ClassVar[tuple[str, ...]] = ("chordal",)
    proof: ClassVar[str] = "laplace.md"

    def __init__(self, space: Space, *, metric: str = "chordal", decoder: Decoder) -> None:
        super().__init__(space, metric, decoder)
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is the "
            "straight-line distance between their unit vectors (0 to 2) in the table of "
            f"{space.name} ({space.fingerprint[:12]})."
        )

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float64:
        dimensions = self._space.unit.shape[1]
        raw = noise.normal(dimensions, Lane.TANGENT)
        # Gamma(d) of a whole d is the sum of d exponentials.
        length = -np.log(noise.uniform(dimensions, Lane.RADIUS)).sum(-1)
        scaled = raw * (length / np.sqrt((raw * raw).sum(-1)))[:, None]
        noisy: Float64 = epsilon[:, None] * unit_rows(self._space, ids) + scaled
        return noisy


class LaplaceCoordinate(Decoded):
    """Independent Laplace noise of scale Delta_1 / epsilon per coordinate: the published baseline.

    Delta_1 adds up the width of the table in every coordinate, so this is plain epsilon-LDP.
    """

    name = "laplace-coordinate"
    metrics: ClassVar[tuple[str, ...]] = ("l1",)
    proof: ClassVar[str] = "laplace.md"

    def __init__(self, space: Space, *, metric: str = "l1", decoder: Decoder) -> None:
        super().__init__(space, metric, decoder)
        self.width = _width(space)
        if self.width <= 0.0:  # C4
            raise Incompatible(f"{space.name}: all rows are equal, so no scale fits the noise")
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is the sum of the "
            f"coordinate differences of their unit vectors divided by {self.width:.6g} (0 to 1) "
            f"in the table of {space.name} ({space.fingerprint[:12]}); so at most exp(epsilon)."
        )

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float64:
        u = noise.uniform(self._space.unit.shape[1], Lane.COORDINATES)
        laplace = np.copysign(np.log(2.0 * np.minimum(u, 1.0 - u)), u - 0.5)
        return (epsilon / self.width)[:, None] * unit_rows(self._space, ids) + laplace


def _width(space: Space) -> float:
    """Delta_1: the width of the table summed over its coordinates."""
    low = np.full(space.unit.shape[1], np.inf)
    high = -low
    for block in blocks(space):
        rows = unit_rows(space, block)
        low, high = np.minimum(low, rows.min(0)), np.maximum(high, rows.max(0))
    return float((high - low).sum())
