"""What groups of words are left with: by a policy, in one text, and at an equal mean epsilon.

A mean epsilon is shared among the groups so that most meaning is kept: the expected cosine of a
released word to the original. It is no concave function of epsilon (below the cliff it hardly
grows), so equal slopes are no sign of the best: all allocations on a grid are looked at, then a
finer grid around the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.budget import GROUPS, RATIO
from privstamp.errors import BudgetError
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.subject import Cell, SampleText, Subject, perturbed, traced
from privstamp.lab.calibration import Bench
from privstamp.lab.calibration.gauge import Attacker, Gauge, GaugeReading, rounded
from privstamp.lab.calibration.outcome import CalibrationPlan
from privstamp.lab.estimate import Estimate
from privstamp.lab.progress import Progress, silent
from privstamp.noise import Float64
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.protocols import Mechanism
from privstamp.release.groups import small_words
from privstamp.result import Result

IMPORTANCE: Final = (2.0, 1.0, 2.0, 1.0)
"""How much the meaning of a word counts, by group: an important one twice as much."""
SENSITIVE: Final = ("name", "place")
_SURVIVAL: Final = Attacker("uniform", "weighted")  # nothing has to be guessed: quick
_FLAT, _SOME = 0.995, 0.5
_GROWTH: Final = 1.3
_BEGIN, _END = 1.0, 4000.0  # nats between the furthest words
_POINTS: Final = 33
_ROUNDS: Final = 5
_CRUMB: Final = 1e-3  # of the mean: what is left over below this buys nothing


@dataclass(frozen=True, eq=False)
class Meaning:
    """Expected cosine over epsilon, measured at some and straight in between.

    At 0 it is that of the smallest one measured: any word of the class, for a word of the class.
    """

    epsilon: Float64
    cosine: Float64

    @classmethod
    def of(cls, points: Mapping[float, float]) -> Meaning:
        """From what was measured; made to never fall, as it cannot but by luck of the draws."""
        across = sorted(points)
        values = np.array([points[across[0]], *(points[epsilon] for epsilon in across)])
        return cls(np.array([0.0, *across]), np.maximum.accumulate(values))

    def at(self, epsilon: npt.ArrayLike) -> Float64:
        return np.interp(np.asarray(epsilon, dtype=np.float64), self.epsilon, self.cosine)

    @property
    def most(self) -> float:
        """The smallest epsilon that keeps all that is ever kept."""
        return float(self.epsilon[np.argmax(self.cosine >= self.cosine[-1])])


@dataclass(frozen=True, eq=False)
class Mix:
    """Groups as they occur: their shares of the words, what their meaning counts, their curves."""

    shares: Sequence[float]
    curves: Sequence[Meaning]
    importance: Sequence[float] = IMPORTANCE

    def utility(self, epsilon: Sequence[float]) -> float:
        """Mean cosine over words, weighted by importance."""
        kept = [float(curve.at(budget)) for curve, budget in zip(self.curves, epsilon, strict=True)]
        return float(np.dot(self._weights, kept))

    def mean(self, epsilon: Sequence[float]) -> float:
        return float(np.dot(self.shares, epsilon))

    @property
    def _weights(self) -> Float64:
        weight = np.multiply(self.shares, self.importance)
        normed: Float64 = weight / weight.sum()
        return normed

    def by_ratio(self, mean: float) -> tuple[float, ...]:
        """The paper's proportions, at a mean epsilon."""
        return tuple(float(mean * part / self.mean(RATIO)) for part in RATIO)

    def allocate(self, mean: float, caps: Sequence[float] = (np.inf,) * 4) -> tuple[float, ...]:
        """The four epsilons with the largest utility whose mean is no larger, under the caps."""
        if len(self.shares) != len(GROUPS) or abs(sum(self.shares) - 1.0) > 1e-6:
            raise BudgetError("shares of the four groups must add up to 1")
        if not (np.isfinite(mean) and mean > 0):
            raise BudgetError("a mean epsilon is a positive number")
        tops = np.array(
            [min(cap, curve.most) for cap, curve in zip(caps, self.curves, strict=True)]
        )
        # What is left over goes to the group with most words: it is split finest there.
        rest = int(np.argmax(self.shares))
        free = [place for place in range(len(GROUPS)) if place != rest]
        low, high = np.zeros(len(GROUPS)), tops.copy()
        best = np.zeros(len(GROUPS))
        for _ in range(_ROUNDS):
            best = self._best(mean, tops, rest, free, low, high)
            width = (high - low) / (_POINTS - 1) * 2.0
            low, high = np.maximum(best - width, 0.0), np.minimum(best + width, tops)
        return tuple(np.where(best < _CRUMB * mean, 0.0, best).tolist())

    def _best(
        self, mean: float, tops: Float64, rest: int, free: list[int], low: Float64, high: Float64
    ) -> Float64:
        axes = [np.linspace(low[place], high[place], _POINTS) for place in free]
        grid = np.meshgrid(*axes, indexing="ij")
        spent = sum(self.shares[place] * budgets for place, budgets in zip(free, grid, strict=True))
        share = max(self.shares[rest], 1e-12)
        left = np.minimum((mean - spent) / share, tops[rest])
        value = self._weights[rest] * self.curves[rest].at(np.maximum(left, 0.0))
        for place, budgets in zip(free, grid, strict=True):
            value = value + self._weights[place] * self.curves[place].at(budgets)
        value = np.where(left >= -1e-9, value, -np.inf)
        where = np.unravel_index(int(np.argmax(value)), value.shape)
        best = np.empty(len(self.shares))
        best[rest] = max(float(left[where]), 0.0)
        for place, budgets in zip(free, grid, strict=True):
            best[place] = budgets[where]
        return best


