"""One promise put to the test: what was seen, what was promised, and how likely that is by luck.

Every test is exact or errs on the safe side, so that a sound line fails an audit with chance ALPHA
at most: binomial tails, Fisher's exact test, and the bound of Dvoretzky, Kiefer, Wolfowitz and
Massart. Only `unrelated` shuffles; its tail is fitted, with room to spare.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.lab.extras import special
from privstamp.noise import Float64, Lane, Noise

ALPHA: Final = 1e-6
"""Chance that a sound line is called broken, over all promises of an audit together."""
MISSED: Final = 0.05
"""What detectors and restoring may get wrong without breaking a promise."""
_MOST: Final = 200  # promises of one audit: each has its share of ALPHA
_SHUFFLES: Final = 200
_ROOM: Final = 1.5  # the fitted spread is taken larger than it was seen


@dataclass(frozen=True)
class Promise:
    """`found` and `promised` are shares of `trials`; `chance` is that of a sound line doing so."""

    name: str
    found: float
    promised: str
    trials: int
    chance: float

    @property
    def kept(self) -> bool:
        return self.chance >= ALPHA / _MOST

    @property
    def broken(self) -> str:
        """Which promise, and by how much."""
        return f"{self.name}: {self.found:.3g} where {self.promised} (of {self.trials})"

    def row(self) -> dict[str, Any]:
        return {
            "promise": self.name,
            "found": self.found,
            "promised": self.promised,
            "trials": self.trials,
            "kept": "yes" if self.kept else "NO",
        }


def always(name: str, hits: int, trials: int) -> Promise:
    """What has no exception."""
    share = hits / trials if trials else 1.0
    return Promise(name, share, "always", trials, float(hits == trials))


def at_most(name: str, hits: int, trials: int, share: float) -> Promise:
    """No more often than so."""
    chance = float(special().bdtrc(hits - 1, trials, share)) if hits else 1.0
    return Promise(name, hits / max(trials, 1), f"at most {share:.3g}", trials, chance)


def exactly(name: str, hits: int, trials: int, share: float) -> Promise:
    """As often as the law says, over all words; where they differ, luck does still less."""
    share = min(max(share, 0.0), 1.0)
    above = float(special().bdtrc(hits - 1, trials, share)) if hits else 1.0
    below = float(special().bdtr(hits, trials, share))
    chance = min(1.0, 2.0 * min(above, below))
    return Promise(name, hits / max(trials, 1), f"{share:.3g}", trials, chance)


def even(name: str, values: Float64) -> Promise:
    """Numbers that are spread evenly over 0 to 1, whatever they come from."""
    count = len(values)
    if not count:
        return Promise(name, 0.0, "a distance of 0", 0, 1.0)
    ranked = np.sort(values)
    steps = np.arange(count + 1) / count
    apart = float(max((steps[1:] - ranked).max(), (ranked - steps[:-1]).max()))
    chance = min(1.0, 2.0 * math.exp(-2.0 * count * apart * apart))
    return Promise(name, apart, "a distance of 0 from the law", count, chance)


def no_likelier(name: str, hits: int, trials: int, others: int, of_others: int) -> Promise:
    """As often as among others that have nothing to do with it: Fisher's exact test."""
    said = f"{others / max(of_others, 1):.3g} by chance"
    return Promise(name, hits / max(trials, 1), said, trials, _fisher(hits, trials, others,
                                                                       of_others))  # fmt: skip


def distinct(name: str, drawn: Sequence[Hashable], pool: int) -> Promise:
    """At least as many different ones as a list of this size gives: McDiarmid's bound."""
    count = len(drawn)
    expected = pool * (1.0 - (1.0 - 1.0 / pool) ** count)
    short = max(0.0, expected - len(set(drawn)))
    chance = math.exp(-2.0 * short * short / max(count, 1))
    said = f"{expected / max(count, 1):.3g} are to be different"
    return Promise(name, len(set(drawn)) / max(count, 1), said, count, chance)


def _fisher(hits: int, trials: int, others: int, of_others: int) -> float:
    """P(so many hits or more | hits in all)."""
    if not hits or not of_others:
        return 1.0
    together = hits + others
    counts = np.arange(hits, min(trials, together) + 1)
    logs = _choose(trials, counts) + _choose(of_others, together - counts)
    logs = logs[together - counts <= of_others] - _choose(trials + of_others, np.array([together]))
    return float(min(1.0, np.exp(logs).sum()))


def _choose(count: int, taken: Any) -> Any:
    gammaln = special().gammaln
    return gammaln(count + 1) - gammaln(taken + 1) - gammaln(np.maximum(count - taken, 0) + 1)


def unrelated(
    name: str, left: Sequence[Hashable], right: Sequence[Hashable], key: bytes
) -> Promise:
    """No information of one in the other: theirs in nats, against that of shuffled pairs."""
    if len(left) < 2:
        return Promise(name, 0.0, "none", len(left), 1.0)
    one, two = _numbered(left), _numbered(right)
    seen = _information(one, two)
    order = Noise.of_document(key, np.arange(_SHUFFLES)).uniform(len(two), Lane.CHOICE)
    shuffled = np.array([_information(one, two[row]) for row in np.argsort(order, axis=1)])
    mean, spread = float(shuffled.mean()), float(shuffled.var()) * _ROOM
    chance = 1.0
    if spread > 0:
        chance = float(special().gammaincc(mean * mean / spread, seen * mean / spread))
    said = f"{mean:.3g} nats by chance"
    return Promise(name, seen, said, len(left), chance)


def _numbered(values: Sequence[Hashable]) -> Any:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values])


def _information(one: Any, two: Any) -> float:
    """Mutual information of two rows of numbers, in nats."""
    width = int(two.max()) + 1
    joint = np.bincount(one * width + two, minlength=(int(one.max()) + 1) * width)
    table = joint.reshape(-1, width) / len(one)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    here = table > 0
    return float((table[here] * np.log(table[here] / expected[here])).sum())
