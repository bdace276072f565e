"""An output drawn by its closeness to the unit: the exponential mechanism. Proof: exponential.md.

P(v | w) is proportional to exp(epsilon / 2 * score(w, v)), where the score of any v moves by no
more than d(w, w') when w becomes w'. No noise in d dimensions is added, so none has to be paid for.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError
from privstamp.mechanisms._decoded import unit_rows
from privstamp.mechanisms._diameter import diameter_bound
from privstamp.mechanisms._discrete import Discrete
from privstamp.mechanisms._geometry import angles, chords, cosines
from privstamp.mechanisms._laws import Law, Shared, Weighted, block_sums, weights
from privstamp.mechanisms.laplace import require_radius
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.types import Ids

_CHORD = "the straight-line distance between their unit vectors (0 to 2)"
_ANGLE = "the angle between their vectors divided by pi (0 to 1)"
_STRAIGHT = "the straight-line distance between their vectors, before these were made length one,"


class _Scored(Discrete):
    """The exponential mechanism on a score; a law keeps its block sums, not its weights."""

    proof: ClassVar[str] = "exponential.md"

    def __init__(self, space: Space, metric: str, distance: str) -> None:
        super().__init__(space, metric)
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is "
            f"{distance} in the table of {space.name} ({space.fingerprint[:12]})."
        )

    @abstractmethod
    def _score(self, row: int, outputs: Ids) -> Float64:
        """1-Lipschitz in the row under the metric, for every output."""

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        return self._scaled(row, epsilon, slice(None))

    def _scaled(self, row: int, epsilon: float, where: slice) -> Float64:
        return 0.5 * epsilon * self._score(row, self._outputs(row)[where])

    def _law(self, row: int, epsilon: float) -> Law:
        def weights_of(block: slice) -> Float64:
            return weights(self._scaled(row, epsilon, block))

        return Weighted(block_sums(weights_of(slice(None))), weights_of, 0)


class PolarVocabulary(_Scored):
    """The von Mises-Fisher law restricted to the outputs: P(v | w) ~ exp(epsilon / 2 * u.v)."""

    name = "polar-vocabulary"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular")

    def __init__(self, space: Space, *, metric: str = "chordal") -> None:
        super().__init__(space, metric, _ANGLE if metric == "angular" else _CHORD)
        self._scale = 1.0 / math.pi if metric == "angular" else 1.0

    def _score(self, row: int, outputs: Ids) -> Float64:
        return self._scale * cosines(self._space, row, outputs)


class Exponential(_Scored):
    """P(v | w) ~ exp(-epsilon / 2 * d(w, v)). With the Euclidean metric this is SanText."""

    name = "exponential"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular", "euclidean")

    def __init__(self, space: Space, *, metric: str = "chordal") -> None:
        distance = {"angular": _ANGLE, "euclidean": _STRAIGHT}.get(metric, _CHORD)
        super().__init__(space, metric, distance)
        if metric == "euclidean":
            require_radius(space)  # C4
            self._radius = space.radius.astype(np.float64)
            self.diameter = diameter_bound(space, self._raw)

    def _raw(self, rows: slice) -> Float64:
        return unit_rows(self._space, rows) * self._radius[rows, None]

    def _score(self, row: int, outputs: Ids) -> Float64:
        if self.metric == "angular":
            return angles(self._space, row, outputs) / -math.pi
        chord = chords(self._space, row, outputs)
        if self.metric == "chordal":
            return -chord
        mine, theirs = self._radius[row], self._radius[outputs]
        # |r u - s v|^2 = (r - s)^2 + r s |u - v|^2, without cancellation.
        distance: Float64 = np.hypot(mine - theirs, np.sqrt(mine * theirs) * chord)
        return -distance


class Tem(_Scored):
    """Truncated exponential mechanism: P(v | w) ~ exp(-epsilon / 2 * min(d(w, v), gamma)).

    Outputs further than gamma share one weight, so a law holds the near ones and a count.
    """

    name = "tem"
    metrics: ClassVar[tuple[str, ...]] = ("truncated",)

    def __init__(self, space: Space, *, metric: str = "truncated", gamma: float = 1.0) -> None:
        number = isinstance(gamma, int | float) and not isinstance(gamma, bool)
        if not (number and 0.0 < gamma <= 2.0):  # C5
            raise BudgetError("gamma is a straight-line distance of unit vectors: 0 < gamma <= 2")
        super().__init__(space, metric, f"{_CHORD}, or {gamma:g} where that is smaller,")
        self.gamma = self.diameter = float(gamma)

    def _score(self, row: int, outputs: Ids) -> Float64:
        return -np.minimum(chords(self._space, row, outputs), self.gamma)

    def _law(self, row: int, epsilon: float) -> Law:
        score = self._score(row, self._outputs(row))
        near = np.flatnonzero(score > -self.gamma)
        scaled = 0.5 * epsilon * np.append(score[near], -self.gamma)
        law = weights(scaled)
        return Shared(near, law[:-1], float(law[-1]), len(score))
