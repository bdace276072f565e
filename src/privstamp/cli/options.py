"""Options that several commands share, and the policy that they choose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from privstamp.cli.screen import tell
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.policy import Policy

POLICY_FILE = "privstamp.toml"

Source = Annotated[
    str, Argument(metavar="FILE", help="What to read, as UTF-8 text; - is standard input.")
]
Task = Annotated[
    str | None,
    Option("--task", metavar="TEXT", help="What a reader must still be able to do. Public."),
]
TaskFile = Annotated[
    str | None,
    Option("--task-file", metavar="FILE", help="A task that is private: privatised too."),
]
PolicyFile = Annotated[
    Path | None,
    Option("--policy", metavar="FILE", help=f"A policy file; ./{POLICY_FILE} if there is one."),
]
Preset = Annotated[
    str | None,
    Option(
        "--preset",
        metavar="NAME",
        help="A policy that comes with privstamp: selective (default), readable, fluent, stamp, "
        "paper.",
    ),
]
RepairModel = Annotated[
    str | None,
    Option("--repair-model", metavar="NAME", help="The model's name at the URL of --repair."),
]
Timeout = Annotated[
    float | None,
    Option("--timeout", metavar="SECONDS", help="For each attempt at an endpoint; 60."),
]
Concurrency = Annotated[
    int | None,
    Option("--concurrency", metavar="N", min=1, help="Prompts at a time at an endpoint; 4."),
]
Seed = Annotated[
    int | None,
    Option("--seed", metavar="N", help="Reproducible and INSECURE: for tests, not for releases."),
]
Json = Annotated[bool, Option("--json", help="Write JSON, for machines.")]


def check_asking(timeout: float | None, concurrency: int | None, *, elsewhere: bool) -> None:
    """Refuse settings for an endpoint that make no sense, or where there is none."""
    if (timeout is not None or concurrency is not None) and not elsewhere:
        raise UsageError("--timeout and --concurrency are for an endpoint that answers or fills")
    if timeout is not None and not 0 < timeout < float("inf"):
        raise UsageError("--timeout is a number of seconds above 0")


def choose_policy(
    file: Path | None,
    preset: str | None,
    *,
    resolved: bool = True,
    default: str | None = None,
) -> tuple[Policy, str]:
    """The policy and its origin: the file or preset named, ./privstamp.toml, or the default.

    A budget that is given as a target is turned into epsilons, unless it is wanted as written.
    """
    policy, origin = _read_policy(file, preset, default)
    return (_resolved(policy) if resolved else policy), origin


def _resolved(policy: Policy) -> Policy:
    from privstamp.targets import Targets

    if not isinstance(policy.budget, Targets):
        return policy
    from privstamp.cache import announce
    from privstamp.calibration import resolve
    from privstamp.cli.screen import working

    announce(working)
    return resolve(policy)


def _read_policy(file: Path | None, preset: str | None, default: str | None) -> tuple[Policy, str]:
    from privstamp.policy import DEFAULT, Policy

    if file is not None and preset is not None:
        raise UsageError("give either --policy or --preset, not both")
    if file is not None:
        return Policy.load(file), str(file)
    if preset is None and Path(POLICY_FILE).is_file():
        tell(f"using the policy ./{POLICY_FILE}")
        return Policy.load(POLICY_FILE), f"./{POLICY_FILE}"
    name = preset or default or DEFAULT
    return Policy.preset(name), f"preset {name}"
