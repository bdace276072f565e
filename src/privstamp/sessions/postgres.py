"""Sessions in a PostgreSQL database, shared by several machines. It needs psycopg, an extra.

A commit is on the server's disk before it is reported. What is deleted leaves the table's file at
once; the server's write-ahead log and backups keep it as long as the server keeps those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from privstamp.errors import MissingExtra, StoreError
from privstamp.sessions.rows import BUSY, PATIENCE, Connection, Database
from privstamp.sessions.store import FORMAT

if TYPE_CHECKING:
    import psycopg

_TABLE: Final = "privstamp_entry"
_LOCK: Final = 0x70737470 << 32
_MAKE: Final = (
    f'create table {_TABLE} (space text collate "C" not null, key bytea not null, '
    "value bytea not null, primary key (space, key))"
)
_FORMAT: Final = f"select value from {_TABLE} where space = 'format'"  # noqa: S608
_TROUBLES: Final = {
    "55P03": BUSY,
    "57014": BUSY,
    "25006": "it is read-only",
    "53100": "the server's disk is full",
    "53200": "the server has no memory left",
    "53300": "the server has no connection left; try again",
    "57P01": "the server is being shut down; try again",
    "57P03": "the server is starting or ending; try again",
    "42501": "this user may not read or write it",
    "28P01": "the password is wrong",
    "28000": "the server does not let this user in",
    "3D000": "there is no such database",
    "XX001": "it is damaged",
}


class PostgresStore(Database):
    """A database, by its address: postgresql://user@host/database. The address is shown nowhere,
    as it may hold a password."""

    table, mark = _TABLE, "%s"
    begins = "begin isolation level read committed", "begin isolation level repeatable read"
    shown = "in PostgreSQL"

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        self._address, self._patience = address, patience
        psycopg = _psycopg()
        self.errors = (psycopg.Error,)
        super().__init__()

    def scrub(self) -> None:
        with self._lock:
            self.run(f"vacuum full {_TABLE}")

    def connect(self) -> Connection:
        milliseconds = max(1, int(self._patience * 1000))
        connection: psycopg.Connection[Any] = _psycopg().connect(
            self._address, autocommit=True, connect_timeout=max(2, int(self._patience)),
            prepare_threshold=None,
        )  # fmt: skip
        try:
            connection.execute(f"set lock_timeout = {milliseconds}")
            connection.execute("set synchronous_commit = on")
            connection.execute("set client_min_messages = error")
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def trouble(self, error: Exception) -> str:
        code = getattr(error, "sqlstate", None)
        if code is None or code.startswith("57P"):  # the connection is gone
            self.let_go()
        if code is None:
            return "the server does not answer; try again"
        return _TROUBLES.get(code, f"PostgreSQL says {code}")

    def began(self, run: Callable[..., Any], *, writes: bool) -> None:
        """One at a time: who writes has the lock until the transaction ends, on any machine."""
        if writes:
            run(f"select pg_advisory_xact_lock({_LOCK} + '{_TABLE}'::regclass::oid::bigint)")

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        if connection.execute("show fsync").fetchone() != ("on",):
            raise StoreError(
                f"the store {self.shown}: the server does not wait for its disk (fsync is off), so "
                "charges could be lost"
            )
        with connection.transaction():
            connection.execute(f"select pg_advisory_xact_lock({_LOCK})")
            if connection.execute(f"select to_regclass('{_TABLE}')").fetchone() == (None,):
                connection.execute(_MAKE)
                connection.execute(
                    f"insert into {_TABLE} values ('format', '', %s)",  # noqa: S608
                    (b"%d" % FORMAT,),
                )
            row = connection.execute(_FORMAT).fetchone()
        version = b"" if row is None else bytes(row[0])
        if version != b"%d" % FORMAT:
            raise StoreError(
                f"the store {self.shown} has another format, this privstamp reads {FORMAT}: "
                "use the version that wrote it"
            )


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        psycopg = None  # type: ignore[assignment]
    if psycopg is None:
        raise MissingExtra("postgres", "a store in PostgreSQL")
    return psycopg
