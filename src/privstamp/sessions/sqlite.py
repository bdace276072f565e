"""Sessions in one SQLite file, shared by the processes of one machine.

A commit is on the disk before it is reported (write-ahead log, synchronous FULL), what is deleted
is overwritten, and nobody but the owner may read the file.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Final
from weakref import WeakSet

from privstamp.crew.threads import Lock
from privstamp.errors import StoreError, UsageError, trouble_of
from privstamp.sessions.store import FORMAT, Transaction

MARK: Final = 0x70737470
"""Of a file that is a store (application_id)."""
PATIENCE: Final = 30.0
"""Seconds that one process waits for another's transaction; they take milliseconds."""
_TABLE: Final = """
create table entry (
    space text not null, key blob not null, value blob not null, primary key (space, key)
) without rowid
"""
_SETTINGS: Final = ("synchronous = full", "secure_delete = on", "temp_store = memory")
_TROUBLES: Final = {
    "BUSY": "another process is writing to it and does not end; try again",
    "LOCKED": "another process is writing to it and does not end; try again",
    "READONLY": "it is read-only",
    "FULL": "the disk is full",
    "CANTOPEN": "it cannot be opened",
    "IOERR": "the disk does not read or write it",
    "NOTADB": "it is no store of sessions",
    "CORRUPT": "it is damaged",
}


class SqliteStore:
    """Threads may share it, and processes that are forked."""

    def __init__(self, path: str | os.PathLike[str], *, patience: float = PATIENCE) -> None:
        self._path = Path(path)
        self._patience = patience
        self._rows: sqlite3.Connection | None = None
        self._inside: int | None = None  # the thread that is in a transaction
        self._lock = Lock()
        _stores.add(self)
        with self.reading():
            pass  # trouble is told now

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._path)!r})"

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        with self._transaction("immediate") as transaction:
            yield transaction

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self._transaction("deferred") as transaction:
            yield transaction

    def scrub(self) -> None:
        with self._lock, self._told():
            busy, *_ = self._open().execute("pragma wal_checkpoint(truncate)").fetchone()
        if busy:
            raise StoreError(
                f"the store {self._path}: its log is being read; what was deleted is still in it. "
                "Try again when no other process has it open"
            )

    def close(self) -> None:
        with self._lock:
            if self._rows is not None:
                self._rows.close()
                self._rows = None

    def before_fork(self) -> None:
        """An open database must not go through a fork: whoever closes it would close the other's.
        Only who forks inside a transaction keeps it."""
        if self._inside != get_ident():
            self.close()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[Transaction]:
        if self._inside == get_ident():
            raise UsageError("a transaction of this store is open already in this thread")
        with self._lock, self._told():
            rows = self._open()
            rows.execute(f"begin {kind}")
            self._inside = get_ident()
            try:
                yield _Rows(rows)
                rows.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):
                    rows.execute("rollback")
                raise
            finally:
                self._inside = None

    def _open(self) -> sqlite3.Connection:
        if self._rows is None:
            self._own()
            rows = sqlite3.connect(
                self._path, timeout=self._patience, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(rows)
            except BaseException:
                rows.close()
                raise
            self._rows = rows
        return self._rows

    def _own(self) -> None:
        """Make the file, readable by its owner alone from the first; or see that it is so."""
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        mode = self._path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise StoreError(f"the store {self._path} is no ordinary file")
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise StoreError(
                f"the store {self._path} is open to others on this machine. "
                f"Try: chmod 600 {self._path}"
            )

    def _prepare(self, rows: sqlite3.Connection) -> None:
        for setting in _SETTINGS:
            rows.execute(f"pragma {setting}")
        number, version = self._marks(rows)
        if number == MARK and version == FORMAT:
            return
        rows.execute("pragma journal_mode = wal")
        rows.execute("begin immediate")
        number, version = self._marks(rows)  # another process may have been first
        empty = not rows.execute("select count(*) from sqlite_master").fetchone()[0]
        if empty and not number:
            rows.execute(_TABLE)
            rows.execute(f"pragma application_id = {MARK}")
            rows.execute(f"pragma user_version = {FORMAT}")
        elif number != MARK:
            raise StoreError(f"{self._path} is no store of sessions")
        elif version != FORMAT:
            raise StoreError(
                f"the store {self._path} has format {version}, this privstamp reads {FORMAT}: "
                "use the version that wrote it"
            )
        rows.execute("commit")

    @staticmethod
    def _marks(rows: sqlite3.Connection) -> tuple[int, int]:
        mark, version = (
            rows.execute(f"pragma {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        return mark, version

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Trouble with the file in words; its content is in none of them."""
        try:
            yield
            return
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            known = name.removeprefix("SQLITE_").partition("_")[0]
            trouble = _TROUBLES.get(known, f"SQLite says {name}")
        except OSError as error:
            trouble = trouble_of(error)
        raise StoreError(f"the store {self._path}: {trouble}; nothing was released")


class _Rows:
    """The entries inside a transaction."""

    def __init__(self, rows: sqlite3.Connection) -> None:
        self._rows = rows

    def get(self, space: str, key: bytes) -> bytes | None:
        query = "select value from entry where space = ? and key = ?"
        found = self._rows.execute(query, (space, key)).fetchone()
        return None if found is None else bytes(found[0])

    def put(self, space: str, key: bytes, value: bytes) -> None:
        self._rows.execute("insert or replace into entry values (?, ?, ?)", (space, key, value))

    def delete(self, space: str, prefix: bytes) -> int:
        where, values = _beginning(space, prefix)
        return self._rows.execute(f"delete from entry where {where}", values).rowcount  # noqa: S608

    def items(self, space: str, prefix: bytes = b"") -> list[tuple[bytes, bytes]]:
        where, values = _beginning(space, prefix)
        query = f"select key, value from entry where {where} order by key"  # noqa: S608
        return [(bytes(key), bytes(value)) for key, value in self._rows.execute(query, values)]


def _beginning(space: str, prefix: bytes) -> tuple[str, tuple[str | bytes, ...]]:
    """The condition that a key begins so."""
    after = prefix.rstrip(b"\xff")
    if not after:
        return "space = ? and key >= ?", (space, prefix)
    end = after[:-1] + bytes([after[-1] + 1])
    return "space = ? and key >= ? and key < ?", (space, prefix, end)


_stores: WeakSet[SqliteStore] = WeakSet()


def _before_fork() -> None:
    for store in list(_stores):
        store.before_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
