"""Randomised response over the outputs of a class. Proof: randomized_response.md."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from privstamp.mechanisms._discrete import Discrete
from privstamp.mechanisms._laws import Index, Law, Shared
from privstamp.mechanisms.class_laws import Blocks
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Space


class RandomizedResponse(Discrete):
    """k-ary (Warner): a unit is exp(epsilon) times as likely to leave as itself as as any other.

    A unit that is no output has nothing to stay and leaves as a uniform output of its class.
    """

    name = "randomized-response"
    metrics: ClassVar[tuple[str, ...]] = ("ldp",)
    proof: ClassVar[str] = "randomized_response.md"

    def __init__(self, space: Space, *, metric: str = "ldp") -> None:
        super().__init__(space, metric)
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon) times as likely for one as for the other, however far apart they are in "
            f"the table of {space.name} ({space.fingerprint[:12]})."
        )

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        weights = np.zeros(len(self._outputs(row)))
        weights[self._own(row)] = epsilon
        return weights

    def law(self, number: int) -> ExactLaw | None:
        count = len(self._space.outputs[number])

        def stay(epsilon: float) -> Float64:
            return np.full(count, 1.0 / (1.0 + (count - 1) * np.exp(-epsilon)))

        return Blocks(np.arange(count), stay)

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """For a base measure, under which the normaliser is no longer the same for all units."""
        return self._log_weights(row, 0.5 * epsilon)

    def _law(self, row: int, epsilon: float) -> Law:
        own = self._own(row)
        other = float(np.exp(-epsilon)) if len(own) else 1.0
        return Shared(own, np.ones(len(own)), other, len(self._outputs(row)))

    def _own(self, row: int) -> Index:
        """Where the row is among the outputs of its class: one place, or none."""
        outputs = self._outputs(row)
        place = np.searchsorted(outputs, [row, row + 1])
        return np.arange(place[0], place[1])
