"""Noise on a unit's vector, then the nearest output: what polar and Laplace share, the checks and
the loop that adds noise and decodes by blocks; and draws from the von Mises-Fisher law.

That law is on the sphere, one centre and concentration per row: Wood's rejection scheme for the
cosine, with Ulrich's symmetric beta proposal, rewritten so that no step cancels; polar.md derives
every line. The tangent is a normal vector projected off the centre, so there is no rotation matrix
and no direction in which the formula breaks down.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import count
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.budget import METRICS
from privstamp.errors import BudgetError, Incompatible, suggest
from privstamp.mechanisms.stated import Stated
from privstamp.noise import Float32, Float64, Lane, Noise, Vectors, room
from privstamp.protocols import Decoder, Space
from privstamp.types import Epsilons, Ids, Table

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
        ids, strength = np.array([row], dtype=np.int32), np.array([epsilon])
        refuse_units(self._space, ids, strength, noise)  # C3
        vector: Float64 = self._perturb(ids, strength, noise)[0].astype(np.float64)
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


# How far apart two units of one class can be in a metric that depends on the table.

_SLACK = 1.0 + 1e-9
"""Far above what float64 loses in these sums, so that the bound is one."""


def diameter_bound(space: Space, vectors: Callable[[slice], Float64]) -> float:
    """At least the largest distance inside a class, and at most twice it.

    Two rows are no further apart than their ways to the class's mean together: the two longest.
    """
    names = range(len(space.classes))
    count = np.bincount(space.class_of, minlength=len(names))
    means = np.zeros((len(names), vectors(slice(0, 1)).shape[1]))
    for block in blocks(space):
        rows, classes = vectors(block), space.class_of[block]
        for number in names:
            means[number] += rows[classes == number].sum(axis=0)
    means /= np.maximum(count, 1)[:, None]
    longest = np.zeros((len(names), 2))
    for block in blocks(space):
        rows, classes = vectors(block), space.class_of[block]
        away = rows - means[classes]
        length = np.sqrt((away * away).sum(axis=1))
        for number in names:
            both = np.concatenate([longest[number], length[classes == number]])
            longest[number] = np.partition(both, -2)[-2:]
    bound = float(longest.sum(axis=1).max()) * _SLACK
    if not 0.0 < bound < np.inf:
        raise Incompatible(f"{space.name}: rows are equal or not finite, so they have no distances")
    return bound


_DEGENERATE = 1e-2
"""A projection with less than this part of its vector's square is drawn again: it lost digits."""
_NUMBERS = 140_000
"""Most normals that are drawn at a time: few enough to stay in a core's cache."""
_AT_ONCE = 2
"""Proposals of a cosine per attempt: both cost less than a second attempt."""


def vmf(centres: Float64, kappa: Float64, noise: Noise) -> Float64:
    """One point of the sphere per row: density proportional to exp(kappa * centre . y).

    Of a centre only the direction is read.
    """

    def fetch(rows: slice, out: Vectors) -> None:
        out[:] = centres[rows]

    out = np.empty(centres.shape)
    _around(fetch, kappa, noise, out)
    return out


def vmf_rows(table: Table, ids: Ids, kappa: Float64, noise: Noise) -> Float32:
    """The same around rows of a table, in float32 but for what decides how far a draw goes.

    The draws lie in memory that the next call of this thread overwrites.
    """

    def fetch(rows: slice, out: Vectors) -> None:
        np.take(table, ids[rows], axis=0, out=out, mode="clip")  # "raise" would copy once more

    out = room.floats("draws", (len(ids), table.shape[1]))
    _around(fetch, kappa, noise, out)
    return out


