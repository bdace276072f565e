"""Draws from an exactly known law over a list, true to its rare entries, and a bounded cache.

One uniform of 52 bits would round every chance to a multiple of 2^-52 and never draw what is
rarer. Here a draw has two steps, a block of entries and an entry inside it; in both, small weights
come first and the uniform is finest near zero, so each chance has a relative error of about 1e-13.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import Lock
from privstamp.noise import Float64, Lane, Noise

Index = npt.NDArray[np.int64]
Key: TypeAlias = tuple[int, float]
"""A row and an epsilon."""
BLOCK = 256
"""Entries drawn among in the second step."""
_AT_ONCE = 4096
"""Entries that are worked out at a time where many laws are made."""
CACHE_BYTES = 64 << 20
OBJECT_BYTES = 1200
"""What Python needs for a law besides the numbers in it."""


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
            mine = block == number
            weights = self._weights[block_of(number)]
            order = np.argsort(weights, kind="stable")
            entry = order[_pick(np.cumsum(weights[order]), second[mine])]
            out[mine] = number * BLOCK + entry
        return out


class Shared(Law):
    """A few entries with weights of their own; all others share one. Needs no pass over them."""

    def __init__(self, entries: Index, weights: Float64, other: float, count: int) -> None:
        self._entries = entries  # ascending
        self._order = np.argsort(weights, kind="stable")
        self._cumulative = np.cumsum(weights[self._order])
        self._others = count - len(entries)
        sums = np.array([weights.sum(), other * self._others])
        self._kinds = np.argsort(sums, kind="stable")
        self._sums = np.cumsum(sums[self._kinds])
        self.nbytes = entries.nbytes + self._order.nbytes + self._cumulative.nbytes

    def draw(self, first: Float64, second: Float64) -> Index:
        other = self._kinds[_pick(self._sums, first)] == 1
        out = np.empty(len(first), dtype=np.int64)
        rank = np.minimum((second[other] * self._others).astype(np.int64), self._others - 1)
        # The rank-th entry that is not in the list: each listed one before it moves it by one.
        gaps = self._entries - np.arange(len(self._entries))
        out[other] = rank + np.searchsorted(gaps, rank, side="right")
        if len(self._entries):
            picked = _pick(self._cumulative, second[~other])
            out[~other] = self._entries[self._order[picked]]
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
    found = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
    picked: Index = np.minimum(found, len(cumulative) - 1)
    return picked


def pick_each(weights: Float64, uniform: Float64) -> Index:
    """One entry per line, in proportion to its weights: the second step for many laws at once."""
    order = np.argsort(weights, axis=-1, kind="stable")
    cumulative = np.cumsum(np.take_along_axis(weights, order, axis=-1), axis=-1)
    found = np.count_nonzero(cumulative <= (uniform * cumulative[:, -1])[:, None], axis=-1)
    place = np.minimum(found, weights.shape[1] - 1)
    picked: Index = np.take_along_axis(order, place[:, None], axis=-1)[:, 0]
    return picked


class LawCache:
    """The laws used last, up to a number of bytes. Threads may share it."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[Key, Law] = OrderedDict()
        self._lock = Lock(self._forget)
        self.nbytes = 0

    def _forget(self) -> None:
        self._held.clear()
        self.nbytes = 0

    def get(self, keys: Sequence[Key], make: Callable[[Sequence[Key]], list[Law]]) -> list[Law]:
        """The laws of these keys; those that are not there are made together, outside the lock."""
        with self._lock:
            found = {key: self._held[key] for key in keys if key in self._held}
            for key in found:
                self._held.move_to_end(key)
        missing = [key for key in keys if key not in found]
        made = dict(zip(missing, make(missing) if missing else [], strict=True))
        with self._lock:
            for key, law in made.items():
                size = law.nbytes + OBJECT_BYTES
                if key not in self._held and size <= self._most:
                    self._held[key] = law
                    self.nbytes += size
            while self.nbytes > self._most:
                self.nbytes -= self._held.popitem(last=False)[1].nbytes + OBJECT_BYTES
        found |= made
        return [found[key] for key in keys]
