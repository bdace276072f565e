"""Mechanisms as somebody else would write them: nothing of ours but protocols and the registry."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from privstamp.budget import Metric, register
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.stated import Swept
from privstamp.noise import Lane

RUNGS = register(Metric("rungs", "places between two words in the list, over its length", 1.0))


class Rungs:
    """P(v | w) ~ exp(-epsilon / 2 * d), d in a metric of its own: steps along the list."""

    name = "rungs"
    metrics: ClassVar[tuple[str, ...]] = ("rungs",)
    decodes: ClassVar[bool] = False
    proof: ClassVar[str] = "rungs.md"
    half = 0.5

    def __init__(self, space: Any, *, metric: str = "rungs") -> None:
        self.metric, self.diameter = metric, 1.0
        self._space = space
        self.guarantee = f"exp(epsilon * d), d the steps along the list of {space.name}"

    def _place(self, ids):
        numbers = self._space.class_of[ids]
        outputs = [self._space.outputs[number] for number in numbers]
        places = [np.searchsorted(rows[:-1], row) for rows, row in zip(outputs, ids, strict=True)]
        return np.array(places, dtype=np.int64), np.array([len(rows) for rows in outputs])

    def distance(self, ids, others):
        (first, count), (second, _) = self._place(ids), self._place(others)
        return np.abs(first - second) / count

    def loss(self, number, epsilon, distance=None):
        del number
        return epsilon * (np.array(1.0) if distance is None else distance)

    def rows(self, number, places, epsilon):
        count = len(self._space.outputs[number])
        steps = np.abs(np.asarray(places)[:, None] - np.arange(count)) / count
        law = np.exp(-self.half * epsilon * steps)
        return law / law.sum(axis=1, keepdims=True)

    def law(self, number):
        return Rows(self, number, len(self._space.outputs[number]))

    def privatize(self, ids, epsilon, noise):
        if not np.all((epsilon > 0) & np.isfinite(epsilon)):
            raise ValueError("0 < epsilon < inf")
        out, uniform = np.empty(len(ids), np.int32), noise.uniform(1, Lane.CHOICE)[:, 0]
        places, _ = self._place(ids)
        for unit, (number, place) in enumerate(zip(self._space.class_of[ids], places, strict=True)):
            law = self.rows(number, [place], epsilon[unit])[0].cumsum()
            drawn = np.searchsorted(law, uniform[unit] * law[-1], side="right")
            out[unit] = self._space.outputs[number][min(drawn, len(law) - 1)]
        return out


class Rows(Swept):
    """The law of `Rungs` over one class, by its rows alone."""

    def __init__(self, mechanism, number, count):
        super().__init__(count)
        self._mechanism, self._number = mechanism, number

    def rows(self, places, epsilon):
        return self._mechanism.rows(self._number, places, epsilon).astype(np.float32)


class Greedy(Rungs):
    """Claims epsilon and spends four times as much."""

    name = "greedy"
    half = 2.0


class Mute:
    """Says how it draws, and nothing else: no distance, no loss, no law."""

    metric, metrics, decodes, diameter = "ldp", ("ldp",), False, 1.0
    name = guarantee = proof = "mute"

    def __init__(self, space: Any, *, metric: str = "ldp") -> None:
        self.metric = metric
        self._space = space

    def privatize(self, ids, epsilon, noise):
        if not np.all((epsilon > 0) & np.isfinite(epsilon)):
            raise ValueError("0 < epsilon < inf")
        uniform = noise.uniform(2, Lane.CHOICE)
        out = np.array(ids, dtype=np.int32)
        for unit, number in enumerate(self._space.class_of[ids].tolist()):
            outputs = self._space.outputs[number]
            may_stay = ids[unit] in outputs and uniform[unit, 0] < 1.0 - np.exp(-epsilon[unit] / 9)
            if not may_stay:
                out[unit] = outputs[int(uniform[unit, 1] * len(outputs))]
        return out


class Wrapped:
    """Wraps a mechanism of ours, and hands on its exact channel alone."""

    metrics: ClassVar[tuple[str, ...]] = Exponential.metrics
    decodes: ClassVar[bool] = False
    proof: ClassVar[str] = "wrapped.md"
    name = "wrapped"
    budgets = (4.0, 8.0, 12.0)

    def __init__(self, space: Any, *, metric: str = "chordal") -> None:
        self.inner = Exponential(space, metric=metric)
        self.metric, self.diameter = metric, self.inner.diameter
        self.guarantee = self.inner.guarantee
        self.distance, self.loss = self.inner.distance, self.inner.loss
        self.channel, self.privatize = self.inner.channel, self.inner.privatize


class WrappedWhole(Wrapped):
    """Hands on the law as well: as quick as what it wraps."""

    name = "wrapped-whole"

    def law(self, number):
        return self.inner.law(number)
