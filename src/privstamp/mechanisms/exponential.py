"""An output drawn by its closeness to the unit: the exponential mechanism. Proofs: exponential.md,
custext.md.

P(v | w) is proportional to exp(s * score(w, v)), where the score of any v moves by no more than
d(w, w') when w becomes w'. s is epsilon / 2, or more where the table allows it (`constant`). No
noise in d dimensions is added, so none has to be paid for.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError, suggest
from privstamp.mechanisms._discrete import (
    Blocks,
    DiscreteMechanism,
    Index,
    Key,
    Law,
    Listed,
    Partitioned,
    Shared,
    Weighted,
    alike,
    block_of,
    pick_each,
    scaled_block_sums,
    weights,
    wholes,
)
from privstamp.mechanisms._geometry import (
    CONSTANTS,
    Constants,
    angles,
    chords,
    constants,
    cosines,
    nearest,
    within,
)
from privstamp.mechanisms.decoded import diameter_bound
from privstamp.mechanisms.laplace import require_radius
from privstamp.mechanisms.stated import ANGLE, CHORD, Scored, Sets, promise, unit_rows
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Space
from privstamp.spaces.hops import Nodes, Representatives
from privstamp.types import Epsilons, Ids, Places, Table

_LEAST = -np.finfo(np.float64).max
_STRAIGHT = "the straight-line distance between their vectors, before these were made length one,"


class _Scored(DiscreteMechanism):
    """The exponential mechanism on a score."""

    proof: ClassVar[str] = "exponential.md"
    together: ClassVar[int] = 64
    gamma = 2.0  # a chord beyond this counts as this much: 2 is none

    def __init__(self, space: Space, metric: str, distance: str, constant: str) -> None:
        if constant not in CONSTANTS:
            raise BudgetError(f'no constant "{constant}".{suggest(constant, CONSTANTS)}')
        super().__init__(space, metric)
        self.constant = constant
        if constant == "tight":
            self._constants  # noqa: B018  made or refused here, never while text is inside
        self.guarantee = promise(space, distance)

    @abstractmethod
    def _scores(self, rows: Ids, outputs: Ids) -> Float64:
        """A line per row, a column per output: 1-Lipschitz in the row under the metric."""

    def _score(self, row: int) -> Float64:
        """Of one row, for the outputs of its class."""
        scores: Float64 = self._scores(np.array([row], dtype=np.int32), self._outputs(row))[0]
        return scores

    def _score_of(self, cosine: Float64) -> Float64:
        """The same from cosines, many rows at a time."""
        return -self._distance_of(cosine)

    def _distance_of(self, cosine: Float64) -> Float64:
        """The metric from cosines."""
        if self.metric == "angular":
            angle: Float64 = np.arccos(cosine) / math.pi
            return angle
        chord: Float64 = np.sqrt(2.0 - 2.0 * cosine)
        return chord

    @cached_property
    def _constants(self) -> tuple[Constants, ...]:
        law = f"{self.name} {self.metric} {self.gamma:.17g}"
        return constants(self._space, law, self._score_of, self._distance_of)

    def law(self, number: int) -> ExactLaw | None:
        return Scored(
            self._space,
            number,
            lambda cosine, places: self._narrow(cosine, number, places),
            lambda epsilon: self.scale(number, epsilon),
        )

    @abstractmethod
    def _narrow(self, cosine: Table, number: int, places: Places) -> Table:
        """Scores of some outputs of a class against all of them, in float32: for whole tables."""

    def scale(self, number: int, epsilon: float) -> float:
        """The multiplier s of the score that epsilon buys in a class: a public number."""
        if self.constant == "nominal":
            return epsilon / 2.0
        return self._constants[number].scale(epsilon)

    def proved(self, number: int, epsilon: float) -> float:
        """The loss per unit of distance that is proved for a class: epsilon or a bit less."""
        if self.constant == "nominal":
            return epsilon
        return self._constants[number].proved(epsilon)

    def nominal(self, number: int, epsilon: float) -> float:
        """The loss that the general argument alone would state for the same law."""
        return 2.0 * self.scale(number, epsilon)

    def _log_weights(self, row: int, epsilon: float) -> Float64:
        return self.scale(int(self._space.class_of[row]), epsilon) * self._score(row)

    def _made(self, keys: Sequence[Key]) -> list[Law]:
        """Laws of one class are made together: rows of the table are read once for all."""
        rows, epsilons = np.array([row for row, _ in keys]), [epsilon for _, epsilon in keys]
        numbers = self._space.class_of[rows]
        laws: dict[int, Law] = {}
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number).tolist()
            scale = np.array([self.scale(number, epsilons[place]) for place in here])
            distinct, which = np.unique(rows[here], return_inverse=True)
            made = self._laws_of(distinct, which, scale, self._space.outputs[number])
            laws |= zip(here, made, strict=True)
        return [laws[place] for place in range(len(keys))]

    @abstractmethod
    def _laws_of(self, rows: Ids, which: Index, scale: Float64, outputs: Ids) -> Iterable[Law]:
        """The law of every scale, with the row of each: all of one class."""

    def half_scores(self, row: int, epsilon: float) -> Float64:
        """epsilon / 2 * score: holds under any base measure (fluency.md)."""
        return 0.5 * epsilon * self._score(row)


class _Blockwise(_Scored):
    """Of a law the sums of its blocks are kept. Weights are worked out where a block is drawn."""

    def _scaled(self, scale: Float64, scores: Float64) -> Float64:
        """Logarithms of weights, a line per law; never infinite, whatever epsilon."""
        with np.errstate(over="ignore"):
            return np.maximum(scale[:, None] * scores, _LEAST)

    def _laws_of(self, rows: Ids, which: Index, scale: Float64, outputs: Ids) -> Iterable[Law]:
        laws = [
            scaled_block_sums(self._scaled(scale, self._scores(rows, outputs[some])[which]))
            for some in wholes(len(outputs))
        ]
        sums, top = (np.concatenate(parts, axis=1) for parts in zip(*laws, strict=True))
        return map(Blocks, sums * weights(top))

    def _draw(self, ids: Ids, epsilon: Epsilons, first: Float64, second: Float64) -> Ids:
        number = self._space.class_of[ids]
        scale, block = np.empty(len(ids)), np.empty(len(ids), dtype=np.int64)
        for here, law in self._by_law(ids, epsilon):
            scale[here] = self.scale(int(number[here[0]]), float(epsilon[here[0]]))
            block[here] = law.draw(first[here], second[here])
        out = np.empty(len(ids), dtype=np.int32)
        for here in alike(number, block):
            outputs = self._space.outputs[number[here[0]]][block_of(int(block[here[0]]))]
            for part in np.split(here, range(self.together, len(here), self.together)):
                scaled = self._scaled(scale[part], self._scores(ids[part], outputs))
                out[part] = outputs[pick_each(weights(scaled), second[part])]
        return out


class PolarVocabulary(_Blockwise):
    """The von Mises-Fisher law restricted to the outputs: P(v | w) ~ exp(s * u.v)."""

    name = "polar-vocabulary"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular")

    def __init__(self, space: Space, *, metric: str = "chordal", constant: str = "nominal") -> None:
        self._part = 1.0 / math.pi if metric == "angular" else 1.0
        super().__init__(space, metric, ANGLE if metric == "angular" else CHORD, constant)

    def _scores(self, rows: Ids, outputs: Ids) -> Float64:
        return self._part * cosines(self._space, rows, outputs)

    def _score_of(self, cosine: Float64) -> Float64:
        return self._part * cosine

    def _narrow(self, cosine: Table, number: int, places: Places) -> Table:  # noqa: ARG002
        return cosine / np.float32(np.pi) if self.metric == "angular" else cosine


class Exponential(_Blockwise):
    """P(v | w) ~ exp(-s * d(w, v)). With the Euclidean metric this is SanText."""

    name = "exponential"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular", "euclidean")

    def __init__(self, space: Space, *, metric: str = "chordal", constant: str = "nominal") -> None:
        distance = {"angular": ANGLE, "euclidean": _STRAIGHT}.get(metric, CHORD)
        if metric == "euclidean" and constant == "tight":
            raise BudgetError('the metric "euclidean" has the constant "nominal" only')
        super().__init__(space, metric, distance, constant)
        if metric == "euclidean":
            require_radius(space)  # C4
            self._radius = space.radius.astype(np.float64)
            self.diameter = diameter_bound(space, self._raw)

    def _raw(self, rows: slice) -> Float64:
        return unit_rows(self._space, rows) * self._radius[rows, None]

    def _scores(self, rows: Ids, outputs: Ids) -> Float64:
        if self.metric == "angular":
            return angles(self._space, rows, outputs) / -math.pi
        chord = chords(self._space, rows, outputs)
        if self.metric == "chordal":
            return -chord
        radii, theirs = self._radius[rows, None], self._radius[outputs]
        # |r u - s v|^2 = (r - s)^2 + r s |u - v|^2, without cancellation.
        distance: Float64 = np.hypot(radii - theirs, np.sqrt(radii * theirs) * chord)
        return -distance

    def _narrow(self, cosine: Table, number: int, places: Places) -> Table:
        if self.metric == "angular":
            angle = np.arccos(np.clip(cosine, -1.0, 1.0)) / -np.pi
            return angle.astype(np.float32)
        if self.metric == "chordal":
            return -_chord(cosine)
        radius = self._space.radius[self._space.outputs[number]].astype(np.float32)
        radii = radius[places, None]
        squared = np.square(radii - radius) + radii * radius * (2.0 - 2.0 * cosine)
        distance: Table = -np.sqrt(np.maximum(squared, 0.0))
        return distance


class Tem(_Scored):
    """Truncated exponential mechanism: P(v | w) ~ exp(-s * min(d(w, v), gamma)).

    Outputs further than gamma share one weight, so a law holds the near ones and a count.
    """

    name = "tem"
    metrics: ClassVar[tuple[str, ...]] = ("truncated",)

    def __init__(
        self,
        space: Space,
        *,
        metric: str = "truncated",
        gamma: float = 1.0,
        constant: str = "nominal",
    ) -> None:
        number = isinstance(gamma, int | float) and not isinstance(gamma, bool)
        if not (number and 0.0 < gamma <= 2.0):  # C5
            raise BudgetError("gamma is a straight-line distance of unit vectors: 0 < gamma <= 2")
        self.gamma = float(gamma)
        distance = f"{CHORD}, or {gamma:g} where that is smaller,"
        super().__init__(space, metric, distance, constant)
        self.diameter = self.gamma

    def _scores(self, rows: Ids, outputs: Ids) -> Float64:
        return -np.minimum(chords(self._space, rows, outputs), self.gamma)

    def _distance_of(self, cosine: Float64) -> Float64:
        return np.minimum(super()._distance_of(cosine), self.gamma)

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair."""
        return np.minimum(super().distance(ids, others), self.gamma)

    def _narrow(self, cosine: Table, number: int, places: Places) -> Table:  # noqa: ARG002
        return -np.minimum(_chord(cosine), np.float32(self.gamma))

    def _laws_of(self, rows: Ids, which: Index, scale: Float64, outputs: Ids) -> Iterable[Law]:
        near = within(self._space, rows, outputs, self.gamma)
        for strength, row in zip(scale.tolist(), which.tolist(), strict=True):
            places, chord = near[row]
            law = weights(-strength * np.append(chord, self.gamma))
            yield Shared(places, law[:-1], float(law[-1]), len(outputs))


def _chord(cosine: Table) -> Table:
    out: Table = np.sqrt(np.maximum(2.0 - 2.0 * cosine, 0.0, dtype=np.float32))
    return out


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
        self.shows = (
            f"of every word that custext moved, in which of {self.sets} public sets of about "
            f"{size} words it is",
        )
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
