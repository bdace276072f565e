"""One mechanism on one class of words at any epsilon: recovery, keep and meaning kept.

The audit's estimators: exact laws where they are known, else an attacker who is really run, with
words and noise that depend on the seed. A figure is worked out once per epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from privstamp.lab.attackers import Candidates, draw, fitted, guesses
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.stated import law_of
from privstamp.noise import Float64
from privstamp.policy.presets import Prior, Statistic
from privstamp.protocols import ExactLaw, Fluent, Mechanism, Space
from privstamp.types import Places

DRAWS: Final = (4000, 16_000)
"""Releases that a share is counted on: the fewest and the most; small classes are quick."""
_PAIRS: Final = 200_000_000  # of releases and words, about what a reading may look at
_FITTED: Final = 1000
_QUERIES: Final = 200
_MAIN: Final = ("content", "name", "place")
_CANDIDATES, _REPEATS, _FINAL, _MANY = 40, 100, 8, 1500


@dataclass(frozen=True)
class Attacker:
    """What an attacker knows, and over which words its success is counted.

    mean: every word counts alike. weighted: as often as it is used. max: the worst word.
    """

    prior: Prior = "unigram"
    statistic: Statistic = "weighted"


@dataclass(frozen=True)
class GaugeReading:
    """How often an attacker is right, how often a word stays, how near the release is to it."""

    recovery: Estimate
    keep: Estimate
    cosine: Estimate


def main_classes(space: Space) -> list[int]:
    """Classes that a limit is about. Function words are so few that guessing alone beats most,
    and numbers are replaced."""
    main = [number for number, name in enumerate(space.classes) if name in _MAIN]
    return main or list(range(len(space.classes)))


class Gauge:
    """Reads a mechanism on the words of one class."""

    def __init__(
        self, mechanism: Mechanism, words: Candidates, seed: int, draws: int | None = None
    ) -> None:
        # A language model as base measure has no law of its own outside of a text.
        self.mechanism = mechanism.mechanism if isinstance(mechanism, Fluent) else mechanism
        self.words = words
        self.label = words.name
        self.seed = seed
        self._laws = law_of(self.mechanism, words.space, words.number)
        self._draws = int(np.clip(_PAIRS // len(words), *DRAWS)) if draws is None else draws
        self._held: dict[tuple[float, Attacker, bool], GaugeReading] = {}

    @property
    def exact(self) -> bool:
        return self._laws is not None

    def floor(self, attacker: Attacker) -> float:
        """What an attacker with this prior gets who sees nothing: always its likeliest word."""
        if attacker.statistic == "max":
            return 0.0
        top = int(self._prior(attacker.prior).argmax())
        return float(self._counted(attacker.statistic)[top])

    def read(self, epsilon: float, attacker: Attacker, *, fresh: bool = False) -> GaugeReading:
        """The figures at an epsilon; `fresh` ones come from other draws, twice as many."""
        key = (epsilon, attacker, fresh and not self.exact)
        if key not in self._held:
            known = self._read_laws if self.exact else self._read_draws
            self._held[key] = known(epsilon, attacker, fresh)
        return self._held[key]

    def last(self, epsilon: float, attacker: Attacker) -> GaugeReading:
        """What was read last at an epsilon: fresh figures where there are some."""
        return self._held.get((epsilon, attacker, True)) or self.read(epsilon, attacker)

    def _prior(self, name: Prior) -> Float64:
        return self.words.even if name == "uniform" else self.words.unigram

    def _counted(self, statistic: Statistic) -> Float64:
        return self.words.even if statistic == "mean" else self.words.unigram

    def _read_laws(self, epsilon: float, attacker: Attacker, _: bool) -> GaugeReading:
        assert self._laws is not None
        prior, counted = self._prior(attacker.prior), self._counted(attacker.statistic)
        survey = self._laws.survey([epsilon], [prior])[0]
        if attacker.statistic == "max":
            recovery = largest(per_word(self._laws, prior, epsilon), prior)
        elif prior is counted:
            recovery = Estimate.exact(survey.recovery[0])
        else:
            recovery = Estimate.exact(float(per_word(self._laws, prior, epsilon) @ counted))
        return GaugeReading(
            recovery, Estimate.exact(float(survey.keep @ counted)), self._cosine(epsilon)
        )

    def _cosine(self, epsilon: float) -> Estimate:
        """Expected cosine of some words to what they become, from their laws."""
        assert self._laws is not None
        words = self.words
        count = min(32 if self._laws.swept else _QUERIES, len(words))
        places = words.sample(words.unigram, count, f"calibration {self.seed} meaning")
        rows = self._laws.rows(places, epsilon)
        return Estimate.mean(np.einsum("ij,ij->i", rows, words.unit[places] @ words.unit.T))

    def _read_draws(self, epsilon: float, attacker: Attacker, fresh: bool) -> GaugeReading:
        words, purpose = self.words, f"calibration {self.seed} {'fresh' if fresh else 'search'}"
        draws = self._draws * (2 if fresh else 1)
        counted = self._counted(attacker.statistic)
        places = words.sample(counted, draws, f"{purpose} {attacker.statistic}")
        drawn = draw(self.mechanism, words, places, epsilon, purpose)
        strength = self._strength(epsilon) if attacker.prior == "unigram" else None
        if attacker.statistic == "max":
            recovery = self._suspects[attacker.prior].worst(epsilon, strength, purpose)
        else:
            guess = guessed(words, words.unigram, drawn.outputs, strength)
            recovery = Estimate.hits(guess == drawn.places)
        along = np.einsum("ij,ij->i", words.unit[drawn.places], words.unit[drawn.outputs])
        return GaugeReading(recovery, drawn.kept, Estimate.mean(along))

    def _strength(self, epsilon: float) -> float:
        """How much the attacker trusts what it sees, fitted on draws of its own."""
        words, purpose = self.words, f"calibration {self.seed} fitted"
        count = max(_FITTED, self._draws // 4)
        places = words.sample(words.unigram, count, purpose)
        train = draw(self.mechanism, words, places, epsilon, purpose)
        return fitted(words, words.unigram, train)

    @cached_property
    def _suspects(self) -> dict[Prior, Suspects]:
        priors: tuple[Prior, ...] = ("uniform", "unigram")
        return {name: Suspects(self.mechanism, self.words, self._prior(name)) for name in priors}


def guessed(words: Candidates, prior: Float64, outputs: Places, strength: float | None) -> Places:
    """Without a prior the best guess is what was released; else a fitted attacker's."""
    return outputs if strength is None else guesses(words, prior, outputs, [strength])[0]


