"""Laplace noise on a unit's vector: the baselines. Proofs: laplace.md, mahalanobis.md.

All draw on a scale on which the noise has unit size: scale * u + noise has the direction of
u + noise / scale, and no epsilon can overflow it.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible, PolicyError
from privstamp.mechanisms.decoded import Decoded, blocks, diameter_bound
from privstamp.mechanisms.stated import CHORD, promise, unit_rows
from privstamp.noise import Float64, Lane, Noise, Vectors
from privstamp.protocols import Decoder, Neighbours, Space
from privstamp.types import Epsilons, Ids

_STRAIGHT = "the straight-line distance between their vectors before these were made unit length"


class LaplaceL2(Decoded):
    """Density proportional to exp(-epsilon * length of the noise): the metric calibration.

    `euclidean` perturbs vectors of the length they had and takes the nearest one: calibrated
    multivariate perturbation (Feyisetan et al. 2020).
    """

    name = "laplace-l2"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "euclidean")
    proof: ClassVar[str] = "laplace.md"

    def __init__(self, space: Space, *, metric: str = "chordal", decoder: Decoder) -> None:
        super().__init__(space, metric, decoder)
        self._points: Neighbours | None = None
        if metric == "euclidean":
            if not isinstance(decoder, Neighbours):
                raise Incompatible("the metric euclidean needs a decoder with `decode_points`")
            require_radius(space)  # C5
            self._points = decoder
            self.diameter = diameter_bound(space, self._vectors)
            self.stretch = 1.0 / float(np.median(space.radius[np.concatenate(space.outputs)]))
        raw = f"{_STRAIGHT} (at most {self.diameter:.6g})"
        self.guarantee = promise(space, CHORD if metric == "chordal" else raw)

    def _vectors(self, ids: Ids | slice) -> Float64:
        rows = unit_rows(self._space, ids)
        if self._points is not None:
            rows *= self._space.radius[ids].astype(np.float64)[:, None]
        return rows

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float64:
        drawn = l2_noise(self._space.unit.shape[1], noise)
        noisy: Float64 = epsilon[:, None] * self._vectors(ids) + drawn
        return noisy

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """Minus the length of the noise that each output v of a class would need."""
        apart = noisy - epsilon * self._vectors(self._space.outputs[number])
        length: Float64 = np.sqrt((apart * apart).sum(-1))
        return -length

    def _decode(
        self, noisy: Vectors, classes: npt.NDArray[np.uint8], epsilon: Epsilons, noise: Noise
    ) -> Ids:
        if self._points is None:
            return super()._decode(noisy, classes, epsilon, noise)
        return self._points.decode_points(np.column_stack([noisy, epsilon]), classes)


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
        self.stretch = self.width * math.sqrt(2.0 / space.unit.shape[1])
        summed = (
            "the sum of the coordinate differences of their unit vectors divided by "
            f"{self.width:.6g} (0 to 1)"
        )
        self.guarantee = promise(space, summed, "; so at most exp(epsilon).")

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair."""
        apart = unit_rows(self._space, ids) - unit_rows(self._space, others)
        out: Float64 = np.abs(apart).sum(axis=1) / self.width
        return out

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float64:
        u = noise.uniform(self._space.unit.shape[1], Lane.COORDINATES)
        laplace = np.copysign(np.log(2.0 * np.minimum(u, 1.0 - u)), u - 0.5)
        return (epsilon / self.width)[:, None] * unit_rows(self._space, ids) + laplace

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """Minus the summed coordinates of the noise that each output v of a class would need."""
        rows = unit_rows(self._space, self._space.outputs[number])
        summed: Float64 = np.abs(noisy - epsilon / self.width * rows).sum(-1)
        return -summed


def l2_noise(dimensions: int, noise: Noise) -> Float64:
    """Vectors of density proportional to exp(-length): Gamma(d) long, any direction."""
    raw = noise.normal(dimensions, Lane.TANGENT)
    # Gamma(d) of a whole d is the sum of d exponentials.
    length = -np.log(noise.uniform(dimensions, Lane.RADIUS)).sum(-1)
    drawn: Float64 = raw * (length / np.sqrt(np.vecdot(raw, raw)))[:, None]
    return drawn


def require_radius(space: Space) -> None:
    """Refuse a table whose rows have no lengths from before they were made unit length."""
    radius = space.radius
    if len(radius) != len(space.unit) or not np.all(np.isfinite(radius) & (radius >= 0)):
        raise Incompatible(f"{space.name}: the metric euclidean needs a finite radius per row")


def _width(space: Space) -> float:
    """Delta_1: the width of the table summed over its coordinates."""
    low = np.full(space.unit.shape[1], np.inf)
    high = -low
    for block in blocks(space):
        rows = unit_rows(space, block)
        low, high = np.minimum(low, rows.min(0)), np.maximum(high, rows.max(0))
    return float((high - low).sum())


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
