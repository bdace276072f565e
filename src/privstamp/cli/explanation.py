"""The facts behind `explain`, as plain records. Private throughout."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from privstamp.cli.screen import err
from privstamp.lab.attackers import keep_rates
from privstamp.lab.estimate import Estimate
from privstamp.lab.progress import bar
from privstamp.protocols import Mechanism
from privstamp.release.groups import NO_SPAN
from privstamp.result import Trace
from privstamp.types import UNKNOWN, Finding, Kind

DRAWS = 100
BLOCK = 16
"""Pairs of (row, epsilon) per step of the progress bar."""


@dataclass(frozen=True, repr=False)
class UnitFacts:
    """One unit: what it is, why it is in its group, and what became of it."""

    text: str
    start: int
    end: int
    kind: str
    known: bool
    finding: Finding | None
    score: float | None
    group: int
    epsilon: float
    keep: Estimate | None
    replacement: str

    @property
    def unprotected(self) -> bool:
        return math.isinf(self.epsilon)

    @property
    def why(self) -> str:
        """Who says that it is sensitive, and by what rule."""
        if self.finding is not None:
            finding = self.finding
            return f"{finding.kind} {finding.score:.2f} ({finding.source}, {finding.rule})"
        kind = self.kind.lower()
        if not self.known:
            return f"unknown {kind}"
        return "" if kind in ("word", "piece") else kind

    def to_dict(self) -> dict[str, Any]:
        finding = self.finding
        return {
            "unit": self.text,
            "start": self.start,
            "end": self.end,
            "kind": self.kind.lower(),
            "known": self.known,
            "entity": None if finding is None else finding.kind,
            "source": None if finding is None else finding.source,
            "rule": None if finding is None else finding.rule,
            "certainty": None if finding is None else finding.score,
            "score": self.score,
            "group": self.group,
            "epsilon": "inf" if self.unprotected else self.epsilon,
            "keep": None
            if self.keep is None
            else {"estimate": self.keep.value, "low": self.keep.low, "high": self.keep.high},
            "replacement": self.replacement,
        }


@dataclass(frozen=True, repr=False)
class Explanation:
    """The first units of a text, and how many are left out."""

    trace: Trace
    units: list[UnitFacts]
    left_out: int
    threshold: float | None
    note: str | None
    draws: int = field(default=DRAWS)

    def to_dict(self) -> dict[str, Any]:
        return {
            "private": True,
            "threshold": self.threshold,
            "note": self.note,
            "draws": self.draws,
            "left_out": self.left_out,
            "units": [unit.to_dict() for unit in self.units],
        }


def explanation(trace: Trace, mechanisms: Mapping[int, Mechanism], limit: int) -> Explanation:
    """Facts about the first `limit` units (0: all)."""
    count = min(limit or len(trace.units), len(trace.units))
    keeps = _keeps(trace, mechanisms, count)
    threshold = trace.scores.threshold
    return Explanation(
        trace=trace,
        units=[_facts(trace, index, keeps.get(index)) for index in range(count)],
        left_out=len(trace.units) - count,
        threshold=threshold if math.isfinite(threshold) else None,
        note=trace.scores.note,
    )


def _facts(trace: Trace, index: int, kept: Estimate | None) -> UnitFacts:
    units, grouping = trace.units, trace.grouping
    span, score = int(grouping.spans[index]), float(trace.scores.values[index])
    epsilon = float(trace.epsilon[index])
    return UnitFacts(
        text=units.surface(index),
        start=int(units.starts[index]),
        end=int(units.ends[index]),
        kind=Kind(units.kinds[index]).name,
        known=bool(units.rows[index] != UNKNOWN),
        finding=None if span == NO_SPAN else grouping.findings[span],
        score=score if math.isfinite(score) else None,
        group=int(grouping.groups[index]),
        epsilon=epsilon,
        keep=Estimate.exact(1.0) if math.isinf(epsilon) else kept,
        replacement=trace.surfaces[index],
    )


def _keeps(trace: Trace, mechanisms: Mapping[int, Mechanism], count: int) -> dict[int, Estimate]:
    """P(keep) of the randomised units, estimated once for each distinct (row, epsilon, group)."""
    epsilon, groups = trace.epsilon[:count], trace.grouping.groups[:count]
    where = np.flatnonzero((epsilon > 0) & np.isfinite(epsilon))
    asked = np.stack([groups[where], trace.units.rows[where], epsilon[where]])
    cases, which = np.unique(asked, axis=1, return_inverse=True)
    estimates: list[Estimate] = []
    with bar("estimating P(keep)", cases.shape[1], transient=True, console=err()) as progress:
        for group, mechanism in sorted(mechanisms.items()):
            cases_here = cases[1:, cases[0] == group]
            for first in range(0, cases_here.shape[1], BLOCK):
                rows, budgets = cases_here[:, first : first + BLOCK]
                estimates += keep_rates(mechanism, rows.astype(np.int32), budgets, draws=DRAWS)
                progress("estimating P(keep)", len(estimates))
    return {
        index: estimates[number]
        for index, number in zip(where.tolist(), which.ravel().tolist(), strict=True)
    }
