"""Where a job's parts go: each written beside its place, synced, and renamed where none is yet.

Bytes are a function of input, labels and secret, so a part that is written twice is the same part;
one that differs is reported, never mixed in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel

from privstamp.batch.facts import ColumnSum
from privstamp.errors import PrivstampError, StoreError, UsageError, trouble_of

Kept = TypeVar("Kept", bound=BaseModel)
MANIFEST: Final = "manifest.json"
CERTIFICATE: Final = "certificate.json"
REJECTED: Final = "rejected.jsonl"
AUDIT: Final = "audit.json"
PARTS, NUMBERS, RECORDS = "parts", "facts", "records"
_DRAFT: Final = ".privstamp-"
_LOCK: Final = ".privstamp.lock"
FORMAT: Final = "privstamp-batch"
_EVERYBODYS, _OWNERS = 0o666, 0o600
"""Modes of what may be shared, and of what stays with whoever runs the job."""


class Input(BaseModel):
    """A file that a job reads."""

    sha256: str
    rows: int


class Manifest(BaseModel):
    """What a job is. `fingerprints` are what its processes tell once they have loaded."""

    time: str
    table: str
    plan: dict[str, str]
    secret: str
    packages: dict[str, str]
    inputs: dict[str, Input]
    damaged: dict[str, str]
    fingerprints: str = ""


class PieceRecord(BaseModel):
    """What was made of a piece of the input."""

    part: str
    source: str
    first: int
    rows: int
    released: int
    rejected: list[tuple[int, str, str, str]]
    nulls: dict[str, int]
    empty: dict[str, int]
    digest: str
    facts_digest: str
    fingerprints: str
    columns: dict[str, ColumnSum]


class Folder:
    """The output of one job."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def manifest(self) -> Manifest | None:
        """What the job is; None where none was begun."""
        path = self.path / MANIFEST
        if not path.exists():
            if any(self.path.glob(f"{PARTS}/*")):
                raise UsageError(f"{self.path} has parts, and no manifest that they belong to")
            return None
        kept = _read(path, _Version)
        if (kept.format, kept.version) != (FORMAT, 1):
            raise UsageError(f"{path} is no manifest of a batch that this version reads")
        return _read(path, Manifest)

    @contextmanager
    def held(self) -> Iterator[None]:
        """For one driver at a time; what an earlier one left unfinished is removed."""
        with self._writing():
            for name in ("", PARTS):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            for name in (NUMBERS, RECORDS):
                (self.path / name).mkdir(mode=0o700, exist_ok=True)
        lock = FileLock(self.path / _LOCK)
        with suppress(Timeout):
            lock.acquire(timeout=0)
        if not lock.is_locked:
            raise UsageError(f"another process works on {self.path}")
        try:
            for draft in self.path.rglob(f"{_DRAFT}*"):
                if draft.name != _LOCK:
                    draft.unlink(missing_ok=True)
            yield
        finally:
            (self.path / _LOCK).unlink(missing_ok=True)  # before it is free: nobody else holds it
            lock.release()

    def begin(self, manifest: Manifest) -> None:
        self.put_json(MANIFEST, {"format": FORMAT, "version": 1} | manifest.model_dump())

    def put_json(self, name: str, content: Any) -> None:
        """A file that is replaced as a whole."""
        self.put(name, as_json(content), new=False)

    def put(self, name: str, content: bytes, *, new: bool = True) -> None:
        """A file that is there whole or not at all; a `new` one never takes another's place."""
        target = self.path / name
        draft = target.with_name(f"{_DRAFT}{os.getpid()}-{target.name}")
        twin = False
        with self._writing():
            try:
                shared = name == CERTIFICATE or target.parent.name == PARTS
                mode = _EVERYBODYS if shared else _OWNERS
                with open(draft, "wb", opener=partial(os.open, mode=mode)) as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                if new:
                    twin = not _linked(draft, target)
                else:
                    draft.replace(target)
            finally:
                draft.unlink(missing_ok=True)
            _sync(target.parent)
        if twin and target.read_bytes() != content:
            raise StoreError(
                f"{target} is there already, and differs from what was just made of the same "
                "input: nothing was changed. Labels may differ between machines; keep one of them"
            )

    def done(self) -> dict[str, PieceRecord]:
        """Records of all pieces whose part is there, and its numbers."""
        records = {}
        for path in sorted((self.path / RECORDS).glob("[!.]*.json")):
            record = _read(path, PieceRecord)
            if (self.path / PARTS / record.part).exists() and self._numbers(path.stem).exists():
                records[path.stem] = record
        return records

    def _numbers(self, piece: str) -> Path:
        return self.path / NUMBERS / f"{piece}.parquet"

    def numbers(self, piece: str, record: PieceRecord) -> bytes:
        """Of the texts of a piece, as they were recorded."""
        path = self._numbers(piece)
        content = b""
        with suppress(OSError):
            content = path.read_bytes()
        if digest(content) != record.facts_digest:
            raise StoreError(
                f"{path} is not as it was recorded: remove it and run the same command again, "
                "which makes it anew"
            )
        return content

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
            return
        except OSError as error:
            trouble = trouble_of(error)
        raise PrivstampError(
            f"cannot write to {self.path}: {trouble}. Parts that are there are whole; make room "
            "and run the same command again: it goes on"
        )


class _Version(BaseModel):
    """Of what lies there, whoever wrote it."""

    format: str = ""
    version: int = 0


def _read(path: Path, kind: type[Kept]) -> Kept:
    """A file of the job, if it is one still."""
    with suppress(OSError, ValueError):
        return kind.model_validate_json(path.read_bytes())
    raise StoreError(
        f"{path} cannot be read, or is damaged: put it back from a copy, or begin anew with "
        "another --out, which is a second release"
    )


def _linked(draft: Path, target: Path) -> bool:
    """Give a file its name, if that is free: in one step, where the disk has hard links."""
    try:
        os.link(draft, target)
    except FileExistsError:
        return False
    except OSError:
        if target.exists():
            return False
        draft.replace(target)
    return True


def _sync(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def as_json(content: Any, indent: int | None = 1) -> bytes:
    text = json.dumps(content, indent=indent, sort_keys=True, ensure_ascii=False)
    return (text + "\n").encode()
