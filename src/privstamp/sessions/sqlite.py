"""Sessions in one SQLite file, shared by the processes of one machine.

A commit is on the disk before it is reported (write-ahead log, synchronous FULL), what is deleted
is overwritten, and nobody but the owner may read the file.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from platform import node
from typing import Any, Final

from privstamp.errors import StoreError
from privstamp.sessions.rows import BUSY, PATIENCE, Connection, Database
from privstamp.sessions.store import FORMAT

MARK: Final = 0x70737470
"""Of a file that is a store (application_id)."""
_TABLES: Final = (
    "create table entry (space text not null, key blob not null, value blob not null, "
    "primary key (space, key)) without rowid",
    f"pragma application_id = {MARK}",
    f"pragma user_version = {FORMAT}",
)
_SETTINGS: Final = ("synchronous = full", "secure_delete = on", "temp_store = memory")
_TROUBLES: Final = {
    "BUSY": BUSY,
    "LOCKED": BUSY,
    "READONLY": "it is read-only",
    "FULL": "the disk is full",
    "CANTOPEN": "it cannot be opened",
    "IOERR": "the disk is full, or does not read or write it",  # a log that cannot grow says this
    "NOTADB": "it is no store of sessions",
    "CORRUPT": "it is damaged",
}
_HOST: Final = "select value from entry where space = 'host'"


class SqliteStore(Database):
    """A file of one machine. Two machines that write to it at once are told."""

    errors = (sqlite3.Error,)
    table, mark = "entry", "?"
    begins = "begin immediate", "begin deferred"

    def __init__(self, path: str | os.PathLike[str], *, patience: float = PATIENCE) -> None:
        self._path, self.shown = Path(path), str(path)
        self._patience = patience
        super().__init__()

    def scrub(self) -> None:
        with self._lock:
            [(busy, *_)] = self.rows("pragma wal_checkpoint(truncate)")
        if busy:
            raise StoreError(
                f"the store {self.shown}: its log is being read; what was deleted is still in it. "
                "Try again when no other process has it open"
            )

    def connect(self) -> Connection:
        self._own()
        rows = sqlite3.connect(
            self._path, timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(rows)
        except BaseException:
            rows.close()
            raise
        return rows

    def trouble(self, error: Exception) -> str:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        known = name.removeprefix("SQLITE_").partition("_")[0]
        return _TROUBLES.get(known, f"SQLite says {name}")

    def began(self, run: Callable[..., Any], *, writes: bool) -> None:
        """The log of this file is in the memory of one machine. Another one that opened it since
        has another log, and neither sees what the other charges."""
        row = run(_HOST).fetchone() if writes else None
        if row is not None and bytes(row[0]) != host():
            self.let_go()
            raise StoreError(
                f"the store {self.shown}: another machine has opened it meanwhile. A file is for "
                "the processes of one machine, PostgreSQL for several; nothing was released"
            )

    def _own(self) -> None:
        """Make the file, readable by its owner alone from the first; or see that it is so."""
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        mode = self._path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise StoreError(f"the store {self.shown} is no ordinary file")
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise StoreError(
                f"the store {self.shown} is open to others on this machine. "
                f"Try: chmod 600 {self.shown}"
            )

    def _prepare(self, rows: sqlite3.Connection) -> None:
        for setting in _SETTINGS:
            rows.execute(f"pragma {setting}")
        if _marks(rows) != (MARK, FORMAT):
            rows.execute("pragma journal_mode = wal")
            self._begin(rows)
        row = rows.execute(_HOST).fetchone()
        if row is None or bytes(row[0]) != host():  # new, moved, or the machine was started anew
            rows.execute("insert or replace into entry values ('host', x'', ?)", (host(),))

    def _begin(self, rows: sqlite3.Connection) -> None:
        rows.execute("begin immediate")
        number, version = _marks(rows)  # another process may have been first
        empty = not rows.execute("select count(*) from sqlite_master").fetchone()[0]
        if empty and not number:
            for statement in _TABLES:
                rows.execute(statement)
        elif number != MARK:
            raise StoreError(f"{self.shown} is no store of sessions")
        elif version != FORMAT:
            raise StoreError(
                f"the store {self.shown} has format {version}, this privstamp reads {FORMAT}: "
                "use the version that wrote it"
            )
        rows.execute("commit")


def _marks(rows: sqlite3.Connection) -> tuple[int, int]:
    mark, version = (
        rows.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    return mark, version


@cache
def host() -> bytes:
    """This machine since it was started, as a digest."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    told = boot.read_bytes() if boot.exists() else node().encode()
    return blake2b(told, digest_size=16).digest()
