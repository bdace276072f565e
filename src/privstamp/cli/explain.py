"""privstamp explain: a private view of what would happen to every unit, and why."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from privstamp.cli.options import (
    Json,
    MaxSize,
    PolicyFile,
    Preset,
    Profile,
    Seed,
    Source,
    Task,
    TaskFile,
    choose_policy,
    with_profiles,
)
from privstamp.cli.output import put
from privstamp.cli.screen import STYLES, colours, err, legend, out, painted, visible
from privstamp.cli.source import MAX_SIZE, read_source, read_task

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from privstamp.lab.estimate import Estimate
    from privstamp.protocols import Mechanism
    from privstamp.result import Trace
    from privstamp.types import Finding

EXAMPLES = """
privstamp explain note.txt --task "What is the diagnosis?"
privstamp explain note.txt --limit 0 --json
"""
PRIVATE = "PRIVATE VIEW: it shows the original text. Do not send or share it."


def explain(
    source: Source,
    task: Task = None,
    task_file: TaskFile = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    profile: Profile = None,
    limit: Annotated[
        int, Option("--limit", metavar="N", min=0, help="At most so many units; 0 is all.")
    ] = 200,
    as_json: Json = False,
    max_size: MaxSize = MAX_SIZE,
    seed: Seed = None,
) -> None:
    """Show, PRIVATELY, each unit's group, score, epsilon, P(keep) and one possible replacement."""
    chosen = with_profiles(choose_policy(policy, preset)[0], profile)
    text = read_source(source, max_size=max_size)
    question = read_task(task, task_file, source)
    from privstamp.cli.line import privatized

    private = task_file is not None
    plain = chosen.unrepaired
    line, result = privatized(plain, text, question, private_task=private, seed=seed, trace=True)
    assert result.trace is not None
    explained = explanation(result.trace, line.parts.mechanisms, limit)
    if as_json:
        put(json.dumps(explained.to_dict(), indent=2, ensure_ascii=False) + "\n")
    else:
        show(explained, out())


def show(explanation: Explanation, console: Console) -> None:
    """Text coloured by group, legend, table of units."""
    console.print(PRIVATE, style="bold red")
    console.print()
    shown = slice(0, len(explanation.units))
    console.print(painted(explanation.trace, explanation.trace.units.surfaces(), console, shown))
    console.print()
    console.print(legend(console))
    console.print()
    console.print(_table(explanation.units, console))
    if explanation.left_out:
        console.print(
            f"{explanation.left_out} more units are not shown: --limit 0 shows all", style="bold"
        )
    if explanation.note:
        console.print(f"Note: {explanation.note}.")
    console.print(
        "score: importance for the task"
        + (
            f" (important from {explanation.threshold:.3f})"
            if explanation.threshold is not None
            else ""
        )
        + f". P(keep): share of {DRAWS} fresh draws that gave the same word back "
        "(±0.1). "
        "becomes: one possible outcome; every release draws anew.",
        style="dim",
    )
    console.print()
    console.print(PRIVATE, style="bold red")


def _table(units: list[UnitFacts], console: Console) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    grid.add_column("unit", overflow="fold", ratio=3)
    grid.add_column("why", overflow="fold", ratio=4)
    for name in ("score", "G", "ε", "P(keep)"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("becomes", overflow="fold", ratio=3)
    for before, unit in zip([None, *units], units, strict=False):
        same = unit.finding is not None and before is not None and unit.finding is before.finding
        style = STYLES[unit.group] if colours(console) else ""
        grid.add_row(
            Text.assemble((visible(unit.text), style)),
            Text("same span", "dim") if same else unit.why,
            "" if unit.score is None else f"{unit.score:.2f}",
            str(unit.group),
            f"{unit.epsilon:g}",
            "" if unit.keep is None else unit.keep.short(".2f"),
            _outcome(unit),
        )
    return grid


def _outcome(unit: UnitFacts) -> Text:
    from rich.text import Text

    if unit.unprotected:
        return Text("unprotected", "bold red")
    if unit.kind == "CONTROL":
        return Text("(nothing)", "dim")
    return Text(visible(unit.replacement)) if unit.replacement else Text("(with the above)", "dim")


# The facts behind it, as plain records. Private throughout.

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

    def to_dict(self) -> dict[str, Any]:
        return {
            "private": True,
            "threshold": self.threshold,
            "note": self.note,
            "draws": DRAWS,
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
    from privstamp.lab.estimate import Estimate
    from privstamp.release.groups import NO_SPAN
    from privstamp.types import UNKNOWN, Kind

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
    import numpy as np

    from privstamp.lab.attackers import keep_rates
    from privstamp.lab.progress import bar

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
