"""privstamp serve: a gateway between clients and a model elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from privstamp.cli.group import cell
from privstamp.cli.options import (
    Json,
    KeyFile,
    MaxSize,
    PolicyFile,
    Preset,
    StoreFile,
    choose_policy,
    store_file,
)
from privstamp.cli.output import put
from privstamp.cli.screen import note, tell, working
from privstamp.cli.source import MAX_SIZE, size_of
from privstamp.errors import InputError, MissingExtra, StageFailed, UsageError

if TYPE_CHECKING:
    from privstamp.gateway.desk import DeskRecipe
    from privstamp.gateway.principals import Keyring
    from privstamp.gateway.settings import Settings
    from privstamp.policy import Policy

EXAMPLES = """
privstamp serve --upstream https://api.openai.com/v1
privstamp serve --policy privstamp.toml --listen 127.0.0.1:9000 --workers 2
privstamp serve --upstream https://api.anthropic.com --dry-run
"""
CHECK_EXAMPLES = """
privstamp serve check
privstamp serve check --policy privstamp.toml --json
"""
KEY_ADD_EXAMPLES = """
privstamp serve key add dana
"""
KEY_LIST_EXAMPLES = """
privstamp serve key list --json
"""
KEY_REVOKE_EXAMPLES = """
privstamp serve key revoke 1f0c2d3e4a5b
"""


def serve(
    context: typer.Context,
    upstream: Annotated[
        str | None, Option("--upstream", metavar="URL", help="Where released requests go.")
    ] = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    listen: Annotated[
        str, Option("--listen", metavar="HOST:PORT", help="Loopback unless told otherwise.")
    ] = "127.0.0.1:8686",
    workers: Annotated[
        int | None, Option("--workers", metavar="N", min=1, help="Processes that privatise.")
    ] = None,
    store: StoreFile = None,
    key_file: KeyFile = None,
    upstream_key: Annotated[
        Path | None,
        Option(
            "--upstream-key",
            metavar="FILE",
            help="The upstream's key, mode 0600; else PRIVSTAMP_UPSTREAM_KEY.",
        ),
    ] = None,
    deadline: Annotated[
        float, Option("--deadline", metavar="SECONDS", min=1, help="For privatising a request.")
    ] = 120.0,
    drain: Annotated[
        float,
        Option("--drain", metavar="SECONDS", min=0, help="For what is under way at the end."),
    ] = 30.0,
    max_size: MaxSize = MAX_SIZE,
    ca_file: Annotated[
        Path | None, Option("--ca-file", metavar="FILE", help="Who may vouch for the upstream.")
    ] = None,
    plain_upstream: Annotated[
        bool, Option("--plain-upstream", help="Take http beyond this machine: a network of yours.")
    ] = False,
    proxy: Annotated[
        bool, Option("--proxy", help="Use the proxy that the environment names.")
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show what would leave, and send nothing.")
    ] = False,
) -> None:
    """Stand between clients and a model: requests leave privatised, replies return restored.

    Clients of OpenAI and Anthropic change their base URL. Logs are JSON on standard error.
    """
    if context.invoked_subcommand is not None:
        return
    chosen, _ = choose_policy(policy, preset)
    _needs_extra()
    import asyncio
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    from privstamp.gateway.run import run
    from privstamp.gateway.settings import check_exposure
    from privstamp.gateway.staff import default_count

    settings = _settings(chosen, upstream, listen, plain=plain_upstream)
    settings = replace(
        settings,
        workers=workers or default_count(),
        upstream_key=None if settings.pass_key else _upstream_key(upstream_key),
        ca_file=ca_file,
        trust_environment=proxy,
        dry_run=dry_run,
        limits=replace(settings.limits, privatize=deadline, drain=drain, body=size_of(max_size)),
    )
    with TemporaryDirectory(prefix="privstamp-") as folder:
        file, master = _kept(store, key_file, folder if dry_run else None)
        keyring, recipe = _opened(chosen, file, master, required=not settings.local)
        check_exposure(settings, [each.principal for each in keyring.passes()])

        def listening(port: int) -> None:
            address = f"http://{settings.host}:{port}"
            note(f"ready: clients of OpenAI take {address}/v1, those of Anthropic {address}")

        asyncio.run(run(settings, recipe, keyring, show=_shown, listening=listening))


def check(policy: PolicyFile = None, preset: Preset = None, as_json: Json = False) -> None:
    """Send canaries through a gateway to an upstream on this machine: none may reach it."""
    chosen, _ = choose_policy(policy, preset)
    _needs_extra()
    import asyncio
    from tempfile import TemporaryDirectory

    from privstamp.gateway import check as canaries
    from privstamp.gateway.settings import Settings

    with TemporaryDirectory(prefix="privstamp-") as folder, working("sending canaries"):
        file, master = _kept(None, None, folder)
        keyring, recipe = _opened(chosen, file, master, required=False)
        outcomes = asyncio.run(canaries.check(recipe, keyring, Settings(upstream="")))
    bad = [outcome for outcome in outcomes if outcome.reached]
    if as_json:
        put(json.dumps([vars(outcome) for outcome in outcomes]) + "\n")
    else:
        rows = [("request", "status", "reached")]
        rows += [(each.request, str(each.status), " ".join(each.reached)) for each in outcomes]
        put("".join("\t".join(row) + "\n" for row in rows))
        tell(f"{len(bad)} of {len(outcomes)} requests brought a canary to the upstream")
    if bad:
        raise StageFailed("canaries reach the upstream under this policy: do not serve with it")


def add_key(
    principal: Annotated[str, Argument(metavar="NAME", help="Who is charged.")],
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Make a key for a principal. It is shown this once; the store keeps its hash."""
    key = _keyring(store, key_file).add(principal)
    put(json.dumps({"principal": principal, "key": key}) + "\n" if as_json else key + "\n")


