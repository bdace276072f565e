"""What mechanisms with an exactly known output law share: the checks, the channel, the draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.budget import METRICS
from privstamp.mechanisms._laws import Key, Law, LawCache, Weighted, fine_uniforms, weights
from privstamp.mechanisms.decoded import (
    refuse_units,
    require_metric,
    require_outputs,
    require_unit_rows,
)
from privstamp.mechanisms.stated import Stated
from privstamp.noise import Float64, Noise
from privstamp.protocols import Space
from privstamp.types import Epsilons, Ids, Rows

Places: TypeAlias = npt.NDArray[np.intp]


class Discrete(Stated, ABC):
    """P(output | unit) is known exactly; a release is one draw from it, without any vector noise.

    A law depends on the unit's row and epsilon alone. It is made once per distinct pair and kept
    while there is room, so that a corpus costs a look-up per unit.
    """

    name: str
    guarantee: str
    proof: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]]
    decodes: ClassVar[bool] = False
    together: ClassVar[int] = 1  # laws that are in memory at a time beside those kept

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
        return Weighted(weights(self._log_weights(row, epsilon)))

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
        first, second = fine_uniforms(noise)
        return self._draw(ids, epsilon, first, second)

    def _draw(self, ids: Ids, epsilon: Epsilons, first: Float64, second: Float64) -> Ids:
        """One output per unit from two uniforms; units of one law are drawn together."""
        out = np.empty(len(ids), dtype=np.int32)
        for mine, law in self._by_law(ids, epsilon):
            outputs = self._outputs(int(ids[mine[0]]))
            out[mine] = outputs[law.draw(first[mine], second[mine])]
        return out

    def _by_law(self, ids: Ids, epsilon: Epsilons) -> Iterator[tuple[Places, Law]]:
        """Units with the law that they share, some laws made at a time."""
        groups = list(alike(ids, epsilon))
        for start in range(0, len(groups), self.together):
            part = groups[start : start + self.together]
            keys = [(int(ids[mine[0]]), float(epsilon[mine[0]])) for mine in part]
            yield from zip(part, self._laws.get(keys, self._made), strict=True)

    def _made(self, keys: Sequence[Key]) -> list[Law]:
        """The laws of these rows and epsilons."""
        return [self._law(*key) for key in keys]

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


def alike(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> Iterator[Places]:
    """The places that agree in both, group by group."""
    order = np.lexsort((other, one))
    changes = (np.diff(one[order]) != 0) | (np.diff(other[order]) != 0)
    edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(order)]
    return (order[start:end] for start, end in pairwise(edges) if start < end)
