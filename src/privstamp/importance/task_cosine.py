"""Importance as the published experiments ran it: cosine to the mean of the task's units."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import held
from privstamp.errors import PolicyError
from privstamp.protocols import Space
from privstamp.types import UNKNOWN, Ids, Scope, Scores, Table, Units

NO_TASK = "no task was given: nothing counts as important"
UNKNOWN_TASK = "the task has no known word: nothing counts as important"
_FEW = 1 << 23  # numbers: 32 MB
_BINS = 4096


class TaskCosine:
    """A unit is important if its direction is close to the task's.

    `tau` is a number, or "auto": the `quantile` of the vocabulary's similarities to the task,
    weighted by public word frequency or uniformly. Either way the label is a function of the
    unit's type and the task alone.
    """

    name = "task-cosine"
    scope = Scope.unit_type("cosine of the unit's type to the task")

    def __init__(
        self,
        space: Space,
        *,
        tau: float | Literal["auto"] = "auto",
        quantile: float = 0.8,
        weights: Literal["unigram", "uniform"] = "unigram",
    ) -> None:
        number = isinstance(tau, int | float) and not isinstance(tau, bool)
        if not (tau == "auto" or (number and -1 <= float(tau) <= 1)):
            raise PolicyError('importance: tau is "auto" or a number from -1 to 1')
        if isinstance(quantile, bool) or not isinstance(quantile, int | float):
            raise PolicyError("importance: quantile is a number between 0 and 1")
        if not 0 < quantile < 1:
            raise PolicyError("importance: quantile lies strictly between 0 and 1")
        if weights not in ("unigram", "uniform"):
            raise PolicyError('importance: weights is "unigram" or "uniform"')
        self._space = space
        self._tau = tau
        self._quantile = float(quantile)
        self._weights = weights
        settings = f"{self.name} 1 tau={tau} quantile={quantile} weights={weights}"
        self.fingerprint = hashlib.sha256(settings.encode()).hexdigest()

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        done: dict[str, tuple[npt.NDArray[np.float32] | None, float, str | None]] = {}
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            key = task or ""
            if key not in done:
                done[key] = self._direction(key)
            scores.append(self._one(units, *done[key]))
        return scores

    def _direction(self, task: str) -> tuple[npt.NDArray[np.float32] | None, float, str | None]:
        """The task's direction, the threshold, and what there is to say about it."""
        if not task.strip():
            return None, np.inf, NO_TASK
        rows = self._space.split(task).rows
        rows = rows[rows != UNKNOWN]
        if not len(rows):
            return None, np.inf, UNKNOWN_TASK
        vectors = self._space.unit[rows] * self._space.radius[rows, None]
        mean = vectors.mean(axis=0, dtype=np.float64)
        length = float(np.sqrt((mean * mean).sum()))
        if length == 0.0:
            return None, np.inf, UNKNOWN_TASK
        direction = (mean / length).astype(np.float32)
        if self._tau != "auto":
            return direction, float(self._tau), None
        return direction, self._threshold(direction), None

    @cached_property
    def _vocabulary(self) -> Ids:
        return np.concatenate(self._space.outputs)

    @cached_property
    def _turned(self) -> Table | None:
        """The output rows as columns, if they are few: gathering them takes longer than using."""
        few = len(self._vocabulary) * self._space.unit.shape[1] <= _FEW
        return np.ascontiguousarray(self._space.unit[self._vocabulary].T) if few else None

    @cached_property
    def _weight(self) -> npt.NDArray[np.float64] | None:
        return self._space.prior[self._vocabulary] if self._weights == "unigram" else None

    def _threshold(self, direction: npt.NDArray[np.float32]) -> float:
        turned = self._turned
        columns = self._space.unit[self._vocabulary].T if turned is None else turned
        with held():  # other threads would be of no use before the next product
            cosines = direction @ columns
        return weighted_quantile(cosines, self._weight, self._quantile)

    def _one(
        self,
        units: Units,
        direction: npt.NDArray[np.float32] | None,
        threshold: float,
        note: str | None,
    ) -> Scores:
        values = np.full(len(units), np.nan, dtype=np.float32)
        known = units.rows != UNKNOWN
        if direction is not None and known.any():
            types, inverse = np.unique(units.rows[known], return_inverse=True)
            values[known] = (self._space.unit[types] * direction).sum(axis=1)[inverse]
        return Scores(values, threshold, note)


def weighted_quantile(
    cosines: npt.NDArray[np.float32], weights: npt.NDArray[np.float64] | None, part: float
) -> float:
    """The least of some cosines that has at least this part of the weight at or below it.

    They are counted into bins, and only the bin that decides is sorted.
    """
    bins = ((cosines + 1.0) * (_BINS / 2)).astype(np.intp)
    upto = np.cumsum(np.bincount(bins, weights))
    goal = part * upto[-1]
    number = int(np.searchsorted(upto, goal))
    inside = np.flatnonzero(bins == number)
    inside = inside[np.argsort(cosines[inside])]
    weight = np.ones(len(inside)) if weights is None else weights[inside]
    reached = (upto[number - 1] if number else 0.0) + np.cumsum(weight)
    place = min(int(np.searchsorted(reached, goal)), len(inside) - 1)
    return float(cosines[inside[place]])
