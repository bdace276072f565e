"""privstamp policy diff: what another policy would change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from privstamp.cli import options as completion
from privstamp.cli.options import Json, Task, choose_policy
from privstamp.cli.output import put
from privstamp.cli.screen import err, out
from privstamp.cli.source import read_source

if TYPE_CHECKING:
    from privstamp.lab.calibration.compare import GroupFigures
    from privstamp.policy import Policy

EXAMPLES = """
privstamp policy diff stamp readable
privstamp policy diff old.toml new.toml --sample notes.txt --json
"""


def diff(
    one: Annotated[
        str,
        Argument(
            metavar="A",
            help="A policy file, or the name of a preset.",
            autocompletion=completion.presets,
        ),
    ],
    two: Annotated[
        str,
        Argument(metavar="B", help="The other one.", autocompletion=completion.presets),
    ],
    sample: Annotated[
        str | None,
        Option("--sample", metavar="FILE", help="Texts to count on: .txt, or .jsonl with text."),
    ] = None,
    task: Task = None,
    seed: Annotated[int, Option("--seed", metavar="N", help="Of all draws.")] = 1,
    as_json: Json = False,
) -> None:
    """Compare budgets, keep, recovery and meaning kept of two policies, group by group.

    Figures come from words of the public table; a sample adds group counts and changed words.
    """
    policies = [_policy(name) for name in (one, two)]
    from privstamp.lab.audit.subject import read
    from privstamp.lab.calibration.compare import changes, figures, on_sample
    from privstamp.lab.progress import bar

    texts = None if sample is None else read(read_source(sample, "--sample"), sample, task)
    with bar("reading the table", transient=True, console=err()) as progress:
        sides = [figures(policy, seed, progress) for policy in policies]
        counted = [on_sample(policy, texts, seed) for policy in policies] if texts else None
    changed = changes(*policies)
    if as_json:
        put(json.dumps(_flat((one, two), policies, sides, changed, counted), indent=2) + "\n")
        return
    _show((one, two), sides, changed, counted)


def _policy(name: str) -> Policy:
    from privstamp.policy import PRESETS

    preset = name in PRESETS and not Path(name).exists()
    return choose_policy(None if preset else Path(name), name if preset else None)[0]


def _flat(
    names: tuple[str, str],
    policies: list[Policy],
    sides: list[list[GroupFigures]],
    changed: dict[str, tuple[str, str]],
    counted: Any,
) -> dict[str, Any]:
    return {
        "policies": [
            {"name": name, "fingerprint": policy.fingerprint()}
            for name, policy in zip(names, policies, strict=True)
        ],
        "changed": {key: list(pair) for key, pair in changed.items()},
        "groups": [[_group(one) for one in pair] for pair in zip(*sides, strict=True)],
        "sample": counted,
    }


def _group(one: GroupFigures) -> dict[str, Any]:
    epsilon = "inf" if one.epsilon == float("inf") else one.epsilon
    figures = {name: getattr(one, name).as_json() for name in ("keep", "recovery", "cosine")}
    return {"group": one.group, "mechanism": one.mechanism, "metric": one.metric,
            "epsilon": epsilon, **figures}  # fmt: skip


def _show(
    names: tuple[str, str],
    sides: list[list[GroupFigures]],
    changed: dict[str, tuple[str, str]],
    counted: Any,
) -> None:
    from privstamp.budget import GROUP_NAMES
    from privstamp.lab.report.table import Sheet, on_screen

    console = out(max(out().width, 100))
    console.print(f"A: {names[0]}\nB: {names[1]}\n")
    for key, (before, after) in changed.items():
        console.print(f"{key}: {before} -> {after}")
    headings = ("group", "", "mechanism", "epsilon", "kept", "recovered", "cosine")
    lines = []
    for pair in zip(*sides, strict=True):
        for letter, side in zip("AB", pair, strict=True):
            head = f"{side.group} {GROUP_NAMES[side.group]}" if letter == "A" else ""
            figures = (
                figure.short(missing="-") for figure in (side.keep, side.recovery, side.cosine)
            )
            epsilon = f"{side.epsilon:g} {side.metric}"
            lines.append((head, letter, side.mechanism, epsilon, *figures))
    console.print(on_screen(Sheet("", headings, lines)))
    console.print(
        "kept, recovered: of names and places (groups 1, 2) or content words (3, 4), the worst "
        "class; recovered by an attacker who knows word frequencies. cosine: to the original.",
        soft_wrap=True,
    )
    for letter, side in zip("AB", counted or (), strict=False):
        told = ", ".join(
            f"{one['group']}: {one['units']}"
            + ("" if one["changed"] is None else f" ({one['changed']:.0%} changed)")
            for one in side
        )
        console.print(f"{letter}, units of the sample by group: {told}", soft_wrap=True)