def list_keys(store: StoreFile = None, key_file: KeyFile = None, as_json: Json = False) -> None:
    """List keys: number, principal, day."""
    rows = _keyring(store, key_file).passes()
    if as_json:
        put(json.dumps([row._asdict() for row in rows]) + "\n")
        return
    columns = ("number", "principal", "added")
    put("".join("\t".join(map(cell, row)) + "\n" for row in [columns, *rows]))


def revoke_key(
    number: Annotated[str, Argument(metavar="NUMBER", help="As the list has it.")],
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Let a key in no more; a gateway that runs refuses it within a second."""
    if not _keyring(store, key_file).revoke(number):
        raise InputError("there is no such key. See: privstamp serve key list")
    if as_json:
        put(json.dumps({"number": number, "revoked": True}) + "\n")
    else:
        tell("revoked")


def _needs_extra() -> None:
    try:
        import aiohttp  # noqa: F401
        import prometheus_client  # noqa: F401

        return
    except ImportError:
        pass
    raise MissingExtra("gateway", "privstamp serve")


def _settings(policy: Policy, upstream: str | None, listen: str, *, plain: bool) -> Settings:
    """What the options and the policy's table say; an option goes first."""
    from privstamp.gateway.settings import Settings, check_upstream, read_listen
    from privstamp.policy import GatewayTable

    table = policy.gateway or GatewayTable()
    address = upstream or table.upstream
    if address is None:
        raise UsageError(
            'where to? Give --upstream URL, or upstream = "URL" under [gateway] in the policy'
        )
    host, port = read_listen(listen)
    return Settings(
        upstream=check_upstream(address, plain=plain),
        host=host,
        port=port,
        names=table.names,
        pass_key=table.upstream_key == "client",
    )


def _upstream_key(file: Path | None) -> str | None:
    """From a file that its owner alone may read, or from the environment; never an option."""
    import os

    from privstamp.gateway.staff import UPSTREAM_KEY
    from privstamp.sessions.vault import read_private

    given = os.environ.get(UPSTREAM_KEY) if file is None else read_private(file)
    return (given or "").strip() or None


def _kept(store: str | None, key_file: Path | None, folder: str | None) -> tuple[str, bytes]:
    """The store and its key; for a dry run one that is gone afterwards, so that nothing is
    charged."""
    from secrets import token_bytes

    from privstamp.sessions.vault import master_key

    if folder is not None:
        return str(Path(folder) / "sessions.db"), token_bytes(32)
    return store_file(store), master_key(key_file)


def _opened(
    policy: Policy, file: str, master: bytes, *, required: bool
) -> tuple[Keyring, DeskRecipe]:
    from privstamp.gateway.desk import DeskRecipe, rules_of
    from privstamp.gateway.principals import Keyring
    from privstamp.sessions.store import open_store
    from privstamp.sessions.vault import Vault

    vault = Vault(open_store(file), master)
    recipe = DeskRecipe(policy, rules_of(policy, vault), file, master)
    return Keyring(vault, required=required), recipe


def _keyring(store: str | None, key_file: Path | None) -> Keyring:
    from privstamp.gateway.principals import Keyring
    from privstamp.sessions.store import open_store
    from privstamp.sessions.vault import Vault, master_key

    return Keyring(Vault(open_store(store_file(store)), master_key(key_file)))


def _shown(line: str) -> None:
    put(line + "\n")
