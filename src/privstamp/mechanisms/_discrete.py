"""What mechanisms with an exactly known output law share: the checks, the channel, the draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from privstamp.budget import METRICS
from privstamp.crew.threads import Lock
from privstamp.mechanisms.decoded import (
    refuse_units,
    require_metric,
    require_outputs,
    require_unit_rows,
)
from privstamp.mechanisms.stated import Stated
from privstamp.noise import Float64, Lane, Noise
from privstamp.protocols import Space
from privstamp.spaces.graph import Labels, balanced_clusters
from privstamp.spaces.hops import Representatives
from privstamp.types import Epsilons, Ids, Rows

# Draws from an exactly known law over a list, true to its rare entries, and a bounded cache.
#
# One uniform of 52 bits would round every chance to a multiple of 2^-52 and never draw what is
# rarer. Here a draw has two steps, a block of entries and an entry inside it; in both, small
# weights come first and the uniform is finest near zero, so each chance has a relative error of
# about 1e-13.


Index = npt.NDArray[np.int64]
Key: TypeAlias = tuple[int, float]
"""A row and an epsilon."""
BLOCK = 256
"""Entries drawn among in the second step."""
_AT_ONCE = 4096
"""Entries that are worked out at a time where many laws are made."""
CACHE_BYTES = 64 << 20
OBJECT_BYTES = 1200
"""What Python needs for what is kept, besides the numbers in it."""


def fine_uniforms(noise: Noise, attempt: int = 0) -> tuple[Float64, Float64]:
    """Two uniforms on (0, 1) per address, on a grid of 2^-104 near zero."""
    u = noise.uniform(4, Lane.CHOICE, attempt)
    # The high half on its own grid of 2^-52, then the low half inside one step of it.
    high = u[:, :2] - 2.0**-53
    both = high + u[:, 2:] * 2.0**-52
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def fraction(noise: Noise, attempt: int) -> float:
    """One uniform on (0, 1) of a single address, as fine near zero, for its acceptance."""
    high, low = noise.uniform(2, Lane.ACCEPT, attempt)[0].tolist()
    return float(high - 2.0**-53 + low * 2.0**-52)


class Law(ABC):
    """A probability law over 0, 1, ..., that can be drawn from many times."""

    nbytes: int

    @abstractmethod
    def draw(self, first: Float64, second: Float64) -> Index:
        """One entry per pair of uniforms."""


class Blocks(Law):
    """The first step: blocks by the sums of their weights. The second uniform is for the next."""

    def __init__(self, sums: Float64) -> None:
        self._order = np.argsort(sums, kind="stable")
        self._cumulative = np.cumsum(sums[self._order])
        self.nbytes = self._order.nbytes + self._cumulative.nbytes

    def draw(self, first: Float64, second: Float64) -> Index:  # noqa: ARG002
        picked: Index = self._order[_pick(self._cumulative, first)]
        return picked


class Weighted(Law):
    """Entries in proportion to weights that are given."""

    def __init__(self, weights: Float64) -> None:
        self._weights = weights
        self._blocks = Blocks(block_sums(weights))
        self.nbytes = self._blocks.nbytes + weights.nbytes

    def draw(self, first: Float64, second: Float64) -> Index:
        block = self._blocks.draw(first, second)
        out = np.empty(len(first), dtype=np.int64)
        for number in np.unique(block).tolist():
            here = block == number
            weights = self._weights[block_of(number)]
            order = np.argsort(weights, kind="stable")
            entry = order[_pick(np.cumsum(weights[order]), second[here])]
            out[here] = number * BLOCK + entry
        return out


class Shared(Law):
    """A few entries with weights of their own; all others share one. Needs no pass over them."""

    def __init__(self, entries: Index, weights: Float64, rest: float, count: int) -> None:
        self._entries = entries  # ascending
        self._order = np.argsort(weights, kind="stable")
        self._cumulative = np.cumsum(weights[self._order])
        self._others = count - len(entries)
        sums = np.array([weights.sum(), rest * self._others])
        self._kinds = np.argsort(sums, kind="stable")
        self._sums = np.cumsum(sums[self._kinds])
        self.nbytes = entries.nbytes + self._order.nbytes + self._cumulative.nbytes

    def draw(self, first: Float64, second: Float64) -> Index:
        outside = self._kinds[_pick(self._sums, first)] == 1
        out = np.empty(len(first), dtype=np.int64)
        rank = np.minimum((second[outside] * self._others).astype(np.int64), self._others - 1)
        # The rank-th entry that is not in the list: each listed one before it moves it by one.
        gaps = self._entries - np.arange(len(self._entries))
        out[outside] = rank + np.searchsorted(gaps, rank, side="right")
        if len(self._entries):
            picked = _pick(self._cumulative, second[~outside])
            out[~outside] = self._entries[self._order[picked]]
        return out


class Listed(Law):
    """A law over the places of a list."""

    def __init__(self, places: Index, law: Law) -> None:
        self._places = places
        self._law = law
        self.nbytes = places.nbytes + law.nbytes

    def draw(self, first: Float64, second: Float64) -> Index:
        return self._places[self._law.draw(first, second)]


def weights(log_weights: Float64) -> Float64:
    """Weights of which the largest of a law is one: no epsilon overflows them."""
    out: Float64 = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return out


def block_of(number: int) -> slice:
    return slice(number * BLOCK, (number + 1) * BLOCK)


def wholes(count: int) -> Iterator[slice]:
    """Parts of so many entries that hold whole blocks."""
    size = max(BLOCK, _AT_ONCE // BLOCK * BLOCK)
    return (slice(start, start + size) for start in range(0, count, size))


def block_sums(weights: Float64) -> Float64:
    sums: Float64 = np.add.reduceat(weights, np.arange(0, len(weights), BLOCK))
    return sums


def scaled_block_sums(log_weights: Float64) -> tuple[Float64, Float64]:
    """Sums of blocks by their largest weight, and its logarithm: a line per law, all finite."""
    edges = np.arange(0, log_weights.shape[-1], BLOCK)
    top = np.maximum.reduceat(log_weights, edges, axis=-1)
    rest = np.exp(log_weights - np.repeat(top, BLOCK, axis=-1)[:, : log_weights.shape[-1]])
    return np.add.reduceat(rest, edges, axis=-1), top


def _pick(cumulative: Float64, uniform: Float64) -> Index:
    """Inverse of a cumulative sum of ascending weights; never an entry of weight zero."""
    places = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
    picked: Index = np.minimum(places, len(cumulative) - 1)
    return picked


def pick_each(weights: Float64, uniform: Float64) -> Index:
    """One entry per line, in proportion to its weights: the second step for many laws at once."""
    order = np.argsort(weights, axis=-1, kind="stable")
    cumulative = np.cumsum(np.take_along_axis(weights, order, axis=-1), axis=-1)
    places = np.count_nonzero(cumulative <= (uniform * cumulative[:, -1])[:, None], axis=-1)
    place = np.minimum(places, weights.shape[1] - 1)
    picked: Index = np.take_along_axis(order, place[:, None], axis=-1)[:, 0]
    return picked


class _Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Asked = TypeVar("Asked")
Held = TypeVar("Held", bound=_Sized)


class Recent(Generic[Asked, Held]):
    """What was used last, up to a number of bytes. Threads may share it."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[Asked, Held] = OrderedDict()
        self._lock = Lock(self._forget)
        self.nbytes = 0

    def _forget(self) -> None:
        self._held.clear()
        self.nbytes = 0

    def get(
        self, keys: Sequence[Asked], make: Callable[[Sequence[Asked]], list[Held]]
    ) -> list[Held]:
        """What these keys stand for; what is not there is made together, outside the lock."""
        with self._lock:
            held = {key: self._held[key] for key in keys if key in self._held}
            for key in held:
                self._held.move_to_end(key)
        missing = [key for key in keys if key not in held]
        fresh = dict(zip(missing, make(missing) if missing else [], strict=True))
        with self._lock:
            for key, value in fresh.items():
                size = value.nbytes + OBJECT_BYTES
                if key not in self._held and size <= self._most:
                    self._held[key] = value
                    self.nbytes += size
            while self.nbytes > self._most:
                self.nbytes -= self._held.popitem(last=False)[1].nbytes + OBJECT_BYTES
        held |= fresh
        return [held[key] for key in keys]


