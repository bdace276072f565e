"""Ways in: text from a file or standard input, read as bytes and as strict UTF-8."""

from __future__ import annotations

import os
import stat
import sys
import time

from privstamp.cli.screen import note
from privstamp.errors import InputError, UsageError

STDIN = "-"
MAX_SIZE = "50MB"
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
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
    if not digits.isdecimal() or not int(digits):
        raise UsageError("--max-size is a number of bytes, say 200MB")
    return int(digits) * _UNITS[unit]


def read_source(source: str, what: str = "FILE", *, max_size: str = MAX_SIZE) -> str:
    """The text in a file, or standard input for `-`. Line ends and a byte order mark stay."""
    name = "standard input" if source == STDIN else source
    most = size_of(max_size)
    try:
        data = _stdin(most + 1) if source == STDIN else _content(source, most + 1)
    except FileNotFoundError:
        problem = f"there is no such file{_named(source)}. Give a file, or - for standard input"
    except IsADirectoryError:
        problem = f"{name} is a folder, not a file"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        problem = (
            f"{name} cannot be read: {reason}"
            if source == STDIN
            else (f"cannot read{_named(source)}: {reason}")
        )
    else:
        if len(data) <= most:
            return _decoded(data, name, what)
        del data
        problem = f"{name} is larger than {max_size}. --max-size reads more, in as much memory"
    raise InputError(f"{what}: {problem}")


def read_task(task: str | None, task_file: str | None, source: str) -> str | None:
    """The task, public as an argument or private from a file; a file's last line end is dropped."""
    if task_file is None:
        return task
    if task is not None:
        raise UsageError("give either --task (public) or --task-file (private), not both")
    if task_file == source == STDIN:
        raise UsageError("text and task cannot both come from standard input")
    return read_source(task_file, "--task-file").removesuffix("\n").removesuffix("\r")


def _stdin(most: int) -> bytes:
    if sys.stdin is None:
        raise OSError(0, "standard input is closed")
    if sys.stdin.isatty():
        note("reading from the terminal; end with Ctrl-D")
    return sys.stdin.buffer.read(most)


def _content(source: str, most: int) -> bytes:
    """Of a file or a pipe; devices and sockets may never end."""
    handle = os.open(source, os.O_RDONLY | _AT_ONCE)  # a pipe without a writer must not block
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise OSError(0, "neither a file nor a pipe; - reads standard input")
        first = _first(handle) if stat.S_ISFIFO(mode) else b""
        os.set_blocking(handle, True)
        with open(handle, "rb", closefd=False) as file:
            return first + file.read(most)
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
