"""Exact laws of mechanisms on a graph: recovery spreads along links, no pair is looked at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privstamp.lab.frontier.laws import Laws, Survey
from privstamp.lab.words import Places
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.noise import Float64
from privstamp.spaces.hops import Steps as Hops
from privstamp.types import Table


class Steps(Laws):
    """P(v | w) ~ exp(-s * paid(steps)), where what is paid never falls with the steps."""

    def __init__(self, mechanism: Neighbourhood, number: int) -> None:
        self._mechanism = mechanism
        self._number = number
        self._graph = mechanism.graph.classes[number]
        self._held: dict[bytes, Hops] = {}

    def _law(self, epsilon: float) -> tuple[Float64, Float64]:
        """Weight at each number of steps, and the normaliser of each word."""
        scale = self._mechanism.scale(self._number, epsilon)
        weights: Float64 = np.exp(-scale * self._mechanism.scores(self._number))
        return weights, self._graph.shells @ weights

    def rows(self, places: Places, epsilon: float) -> Table:
        weights, total = self._law(epsilon)
        key = places.tobytes()  # the same words are asked for at every epsilon
        if key not in self._held:
            self._held[key] = self._graph.sweeps.hops(places)
        law: Table = weights.astype(np.float32)[self._held[key]]
        law /= total[places, None].astype(np.float32)
        return law

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        found = []
        for epsilon in epsilons:
            weights, total = self._law(epsilon)
            success = tuple(self._success(prior / total, weights) for prior in priors)
            found.append(Survey(weights[0] / total, success))
        return found

    def _success(self, value: Float64, weights: Float64) -> float:
        """Sum over v of the largest weight(steps) * value(w): the largest value within 0, 1, ...
        steps of v, found by handing it on from neighbour to neighbour."""
        reach, best = value.copy(), value * weights[0]
        for weight in weights[1:].tolist():
            handed = np.maximum.reduceat(reach[self._graph.ends], self._graph.start[:-1])
            np.maximum(reach, handed, out=reach)
            np.maximum(best, reach * weight, out=best)
        return float(best.sum())
