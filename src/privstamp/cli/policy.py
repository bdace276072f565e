"""privstamp policy: the one file that describes a whole configuration."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from privstamp.cli.failing import FAILURE
from privstamp.cli.options import POLICY_FILE, Json, PolicyFile, Preset, choose_policy
from privstamp.cli.output import Draft, check_target, put
from privstamp.cli.screen import note, tell
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.parts import Parts
    from privstamp.policy import Policy

INIT_EXAMPLES = """
privstamp policy init
privstamp policy init --preset paper --path paper.toml
"""
SHOW_EXAMPLES = """
privstamp policy show
privstamp policy show --preset paper --json
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
    with Draft(path, commented(Policy.preset(preset or DEFAULT))) as draft:
        draft.publish()
    tell(f"wrote {path}. Next: privstamp policy check {path}")


def show(policy: PolicyFile = None, preset: Preset = None, as_json: Json = False) -> None:
    """The policy that would be used here, and its fingerprint."""
    from privstamp.cli.policy_file import commented

    chosen, origin = choose_policy(policy, preset, resolved=False)
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
    strict: Annotated[bool, Option("--strict", help="Warnings count as failure.")] = False,
) -> None:
    """Read a policy, build all that it names, and warn of careless budgets."""
    chosen, origin = choose_policy(file, preset)
    from privstamp.cli.running import privatizer

    parts = privatizer(chosen).parts
    warnings = _warnings(chosen, parts)
    for warning in warnings:
        put(f"warning: {warning}\n")
    put(f"{origin}: valid, {len(warnings) or 'no'} warning{'' if len(warnings) == 1 else 's'}\n")
    note(f"fingerprint {chosen.fingerprint()}")
    if warnings and strict:
        raise typer.Exit(FAILURE)


def _warnings(policy: Policy, parts: Parts) -> list[str]:
    from privstamp.budget import GROUPS, careless, cliff

    outputs = sum(len(rows) for rows in parts.space.outputs)
    edge = cliff(parts.space.unit.shape[1], outputs)
    names = [policy.mechanism_of(group).name for group in GROUPS]
    edges = [edge if name in ("polar", "polar-radial") else math.inf for name in names]
    warnings = careless(policy.budget, edges)
    if both := {term.casefold() for term in policy.allow} & {t.casefold() for t in policy.deny}:
        warnings.append(f"{len(both)} terms are both in allow and in deny: deny wins")
    if policy.numbers == "perturb":
        warnings.append(
            'numbers = "perturb": a number that no detector marks has the budget of an ordinary '
            "word, and rare ones often survive"
        )
    return warnings
