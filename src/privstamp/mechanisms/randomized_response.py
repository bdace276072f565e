"""Randomised response over the outputs of a class, or over balanced public clusters of them.

Proofs: randomized_response.md, clusters.md.
"""

from __future__ import annotations

import math
from functools import lru_cache
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from privstamp.mechanisms._discrete import DiscreteMechanism, Index, Law, Partitioned, Shared
from privstamp.mechanisms.stated import Blocks
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Space
from privstamp.spaces.graph import Labels
from privstamp.spaces.hops import Representatives
from privstamp.types import Ids


class RandomizedResponse(DiscreteMechanism):
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
        members = self._own(row)
        outside = float(np.exp(-epsilon)) if len(members) else 1.0
        return Shared(members, np.ones(len(members)), outside, len(self._outputs(row)))

    def _own(self, row: int) -> Index:
        """Where the row is among the outputs of its class: one place, or none."""
        outputs = self._outputs(row)
        place = np.searchsorted(outputs, [row, row + 1])
        return np.arange(place[0], place[1])


class Clusters(Partitioned):
    """Rows of a cluster cannot be told apart; rows of two clusters by at most epsilon nats."""

    name = "clusters"
    metrics: ClassVar[tuple[str, ...]] = ("tree",)
    proof: ClassVar[str] = "clusters.md"

    def __init__(self, space: Space, *, metric: str = "tree", size: int = 16) -> None:
        super().__init__(space, metric, size, Representatives(space))  # C4: none of one row
        self.diameter = 1.0
        self._smallest = tuple(min(map(len, members)) for members in self._members)
        self.fingerprint = _fingerprint(self._labels)
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon) times as likely for one as for the other, and exactly as likely if both "
            f"are in the same one of {sum(map(len, self._members))} public clusters of about "
            f"{size} ({self.fingerprint[:12]}). A unit that is no output is in the cluster of the "
            f"output nearest to it in the table of {space.name} ({space.fingerprint[:12]})."
        )

    def stay(self, row: int, epsilon: float) -> float:
        """Chance of leaving as a row of the own cluster."""
        size, count = len(self.members(row)), len(self._outputs(row))
        outside = (count - size) * math.exp(-self._lead(row, size, epsilon))
        return size / (size + outside)

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair: 0 inside a cluster."""
        apart: Float64 = (~self._together(ids, others)).astype(np.float64)
        return apart

    def law(self, number: int) -> ExactLaw | None:
        sets = self._sets(number)
        labels = np.empty(len(self._space.outputs[number]), dtype=np.int64)
        for label, members in enumerate(sets):
            labels[members] = label
        first = [int(self._space.outputs[number][members[0]]) for members in sets]

        @lru_cache(maxsize=8)  # asked again for every guess
        def stay(epsilon: float) -> Float64:
            return np.array([self.stay(row, epsilon) for row in first])

        return Blocks(labels, stay)

    def _lead(self, row: int, size: int, epsilon: float) -> float:
        """Log-weight of a row inside the cluster over one outside; epsilon in the smallest.

        Slightly less in a larger one, so that rows outside are equally likely for every unit.
        """
        smallest = self._smallest[int(self._space.class_of[row])]
        part = smallest / size
        return epsilon + math.log(part + (1.0 - part) * math.exp(-epsilon))

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        members, weights = self.members(row), np.zeros(len(self._outputs(row)))
        weights[members] = self._lead(row, len(members), epsilon)
        return weights

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """For a base measure, under which the normaliser is no longer the same for all units."""
        weights = np.zeros(len(self._outputs(row)))
        weights[self.members(row)] = 0.5 * epsilon
        return weights

    def _law(self, row: int, epsilon: float) -> Law:
        members = self.members(row)
        outside = math.exp(-self._lead(row, len(members), epsilon))
        return Shared(members, np.ones(len(members)), outside, len(self._outputs(row)))


def _fingerprint(labels: tuple[Labels, ...]) -> str:
    digest = blake2b(digest_size=16)
    for label in labels:
        digest.update(len(label).to_bytes(8, "little") + label.astype("<i4").tobytes())
    return digest.hexdigest()
