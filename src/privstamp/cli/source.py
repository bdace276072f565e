"""Ways in: text from a file or standard input, read as bytes and as strict UTF-8."""

from __future__ import annotations

import sys
from pathlib import Path

from privstamp.cli.screen import note
from privstamp.errors import InputError, UsageError

STDIN = "-"


def read_source(source: str, what: str = "FILE") -> str:
    """The text in a file, or standard input for `-`. Line ends and a byte order mark stay."""
    name = "standard input" if source == STDIN else source
    try:
        data = _stdin() if source == STDIN else Path(source).read_bytes()
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
        return _decoded(data, name, what)
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


def _stdin() -> bytes:
    if sys.stdin is None:
        raise OSError(0, "standard input is closed")
    if sys.stdin.isatty():
        note("reading from the terminal; end with Ctrl-D")
    return sys.stdin.buffer.read()


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