def shares_of(policy: Policy, texts: Sequence[SampleText], seed: int = 1) -> tuple[float, ...]:
    """Share of each group among the words that meet a mechanism; none is taken for impossible."""
    subject = Subject(policy, texts, seed=seed)
    counts = np.ones(len(GROUPS))
    for result in subject.first:
        trace = traced(result)
        groups = trace.grouping.groups[perturbed(trace)]
        counts += np.bincount(groups, minlength=len(GROUPS) + 1)[1:]
    return tuple((counts / counts.sum()).tolist())


def meaning(gauges: Sequence[Gauge], progress: Progress = silent) -> Meaning:
    """Expected cosine over epsilon until hardly a word changes; the mean of the classes given."""
    wide = gauges[0].mechanism.diameter
    points: dict[float, float] = {}
    epsilon, before = _BEGIN / wide, 0.0
    while epsilon <= _END / wide:
        progress(f"{gauges[0].mechanism.name}: meaning kept at epsilon {epsilon:.3g}", 0.0)
        read = [gauge.read(epsilon, _SURVIVAL).cosine.value or 0.0 for gauge in gauges]
        points[epsilon] = now = float(np.mean(read))
        if now > _FLAT or (now > _SOME and now - before < 1.0 - _FLAT):
            break  # nothing changes any more, or as little as this mechanism ever lets through
        epsilon, before = epsilon * _GROWTH, now
    return Meaning.of(points)


def for_group(gauges: Sequence[Gauge], group: int) -> Sequence[Gauge]:
    """Names and places stand for what is sensitive, content words for the rest."""
    fitting = [gauge for gauge in gauges if (gauge.words.name in SENSITIVE) == (group < 3)]
    return fitting or gauges


