"""What checks report: figures with intervals, lines of a table, remarks; and what it comes to.

Never a text, but in what is marked as private.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from privstamp.lab.estimate import Estimate, plain
from privstamp.lab.progress import special
from privstamp.noise import Float64, Lane, Noise

SUMMARY: Final = {
    "promises_broken": "line",
    "recovery_uniform": "cells",
    "recovery_unigram": "cells",
    "recovery_contextual": "context",
    "keep_max": "cells",
    "sensitive_verbatim": "leakage",
    "empirical_epsilon_over_claim": "claims",
    "averaging_gain": "averaging",
}
"""Headline figures, and the check that each comes from."""


@dataclass(frozen=True)
class Section:
    """The outcome of one check."""

    name: str
    title: str
    figures: dict[str, Estimate] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    sound: bool = True  # False: the promise itself is refuted
    private: tuple[str, ...] = field(default=(), repr=False)  # with words of the sample: never kept
    broken: tuple[str, ...] = ()  # which promises, and by how much

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "sound": self.sound,
            "figures": plain(self.figures),
            "rows": plain(self.rows),
            "remarks": list(self.remarks),
            "broken": list(self.broken),
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Section:
        """Read back what an interrupted audit had found."""
        figures, *rows = (
            {
                key: Estimate.of_json(value) if isinstance(value, dict) else value
                for key, value in row.items()
            }
            for row in (data["figures"], *data["rows"])
        )
        told = {name: tuple(data[name]) for name in ("remarks", "broken")}
        return cls(data["name"], data["title"], figures, rows, sound=data["sound"], **told)


def shares(
    hits: Sequence[Mapping[str, bool]], names: Iterable[str], none: str
) -> dict[str, Estimate]:
    """How often each name was a hit; `none` says why there is nothing to count."""
    count = len(hits)
    why = "" if hits else none
    return {name: Estimate.share(sum(hit[name] for hit in hits), count, why) for name in names}


@dataclass(frozen=True)
class AuditVerdict:
    """In a word, why, and the exit code of a command that ends with it."""

    word: Literal["sound", "REFUTED", "not finished"]
    reasons: tuple[str, ...]
    code: int

    @property
    def text(self) -> str:
        return self.word if not self.reasons else f"{self.word}: {'; '.join(self.reasons)}"


@dataclass(frozen=True)
class Audit:
    """The sections that were finished, and those that time did not allow."""

    sections: tuple[Section, ...]
    skipped: tuple[str, ...]
    facts: dict[str, Any]

    @property
    def passed(self) -> bool:
        """No check refuted a promise, and those that could have were all made."""
        return self.verdict.word == "sound"

    @property
    def verdict(self) -> AuditVerdict:
        """What was refuted and by how much; else what is missing, if anything is."""
        wrong = [section for section in self.sections if not section.sound]
        if wrong:
            reasons = [reason for section in wrong for reason in section.broken or (section.title,)]
            return AuditVerdict("REFUTED", tuple(reasons), 1)
        if self.skipped:
            missing = tuple(f"{name} is missing" for name in self.skipped)
            return AuditVerdict("not finished", missing, 3)
        return AuditVerdict("sound", (), 0)

    @property
    def summary(self) -> dict[str, Estimate]:
        known = {section.name: section.figures for section in self.sections}
        summary = {}
        for name, check in SUMMARY.items():
            why = "not measured for want of time" if check in self.skipped else "not asked for"
            missing = Estimate.missing("not measured" if check in known else why)
            summary[name] = known.get(check, {}).get(name, missing)
        return summary

    def as_json(self) -> dict[str, Any]:
        return {
            "summary": plain(self.summary) | {"passed": self.passed},
            "verdict": {"word": self.verdict.word, "reasons": list(self.verdict.reasons)},
            "facts": self.facts,
            "sections": [section.as_json() for section in self.sections],
            "skipped": list(self.skipped),
        }


# One promise put to the test: what was seen, what was promised, and how likely that is by luck.
#
# Every test is exact or errs on the safe side, so that a sound line fails an audit with chance
# ALPHA at most: binomial tails, Fisher's exact test, and the bound of Dvoretzky, Kiefer, Wolfowitz
# and Massart. Only `unrelated` shuffles; its tail is fitted, with room to spare.

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
    chance = _fisher(hits, trials, others, of_others)
    return Promise(name, hits / max(trials, 1), said, trials, chance)


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
    numbers, two = _numbered(left), _numbered(right)
    seen = _nats(numbers, two)
    order = Noise.of_document(key, np.arange(_SHUFFLES)).uniform(len(two), Lane.CHOICE)
    shuffled = np.array([_nats(numbers, two[row]) for row in np.argsort(order, axis=1)])
    mean, spread = float(shuffled.mean()), float(shuffled.var()) * _ROOM
    chance = 1.0
    if spread > 0:
        # Twice the information of unrelated rows is nearly chi-squared, a gamma: one with the mean
        # of the shuffled and more than their spread has a tail that is not too small.
        chance = float(special().gammaincc(mean * mean / spread, seen * mean / spread))
    said = f"{mean:.3g} nats by chance"
    return Promise(name, seen, said, len(left), chance)


def _numbered(values: Sequence[Hashable]) -> Any:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values])


def information(left: Sequence[Hashable], right: Sequence[Hashable]) -> float:
    """What one tells of the other, pair by pair: their mutual information, in nats."""
    return _nats(_numbered(left), _numbered(right)) if left else 0.0


def _nats(before: Any, two: Any) -> float:
    """Of two rows of numbers from 0 on; where one tells nothing at all, rounding tells no less."""
    width = int(two.max()) + 1
    joint = np.bincount(before * width + two, minlength=(int(before.max()) + 1) * width)
    table = joint.reshape(-1, width) / len(before)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    here = table > 0
    return max(float((table[here] * np.log(table[here] / expected[here])).sum()), 0.0)
