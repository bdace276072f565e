"""What a session asks of the place that outlives it. `sqlite.py` and `postgres.py` are two;
tests/sessions has the suite that every store must pass."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Final, Protocol, TypeAlias

FORMAT: Final = 1
"""Of what is written; a store with a higher one was written by a newer privstamp."""


class Transaction(Protocol):
    """Entries by space and key. All that is put and deleted is there together, or nothing is."""

    def get(self, space: str, key: bytes) -> bytes | None: ...

    def put(self, space: str, key: bytes, value: bytes) -> None: ...

    def delete(self, space: str, prefix: bytes) -> int:
        """All entries whose key begins so; how many there were."""

    def items(self, space: str, prefix: bytes = b"") -> list[tuple[bytes, bytes]]:
        """Entries whose key begins so, in the order of their keys."""


class Store(Protocol):
    """Trouble of any sort is a StoreError that says which, and then nothing was written."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """Written durably when it ends well. One at a time, in all processes: what is read inside
        is still so when it ends."""

    def reading(self) -> AbstractContextManager[Transaction]:
        """As it stood at one moment."""

    def scrub(self) -> None:
        """Leave no trace, in files of the store, of what was deleted."""

    def close(self) -> None: ...


Stored: TypeAlias = Store | str | os.PathLike[str]
"""A store, the file of one, or the address of one: postgresql://..."""
ADDRESSES: Final = ("postgresql://", "postgres://")


def open_store(given: str | os.PathLike[str]) -> Store:
    """By its file or its address."""
    if isinstance(given, str) and given.startswith(ADDRESSES):
        from privstamp.sessions.postgres import PostgresStore

        return PostgresStore(given)
    from privstamp.sessions.sqlite import SqliteStore

    return SqliteStore(given)
