"""A results folder: one file of JSON lines that is only ever added to.

No kill, full disk or second run spoils it: a line that was not finished is dropped when the file
is opened again, and a lock keeps two runs from writing at once. It holds numbers, labels, ids and
policies, no text of an example. A policy may hold words of its owner: the file is for him alone.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, Final, TypeAlias, TypeVar

from filelock import FileLock, Timeout

from privstamp.errors import InputError, PrivstampError, trouble_of
from privstamp.lab.evals.contracts import Cell, Record

FILE: Final = "results.jsonl"
FILES: Final = "results*.jsonl"
"""All of these are read: results from elsewhere may be put beside one's own."""
LOCK: Final = ".lock"
BEGUN: Final = "begun"
ENDED: Final = "ended"
Line: TypeAlias = dict[str, Any]
Name: TypeAlias = tuple[str | int, ...]
T = TypeVar("T")
_NAMED: Final = ("experiment", "task", "condition", "seed", "reader")
_BLOCK: Final = 65536
_GO_ON: Final = "What was measured before is kept: run the same command again to go on"
_ELSEWHERE: Final = "Name a folder as --out in which you may write"
_ADDING: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)


@dataclass
class Results:
    """What folders hold, put in order."""

    cells: list[Line] = field(default_factory=list)  # no two alike, in the order of first runs
    turns: list[int] = field(default_factory=list)  # of each cell: higher where it was run later
    records: dict[str, dict[str, Record]] = field(default_factory=dict)  # by key and example
    failures: dict[Name, str] = field(default_factory=dict)  # that no later record mended
    damaged: int = 0  # lines that cannot be read; the next run measures anew what they held
    stopped: int = 0  # runs that were begun last in their file, and not ended
    _named: dict[str, set[Name]] = field(default_factory=dict, repr=False)
    _places: dict[str, int] = field(default_factory=dict, repr=False)
    _turn: int = 0

    def add(self, line: Line) -> None:
        kind = line["kind"]
        if kind == "record":
            record = _record(line)
            self.records.setdefault(record.cell, {})[record.example] = record
            for name in self._named.get(record.cell, ()):
                self.failures.pop(name, None)
        elif kind == "cell":
            self._named.setdefault(line["key"], set()).add(_name(line))
            place = self._places.setdefault(_text(line), len(self.cells))
            if place == len(self.cells):
                self.cells.append(line)
                self.turns.append(0)
            self._turn += 1
            self.turns[place] = self._turn
        elif kind == "failed":
            self.failures[_name(line)] = str(line["error"])
        elif kind != "run":
            raise ValueError(kind)


def read(*folders: Path) -> Results:
    """Everything in these folders; a line that is just being written is left out."""
    found = Results()
    for folder in folders:
        files = sorted(folder.glob(FILES))
        if not files:
            raise InputError(f"there are no results in {folder}. Try: privstamp evals run")
        for file in files:
            begun = False
            for line in _lines(file):
                try:
                    found.add(line)
                except (KeyError, TypeError, ValueError, AttributeError):
                    found.damaged += 1
                if line.get("kind") == "run":
                    begun = line.get("state") == BEGUN
            found.stopped += begun
    return found


def finished(folder: Path) -> dict[str, set[str]]:
    """Ids of the examples that are done, by key of their cell; damaged ones are not."""
    done: dict[str, set[str]] = {}
    for line in (line for file in sorted(folder.glob(FILES)) for line in _lines(file)):
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            if line["kind"] == "record":
                record = _record(line)
                done.setdefault(record.cell, set()).add(record.example)
    return done


