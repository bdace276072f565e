"""privstamp group: the label of every unit and the reason for it, for those who measure."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from privstamp.cli.options import (
    Json,
    MaxSize,
    PolicyFile,
    Preset,
    Source,
    Task,
    TaskFile,
    choose_policy,
)
from privstamp.cli.output import put
from privstamp.cli.source import MAX_SIZE, read_source, read_task

if TYPE_CHECKING:
    from privstamp.result import Trace

EXAMPLES = """
privstamp group note.txt --task "What is the diagnosis?" --json
"""
COLUMNS = ("start", "end", "group", "kind", "finder", "rule", "score", "importance")


def group(
    source: Source,
    task: Task = None,
    task_file: TaskFile = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    show_text: Annotated[
        bool, Option("--show-text", help="Also the units themselves: the original text.")
    ] = False,
    max_size: MaxSize = MAX_SIZE,
    as_json: Json = False,
) -> None:
    """List, PRIVATELY, each unit's place, group and the reasons for it. Nothing is released."""
    chosen, _ = choose_policy(policy, preset)
    text = read_source(source, max_size=max_size)
    question = read_task(task, task_file, source)
    from privstamp.cli.line import privatizer

    line = privatizer(chosen.unrepaired)
    trace = line.group(text, question, private_task=task_file is not None)
    units = facts(trace, show_text=show_text)
    if as_json:
        threshold = trace.scores.threshold
        content = {
            "private": True,
            "map": chosen.grouping,
            "sensitivity": line.parts.sensitivity.name,
            "importance": line.parts.importance.name,
            "threshold": threshold if math.isfinite(threshold) else None,
            "note": trace.scores.note,
            "units": units,
        }
        put(json.dumps(content, ensure_ascii=False) + "\n")
        return
    columns = (*COLUMNS, "unit") if show_text else COLUMNS
    lines = ["\t".join(columns)]
    lines += ["\t".join(cell(unit[column]) for column in columns) for unit in units]
    put("\n".join(lines) + "\n")


def facts(trace: Trace, *, show_text: bool) -> list[dict[str, Any]]:
    """One record per unit: where it is, its group, and why."""
    from privstamp.release.groups import NO_SPAN
    from privstamp.types import UNKNOWN, Kind

    units, grouping = trace.units, trace.grouping
    found = []
    for index, surface in enumerate(units.surfaces()):
        span, importance = int(grouping.spans[index]), float(trace.scores.values[index])
        finding = None if span == NO_SPAN else grouping.findings[span]
        form = Kind(units.kinds[index]).name.lower()
        rule = None if units.rows[index] != UNKNOWN else f"unknown {form}"
        rule = f"{form} by rule" if grouping.by_rule[index] and rule is None else rule
        record = {
            "start": int(units.starts[index]),
            "end": int(units.ends[index]),
            "form": form,
            "group": int(grouping.groups[index]),
            "sensitive": bool(grouping.groups[index] <= 2),
            "important": bool(grouping.groups[index] in (1, 3)),
            "kind": None if finding is None else finding.kind,
            "rule": rule if finding is None else finding.rule,
            "finder": None if finding is None else finding.source,
            "score": None if finding is None else finding.score,
            "span": None if finding is None else [finding.start, finding.end],
            "importance": importance if math.isfinite(importance) else None,
        }
        found.append(record | {"unit": surface} if show_text else record)
    return found


def cell(value: object) -> str:
    """One field of a table: without control characters, tabs or line ends."""
    from privstamp.cli.screen import visible

    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else " ".join(visible(str(value)).split())
