"""Outputs in small public sets, the exponential mechanism inside a set. Proof: custext.md."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError
from privstamp.mechanisms._geometry import cosines, nearest
from privstamp.mechanisms._laws import Index, Law, Listed, Weighted, weights
from privstamp.mechanisms._partition import Partitioned
from privstamp.mechanisms.class_laws import Sets
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Space
from privstamp.spaces.hops import Nodes, Representatives
from privstamp.types import Ids

_ROWS = 64  # looked up at a time


class CusText(Partitioned):
    """P(v | w) ~ exp(epsilon / 2 * score) inside w's set, zero outside; scores run from 0 to 1.

    The sets partition the outputs of a class: with a set per word, as published, two words would
    have different supports and there would be no bound at all.
    """

    name = "custext"
    metrics: ClassVar[tuple[str, ...]] = ("ldp",)
    proof: ClassVar[str] = "custext.md"

    def __init__(self, space: Space, *, metric: str = "ldp", size: int = 20) -> None:
        if isinstance(size, bool) or not isinstance(size, int) or size < 2:  # C4
            raise BudgetError("size is how many outputs form a set: a whole number from 2")
        super().__init__(space, metric, size, _Closest(space))
        self.size = size
        self.sets = sum(map(len, self._members))
        self.guarantee = (
            f"Between units of one set (the outputs of a class in {self.sets} public sets of "
            f"about {size}, other units with their nearest output) under one epsilon, every output "
            "is at most exp(epsilon) times as likely for one as for the other. Between units of "
            "different sets nothing is promised: the output shows the set. Table of "
            f"{space.name} ({space.fingerprint[:12]})."
        )

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """1 inside a set; between sets nothing is promised."""
        return np.where(self._together(ids, others), np.where(ids == others, 0.0, 1.0), np.inf)

    def _furthest(self, number: int) -> Float64:
        return np.array(np.inf if len(self._members[number]) > 1 else 1.0)

    def law(self, number: int) -> ExactLaw | None:
        def stretched(members: Index) -> Float64:
            unit = unit_rows(self._space, self._space.outputs[number][members])
            cosine = unit @ unit.T
            low = cosine.min(axis=1, keepdims=True)
            width = cosine.max(axis=1, keepdims=True) - low
            scores: Float64 = (cosine - low) / np.where(width > 0, width, 1.0)
            return scores

        return Sets(self._sets(number), stretched)

    def _scores(self, row: int, members: Index) -> Float64:
        """Cosines of the members, stretched so that the nearest has 1 and the farthest 0."""
        cosine = cosines(self._space, np.array([row]), self._outputs(row)[members])[0]
        low, high = cosine.min(), cosine.max()
        return (cosine - low) / (high - low) if high > low else np.zeros(len(members))

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        return self.half_scores(row, epsilon)

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """epsilon / 2 * score: holds under any base measure."""
        members = self.members(row)
        out = np.full(len(self._outputs(row)), -np.inf)
        out[members] = 0.5 * epsilon * self._scores(row, members)
        return out

    def _law(self, row: int, epsilon: float) -> Law:
        members = self.members(row)
        scaled = 0.5 * epsilon * self._scores(row, members)
        return Listed(members, Weighted(weights(scaled)))


class _Closest(Representatives):
    """The output with the largest cosine, in float64."""

    def _nearest(self, number: int, rows: Ids) -> Nodes:
        outputs = self._space.outputs[number]
        parts = (rows[start : start + _ROWS] for start in range(0, len(rows), _ROWS))
        return np.concatenate([nearest(self._space, part, outputs) for part in parts])
