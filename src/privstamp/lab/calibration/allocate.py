"""How to share a mean epsilon among the groups so that most meaning is kept.

Meaning kept is the expected cosine of a released word to the original. It is no concave function
of epsilon (below the cliff it hardly grows), so equal slopes are no sign of the best: all
allocations on a grid are looked at, then a finer grid around the best of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.budget import GROUPS, RATIO
from privstamp.errors import BudgetError
from privstamp.noise import Float64

IMPORTANCE: Final = (2.0, 1.0, 2.0, 1.0)
"""How much the meaning of a word counts, by group: an important one twice as much."""
_POINTS: Final = 33
_ROUNDS: Final = 5
_CRUMB: Final = 1e-3  # of the mean: what is left over below this buys nothing


@dataclass(frozen=True, eq=False)
class Meaning:
    """Expected cosine over epsilon, measured at some and straight in between.

    At 0 it is that of the smallest one measured: any word of the class, for a word of the class.
    """

    epsilon: Float64
    cosine: Float64

    @classmethod
    def of(cls, points: Mapping[float, float]) -> Meaning:
        """From what was measured; made to never fall, as it cannot but by luck of the draws."""
        across = sorted(points)
        values = np.array([points[across[0]], *(points[one] for one in across)])
        return cls(np.array([0.0, *across]), np.maximum.accumulate(values))

    def at(self, epsilon: npt.ArrayLike) -> Float64:
        return np.interp(np.asarray(epsilon, dtype=np.float64), self.epsilon, self.cosine)

    @property
    def most(self) -> float:
        """The smallest epsilon that keeps all that is ever kept."""
        return float(self.epsilon[np.argmax(self.cosine >= self.cosine[-1])])


@dataclass(frozen=True, eq=False)
class Mix:
    """Groups as they occur: their shares of the words, what their meaning counts, their curves."""

    shares: Sequence[float]
    curves: Sequence[Meaning]
    importance: Sequence[float] = IMPORTANCE

    def utility(self, epsilon: Sequence[float]) -> float:
        """Mean cosine over words, weighted by importance."""
        kept = [float(curve.at(one)) for curve, one in zip(self.curves, epsilon, strict=True)]
        return float(np.dot(self._weights, kept))

    def mean(self, epsilon: Sequence[float]) -> float:
        return float(np.dot(self.shares, epsilon))

    @property
    def _weights(self) -> Float64:
        weight = np.multiply(self.shares, self.importance)
        normed: Float64 = weight / weight.sum()
        return normed

    def by_ratio(self, mean: float, ratio: Sequence[float] = RATIO) -> tuple[float, ...]:
        """Fixed proportions, the paper's by default, at a mean epsilon."""
        return tuple(float(mean * one / self.mean(ratio)) for one in ratio)

    def allocate(self, mean: float, caps: Sequence[float] = (np.inf,) * 4) -> tuple[float, ...]:
        """The four epsilons with the largest utility whose mean is no larger, under the caps."""
        if len(self.shares) != len(GROUPS) or abs(sum(self.shares) - 1.0) > 1e-6:
            raise BudgetError("shares of the four groups must add up to 1")
        if not (np.isfinite(mean) and mean > 0):
            raise BudgetError("a mean epsilon is a positive number")
        tops = np.array(
            [min(cap, curve.most) for cap, curve in zip(caps, self.curves, strict=True)]
        )
        # What is left over goes to the group with most words: it is split finest there.
        rest = int(np.argmax(self.shares))
        free = [place for place in range(len(GROUPS)) if place != rest]
        low, high = np.zeros(len(GROUPS)), tops.copy()
        best = np.zeros(len(GROUPS))
        for _ in range(_ROUNDS):
            best = self._best(mean, tops, rest, free, low, high)
            width = (high - low) / (_POINTS - 1) * 2.0
            low, high = np.maximum(best - width, 0.0), np.minimum(best + width, tops)
        return tuple(np.where(best < _CRUMB * mean, 0.0, best).tolist())

    def _best(
        self, mean: float, tops: Float64, rest: int, free: list[int], low: Float64, high: Float64
    ) -> Float64:
        axes = [np.linspace(low[place], high[place], _POINTS) for place in free]
        grid = np.meshgrid(*axes, indexing="ij")
        spent = sum(self.shares[place] * one for place, one in zip(free, grid, strict=True))
        share = max(self.shares[rest], 1e-12)
        left = np.minimum((mean - spent) / share, tops[rest])
        value = self._weights[rest] * self.curves[rest].at(np.maximum(left, 0.0))
        for place, one in zip(free, grid, strict=True):
            value = value + self._weights[place] * self.curves[place].at(one)
        value = np.where(left >= -1e-9, value, -np.inf)
        where = np.unravel_index(int(np.argmax(value)), value.shape)
        found = np.empty(len(self.shares))
        found[rest] = max(float(left[where]), 0.0)
        for place, one in zip(free, grid, strict=True):
            found[place] = one[where]
        return found