def mix(
    bench: Bench,
    shares: Sequence[float],
    importance: Sequence[float] = IMPORTANCE,
    progress: Progress = silent,
) -> Mix:
    """The groups with their curves; a group that is only ever replaced keeps nothing."""
    known: dict[tuple[Mechanism, bool], Meaning] = {}
    curves = []
    for group in GROUPS:
        mechanism = bench.mechanisms.get(group)
        if mechanism is None:
            curves.append(Meaning(np.array([0.0, 1.0]), np.zeros(2)))
            continue
        key = (mechanism, group < 3)
        if key not in known:
            known[key] = meaning(for_group(bench.gauges(mechanism), group), progress)
        curves.append(known[key])
    return Mix(shares, curves, importance)


def share_out(
    plan: CalibrationPlan,
    bench: Bench,
    mean: float,
    progress: Progress = silent,
) -> CalibrationPlan:
    """A mean epsilon among the groups that keeps most meaning, no group above what it was allowed.

    The bench's texts say how many words each group has.
    """
    if not isinstance(plan.asked.budget.metric, str):
        raise BudgetError("a mean epsilon needs one metric for all groups: others never add up")
    limited = {group for outcome in plan.outcomes for group in outcome.groups}
    caps = [
        0.0 if group not in bench.mechanisms else epsilon if group in limited else math.inf
        for group, epsilon in zip(GROUPS, plan.epsilon, strict=True)
    ]
    shares = shares_of(plan.policy(), bench.texts, plan.seed)
    allocated = mix(bench, shares, progress=progress).allocate(mean, caps)
    shared = tuple(rounded(budget) if budget > 0 else 0.0 for budget in allocated)
    return replace(plan, shared=shared, saw=bench.saw)


ATTACKER: Final = Attacker("unigram", "weighted")
_PARTS: Final = ("space", "sensitivity", "importance", "mechanism", "replacement", "decoder",
                 "language_model", "repair")  # fmt: skip
_PLAIN: Final = ("draws", "numbers", "grouping")
_LISTS: Final = ("allow", "deny", "keep")


@dataclass(frozen=True)
class GroupFigures:
    """What a policy does to the words of a group; replaced words are recovered by guessing."""

    group: int
    mechanism: str
    metric: str
    epsilon: float
    keep: Estimate
    recovery: Estimate
    cosine: Estimate


def figures(policy: Policy, seed: int = 1, progress: Progress = silent) -> list[GroupFigures]:
    """Of all groups, measured on words of the public table: the worst of a group's classes."""
    bench = Bench(policy, seed)
    groups = []
    for group in GROUPS:
        progress(f"group {group}", (group - 1) / len(GROUPS))
        part, budget = policy.mechanism_of(group), policy.budget
        epsilon = budget.epsilon[group - 1]
        mechanism = bench.mechanisms.get(group) or next(iter(bench.mechanisms.values()))
        keep, recovery, cosine = _read(for_group(bench.gauges(mechanism), group), epsilon)
        name = policy.replacement.name if epsilon == 0 and group in bench.mechanisms else part.name
        groups.append(GroupFigures(group, "unprotected" if math.isinf(epsilon) else name,
                                  budget.metrics[group - 1], epsilon, keep, recovery,
                                  cosine))  # fmt: skip
    return groups


def _read(gauges: Sequence[Gauge], epsilon: float) -> tuple[Estimate, Estimate, Estimate]:
    if math.isinf(epsilon):
        return (Estimate.exact(1.0),) * 3
    if epsilon == 0:
        floor = max(gauge.floor(ATTACKER) for gauge in gauges)
        return Estimate.exact(0.0), Estimate.exact(floor), Estimate.exact(0.0)
    read = [gauge.read(epsilon, ATTACKER) for gauge in gauges]
    keep, recovery = (
        max((getattr(reading, name) for reading in read), key=lambda figure: figure.value or 0.0)
        for name in ("keep", "recovery")
    )
    cosine = min((reading.cosine for reading in read), key=lambda figure: figure.value or 0.0)
    return keep, recovery, cosine


