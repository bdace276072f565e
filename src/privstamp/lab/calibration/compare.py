"""What a policy does to groups of words and to one text; what changes from one to another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from privstamp.budget import GROUPS
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.subject import Cell, SampleText, Subject, perturbed, traced
from privstamp.lab.calibration.allocation import for_group
from privstamp.lab.calibration.gauge import Attacker, Gauge, GaugeReading
from privstamp.lab.calibration.plan import Bench
from privstamp.lab.estimate import Estimate
from privstamp.lab.progress import Progress, silent
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.release.groups import small_words
from privstamp.result import Result

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
