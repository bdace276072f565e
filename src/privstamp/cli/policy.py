"""privstamp policy: the one file that describes a whole configuration."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from privstamp.cli import options as completion
from privstamp.cli.options import (
    POLICY_FILE,
    Json,
    PolicyFile,
    Preset,
    Profile,
    Task,
    choose_policy,
    with_profiles,
)
from privstamp.cli.output import FAILURE, DraftFile, check_target, put
from privstamp.cli.screen import err, note, out, tell
from privstamp.cli.source import read_source
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.lab.calibration.groups import GroupFigures
    from privstamp.policy import Policy

INIT_EXAMPLES = """
privstamp policy init
privstamp policy init --preset paper --path paper.toml
"""
SHOW_EXAMPLES = """
privstamp policy show
privstamp policy show --preset paper --json
"""
TRUST_EXAMPLES = """
privstamp policy trust
privstamp policy trust --forget
"""
CHECK_EXAMPLES = """
privstamp policy check
privstamp policy check privstamp.toml --strict
"""


def init(
    preset: Preset = None,
    path: Annotated[Path, Option("--path", metavar="FILE", help="Where to write it.")] = Path(
        POLICY_FILE
    ),
    force: Annotated[bool, Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Write a policy file with comments, ready to be changed."""
    from privstamp.cli.policy_file import commented
    from privstamp.policy import DEFAULT, Policy

    check_target("--path", path)
    if path.exists() and not force:
        raise UsageError(f"{path} is there already; --force replaces it")
    with DraftFile(path, commented(Policy.preset(DEFAULT if preset is None else preset))) as draft:
        draft.publish()
    tell(f"wrote {path}. Next: privstamp policy check {path}")


def show(policy: PolicyFile = None, preset: Preset = None, as_json: Json = False) -> None:
    """The policy that would be used here, and its fingerprint."""
    from privstamp.cli.policy_file import commented

    chosen, origin = choose_policy(policy, preset, resolved=False, only_read=True)
    if as_json:
        content: dict[str, Any] = {
            "origin": origin,
            "fingerprint": chosen.fingerprint(),
            "policy": chosen.model_dump(mode="json", exclude_none=True),
        }
        budget = content["policy"]["budget"]
        if "epsilon" in budget:
            budget["epsilon"] = [
                "inf" if math.isinf(epsilon) else epsilon for epsilon in chosen.budget.epsilon
            ]
        put(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        return
    put(f"# {origin}\n# fingerprint {chosen.fingerprint()}\n\n{commented(chosen)}")


def check(
    file: Annotated[
        Path | None, Argument(metavar="[FILE]", help=f"The policy; ./{POLICY_FILE} by default.")
    ] = None,
    preset: Preset = None,
    profile: Profile = None,
    strict: Annotated[bool, Option("--strict", help="Warnings count as failure.")] = False,
) -> None:
    """Read a policy, build all that it names, and warn of careless budgets."""
    chosen, origin = choose_policy(file, preset)
    chosen = with_profiles(chosen, profile)
    from privstamp.cli.line import privatizer
    from privstamp.cli.policy_file import in_words
    from privstamp.cli.policy_file import warnings as objections_to

    parts = privatizer(chosen).parts
    warnings = objections_to(chosen, parts)
    put("".join(f"{line}\n" for line in in_words(chosen)))
    for warning in warnings:
        put(f"warning: {warning}\n")
    put(f"{origin}: valid, {len(warnings) or 'no'} warning{'' if len(warnings) == 1 else 's'}\n")
    note(f"fingerprint {chosen.fingerprint()}")
    if warnings and strict:
        raise typer.Exit(FAILURE)


def trust(
    file: Annotated[
        Path, Argument(metavar="[FILE]", help=f"The policy; ./{POLICY_FILE} by default.")
    ] = Path(POLICY_FILE),
    forget: Annotated[bool, Option("--forget", help="Trust it no longer.")] = False,
) -> None:
    """Let a policy be used where it is found, as it is now.

    Trust ends when the file, its place, or a file that it names changes.
    """
    from privstamp.policy import Policy, read_policy
    from privstamp.policy.trust import Trust, may_stay, objections

    trusted = Trust()
    if forget:
        known = trusted.remove(file)
        put(f"{file}: {'trusted no longer' if known else 'was not trusted'}\n")
        return
    content = read_policy(file)
    policy = Policy.from_bytes(content, file)
    trusted.add(file, content)
    for remark in objections(policy):
        put(f"{file}: {remark}\n")
    if may_stay(policy):
        put(f"{file}: words found sensitive may leave as themselves: privatize asks for --accept\n")
    put(f"{file}: trusted as it is now. Recorded in {trusted.file}\n")


# privstamp policy diff: what another policy would change.

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
    from privstamp.lab.calibration.groups import changes, figures, on_sample
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
        "groups": [[_group(group) for group in pair] for pair in zip(*sides, strict=True)],
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
    from privstamp.lab.report import Sheet, on_screen

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
            f"{figures['group']}: {figures['units']}"
            + ("" if figures["changed"] is None else f" ({figures['changed']:.0%} changed)")
            for figures in side
        )
        console.print(f"{letter}, units of the sample by group: {told}", soft_wrap=True)
