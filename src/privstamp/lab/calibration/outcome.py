"""What a calibration found, and the policy that follows from it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from privstamp import __version__
from privstamp.budget import GROUPS, Budget
from privstamp.lab import report
from privstamp.lab.calibration.gauge import Attacker, GaugeReading
from privstamp.lab.estimate import Estimate
from privstamp.policy import Calibration, Policy, Saw


@dataclass(frozen=True)
class ClassReading:
    """The words of one class at the epsilon that was chosen, or at the best one."""

    name: str
    floor: float
    reading: GaugeReading


@dataclass(frozen=True)
class Point:
    """An epsilon that was tried on the words of a class."""

    epsilon: float
    name: str
    recovery: Estimate
    keep: Estimate


@dataclass(frozen=True)
class Outcome:
    """What was found for groups that share a mechanism and a limit.

    Without an epsilon, `cannot` says why, and `best` is the smallest recovery there is.
    """

    groups: tuple[int, ...]
    mechanism: str
    metric: str
    limit: float | None
    epsilon: float | None
    edge: tuple[float, float | None] | None
    classes: tuple[ClassReading, ...]
    curve: tuple[Point, ...]
    cannot: str = ""
    best: float | None = None

    @property
    def keep(self) -> float:
        """How often a word stays, in the class where that is least."""
        return min((words.reading.keep.lower for words in self.classes), default=0.0)


@dataclass(frozen=True)
class CalibrationPlan:
    """Outcomes for all groups, and the policy that follows from them."""

    asked: Policy
    attacker: Attacker
    seed: int
    space: str
    outcomes: tuple[Outcome, ...]
    shared: tuple[float, ...] | None = None  # a mean epsilon among the groups, under the limits
    saw: Saw = "public words"

    @property
    def possible(self) -> bool:
        return not any(outcome.cannot for outcome in self.outcomes)

    @cached_property
    def epsilon(self) -> tuple[float, ...]:
        """Of each group: what was found, else what the policy had."""
        if self.shared is not None:
            return self.shared
        chosen = {group: outcome.epsilon for outcome in self.outcomes for group in outcome.groups}
        return tuple(
            float(chosen[group] or 0.0) if group in chosen else self.asked.budget.epsilon[group - 1]
            for group in GROUPS
        )

    @property
    def limits(self) -> dict[str, float]:
        return {str(group): outcome.limit for outcome in self.outcomes if outcome.limit is not None
                for group in outcome.groups}  # fmt: skip

    def policy(self) -> Policy:
        """The policy with the epsilons found, and a record of where they come from."""
        budget = Budget.of(self.epsilon, metric=self.asked.budget.metric)
        policy = self.asked.model_copy(update={"budget": budget, "calibration": None})
        parts = policy.measured_parts()
        limits, attacker = self.limits, self.attacker
        about = [__version__, self.space, parts, limits, vars(attacker), self.seed, self.saw]
        known = Calibration.model_validate(
            {
                "fingerprint": hashlib.sha256(json.dumps(about).encode()).hexdigest(),
                "parts": parts,
                "target_recovery": limits,
                "prior": attacker.prior,
                "statistic": attacker.statistic,
                "saw": self.saw,
            }
        )
        return policy.model_copy(update={"calibration": known})


def as_json(plan: CalibrationPlan) -> dict[str, Any]:
    """Flat enough for machines."""
    policy = plan.policy() if plan.possible else None
    return {
        "possible": plan.possible,
        "prior": plan.attacker.prior,
        "statistic": plan.attacker.statistic,
        "seed": plan.seed,
        "epsilon": list(plan.epsilon) if policy else None,
        "metric": plan.asked.budget.metric,
        "calibration": policy.calibration.model_dump() if policy and policy.calibration else None,
        "outcomes": [_outcome_json(outcome) for outcome in plan.outcomes],
    }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "groups": list(outcome.groups),
        "mechanism": outcome.mechanism,
        "metric": outcome.metric,
        "limit": outcome.limit,
        "epsilon": outcome.epsilon,
        "edge": outcome.edge,
        "cannot": outcome.cannot or None,
        "best": outcome.best,
        "classes": [
            {"class": words.name, "floor": words.floor}
            | {name: figure.as_json() for name, figure in vars(words.reading).items()}
            for words in outcome.classes
        ],
        "curve": [
            {"epsilon": point.epsilon, "class": point.name, "recovery": point.recovery.as_json(),
             "keep": point.keep.as_json()}
            for point in outcome.curve
        ],
    }  # fmt: skip


def in_words(plan: CalibrationPlan) -> str:
    """Why there is no budget, and the best that can be had."""
    told = []
    for outcome in plan.outcomes:
        if not outcome.cannot:
            continue
        where = ", ".join(map(str, outcome.groups))
        limit = "" if outcome.limit is None else f" (limit {outcome.limit:g})"
        best = "" if outcome.best is None else f" The best achievable is {outcome.best:.3f}."
        told.append(f"Groups {where}{limit}: {outcome.cannot}.{best}")
    return " ".join(told) + (
        " An epsilon of 0 replaces the words and adds nothing to what an attacker knows before."
    )


def draw(plan: CalibrationPlan, path: Path) -> None:
    """Recovery over epsilon, with the limit and the epsilon chosen: one panel per outcome."""
    count = len(plan.outcomes)
    with report.canvas(1, count, size=(6 * count, 4)) as (figure, axes):
        for axis, outcome in zip(axes[0], plan.outcomes, strict=True):
            series: dict[str, list[tuple[float, Estimate]]] = {}
            for point in outcome.curve:
                series.setdefault(point.name, []).append((point.epsilon, point.recovery))
            report.curves(axis, dict(sorted(series.items())))
            if outcome.limit is not None:
                axis.axhline(outcome.limit, color=report.FAINT, linewidth=1)
            if outcome.epsilon is not None:
                axis.axvline(outcome.epsilon, color=report.FAINT, linewidth=1, linestyle=":")
            axis.set(
                xscale="log",
                xlabel=f"epsilon ({outcome.metric})",
                ylabel=f"recovered, {plan.attacker.prior} prior",
            )
            groups = ", ".join(map(str, outcome.groups))
            axis.set_title(f"groups {groups}: {outcome.mechanism}", fontsize=10)
            axis.legend()
        report.save(figure, path)
