"""Options that several commands share, and the policy that they choose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from privstamp.cli.found import ATTACHMENTS, LANGUAGES, POLICY_FILE, check_strength, found_policy
from privstamp.errors import UsageError, suggest
from privstamp.text.formats import FORMATS
from privstamp.text.languages import KNOWN

if TYPE_CHECKING:
    from privstamp.policy import Policy
from collections.abc import Callable, Iterable, Iterator


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def presets(incomplete: str) -> list[str]:
    from privstamp.policy import PRESETS

    return _beginning(PRESETS, incomplete)


def accepted(incomplete: str) -> list[str]:
    from privstamp.cli.found import ACCEPTABLE

    return _beginning(ACCEPTABLE, incomplete)


def profiles(incomplete: str) -> list[str]:
    from privstamp.policy.profiles import profiles as known

    return _beginning(known(), incomplete)


def assets(incomplete: str) -> list[str]:
    from privstamp.assets.catalogue import ASSETS

    return _beginning(ASSETS, incomplete)


def parts(kind: str, *, strong: bool = False) -> Callable[[str], list[str]]:
    """Names of a kind of parts; `strong` ones have an epsilon, so no replacements."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(_parts(kind, strong=strong), incomplete)

    return complete


def _parts(kind: str, *, strong: bool) -> Iterator[str]:
    from privstamp.registry import TABLES

    for entry in TABLES[kind].entries():
        if not (strong and entry.name in ("surrogate", "placeholder")):
            yield entry.name


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
    Option("--policy", metavar="FILE", help=f"A policy file; else a trusted ./{POLICY_FILE}."),
]
MaxSize = Annotated[
    str,
    Option("--max-size", metavar="SIZE", help="Refuse a larger input, say 200MB. Default: 50MB."),
]
Preset = Annotated[
    str | None,
    Option(
        "--preset",
        metavar="NAME",
        autocompletion=presets,
        help="A policy that comes with privstamp: selective (default), readable, fluent, stamp, "
        "paper.",
    ),
]
Format = Annotated[
    str | None,
    Option(
        "--format",
        metavar="NAME",
        help=f"How the text is written: {', '.join(FORMATS)}; seen by itself unless named.",
    ),
]
Profile = Annotated[
    list[str] | None,
    Option(
        "--profile",
        metavar="NAME",
        autocompletion=profiles,
        help="What must be covered as well, may be repeated: hipaa, pci, secrets, contact, quasi.",
    ),
]
Language = Annotated[
    list[str] | None,
    Option(
        "--language",
        metavar="CODE",
        help=f"Read this one as well, may be repeated: {', '.join(KNOWN)}.",
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
Mechanism = Annotated[
    str | None,
    Option(
        "--mechanism",
        metavar="NAME",
        autocompletion=parts("mechanisms", strong=True),
        help="In the place of the policy's.",
    ),
]
Seed = Annotated[
    int | None,
    Option("--seed", metavar="N", help="Reproducible and INSECURE: for tests, not for releases."),
]
Accept = Annotated[
    list[str] | None,
    Option(
        "--accept",
        metavar="NAME",
        autocompletion=accepted,
        help="Run all the same where that is refused otherwise; weak: words found sensitive may "
        "leave as themselves.",
    ),
]
Json = Annotated[bool, Option("--json", help="Write JSON, for machines.")]


def check_asking(timeout: float | None, concurrency: int | None, *, elsewhere: bool) -> None:
    """Refuse settings for an endpoint that make no sense, or where there is none."""
    if (timeout is not None or concurrency is not None) and not elsewhere:
        raise UsageError("--timeout and --concurrency are for an endpoint that answers or fills")
    if timeout is not None and not 0 < timeout < float("inf"):
        raise UsageError("--timeout is a number of seconds above 0")


def with_format(policy: Policy, name: str | None) -> Policy:
    """The policy, with the format that an option names in the place of its own."""
    if name is None:
        return policy
    if name not in FORMATS:
        raise UsageError(f'--format: no format "{name}".{suggest(name, FORMATS)}')
    return policy.model_copy(update={"format": name})


def choose_policy(
    file: Path | None,
    preset: str | None,
    *,
    resolved: bool = True,
    only_read: bool = False,
    default: str | None = None,
    accept: Sequence[str] = (),
) -> tuple[Policy, str]:
    """The policy and its origin: the file or preset named, ./privstamp.toml, or the default.

    A budget that is given as a target is turned into epsilons, unless it is wanted as written.
    What nobody named must be trusted, unless it is only read, and must be strong, unless that is
    accepted.
    """
    from privstamp.policy import DEFAULT, Policy

    if file is not None and preset is not None:
        raise UsageError("give either --policy or --preset, not both")
    if file is not None:
        policy, origin = Policy.load(file), str(file)
    elif preset is None and (lying := found_policy(only_read=only_read)) is not None:
        policy, origin = lying, f"./{POLICY_FILE}"
    else:
        name = preset or default or DEFAULT
        policy, origin = Policy.preset(name), f"preset {name}"
    if not resolved:
        return policy, origin
    policy = _resolved(policy)
    if file is None and origin == f"./{POLICY_FILE}":
        check_strength(policy, accept)
    return policy, origin


def with_accepted(
    policy: Policy, names: Sequence[str] | None, accept: Sequence[str] | None
) -> Policy:
    """The policy, reading these languages as well, and letting pass what is accepted."""
    if LANGUAGES in (accept or ()):
        policy = policy.model_copy(update={"other_languages": "accept"})
    if ATTACHMENTS in (accept or ()):
        policy = policy.model_copy(update={"attachments": "drop"})
    if not names:
        return policy
    from privstamp.policy import Part

    part = policy.sensitivity
    served = dict.fromkeys([*names, *part.options.get("languages", ["en"])])
    table = {"name": part.name, **part.options, "languages": list(served)}
    return policy.model_copy(update={"sensitivity": Part.model_validate(table)})


def with_profiles(policy: Policy, names: Sequence[str] | None) -> Policy:
    """The policy, covering these profiles as well."""
    if not names:
        return policy
    from privstamp.policy.profiles import required

    required(names)
    return policy.model_copy(update={"profiles": tuple(dict.fromkeys([*policy.profiles, *names]))})


def _resolved(policy: Policy) -> Policy:
    from privstamp.policy.targets import Targets

    if not isinstance(policy.budget, Targets):
        return policy
    from privstamp.assets.cache import announce
    from privstamp.cli.screen import building
    from privstamp.lab.calibration import resolve

    announce(building)
    return resolve(policy)
