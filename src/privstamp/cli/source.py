"""Ways in: text from a file or standard input, read as bytes and as strict UTF-8."""

from __future__ import annotations

import codecs
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from privstamp.cli.screen import note
from privstamp.errors import InputError, PrivstampError, UsageError

STDIN = "-"
MAX_SIZE = "50MB"
MORE = "--max-size reads more, in as much memory"
PIECE = 1 << 16
"""Bytes that are read at a time of a text that is taken in parts."""
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_MOST = 10**15
_WAIT = 5.0
"""Seconds that a named pipe gets until somebody writes to it."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def size_of(text: str) -> int:
    """Bytes of a size as people write it.

    >>> size_of("50MB"), size_of("300 k"), size_of("1000")
    (50000000, 300000, 1000)
    """
    number = text.strip().lower().removesuffix("b").strip()
    unit = number[-1:] if number[-1:] in "kmg" else ""
    digits = number.removesuffix(unit).strip()
    plain = digits.isascii() and digits.isdecimal() and len(digits) < 16
    size = int(digits) * _UNITS[unit] if plain else 0
    if not 0 < size <= _MOST:
        raise UsageError("--max-size is a number of bytes, say 200MB, at most 1000000GB")
    return size


def read_source(
    source: str, what: str = "FILE", *, max_size: str = MAX_SIZE, larger: str = MORE
) -> str:
    """The text in a file, or standard input for `-`. Line ends and a byte order mark stay.

    `larger` says how more is read.
    """
    name = _name(source)
    most = size_of(max_size)
    with _reading(source, what), _opened(source) as opened:
        data = opened.first + opened.file.read(most + 1 - len(opened.first))
    if len(data) <= most:
        return _decoded(data, name, what)
    del data
    raise InputError(f"{what}: {name} is larger than {max_size}. {larger}")


def pieces(source: str, started: Callable[[int | None], None]) -> Iterator[str]:
    """The same text piece by piece, of any size; `started` learns how many bytes there are, if
    that is known."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    position = 0
    with _reading(source, "FILE"), _opened(source) as opened:
        started(opened.size)
        block = opened.first or opened.file.read(PIECE)
        while block:
            text = None
            with suppress(UnicodeDecodeError):
                text = decoder.decode(block)
            if text is None:
                break
            yield text
            position += len(block)
            block = opened.file.read(PIECE)
        else:
            if not decoder.getstate()[0]:
                return
    raise InputError(
        f"FILE: {_name(source)} is not UTF-8 text (after byte {position}). Convert it first"
    )


@dataclass(frozen=True, repr=False)
class _Opened:
    file: BinaryIO
    size: int | None = None
    first: bytes = b""  # was read already


@contextmanager
def _reading(source: str, what: str) -> Iterator[None]:
    """What goes wrong while a file is read, said without what is in it."""
    name = _name(source)
    try:
        yield
        return
    except FileNotFoundError:
        problem = f"there is no such file{_named(source)}. Give a file, or - for standard input"
    except IsADirectoryError:
        problem = f"{name} is a folder, not a file"
    except PrivstampError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        problem = (
            f"{name} cannot be read: {reason}"
            if source == STDIN
            else (f"cannot read{_named(source)}: {reason}")
        )
    raise InputError(f"{what}: {problem}")


def _name(source: str) -> str:
    return "standard input" if source == STDIN else source


def read_task(task: str | None, task_file: str | None, source: str) -> str | None:
    """The task, public as an argument or private from a file; a file's last line end is dropped."""
    if task_file is None:
        return task
    if task is not None:
        raise UsageError("give either --task (public) or --task-file (private), not both")
    if task_file == source == STDIN:
        raise UsageError("text and task cannot both come from standard input")
    return read_source(task_file, "--task-file").removesuffix("\n").removesuffix("\r")


@contextmanager
def _opened(source: str) -> Iterator[_Opened]:
    """A file or a pipe; devices and sockets may never end."""
    if source == STDIN:
        if sys.stdin is None:
            raise OSError(0, "standard input is closed")
        if sys.stdin.isatty():
            note("reading from the terminal; end with Ctrl-D")
        yield _Opened(sys.stdin.buffer)
        return
    handle = os.open(source, os.O_RDONLY | _AT_ONCE)  # a pipe without a writer must not block
    try:
        facts = os.fstat(handle)
        if stat.S_ISDIR(facts.st_mode):
            raise IsADirectoryError
        if not (stat.S_ISREG(facts.st_mode) or stat.S_ISFIFO(facts.st_mode)):
            raise OSError(0, "neither a file nor a pipe; - reads standard input")
        piped = stat.S_ISFIFO(facts.st_mode)
        first = _first(handle) if piped else b""
        os.set_blocking(handle, True)
        with open(handle, "rb", closefd=False) as file:
            yield _Opened(file, None if piped else facts.st_size, first)
    finally:
        os.close(handle)


def _first(handle: int) -> bytes:
    """The first byte of a named pipe, if it is there yet; nobody may be writing to it."""
    ends = time.monotonic() + _WAIT
    while time.monotonic() < ends:
        try:
            if first := os.read(handle, 1):
                return first
        except BlockingIOError:  # a writer is there and has not written yet
            return b""
        time.sleep(0.01)
    raise OSError(0, "nobody writes to this pipe")


def _decoded(data: bytes, name: str, what: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        position = error.start
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    fix = "It looks like UTF-16. Try: iconv -f UTF-16 -t UTF-8" if wide else "Convert it first"
    raise InputError(f"{what}: {name} is not UTF-8 text (byte {position}). {fix}")


def _named(source: str) -> str:
    """The name, unless it looks like a text that was typed in the place of a file name."""
    return f' "{source}"' if len(source) < 200 and not any(c.isspace() for c in source) else ""