Places: TypeAlias = npt.NDArray[np.intp]


class DiscreteMechanism(Stated, ABC):
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
        self._laws: Recent[Key, Law] = Recent()

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
        for out, row, strength in zip(rows, ids.tolist(), epsilon.tolist(), strict=True):
            law = weights(self._log_weights(row, strength))
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
        for here, law in self._by_law(ids, epsilon):
            outputs = self._outputs(int(ids[here[0]]))
            out[here] = outputs[law.draw(first[here], second[here])]
        return out

    def _by_law(self, ids: Ids, epsilon: Epsilons) -> Iterator[tuple[Places, Law]]:
        """Units with the law that they share, some laws made at a time."""
        groups = list(alike(ids, epsilon))
        for start in range(0, len(groups), self.together):
            part = groups[start : start + self.together]
            keys = [(int(ids[here[0]]), float(epsilon[here[0]])) for here in part]
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


def alike(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> Iterator[Places]:
    """The places that agree in both, group by group."""
    order = np.lexsort((second, first))
    changes = (np.diff(first[order]) != 0) | (np.diff(second[order]) != 0)
    edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(order)]
    return (order[start:end] for start, end in pairwise(edges) if start < end)


# Outputs of every class in public sets of similar rows: what `clusters` and `custext` share.


