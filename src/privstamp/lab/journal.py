"""What a measurement has finished, in one SQLite file: whoever is stopped goes on from there.

    with Journal(path, mark={"policy": ..., "seed": "1"}) as journal:
        if "cells" not in journal.keys("section"):
            journal.put("section", "cells", {...})

An entry has a kind, a key and any JSON value; writing a key again replaces its value and keeps its
place. What is put together is there together or not at all: no kill, full disk or second run spoils
a journal. One run writes at a time; reports may read meanwhile, with `Journal.reading(path)`. The
mark says what a journal belongs to; under another mark it is refused. It may hold what only its
owner should see, and is readable by him alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from filelock import FileLock, Timeout

from privstamp.errors import InputError, PrivstampError, trouble_of

P = ParamSpec("P")
T = TypeVar("T")
_WAIT: Final = 30.0  # seconds for which a reader may hold up a writer, or the other way round
_TABLES: Final = """
create table if not exists about (mark text not null);
create table if not exists entry (
    kind text not null, key text not null, value text not null, turn integer not null,
    place integer primary key, unique (kind, key)
);
create index if not exists by_turn on entry (turn);
"""
_PUT: Final = """
insert into entry (kind, key, value, turn)
values (?, ?, ?, (select coalesce(max(turn), 0) + 1 from entry))
on conflict (kind, key) do update set value = excluded.value, turn = excluded.turn
"""


@dataclass(frozen=True)
class JournalEntry:
    """A finished item; `turn` is higher the later it was written."""

    key: str
    value: Any
    turn: int


class Journal:
    """A file of finished items, opened for writing by one run at a time."""

    def __init__(self, path: Path, mark: Mapping[str, str] | None = None) -> None:
        self._path = path
        self._mark = None if mark is None else json.dumps(dict(mark), sort_keys=True)
        self._lock = FileLock(path.with_name(path.name + ".lock"), mode=0o600)
        self._rows: sqlite3.Connection | None = None

    @classmethod
    @contextmanager
    def reading(cls, path: Path) -> Iterator[Journal]:
        """As it stands now, while somebody else may be writing; nothing can be put."""
        if not path.is_file():
            raise InputError(f"there is no journal {path}")
        journal = cls(path)
        # What a killed run left half written is rolled back by whoever opens it, if he may write.
        mode = "rw" if os.access(path, os.W_OK) else "ro"
        address = f"{path.absolute().as_uri()}?mode={mode}"
        journal._rows = journal._tried(sqlite3.connect, address, timeout=_WAIT, uri=True)
        with closing(journal._rows):
            journal._asked("pragma query_only = on")
            if journal._asked("select 1 from sqlite_master where name = 'entry'"):
                yield journal
                return
        with closing(sqlite3.connect(":memory:")) as journal._rows:  # it is just being created
            journal._rows.executescript(_TABLES)
            yield journal

    def __enter__(self) -> Journal:
        self._tried(self._path.parent.mkdir, parents=True, exist_ok=True)
        if not self._tried(self._locked):
            raise PrivstampError(
                f"another run is writing to {self._path}. Wait for it, or name another"
            )
        try:
            self._tried(self._open)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._rows is not None:
            self._rows.close()
            self._rows = None
        self._lock.release()

    def put(self, kind: str, key: str, value: Any) -> None:
        """Write one entry."""
        self.add([(kind, key, value)])

    def add(self, entries: Iterable[tuple[str, str, Any]]) -> None:
        """Write entries, all of them or none: each a kind, a key and a JSON value."""
        lines = [(kind, key, json.dumps(value)) for kind, key, value in entries]
        self._tried(self._write, lines)

    def keys(self, kind: str) -> set[str]:
        return {key for (key,) in self._asked("select key from entry where kind = ?", kind)}

    def entries(self, kind: str) -> Iterator[JournalEntry]:
        """All of a kind, in the order in which their keys were first written."""
        query = "select key, value, turn from entry where kind = ? order by place"
        for key, value, turn in self._asked(query, kind):
            yield JournalEntry(key, json.loads(value), turn)

    def get(self, kind: str, key: str) -> Any | None:
        query = "select value from entry where kind = ? and key = ?"
        row = self._asked(query, kind, key)
        return json.loads(row[0][0]) if row else None

    @property
    def turn(self) -> int:
        """That of what was written last."""
        return int(self._asked("select coalesce(max(turn), 0) from entry")[0][0])

    def _locked(self) -> bool:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def _open(self) -> None:
        self._path.touch(mode=0o600)
        self._rows = sqlite3.connect(self._path, timeout=_WAIT)
        self._rows.executescript(_TABLES)
        known = self._rows.execute("select mark from about").fetchone()
        if known is None:
            with self._rows:
                self._rows.execute("insert into about values (?)", (self._mark or "null",))
        elif self._mark is not None and known[0] != self._mark:
            raise InputError(
                f"{self._path} belongs to another measurement: other inputs, seed or version; "
                "delete it or name another"
            )

    def _write(self, lines: list[tuple[str, str, str]]) -> None:
        assert self._rows is not None
        with self._rows:
            self._rows.executemany(_PUT, lines)

    def _asked(self, query: str, *values: str) -> list[Any]:
        assert self._rows is not None
        return self._tried(lambda: self._rows.execute(query, values).fetchall())  # type: ignore[union-attr]

    def _tried(self, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `step` gives; trouble with the file comes out in words, its content never does."""
        try:
            return step(*args, **kwargs)
        except sqlite3.OperationalError as error:
            problem = f"cannot write {self._path}: {error}. What was finished before is kept"
        except sqlite3.DatabaseError:
            problem = f"{self._path} is no journal, or it is damaged; delete it or name another"
        except OSError as error:
            problem = f"cannot write {self._path}: {trouble_of(error)}"
        raise PrivstampError(problem)
