"""privstamp explain: a private view of what would happen to every unit, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

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
from privstamp.cli.screen import STYLES, colours, legend, out, painted, visible
from privstamp.cli.source import MAX_SIZE, read_source, read_task

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from privstamp.cli.explanation import Explanation, UnitFacts

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
    from privstamp.cli.explanation import explanation
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
        + f". P(keep): share of {explanation.draws} fresh draws that gave the same word back "
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
