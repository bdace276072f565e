"""What stores in a database share: one connection, transactions on it, and trouble told in words.

Every statement tells its own trouble, after the handler: raised where a `with` ends, an error would
carry the database's along, and that may hold what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import get_ident
from typing import Any, Final, Protocol, TypeVar

from privstamp.crew.threads import Lock
from privstamp.errors import StoreError, UsageError, trouble_of
from privstamp.sessions.store import Transaction

T = TypeVar("T")
PATIENCE: Final = 30.0
"""Seconds that one process waits for another's transaction; they take milliseconds."""
BUSY: Final = "another process is writing to it and does not end; try again"


class Connection(Protocol):
    """Of SQLite or PostgreSQL: what both have."""

    def execute(self, query: Any, params: Any = ..., /) -> Any: ...

    def close(self) -> None: ...


class Database:
    """Threads may share it, and processes that are forked: an open connection must not go through
    a fork, so it is closed before; only who forks inside a transaction keeps it."""

    shown: str
    """How it is called in messages."""
    errors: tuple[type[Exception], ...]
    table: str
    mark: str
    """Stands for a value in a statement."""
    begins: tuple[str, str]
    """A transaction that writes, and one that reads."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._inside: int | None = None  # the thread that is in a transaction
        self._left_to_parent = False
        self._lock = Lock(mend=self._leave_to_parent, settle=self.let_go)
        with self.reading():
            pass  # trouble is told now

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.shown!r})"

    def connect(self) -> Connection:
        """Open it, and see that it is a store of this format, or make it one."""
        raise NotImplementedError

    def trouble(self, error: Exception) -> str:
        """An error of the database in words, and none of its own."""
        raise NotImplementedError

    def began(self, run: Callable[..., Any], *, writes: bool) -> None:
        """What a transaction has to see to before anything else."""

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        with self._transaction(writes=True) as transaction:
            yield transaction

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self._transaction(writes=False) as transaction:
            yield transaction

    def close(self) -> None:
        with self._lock:
            self.let_go()

    def let_go(self) -> None:
        """Close the connection, whatever state it is in."""
        if self._connection is not None and not self._left_to_parent:
            with suppress(*self.errors):
                self._connection.close()
            self._connection = None

    def _leave_to_parent(self) -> None:
        """In a forked child whose parent is in the middle of a transaction: the connection is the
        parent's, and closing it, or opening another, would undo the parent's locks."""
        self._left_to_parent, self._inside = True, None

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Transaction]:
        if self._inside == get_ident():
            raise UsageError("a transaction of this store is open already in this thread")
        with self._lock:
            self.run(self.begins[0] if writes else self.begins[1])
            self._inside = get_ident()
            try:
                self.began(self.run, writes=writes)
                yield _Rows(self)
                self.run("commit")
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._inside = None

    def _roll_back(self) -> None:
        try:
            if self._connection is not None:
                self._connection.execute("rollback")
        except self.errors:
            self.let_go()

    def run(self, query: str, values: tuple[str | bytes, ...] = ()) -> Any:
        """One statement."""
        return self.told(lambda: self.open().execute(query, values))

    def rows(self, query: str, values: tuple[str | bytes, ...] = ()) -> list[Any]:
        """All that a statement finds: a damaged page may be met with any row."""
        found: list[Any] = self.told(lambda: self.open().execute(query, values).fetchall())
        return found

    def open(self) -> Connection:
        if self._left_to_parent:
            raise StoreError(
                f"the store {self.shown}: this process was forked while another thread was writing "
                "to it; nothing was released. Fork before threads start, or spawn"
            )
        if self._connection is None:
            self._connection = self.connect()
        return self._connection

    def told(self, step: Callable[[], T]) -> T:
        """What a step gives; its trouble in words, without anything that was read or written."""
        try:
            return step()
        except self.errors as error:
            trouble = self.trouble(error)
        except OSError as error:
            trouble = trouble_of(error)
        raise StoreError(f"the store {self.shown}: {trouble}; nothing was released")


class _Rows:
    """The entries inside a transaction."""

    def __init__(self, database: Database) -> None:
        self._run, self._rows, self._table = database.run, database.rows, database.table
        self._mark = database.mark

    def get(self, space: str, key: bytes) -> bytes | None:
        query = f"select value from {self._table} where space = {self._mark} and key = {self._mark}"  # noqa: S608
        return next((bytes(value) for (value,) in self._rows(query, (space, key))), None)

    def put(self, space: str, key: bytes, value: bytes) -> None:
        self._run(
            f"insert into {self._table} values ({self._mark}, {self._mark}, {self._mark}) "  # noqa: S608
            "on conflict (space, key) do update set value = excluded.value",
            (space, key, value),
        )

    def delete(self, space: str, prefix: bytes) -> int:
        where, values = self._beginning(space, prefix)
        return int(self._run(f"delete from {self._table} where {where}", values).rowcount)  # noqa: S608

    def items(self, space: str, prefix: bytes = b"") -> list[tuple[bytes, bytes]]:
        where, values = self._beginning(space, prefix)
        query = f"select key, value from {self._table} where {where} order by key"  # noqa: S608
        return [(bytes(key), bytes(value)) for key, value in self._rows(query, values)]

    def _beginning(self, space: str, prefix: bytes) -> tuple[str, tuple[str | bytes, ...]]:
        """The condition that a key begins so."""
        after = prefix.rstrip(b"\xff")
        where = f"space = {self._mark} and key >= {self._mark}"
        if not after:
            return where, (space, prefix)
        end = after[:-1] + bytes([after[-1] + 1])
        return f"{where} and key < {self._mark}", (space, prefix, end)
