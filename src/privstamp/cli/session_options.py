"""Where sessions that last are kept, and what opens them: options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

if TYPE_CHECKING:
    from privstamp.sessions.ledger import Ledger
    from privstamp.sessions.vault import Vault

StoreFile = Annotated[
    Path | None,
    Option("--store", metavar="FILE", help="Where sessions are kept; else one of your own."),
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


def store_file(given: Path | None) -> Path:
    """The store that is named, or the user's own."""
    if given is not None:
        return given
    from platformdirs import user_data_path

    folder = user_data_path("privstamp")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "sessions.db"


def no_core() -> None:
    """A crash must not write keys and texts to a file."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def opened(store: Path | None, key_file: Path | None) -> tuple[Vault, Ledger]:
    """The vault and the ledger of a store that is there."""
    from privstamp.errors import UsageError
    from privstamp.sessions.ledger import Ledger
    from privstamp.sessions.sqlite import SqliteStore
    from privstamp.sessions.vault import Vault, master_key

    file, key = store_file(store), master_key(key_file)
    if not file.exists():
        raise UsageError(f"there is no store {file}. Begin with: privstamp chat --session ID")
    no_core()
    vault = Vault(SqliteStore(file), key)
    return vault, Ledger(vault)
