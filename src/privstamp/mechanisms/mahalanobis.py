"""Elliptical noise: more of it where the table spreads (Xu et al. 2020). Proof: mahalanobis.md."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from privstamp.errors import Incompatible, PolicyError
from privstamp.mechanisms._diameter import diameter_bound
from privstamp.mechanisms.decoded import Decoded, blocks
from privstamp.mechanisms.laplace import l2_noise
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64, Noise
from privstamp.protocols import Decoder, Space
from privstamp.types import Epsilons, Ids

_LEAST = 1e-6
"""An axis of M shorter than this part of the mean one is taken for no axis at all."""


class Mahalanobis(Decoded):
    """Noise of density proportional to exp(-epsilon * regularised Mahalanobis length).

    M = lam * S + (1 - lam) * I, with S the covariance of the public unit table scaled to mean
    variance one. lam = 0 is laplace-l2.
    """

    name = "mahalanobis"
    metrics: ClassVar[tuple[str, ...]] = ("mahalanobis",)
    proof: ClassVar[str] = "mahalanobis.md"

    def __init__(
        self, space: Space, *, metric: str = "mahalanobis", decoder: Decoder, lam: float = 0.2
    ) -> None:
        super().__init__(space, metric, decoder)
        number = isinstance(lam, int | float) and not isinstance(lam, bool)
        if not (number and 0.0 <= lam <= 1.0):
            raise PolicyError("mahalanobis: lam is a number from 0 (round noise) to 1")
        self.lam = float(lam)
        spread, axes = np.linalg.eigh(_scaled_covariance(space))
        spread = self.lam * np.maximum(spread, 0.0) + (1.0 - self.lam)
        if spread.min() < _LEAST:  # C4
            raise Incompatible(
                f"{space.name}: the table is flat in some direction, so lam = {lam:g} leaves that "
                "direction without noise. Take a smaller lam"
            )
        self._root = (axes * np.sqrt(spread)) @ axes.T
        whiten = axes / np.sqrt(spread)
        apart = diameter_bound(space, lambda block: unit_rows(space, block) @ whiten)
        self.diameter = min(apart, 2.0 / float(np.sqrt(spread.min())) * (1.0 + 1e-9))
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is the Mahalanobis "
            "length of the difference x of their unit vectors, sqrt(x' M^-1 x), for "
            f"M = {self.lam:g} S + {1.0 - self.lam:g} I and S the covariance of the table of "
            f"{space.name} ({space.fingerprint[:12]}) scaled to mean variance one "
            f"(at most {self.diameter:.6g})."
        )

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair."""
        apart = unit_rows(self._space, ids) - unit_rows(self._space, others)
        white = np.linalg.solve(self._root, apart.T)
        length: Float64 = np.sqrt((white * white).sum(axis=0))
        return length

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float64:
        noisy = epsilon[:, None] * unit_rows(self._space, ids)
        drawn = l2_noise(self._space.unit.shape[1], noise)
        # Axis by axis, not a matrix product: its rounding would depend on the size of the block.
        for column, axis in zip(drawn.T, self._root, strict=True):
            noisy += column[:, None] * axis
        return noisy

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """Minus the Mahalanobis length of the noise that each output v of a class would need."""
        apart = noisy - epsilon * unit_rows(self._space, self._space.outputs[number])
        white = np.linalg.solve(self._root, apart.T)
        length: Float64 = np.sqrt((white * white).sum(axis=0))
        return -length


def _scaled_covariance(space: Space) -> Float64:
    """S: covariance of the unit rows over its mean diagonal entry, so that its trace is d."""
    width = space.unit.shape[1]
    total, squares = np.zeros(width), np.zeros((width, width))
    for block in blocks(space):
        rows = unit_rows(space, block)
        total += rows.sum(axis=0)
        squares += rows.T @ rows
    mean = total / len(space.unit)
    covariance = squares / len(space.unit) - np.outer(mean, mean)
    scale = float(np.trace(covariance)) / width
    if scale < 1e-12:
        raise Incompatible(f"{space.name}: all rows are equal, so they have no covariance")
    scaled: Float64 = covariance / scale
    return scaled