def _around(
    fetch: Callable[[slice, Vectors], None], kappa: Float64, noise: Noise, out: Vectors
) -> None:
    """Fills `out` with draws around centres that are fetched a few at a time."""
    below, above = cosine_gaps(kappa, out.shape[1], noise)
    cosine, sine = 1.0 - below, np.sqrt(below * above)
    parts = -(-out.size // _NUMBERS)
    size = max(1, -(-len(out) // max(1, parts)))

    for start in range(0, len(out), size):  # one thread: a second one would wait for the first
        rows = slice(start, start + size)
        drawn = out[rows]
        centres = room.like("centres", out, len(drawn))
        fetch(rows, centres)
        along, across, length = tangents(centres, noise.take(rows), drawn)
        scale = sine[rows] / across
        drawn *= scale[:, None].astype(out.dtype)
        centres *= ((cosine[rows] - scale * along) / length)[:, None].astype(out.dtype)
        drawn += centres


def cosine_gaps(
    kappa: Float64, dimensions: int, noise: Noise, attempt: int = 0
) -> tuple[Float64, Float64]:
    """1 - w and 1 + w of the cosine w between draw and centre, each to full relative precision."""
    half = 0.5 * (dimensions - 1)
    b = half / (kappa + np.hypot(kappa, half))
    # One line per proposal, one column per row.
    u = np.ascontiguousarray(noise.uniform(3 * _AT_ONCE, Lane.COSINE, attempt).T)
    rim, fate = np.log(u[:-_AT_ONCE]).reshape(2, _AT_ONCE, -1)
    minus, plus = _beta_gaps(dimensions, rim, u[-_AT_ONCE:])
    spread = b * plus
    spread += minus
    rest = spread / (1.0 + b)  # 1 - t of polar.md, never rounded through t near 1
    log_accept = (1.0 - dimensions) * ((1.0 - rest) / rest + np.log(rest))
    kept = fate <= log_accept
    first = kept.argmax(axis=0), np.arange(len(kappa))
    within = 2.0 / spread[first]
    below, above = b * (plus[first] * within), minus[first] * within
    missed = np.flatnonzero(~kept[first])
    if len(missed):
        again = cosine_gaps(kappa[missed], dimensions, noise.take(missed), attempt + 1)
        below[missed], above[missed] = again
    return below, above


def _beta_gaps(dimensions: int, log_u: Float64, turn: Float64) -> tuple[Float64, Float64]:
    """1 - x and 1 + x, x the first coordinate of a uniform point on the sphere."""
    angle = np.pi * turn
    plus, minus = np.cos(angle), np.sin(angle)
    for gap in (plus, minus):
        gap *= gap
        gap *= 2.0
    if dimensions == 2:
        return minus, plus
    # The first two coordinates lie at radius r with 1 - r^2 = u^(2 / (d - 2)), at any angle.
    log_rim = log_u * (2.0 / (dimensions - 2))
    radius = np.sqrt(-np.expm1(log_rim))
    inside = np.exp(log_rim) / (1.0 + radius)
    for gap in (plus, minus):
        gap *= radius
        gap += inside
    return minus, plus


def tangents(centres: Vectors, noise: Noise, raw: Vectors) -> tuple[Float64, Float64, Float64]:
    """Draws normals into `raw`: their part along the centre, the rest's length, the centre's.

    What is left, over its length, is a uniform unit vector orthogonal to the centre.
    """
    noise.normal(raw.shape[1], Lane.TANGENT, out=raw)
    # Row by row, not a matrix product: its rounding would depend on the size of the block.
    length = np.sqrt(_products(centres, centres))
    along, squares = _products(raw, centres) / length, _products(raw, raw)
    across = squares - along * along
    rows = np.flatnonzero(across <= _DEGENERATE * squares)
    for attempt in count(1):
        if not len(rows):
            break
        again = np.empty((len(rows), raw.shape[1]), dtype=raw.dtype)
        noise.take(rows).normal(raw.shape[1], Lane.TANGENT, attempt, out=again)
        raw[rows] = again
        along[rows] = _products(again, centres[rows]) / length[rows]
        squares = _products(again, again)
        across[rows] = squares - along[rows] * along[rows]
        rows = rows[across[rows] <= _DEGENERATE * squares]
    return along, np.sqrt(across), length


def _products(left: Vectors, right: Vectors) -> Float64:
    products: Float64 = np.vecdot(left, right).astype(np.float64)
    return products
