"""The groups of real texts, for the allocator: how many words each has, and what they keep."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from privstamp.budget import GROUPS
from privstamp.errors import BudgetError
from privstamp.lab.audit.subject import Subject, Text, perturbed, traced
from privstamp.lab.calibration.allocate import IMPORTANCE, Meaning, Mix
from privstamp.lab.calibration.gauge import Attacker, Gauge
from privstamp.lab.calibration.outcome import Plan
from privstamp.lab.calibration.plan import Bench
from privstamp.lab.calibration.search import rounded
from privstamp.policy import Policy
from privstamp.protocols import Mechanism

SENSITIVE: Final = ("name", "place")
_SURVIVAL: Final = Attacker("uniform", "weighted")  # nothing has to be guessed: quick
_FLAT, _SOME = 0.995, 0.5
_GROWTH: Final = 1.3
_BEGIN, _END = 1.0, 4000.0  # nats between the furthest words


def shares_of(policy: Policy, texts: Sequence[Text], seed: int = 1) -> tuple[float, ...]:
    """Share of each group among the words that meet a mechanism; none is taken for impossible."""
    subject = Subject(policy, texts, seed=seed)
    counts = np.ones(len(GROUPS))
    for result in subject.first:
        trace = traced(result)
        groups = trace.grouping.groups[perturbed(trace)]
        counts += np.bincount(groups, minlength=len(GROUPS) + 1)[1:]
    return tuple((counts / counts.sum()).tolist())


def meaning(gauges: Sequence[Gauge], told: Callable[[str], None] = lambda _: None) -> Meaning:
    """Expected cosine over epsilon until hardly a word changes; the mean of the classes given."""
    wide = gauges[0].mechanism.diameter
    points: dict[float, float] = {}
    epsilon, before = _BEGIN / wide, 0.0
    while epsilon <= _END / wide:
        told(f"{gauges[0].mechanism.name}: meaning kept at epsilon {epsilon:.3g}")
        read = [gauge.read(epsilon, _SURVIVAL).cosine.value or 0.0 for gauge in gauges]
        points[epsilon] = now = float(np.mean(read))
        if now > _FLAT or (now > _SOME and now - before < 1.0 - _FLAT):
            break  # nothing changes any more, or as little as this mechanism ever lets through
        epsilon, before = epsilon * _GROWTH, now
    return Meaning.of(points)


def for_group(gauges: Sequence[Gauge], group: int) -> Sequence[Gauge]:
    """Names and places stand for what is sensitive, content words for the rest."""
    mine = [one for one in gauges if (one.words.name in SENSITIVE) == (group < 3)]
    return mine or gauges


def mix(
    bench: Bench,
    shares: Sequence[float],
    importance: Sequence[float] = IMPORTANCE,
    told: Callable[[str], None] = lambda _: None,
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
            known[key] = meaning(for_group(bench.gauges(mechanism), group), told)
        curves.append(known[key])
    return Mix(shares, curves, importance)


def share_out(
    plan: Plan,
    bench: Bench,
    mean: float,
    told: Callable[[str], None] = lambda _: None,
) -> Plan:
    """A mean epsilon among the groups that keeps most meaning, no group above what it was allowed.

    The bench's texts say how many words each group has.
    """
    if not isinstance(plan.asked.budget.metric, str):
        raise BudgetError("a mean epsilon needs one metric for all groups: others never add up")
    limited = {group for one in plan.outcomes for group in one.groups}
    caps = [
        0.0 if group not in bench.mechanisms else epsilon if group in limited else math.inf
        for group, epsilon in zip(GROUPS, plan.epsilon, strict=True)
    ]
    shares = shares_of(plan.policy(), bench.texts, plan.seed)
    found = mix(bench, shares, told=told).allocate(mean, caps)
    shared = tuple(rounded(one) if one > 0 else 0.0 for one in found)
    return replace(plan, shared=shared, saw=bench.saw)