class Journal:
    """The file of a folder, opened for adding lines, by one run at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = FileLock(folder / LOCK)
        self._handle = -1
        self._size = 0
        self._cells: set[str] = set()

    def __enter__(self) -> Journal:
        folder = self._path.parent
        _reaching(self._path, lambda: folder.mkdir(parents=True, exist_ok=True), _ELSEWHERE)
        if not _reaching(self._path, self._acquired, _ELSEWHERE):
            raise PrivstampError(
                f"another run is writing to {folder}. Wait for it, or name another --out"
            )
        try:
            _reaching(self._path, self._open, _ELSEWHERE)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        self._lock.release()

    def write(self, lines: Sequence[Line]) -> None:
        """Add lines, all or none of them; a cell that this run has named before is left out."""
        texts = [text for line in lines if (text := _text(line)) not in self._cells]
        data = "".join(text + "\n" for text in texts).encode()
        try:
            _reaching(self._path, lambda: self._add(data))
        except PrivstampError:
            with suppress(OSError):
                os.ftruncate(self._handle, self._size)
            raise
        self._size += len(data)
        self._cells.update(_text(line) for line in lines if line["kind"] == "cell")

    def _acquired(self) -> bool:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def _open(self) -> None:
        self._handle = os.open(self._path, _ADDING, 0o600)
        size = os.lseek(self._handle, 0, os.SEEK_END)
        self._size = _ended(self._handle, size)
        if self._size < size:
            os.ftruncate(self._handle, self._size)

    def _add(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._handle, left) :]
        os.fsync(self._handle)


def record_line(record: Record) -> Line:
    """An example under a cell, as it is written: with six digits."""
    return {
        "kind": "record", "cell": record.cell, "example": record.example,
        "cluster": record.cluster, "scores": _rounded(record.scores),
        "privacy": _rounded(record.privacy), "seconds": _rounded(record.seconds),
    }  # fmt: skip


def _rounded(values: Mapping[str, float | str]) -> Line:
    return {
        key: one if isinstance(one, str) else float(f"{one:.6g}") for key, one in values.items()
    }


def cell_line(
    cell: Cell, key: str, fingerprints: Mapping[str, str], versions: Mapping[str, str]
) -> Line:
    """A cell with everything that is needed to run it again; its policy as a policy file."""
    policy = cell.condition.policy
    return {
        "kind": "cell", "key": key, **_called(cell), "labels": dict(cell.labels),
        **cell.condition.data(), "policy": None if policy is None else policy.to_toml(),
        "fingerprints": dict(fingerprints), "versions": dict(versions),
    }  # fmt: skip


def run_line(state: str, cells: int) -> Line:
    """That a run of so many cells has begun, or ended. One that was killed has no end."""
    return {"kind": "run", "state": state, "cells": cells}


def failed_line(cell: Cell, error: str) -> Line:
    """A cell that could not be run; the next run tries it again."""
    return {"kind": "failed", **_called(cell), "error": error}


def _called(cell: Cell) -> Line:
    values = (cell.experiment, cell.task, cell.condition.name, cell.seed, cell.reader)
    return dict(zip(_NAMED, values, strict=True))


def _name(line: Line) -> Name:
    return tuple(line[key] for key in _NAMED)


def _record(line: Line) -> Record:
    scores = {intern(key): _number(value) for key, value in line["scores"].items()}
    privacy, seconds = (  # there may be hundreds of thousands: they share the names of their keys
        {intern(key): float(value) for key, value in line[part].items()}
        for part in ("privacy", "seconds")
    )
    return Record(line["cell"], line["example"], line["cluster"], scores, privacy, seconds)


def _number(value: Any) -> float | str:
    return float(value) if isinstance(value, int | float) else str(value)


def _text(line: Line) -> str:
    """One line of JSON. It has no infinities: float() reads the words that stand for them."""
    return json.dumps(_finite(line), separators=(",", ":"), ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _lines(file: Path) -> Iterator[Line]:
    """The objects in a file. A last line counts only once it has ended."""
    with file.open("rb") as lines:
        for data in lines:
            if data.endswith(b"\n"):
                try:
                    line = json.loads(data)
                except ValueError:
                    line = None
                yield line if isinstance(line, dict) else {"kind": None}


def _ended(handle: int, size: int) -> int:
    """Where the last line that has ended ends."""
    while size:
        start = max(0, size - _BLOCK)
        os.lseek(handle, start, os.SEEK_SET)
        block = os.read(handle, size - start)
        if b"\n" in block:
            return start + block.rindex(b"\n") + 1
        size = start
    return 0


def _reaching(path: Path, step: Callable[[], T], fix: str = _GO_ON) -> T:
    """What `step` gives; trouble with the disk comes out in words."""
    try:
        return step()
    except OSError as error:
        reason = trouble_of(error)
    raise PrivstampError(f"cannot write {path}: {reason}. {fix}")
