"""Outputs in small public sets, the exponential mechanism inside a set. Proof: custext.md."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError
from privstamp.mechanisms._discrete import Discrete
from privstamp.mechanisms._geometry import cosines
from privstamp.mechanisms._laws import Index, Law, Listed, Weighted, weights
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.spaces.balanced import Labels, balanced_clusters


class CusText(Discrete):
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
        super().__init__(space, metric)
        self.size = size
        self._labels = balanced_clusters(space, size)
        self._places = tuple(_by_label(labels) for labels in self._labels)
        self.sets = sum(len(places) for places in self._places)
        self.guarantee = (
            f"Between units of one set (the outputs of a class in {self.sets} public sets of "
            f"about {size}, other units with their nearest output) under one epsilon, every output "
            "is at most exp(epsilon) times as likely for one as for the other. Between units of "
            "different sets nothing is promised: the output shows the set. Table of "
            f"{space.name} ({space.fingerprint[:12]})."
        )

    def members(self, row: int) -> Index:
        """Places, among the outputs of the row's class, of the set that the row belongs to."""
        number = int(self._space.class_of[row])
        outputs = self._outputs(row)
        place = int(np.searchsorted(outputs, row))
        if place == len(outputs) or outputs[place] != row:
            place = int(np.argmax(cosines(self._space, np.array([row]), outputs)))
        members: Index = self._places[number][self._labels[number][place]]
        return members

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


def _by_label(labels: Labels) -> tuple[Index, ...]:
    """The places of each label, ascending."""
    order = np.argsort(labels, kind="stable")
    return tuple(np.split(order, np.flatnonzero(np.diff(labels[order])) + 1))
