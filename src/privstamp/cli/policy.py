"""privstamp policy: the one file that describes a whole configuration."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from privstamp.cli.failures import FAILURE
from privstamp.cli.found import POLICY_FILE
from privstamp.cli.options import Json, PolicyFile, Preset, Profile, choose_policy, with_profiles
from privstamp.cli.output import Draft, check_target, put
from privstamp.cli.screen import note, tell
from privstamp.errors import UsageError

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
    with Draft(path, commented(Policy.preset(preset or DEFAULT))) as draft:
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
    from privstamp.cli.policy_words import in_words
    from privstamp.cli.policy_words import warnings as objections_to

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
