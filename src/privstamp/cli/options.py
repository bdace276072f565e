"""Options that several commands share, and the policy that they choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from privstamp.cli.screen import tell
from privstamp.errors import UsageError, suggest
from privstamp.text.formats import FORMATS
from privstamp.text.languages import KNOWN

if TYPE_CHECKING:
    from privstamp.policy import Policy
    from privstamp.sessions.ledger import Ledger
    from privstamp.sessions.vault import Vault

# ./privstamp.toml, which nobody named: used only as far as its owner trusts it.

POLICY_FILE: Final = "privstamp.toml"
WEAK: Final = "weak"
LANGUAGES: Final = "languages"
ATTACHMENTS: Final = "attachments"
ACCEPTABLE: Final = {
    WEAK: "words found sensitive may leave as themselves",
    LANGUAGES: "texts in languages that the detectors do not read",
    ATTACHMENTS: "letters without those of their parts that are no text",
}
"""What --accept can name."""


def check_accepted(names: Sequence[str]) -> None:
    for name in names:
        if name not in ACCEPTABLE:
            raise UsageError(f'--accept: there is no "{name}".{suggest(name, ACCEPTABLE)}')


def found_policy(*, only_read: bool = False) -> Policy | None:
    """The policy of the working folder, if there is one and it may be used."""
    path = Path(POLICY_FILE)
    if not path.is_file():
        return None
    from privstamp.policy import DEFAULT, Policy, read_policy
    from privstamp.policy.trust import Trust, objections

    content = read_policy(path)
    policy = Policy.from_bytes(content, f"./{POLICY_FILE}")
    told = objections(policy)
    if told and not only_read and not Trust().holds(path, content):
        raise UsageError(
            f"./{POLICY_FILE} lies in this folder, and nobody named it: {'; '.join(told)}. "
            f"Nothing was read. Use it once: --policy {POLICY_FILE}. Always: privstamp policy "
            f"trust, which ends when it changes. Not at all: --preset {DEFAULT}"
        )
    tell(f"using the policy ./{POLICY_FILE}")
    return policy


def check_strength(policy: Policy, accept: Sequence[str] = ()) -> None:
    """Refuse a policy that was found and lets sensitive words stay, unless that is accepted."""
    from privstamp.policy.trust import may_stay

    groups = may_stay(policy)
    if groups and WEAK not in accept:
        told = " and ".join(f"group {group}" for group in groups)
        raise UsageError(
            f"./{POLICY_FILE} was found, not named, and under it words found sensitive may leave "
            f"as themselves with a probability above .01 ({told}: an epsilon above 0, or numeric). "
            f"Name it: --policy {POLICY_FILE}, or privatize --accept {WEAK}"
        )


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def presets(incomplete: str) -> list[str]:
    from privstamp.policy import PRESETS

    return _beginning(PRESETS, incomplete)


def accepted(incomplete: str) -> list[str]:
    return _beginning(ACCEPTABLE, incomplete)


def profiles(incomplete: str) -> list[str]:
    from privstamp.policy.presets import profiles as known

    return _beginning(known(), incomplete)


def assets(incomplete: str) -> list[str]:
    from privstamp.assets.catalogue import ASSETS

    return _beginning(ASSETS, incomplete)


def kinds(incomplete: str) -> list[str]:
    from privstamp.registry import TABLES

    return _beginning(TABLES, incomplete)


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
    Option("--max-size", metavar="SIZE", help="Refuse a larger input, say 200MB."),
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
        name = default or DEFAULT if preset is None else preset
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
    from privstamp.policy.presets import required

    required(names)
    return policy.model_copy(update={"profiles": tuple(dict.fromkeys([*policy.profiles, *names]))})


def _resolved(policy: Policy) -> Policy:
    from privstamp.policy.presets import Targets

    if not isinstance(policy.budget, Targets):
        return policy
    from privstamp.assets.cache import announce
    from privstamp.cli.screen import building
    from privstamp.lab.calibration import resolve

    announce(building)
    return resolve(policy)


# Where sessions that last are kept, and what opens them: options that several commands share.

StoreFile = Annotated[
    str | None,
    Option(
        "--store",
        metavar="FILE",
        help="Where sessions are kept, or postgresql://...; else a file of your own.",
    ),
]
KeyFile = Annotated[
    Path | None,
    Option(
        "--key-file",
        metavar="FILE",
        help="The master key, 64 hex digits, mode 0600; else PRIVSTAMP_MASTER_KEY.",
    ),
]
PRINCIPAL = "local"


def store_file(given: str | None) -> str:
    """The store that is named, or the user's own."""
    if given is not None:
        return given
    from platformdirs import user_data_path

    folder = user_data_path("privstamp")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder / "sessions.db")


def is_begun(store: str | None) -> bool:
    """Whether there is a store, or an address that only its key opens."""
    from privstamp.sessions.store import ADDRESSES

    file = store_file(store)
    return file.startswith(ADDRESSES) or Path(file).exists()


def opened(store: str | None, key_file: Path | None) -> tuple[Vault, Ledger]:
    """The vault and the ledger of a store that is there."""
    from privstamp.sessions.ledger import Ledger
    from privstamp.sessions.store import open_store
    from privstamp.sessions.vault import Vault, master_key

    file = store_file(store)
    if not is_begun(store):
        raise UsageError(f"there is no store {file}. Begin with: privstamp chat FILE --session ID")
    vault = Vault(open_store(file), master_key(key_file))
    return vault, Ledger(vault)