class Partitioned(DiscreteMechanism):
    """A law depends on the set of a row: its own if the row may leave, or else that of the output
    that stands for it. Rows that are met for the first time are looked up together."""

    together: ClassVar[int] = 1024

    def __init__(self, space: Space, metric: str, size: int, outside: Representatives) -> None:
        super().__init__(space, metric)
        self._labels = balanced_clusters(space, size)
        self._members = tuple(_by_label(labels) for labels in self._labels)
        self._representatives = outside

    def members(self, row: int) -> Index:
        """Places, among the outputs of the row's class, of the set that the row belongs to."""
        number = int(self._space.class_of[row])
        place = self._representatives.places(np.array([row], dtype=np.int32))[0]
        members: Index = self._members[number][self._labels[number][place]]
        return members

    def _sets(self, number: int) -> tuple[Index, ...]:
        """The sets of a class, in the order of their first members."""
        return tuple(sorted(self._members[number], key=lambda members: int(members[0])))

    def _together(self, ids: Ids, others: Ids) -> npt.NDArray[np.bool_]:
        """Whether both of a pair are in one set."""
        same: npt.NDArray[np.bool_] = self._set_of(ids) == self._set_of(others)
        return same

    def _set_of(self, ids: Ids) -> npt.NDArray[np.int64]:
        """Number of each row's set, inside its class."""
        places, numbers = self._representatives.places(ids), self._space.class_of[ids]
        found = np.empty(len(ids), dtype=np.int64)
        for number in np.unique(numbers).tolist():
            here = numbers == number
            found[here] = self._labels[number][places[here]]
        return found

    def _made(self, keys: Sequence[Key]) -> list[Law]:
        self._representatives.places(np.array([row for row, _ in keys], dtype=np.int32))
        return super()._made(keys)


def _by_label(labels: Labels) -> tuple[Index, ...]:
    """The places of each label, ascending."""
    order = np.argsort(labels, kind="stable")
    return tuple(np.split(order, np.flatnonzero(np.diff(labels[order])) + 1))