def changes(before: Policy, after: Policy) -> dict[str, tuple[str, str]]:
    """Parts and rules that differ, in words; of an owner's words only how many there are."""
    changed = {
        name: (_described(getattr(before, name)), _described(getattr(after, name)))
        for name in _PARTS
        if getattr(before, name) != getattr(after, name)
    }
    for group in GROUPS:
        pair = before.mechanism_of(group), after.mechanism_of(group)
        if pair[0] != pair[1]:
            changed[f"group {group}"] = (_described(pair[0]), _described(pair[1]))
    for name in _PLAIN:
        if getattr(before, name) != getattr(after, name):
            changed[name] = (getattr(before, name), getattr(after, name))
    for name in _LISTS:
        if getattr(before, name) != getattr(after, name):
            lengths = (len(getattr(policy, name)) for policy in (before, after))
            first, second = (f"{count} terms" for count in lengths)
            changed[name] = (first, second)
    return changed


def _described(part: Part | None) -> str:
    """Plain options by value, others by name: they may be lists of the owner's words."""
    if part is None:
        return "none"
    plain = [
        f"{key} = {value}" if isinstance(value, bool | int | float) else key
        for key, value in sorted(part.options.items())
    ]
    return f"{part.name} ({', '.join(plain)})" if plain else part.name


def on_sample(policy: Policy, texts: Sequence[SampleText], seed: int = 1) -> list[dict[str, Any]]:
    """Units of each group in a sample, and the share that one release changes."""
    units, changed = np.zeros(len(GROUPS) + 1), np.zeros(len(GROUPS) + 1)
    for result in Subject(policy, texts, seed=seed).first:
        trace = traced(result)
        groups = trace.grouping.groups
        pairs = zip(trace.units.surfaces(), trace.surfaces, strict=True)
        differs = np.array([before != after for before, after in pairs], dtype=np.float64)
        units += np.bincount(groups, minlength=len(units))
        changed += np.bincount(groups, weights=differs, minlength=len(units))
    return [
        {"group": group, "units": int(units[group]),
         "changed": float(changed[group] / units[group]) if units[group] else None}
        for group in GROUPS
    ]  # fmt: skip


@dataclass(frozen=True)
class TextFigures:
    """Expected shares of a text's units, from the law of each unit's mechanism.

    An attacker names a unit if the likeliest one, given what left, is right. Of replaced units he
    knows what he knew before: they count as not named.
    """

    kept: float | None  # of content words that are not sensitive, those that leave as themselves
    named_sensitive: float | None
    named_others: float | None
    replaced_blind: bool  # every sensitive unit was drawn without looking at it


def text_figures(line: Privatizer, result: Result, draws: int | None = None) -> TextFigures:
    """The figures of one traced release; `draws` says how many an attacker without a law gets."""
    trace = traced(result)

    @cache
    def read(cell: Cell) -> GaugeReading:
        words = Candidates(line.parts.space, cell.number)
        return Gauge(line.parts.mechanisms[cell.group], words, 1, draws).read(
            cell.epsilon, ATTACKER
        )

    small = small_words(line.parts.space, trace.units.rows)

    def figures(*groups: int) -> Iterator[tuple[float, float]]:
        """Keep and recovery of each unit of these groups but for function words."""
        met = perturbed(trace)
        for index in np.flatnonzero(np.isin(trace.grouping.groups, groups) & ~small).tolist():
            if met[index]:
                reading = read(Cell.of(trace, index, line.parts.space))
                yield reading.keep.value or 0.0, reading.recovery.value or 0.0
            else:
                yield (1.0, 1.0) if np.isinf(trace.epsilon[index]) else (0.0, 0.0)

    sensitive, others = list(figures(1, 2)), list(figures(3, 4))
    return TextFigures(
        kept=_mean([keep for keep, _ in others]),
        named_sensitive=_mean([recovery for _, recovery in sensitive]),
        named_others=_mean([recovery for _, recovery in others]),
        replaced_blind=not any(recovery for _, recovery in sensitive),
    )


def _mean(shares: list[float]) -> float | None:
    return float(np.mean(shares)) if shares else None
