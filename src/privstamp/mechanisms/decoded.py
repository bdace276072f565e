"""What polar and Laplace share: the checks, and the loop that adds noise and decodes by blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.budget import METRICS
from privstamp.errors import BudgetError, Incompatible, suggest
from privstamp.mechanisms.stated import Stated
from privstamp.noise import Float64, Noise, Vectors
from privstamp.protocols import Decoder, Space
from privstamp.types import Epsilons, Ids

BLOCK = 512
"""Units in memory at a time as vectors."""
_CHECKED = 8192
_TOLERANCE = 1e-3
"""How far a row's length may be from one; rows are normalised again in float64 when used."""


class Decoded(Stated, ABC):
    """Noise on a unit's vector, then the output row of its class that is nearest in direction.

    Decoding is post-processing: the guarantee is that of the noisy vector.
    """

    name: str
    stretch: float = 1.0  # epsilon of its metric for noise as large as one of the chordal metric
    guarantee: str
    proof: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]]
    decodes: ClassVar[bool] = True

    def __init__(self, space: Space, metric: str, decoder: Decoder) -> None:
        require_metric(self.name, metric, self.metrics)
        require_unit_rows(space)  # C1
        require_outputs(space)  # C2
        self.metric = metric
        self.diameter = METRICS[metric].diameter
        self._space = space
        self._decoder = decoder

    def privatize(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Ids:
        """A random output row for each unit, inside the unit's class."""
        refuse_units(self._space, ids, epsilon, noise)  # C3
        classes = self._space.class_of[ids]
        out = np.empty(len(ids), dtype=np.int32)
        # Classes together, so that a block meets few of them; noise is addressed, so order is free.
        order = np.argsort(classes, kind="stable")
        for start in range(0, len(ids), BLOCK):
            block = order[start : start + BLOCK]
            address = noise.take(block)
            noisy = self._perturb(ids[block], epsilon[block], address)
            out[block] = self._decode(noisy, classes[block], epsilon[block], address)
        return out

    def noisy(self, row: int, epsilon: float, noise: Noise) -> Float64:
        """The noisy vector of one unit. Not for publication: its low bits are not protected."""
        ids, one = np.array([row], dtype=np.int32), np.array([epsilon])
        refuse_units(self._space, ids, one, noise)  # C3
        vector: Float64 = self._perturb(ids, one, noise)[0].astype(np.float64)
        return vector

    @abstractmethod
    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Vectors:
        """Noisy vectors, of which only the direction is read unless `_decode` says otherwise.

        They may lie in memory that the next call of this thread overwrites.
        """

    def _decode(
        self,
        noisy: Vectors,
        classes: npt.NDArray[np.uint8],
        epsilon: Epsilons,  # noqa: ARG002
        noise: Noise,  # noqa: ARG002
    ) -> Ids:
        """Output rows of noisy vectors. It is not given the units, so it cannot cost privacy."""
        return self._decoder.decode(noisy, classes)


def refuse_units(space: Space, ids: Ids, epsilon: Epsilons, noise: Noise | None = None) -> None:
    """Refuse units without a row, budgets that are not positive and finite, unequal lengths."""
    if len(ids) != len(epsilon) or (noise is not None and len(ids) != len(noise)):
        raise ValueError("one epsilon and one address per unit")
    if not np.all((epsilon > 0) & np.isfinite(epsilon)):
        raise ValueError("a mechanism takes 0 < epsilon < inf; the pipeline handles 0 and inf")
    if np.any((ids < 0) | (ids >= len(space.unit))):
        raise ValueError("a unit without a row has no vector; it is replaced at epsilon 0")


def blocks(space: Space) -> Iterator[slice]:
    """The table in pieces, so that a mapped file is never in memory as a whole."""
    for start in range(0, len(space.unit), _CHECKED):
        yield slice(start, min(start + _CHECKED, len(space.unit)))


def require_metric(name: str, metric: str, metrics: tuple[str, ...]) -> None:
    """Refuse a metric in which there is no proof."""
    if metric not in metrics:
        raise BudgetError(
            f'{name} makes no promise in the metric "{metric}".{suggest(metric, metrics)}'
        )


def require_unit_rows(space: Space) -> None:
    """Refuse a table with fewer than two dimensions or with rows that are not of length one."""
    if space.unit.ndim != 2 or space.unit.shape[1] < 2 or len(space.unit) != len(space.class_of):
        raise Incompatible(f"{space.name}: needs one vector of two or more dimensions per row")
    for block in blocks(space):
        rows = space.unit[block].astype(np.float64)
        if not np.all(np.abs(np.sqrt((rows * rows).sum(-1)) - 1.0) < _TOLERANCE):
            raise Incompatible(f"{space.name}: every row of the unit table must have length one")


def require_outputs(space: Space) -> None:
    """Refuse a class that no row may leave from, or that would let out a row of another."""
    if len(space.outputs) != len(space.classes):
        raise Incompatible(f"{space.name}: every class needs its list of output rows")
    if len(space.class_of) and space.class_of.max() >= len(space.classes):
        raise Incompatible(f"{space.name}: a row belongs to a class that does not exist")
    for number, (name, rows) in enumerate(zip(space.classes, space.outputs, strict=True)):
        if not len(rows):
            raise Incompatible(f'{space.name}: class "{name}" has no row that may be an output')
        if rows.min() < 0 or rows.max() >= len(space.class_of):
            raise Incompatible(f'{space.name}: class "{name}" has an output outside the table')
        if np.any(space.class_of[rows] != number) or np.any(np.diff(rows) <= 0):
            raise Incompatible(f'{space.name}: outputs of "{name}" must be its own rows, ascending')
