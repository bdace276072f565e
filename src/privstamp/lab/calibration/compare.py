"""What changes from one policy to another, before anybody deploys it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.budget import GROUPS
from privstamp.lab.audit.figures import Figure
from privstamp.lab.audit.subject import Subject, Text, traced
from privstamp.lab.calibration.gauge import Attacker, Gauge
from privstamp.lab.calibration.mixing import for_group
from privstamp.lab.calibration.plan import Bench, Watch
from privstamp.policy import Part, Policy

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
    keep: Figure
    recovery: Figure
    cosine: Figure


def figures(
    policy: Policy, seed: int = 1, watch: Watch = lambda _w, _s: None
) -> list[GroupFigures]:
    """Of all groups, measured on words of the public table: the worst of a group's classes."""
    bench = Bench(policy, seed)
    found = []
    for group in GROUPS:
        watch(f"group {group}", (group - 1) / len(GROUPS))
        part, budget = policy.mechanism_of(group), policy.budget
        epsilon = budget.epsilon[group - 1]
        mechanism = bench.mechanisms.get(group) or next(iter(bench.mechanisms.values()))
        keep, recovery, cosine = _read(for_group(bench.gauges(mechanism), group), epsilon)
        name = policy.replacement.name if epsilon == 0 and group in bench.mechanisms else part.name
        found.append(GroupFigures(group, "unprotected" if math.isinf(epsilon) else name,
                                  budget.metrics[group - 1], epsilon, keep, recovery,
                                  cosine))  # fmt: skip
    return found


def _read(gauges: Sequence[Gauge], epsilon: float) -> tuple[Figure, Figure, Figure]:
    if math.isinf(epsilon):
        return (Figure.exact(1.0),) * 3
    if epsilon == 0:
        floor = max(gauge.floor(ATTACKER) for gauge in gauges)
        return Figure.exact(0.0), Figure.exact(floor), Figure.exact(0.0)
    read = [gauge.read(epsilon, ATTACKER) for gauge in gauges]
    keep, recovery = (
        max((getattr(one, name) for one in read), key=lambda figure: figure.value or 0.0)
        for name in ("keep", "recovery")
    )
    return keep, recovery, min((one.cosine for one in read), key=lambda one: one.value or 0.0)


def changes(one: Policy, two: Policy) -> dict[str, tuple[str, str]]:
    """Parts and rules that differ, in words; of an owner's words only how many there are."""
    found = {name: (_described(getattr(one, name)), _described(getattr(two, name)))
             for name in _PARTS if getattr(one, name) != getattr(two, name)}  # fmt: skip
    for group in GROUPS:
        pair = one.mechanism_of(group), two.mechanism_of(group)
        if pair[0] != pair[1]:
            found[f"group {group}"] = (_described(pair[0]), _described(pair[1]))
    for name in _PLAIN:
        if getattr(one, name) != getattr(two, name):
            found[name] = (getattr(one, name), getattr(two, name))
    for name in _LISTS:
        if getattr(one, name) != getattr(two, name):
            lengths = (len(getattr(policy, name)) for policy in (one, two))
            first, second = (f"{count} terms" for count in lengths)
            found[name] = (first, second)
    return found


def _described(part: Part | None) -> str:
    """Plain options by value, others by name: they may be lists of the owner's words."""
    if part is None:
        return "none"
    plain = [
        f"{key} = {value}" if isinstance(value, bool | int | float) else key
        for key, value in sorted(part.options.items())
    ]
    return f"{part.name} ({', '.join(plain)})" if plain else part.name


def on_sample(policy: Policy, texts: Sequence[Text], seed: int = 1) -> list[dict[str, Any]]:
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
