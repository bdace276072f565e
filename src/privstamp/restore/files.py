"""The file of a map: readable by its owner alone from the first byte, never over another one."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final

LARGEST: Final = 2 << 30
"""Bytes of a map file; a larger one is refused unread."""
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep us waiting


def write(target: Path, content: bytes, *, force: bool) -> str | None:
    """Write with mode 0600, or say why what is already there stays."""
    try:
        there = target.lstat()
    except FileNotFoundError:
        there = None
    if there is not None and not force:
        return "a map is not overwritten unless you say --force"
    if there is not None and not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        return "not an ordinary file, so not replaced"
    if there is None and not force:
        _fill(os.open(target, _CREATE, 0o600), target, content)
        return None
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")  # mode 0600
    _fill(handle, Path(name), content)
    try:
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink()
        raise
    return None


def _fill(handle: int, path: Path, content: bytes) -> None:
    """Write all of it, or leave no file."""
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def read(target: Path) -> tuple[bytes | None, int]:
    """Content and mode; no content where it is no ordinary file or too large."""
    handle = os.open(target, _READ)
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            return None, facts.st_mode
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(LARGEST), facts.st_mode
    finally:
        os.close(handle)