def per_word(laws: ExactLaw, prior: Float64, epsilon: float) -> Float64:
    """The chance that each word is recovered, from exact laws.

    The attacker guesses for every release v the word g(v) with the largest prior(w) P(v | w). A
    word is recovered with chance sum over {v: g(v) = w} of P(v | w).
    """
    best, guess = laws.guesses(prior, epsilon)
    chance: Float64 = np.bincount(guess, weights=best, minlength=len(prior)) / prior
    return chance


def blind(prior: Float64) -> int | None:
    """The word that an attacker who sees nothing names; None where all are alike."""
    return int(prior.argmax()) if prior.max() > prior.min() else None


def largest(values: Float64, prior: Float64) -> Estimate:
    """The largest chance. The blind guess says nothing about the release and is left out."""
    skipped = blind(prior)
    return Estimate.exact(
        float(values.max() if skipped is None else np.delete(values, skipped).max())
    )


class Suspects:
    """Words that draws single out: those far from all others, and those an attacker bets on.

    The few that are recovered most often are drawn many times anew, so that luck does not choose.
    """

    def __init__(self, mechanism: Mechanism, words: Candidates, prior: Float64) -> None:
        self._mechanism, self._words, self._prior = mechanism, words, prior
        every = max(1, len(words) // 2000)
        among = np.arange(0, len(words), every)
        suspects = words.isolated(among, min(_CANDIDATES, len(among)))
        if (skipped := blind(prior)) is not None:
            often = np.argsort(-prior, kind="stable")[: _CANDIDATES + 1]
            suspects = np.union1d(suspects, often[often != skipped])
            suspects = suspects[suspects != skipped]
        self._found: Places = suspects

    def worst(self, epsilon: float, strength: float | None, purpose: str) -> Estimate:
        """The largest share among the final few, each with its interval."""
        hits = self._hits(self._found, _REPEATS, epsilon, strength, f"{purpose} first")
        few = self._found[np.argsort(-hits, kind="stable")[:_FINAL]]
        again = self._hits(few, _MANY, epsilon, strength, f"{purpose} again")
        return max(
            (Estimate.share(int(hits), _MANY) for hits in again), key=lambda share: share.upper
        )

    def _hits(
        self, places: Places, repeats: int, epsilon: float, strength: float | None, purpose: str
    ) -> Float64:
        repeated = np.repeat(places, repeats)
        drawn = draw(self._mechanism, self._words, repeated, epsilon, purpose)
        guess = guessed(self._words, self._prior, drawn.outputs, strength)
        right: Float64 = (guess == repeated).reshape(len(places), repeats).sum(axis=1)
        return right


# The largest epsilon under which a limit holds.
#
# Risk grows with epsilon, so its edge lies between one that holds and one that does not. Each
# measurement is dear, so the next epsilon is where a line through both ends, on scales on which
# such curves are nearly straight, would cross the limit. Where a figure was estimated, its
# unfavourable end counts.

Measure: TypeAlias = Callable[[float], Estimate]
TOLERANCE: Final = 1.02
"""Ratio of an epsilon that does not hold to one that does at which the search ends."""
_STEPS: Final = 8
_WIDEN: Final = 2.0
_INSIDE: Final = 0.15  # of a bracket: the next epsilon stays this far from its ends
_FURTHER, _BEYOND = 1.15, 2.0  # steps beyond the edge until not even the lower end holds
_SMALLEST: Final = 1e-5


@dataclass(frozen=True)
class Found:
    """The epsilon that was chosen, or None where none will do, and all that was tried.

    `edge` holds the true edge with confidence: at its low end the upper limit of the interval
    reaches the target, at its high end the lower limit does. None: not found within the range.
    """

    epsilon: float | None
    edge: tuple[float, float | None] | None
    points: tuple[tuple[float, Estimate], ...]

    @property
    def best(self) -> tuple[float, Estimate]:
        """The safest point there is."""
        return min(self.points, key=lambda point: point[1].upper)


def largest_epsilon(
    measure: Measure,
    limit: float,
    *,
    start: float,
    least: float,
    most: float,
) -> Found:
    """The edge of what holds between `least` and `most`, looked for from `start` on."""
    tried: dict[float, Estimate] = {}

    def holds(epsilon: float) -> bool:
        tried[epsilon] = measure(epsilon)
        return tried[epsilon].upper <= limit

    low = high = start
    if holds(start):
        while high < most and holds(high := min(high * _WIDEN, most)):
            low = high
    else:
        while low > least and not holds(low := max(low / _WIDEN, least)):
            high = low
    fine = tried[low].upper <= limit
    if fine and tried[high].upper > limit:
        for _ in range(_STEPS):
            if high / low <= TOLERANCE:
                break
            middle = _between(low, tried[low].upper, high, tried[high].upper, limit)
            low, high = (middle, high) if holds(middle) else (low, middle)
        top = max(tried)
        while tried[top].lower <= limit and top < min(high * _BEYOND, most):
            holds(top := min(top * _FURTHER, most))
    points = tuple(sorted(tried.items()))
    if not fine:
        return Found(None, None, points)
    return Found(low, (low, _crossing(points, low, limit)), points)


def rounded(epsilon: float) -> float:
    """Three digits, never more than it was."""
    unit = 10.0 ** (math.floor(math.log10(epsilon)) - 2)
    return float(f"{math.floor(epsilon / unit + 1e-9) * unit:.3g}")


def _between(low: float, below: float, high: float, above: float, limit: float) -> float:
    """Where a line from (log epsilon, log odds) to (log epsilon, log odds) crosses the limit."""
    start, end = _log_odds(below), _log_odds(above)
    share = (_log_odds(limit) - start) / (end - start) if end > start else 0.5
    share = min(max(share, _INSIDE), 1.0 - _INSIDE)
    return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))


def _crossing(
    points: tuple[tuple[float, Estimate], ...], chosen: float, limit: float
) -> float | None:
    """Where the lower ends of the intervals cross the limit, between the points tried."""
    before = (chosen, 0.0)
    for epsilon, figure in points:
        if epsilon < chosen:
            continue
        if figure.lower > limit:
            if epsilon <= before[0]:
                return epsilon
            share = (limit - before[1]) / (figure.lower - before[1])
            return before[0] + share * (epsilon - before[0])
        before = (epsilon, figure.lower)
    return None


def _log_odds(share: float) -> float:
    inside = min(max(share, _SMALLEST), 1.0 - _SMALLEST)
    return math.log(inside / (1.0 - inside))
