"""What mechanisms with an exactly known output law share: the checks, the channel, the draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from privstamp.budget import METRICS
from privstamp.mechanisms._decoded import (
    refuse_units,
    require_metric,
    require_outputs,
    require_unit_rows,
)
from privstamp.mechanisms._laws import Law, LawCache, Weighted, fine_uniforms, weights
from privstamp.noise import Float64, Noise
from privstamp.protocols import Space
from privstamp.types import Epsilons, Ids, Rows


class Discrete(ABC):
    """P(output | unit) is known exactly; a release is one draw from it, without any vector noise.

    A law depends on the unit's row and epsilon alone. It is made once per distinct pair and kept
    while there is room, so that a corpus costs a look-up per unit.
    """

    name: str
    metric: str
    diameter: float
    guarantee: str
    proof: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]]
    decodes: ClassVar[bool] = False

    def __init__(self, space: Space, metric: str) -> None:
        require_metric(self.name, metric, self.metrics)
        require_unit_rows(space)  # C1
        require_outputs(space)  # C2
        self.metric = metric
        self.diameter = METRICS[metric].diameter
        self._space = space
        self._laws = LawCache()

    @abstractmethod
    def _log_weights(self, row: int, epsilon: float) -> Float64:
        """Logarithms of P(v | row) for v in the outputs of the row's class, up to a constant."""

    def _law(self, row: int, epsilon: float) -> Law:
        """What is drawn from: the law of `_log_weights`, in a shorter form where there is one."""
        return Weighted.of(weights(self._log_weights(row, epsilon)))

    def channel(self, ids: Ids, epsilon: Epsilons) -> Rows:
        """Exact P(v | id), one row per unit, one column per row of the table."""
        refuse_units(self._space, ids, epsilon)  # C3
        rows = np.zeros((len(ids), len(self._space.unit)))
        for out, row, one in zip(rows, ids.tolist(), epsilon.tolist(), strict=True):
            law = weights(self._log_weights(row, one))
            out[self._outputs(row)] = law / law.sum()
        return rows

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        """A random output row for each unit, inside the unit's class."""
        refuse_units(self._space, ids, epsilon, noise)  # C3
        out = np.empty(len(ids), dtype=np.int32)
        if not len(ids):
            return out
        first, second = fine_uniforms(noise)
        order = np.lexsort((epsilon, ids))
        changes = (np.diff(ids[order]) != 0) | (np.diff(epsilon[order]) != 0)
        for mine in np.split(order, np.flatnonzero(changes) + 1):
            row, one = int(ids[mine[0]]), float(epsilon[mine[0]])
            law = self._laws.get((row, one), self._law)
            out[mine] = self._outputs(row)[law.draw(first[mine], second[mine])]
        return out

    def noisy(self, row: int, epsilon: float, noise: Noise) -> Float64:
        """The row drawn for one unit, as a vector of one number: what may be decoded further."""
        ids = np.array([row], dtype=np.int32)
        drawn: Float64 = self.privatize(ids, np.array([epsilon]), noise).astype(np.float64)
        return drawn

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:  # noqa: ARG002
        """How well each output of the class explains the drawn row: scores are symmetric."""
        return self._log_weights(int(noisy[0]), epsilon)

    def _outputs(self, row: int) -> Ids:
        outputs: Ids = self._space.outputs[self._space.class_of[row]]
        return outputs
