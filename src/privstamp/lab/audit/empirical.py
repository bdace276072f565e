"""Empirical epsilon: what samples prove about a mechanism's loss, whatever its proof says.

An event is chosen on one half of the draws and counted on the other, so that the exact binomial
intervals of Clopper and Pearson hold. A lower bound above the claim is evidence that the claim is
false, at the stated error rate. n draws can certify about ln n nats at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.extras import special
from privstamp.noise import Float64, Noise
from privstamp.protocols import Discrete, Mechanism, Space
from privstamp.types import Ids

ERROR: Final = 1e-7
"""Chance that a sound mechanism fails an audit, over all of its tests together."""
_CUTS: Final = 200
Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Pair:
    """Two units of one class, the epsilon they are tested at, and how far apart they are."""

    first: int
    second: int
    epsilon: float
    distance: float

    @property
    def claim(self) -> float:
        """Nats that may be told apart."""
        return self.epsilon * self.distance


@dataclass(frozen=True)
class Finding:
    """What the draws prove about one pair, in nats."""

    pair: Pair
    nats: float

    @property
    def over_claim(self) -> float:
        return self.nats / self.pair.claim

    @property
    def sound(self) -> bool:
        return self.nats <= self.pair.claim


def most(draws: int, error: float = ERROR) -> float:
    """The largest loss that this many draws of each unit could ever prove."""
    tested = draws - draws // 2
    return float(_proved(np.array([tested]), np.array([0]), tested, error)[0])


def measure(
    mechanism: Mechanism,
    space: Space,
    pairs: Sequence[Pair],
    *,
    draws: int,
    key: bytes,
    error: float = ERROR,
) -> list[Finding]:
    """A lower bound of the loss for each pair; all of them hold but with chance `error`."""
    each = error / max(2 * len(pairs), 1)
    found = []
    for number, pair in enumerate(pairs):
        both = np.repeat(np.array([pair.first, pair.second], dtype=np.int32), draws)
        noise = Noise.of_document(key, np.arange(len(both)) + number * len(both))
        rows = mechanism.privatize(both, np.full(len(both), pair.epsilon), noise)
        seen, places = np.unique(rows, return_inverse=True)
        lean = leaning(mechanism, space, pair, seen)
        found.append(Finding(pair, _of_pair(places[:draws], places[draws:], lean, each)))
    return found


def leaning(mechanism: Mechanism, space: Space, pair: Pair, outputs: Ids) -> Float64:
    """How much an output speaks for the first unit: its exact log-ratio, or where it lies."""
    both = np.array([pair.first, pair.second], dtype=np.int32)
    if isinstance(mechanism, Discrete):
        rows = mechanism.channel(both, np.full(2, pair.epsilon))[:, outputs]
        logs = np.log(np.maximum(rows, 1e-300))
        exact: Float64 = logs[0] - logs[1]
        return exact
    ends = space.unit[both].astype(np.float64)
    lean: Float64 = pair.epsilon * (space.unit[outputs].astype(np.float64) @ (ends[0] - ends[1]))
    return lean


def _of_pair(one: Places, two: Places, lean: Float64, error: float) -> float:
    """The better bound of the two directions; `error` is that of each."""
    half = len(one) // 2
    sides = one, two
    train_one, train_two = (np.bincount(side[:half], minlength=len(lean)) for side in sides)
    test_one, test_two = (np.bincount(side[half:], minlength=len(lean)) for side in sides)
    return max(
        _bound(train_one, train_two, test_one, test_two, lean, error),
        _bound(train_two, train_one, test_two, test_one, -lean, error),
    )


def _bound(
    train: Counts, other: Counts, test: Counts, test_other: Counts, lean: Float64, error: float
) -> float:
    """Nats by which an event, chosen on the training draws, is likelier under one unit."""
    ratio = np.log((train + 0.5) / (other + 0.5))
    chosen, best = np.zeros(0, dtype=np.int64), -np.inf
    for score in (ratio, lean):  # by what was seen, and by where the outputs lie
        order = np.argsort(-score, kind="stable")
        inside, outside = train[order].cumsum(), other[order].cumsum()
        cuts = np.unique(np.linspace(0, len(order) - 1, _CUTS).astype(np.int64))
        proved = _proved(inside[cuts], outside[cuts], int(train.sum()), error)
        if proved.max() > best:
            best, chosen = float(proved.max()), order[: cuts[proved.argmax()] + 1]
    hits, misses = test[chosen].sum(), test_other[chosen].sum()
    bound = _proved(np.array([hits]), np.array([misses]), int(test.sum()), error)
    return max(float(bound[0]), 0.0)


def _proved(hits: Counts, others: Counts, draws: int, error: float) -> Float64:
    """log of P(event | one) / P(event | other), at least: Clopper and Pearson on both sides."""
    betaincinv = special().betaincinv
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1), draws - hits + 1, error / 2), 0.0)
    full = others >= draws
    high = np.where(full, 1.0, betaincinv(others + 1, np.maximum(draws - others, 1), 1 - error / 2))
    with np.errstate(divide="ignore"):
        proved: Float64 = np.log(low) - np.log(high)
    return proved
