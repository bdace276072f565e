"""privstamp session: what sessions that last have spent, their limits, and their end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from privstamp.cli.group import cell
from privstamp.cli.options import Json, KeyFile, StoreFile, is_begun, opened
from privstamp.cli.output import put
from privstamp.cli.screen import tell
from privstamp.errors import InputError, UsageError

if TYPE_CHECKING:
    from privstamp.sessions.ledger import Ledger, Payer
    from privstamp.sessions.store import Transaction

LIST_EXAMPLES = """
privstamp session list
privstamp session list --json
"""
SHOW_EXAMPLES = """
privstamp session show case-17
"""
LIMIT_EXAMPLES = """
privstamp session limit nats 500 --session case-17
privstamp session limit draws 20000 --principal dana
privstamp session limit draws none --principal dana
"""
FORGET_EXAMPLES = """
privstamp session forget case-17
"""
PURGE_EXAMPLES = """
privstamp session purge --unused 30
"""
EXPORT_EXAMPLES = """
privstamp session export --json > ledger.json
"""
ROTATE_EXAMPLES = """
privstamp session rotate --to new.key
privstamp session rotate --key-file old.key --to new.key
"""
Id = Annotated[str, Argument(metavar="ID", help="The session.")]


def list_sessions(store: StoreFile = None, key_file: KeyFile = None, as_json: Json = False) -> None:
    """List sessions: id, principal, turns, and the day of the last one."""
    from privstamp.sessions.shelf import sessions

    rows: list[tuple[str, str, int, str]] = []
    if store is not None or is_begun(store):
        vault, _ = opened(store, key_file)
        with vault.store.reading() as entries:
            rows = [(*row[:3], _day(row.used)) for row in sessions(vault, entries)]
    elif not as_json:
        tell("there is no session yet. Begin with: privstamp chat FILE --session ID")
    columns = ("session", "principal", "turns", "used")
    if as_json:
        put(json.dumps([dict(zip(columns, row, strict=True)) for row in rows]) + "\n")
        return
    put("".join("\t".join(map(cell, row)) + "\n" for row in [columns, *rows]))


def show(
    session: Id, store: StoreFile = None, key_file: KeyFile = None, as_json: Json = False
) -> None:
    """Show what a session and its principal have spent, and their limits."""
    from privstamp.sessions.ledger import Payer
    from privstamp.sessions.shelf import sessions

    vault, ledger = opened(store, key_file)
    with vault.store.reading() as entries:
        known = {row.label: row.principal for row in sessions(vault, entries)}
        if session not in known:
            raise InputError("there is no such session. See: privstamp session list")
        payers = Payer("session", session), Payer("principal", known[session])
        facts = [_facts(ledger, entries, payer) for payer in payers]
    _put_facts(facts, as_json=as_json)


def limit(
    quantity: Annotated[
        str,
        Argument(
            metavar="QUANTITY",
            help="nats, draws, unprotected, guesses, epsilon:METRIC or unit:METRIC.",
        ),
    ],
    most: Annotated[str, Argument(metavar="MOST", help="A number, or none.")],
    session: Annotated[
        str | None, Option("--session", metavar="ID", help="Whose releases stop before it.")
    ] = None,
    principal: Annotated[
        str | None, Option("--principal", metavar="NAME", help="The same over all sessions.")
    ] = None,
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Limit what a session, or a principal, may spend: release stops before it is passed."""
    from privstamp.sessions.ledger import Payer, amount_of

    if (session is None) == (principal is None):
        raise UsageError("give either --session or --principal")
    try:
        number = None if most == "none" else float(most)
    except ValueError:
        number = -1.0
    amount = amount_of(quantity, 0.0 if number is None else number)
    payer = Payer("principal" if session is None else "session", session or principal or "")
    vault, ledger = opened(store, key_file)
    with vault.store.writing() as entries:
        ledger.limit(entries, payer, quantity, None if number is None else amount)
        facts = _facts(ledger, entries, payer)
    _put_facts([facts], as_json=as_json)


def forget(
    session: Id, store: StoreFile = None, key_file: KeyFile = None, as_json: Json = False
) -> None:
    """Delete a session and its keys: its releases can never be restored again.

    What it has cost its principal stays on the principal's account.
    """
    from privstamp.sessions.shelf import forget as forgotten

    vault, ledger = opened(store, key_file)
    if not forgotten(vault, ledger, session):
        raise InputError("there is no such session. See: privstamp session list")
    if as_json:
        put(json.dumps({"session": session, "forgotten": True}) + "\n")
    else:
        tell("forgotten")


def purge(
    unused: Annotated[
        float, Option("--unused", metavar="DAYS", min=0, help="Since their last turn, or more.")
    ],
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Forget all sessions that were not used for some days, as forget does: for a daily job.

    What they have cost their principals stays on the principals' accounts.
    """
    from privstamp.sessions.shelf import purge as purged

    vault, ledger = opened(store, key_file)
    count = purged(vault, ledger, unused)
    if as_json:
        put(json.dumps({"purged": count}) + "\n")
    else:
        tell(f"{count} forgotten")


def export(store: StoreFile = None, key_file: KeyFile = None, as_json: Json = False) -> None:
    """Write all accounts with what they have spent and their limits. No text is in it."""
    vault, ledger = opened(store, key_file)
    with vault.store.reading() as entries:
        facts = [_facts(ledger, entries, payer) for payer in ledger.payers(entries)]
    if not as_json:
        _put_facts(facts, as_json=False)
        return
    content = {"format": "privstamp-ledger", "version": 1, "accounts": facts}
    put(json.dumps(content, indent=1) + "\n")


def rotate(
    to: Annotated[
        Path, Option("--to", metavar="FILE", help="The new master key, 64 hex digits, mode 0600.")
    ],
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Wrap the keys of all sessions under another master key; the old one opens nothing then."""
    from privstamp.sessions.vault import master_key

    new = master_key(to)
    vault, _ = opened(store, key_file)
    count = vault.rotate(new)
    if as_json:
        put(json.dumps({"sessions": count}) + "\n")
    else:
        tell(f"{count} under the new key")


def _day(seconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _facts(ledger: Ledger, entries: Transaction, payer: Payer) -> dict[str, Any]:
    from privstamp.sessions.ledger import shown

    def read(amounts: dict[str, int]) -> dict[str, int | float]:
        return {name: shown(name, amount) for name, amount in amounts.items()}

    return {
        payer.kind: payer.label,
        "spent": read(ledger.spent(entries, payer)),
        "limits": read(ledger.limits(entries, payer)),
    }


def _put_facts(facts: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        put(json.dumps(facts) + "\n")
        return
    lines = ["account\tquantity\tspent\tlimit"]
    for account in facts:
        (kind, label), spent, limits = (
            next(iter(account.items())),
            account["spent"],
            account["limits"],
        )
        lines += [
            f"{kind} {cell(label)}\t{name}\t{spent.get(name, 0):g}\t{limits.get(name, '')}"
            for name in sorted({*spent, *limits})
        ]
    put("\n".join(lines) + "\n")
