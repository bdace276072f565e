"""Ways out: standard output as UTF-8 bytes, and files that appear whole or not at all."""

from __future__ import annotations

import functools
import io
import os
import stat
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO, ParamSpec

import typer

from privstamp.cli import interrupts
from privstamp.cli.interrupts import stop_if_interrupted
from privstamp.cli.screen import tell
from privstamp.errors import PrivstampError, UsageError, trouble_of


def speak_utf8() -> None:
    """Standard output in UTF-8 whatever the locale, with line ends as they are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")


def put(text: str) -> None:
    """Write a result to standard output, whole, as it is; a terminal also gets a line end."""
    stop_if_interrupted()
    if sys.stdout is None:
        raise PrivstampError("standard output is closed: there is nowhere to write to")
    if sys.stdout.isatty() and text and not text.endswith("\n"):
        text += "\n"
    sys.stdout.flush()
    before = _size_of_stdout()
    try:
        _write_all(sys.stdout.buffer, text.encode())
        sys.stdout.buffer.flush()
    except BaseException:
        hang_up(before)
        raise


def _write_all(file: BinaryIO, content: bytes) -> None:
    """All of it: under PYTHONUNBUFFERED a write may take a part and call that a success."""
    left = memoryview(content)
    while left:
        left = left[file.write(left) or 0 :]


def _size_of_stdout() -> int | None:
    """Bytes of the file that standard output is redirected to, if it is one."""
    try:
        facts = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


def hang_up(size: int | None = None) -> None:
    """Let what is still buffered go nowhere; a file gets the `size` back that it had."""
    with suppress(OSError, ValueError, AttributeError):
        if size is not None:
            os.ftruncate(sys.stdout.fileno(), size)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def check_target(option: str, target: Path, *others: str | Path | None) -> None:
    """Refuse, before any work, a file that could not be written or is also read or written."""
    if str(target) == "-":
        raise UsageError(f"{option}: a file is needed there, not -")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{option}: there is no folder {target.absolute().parent}")
    if target.is_dir():
        raise UsageError(f"{option}: {target} is a folder")
    for path in others:
        if path is not None and target.resolve() == Path(path).resolve():
            raise UsageError(f"{option}: {target} is already named for something else")


def check_picture(option: str, target: Path, *others: str | Path | None) -> None:
    """The same of a picture; an absent extra is noticed before the work, too."""
    from privstamp.lab.report import pyplot

    check_target(option, target, *others)
    if target.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"{option}: {target} ends neither in .png nor in .svg")
    pyplot()


class DraftFile:
    """A file written beside its place; `publish` moves it there, leaving the block discards it.

    Opened before long work, it tells at once that it could not be written.
    """

    def __init__(
        self, target: Path, content: str = "", *, option: str = "", private: bool = False
    ) -> None:
        """`private`: readable by its owner alone."""
        self._target = target.resolve()
        self._special = self._target.exists() and not self._target.is_file()  # a device or pipe
        self._content = content
        self._draft: Path | None = None
        self._file: BinaryIO | None = None
        self._mode = 0o600 if private else 0o666 & ~_umask()
        self._named = f"{option}: " if option else ""

    def __enter__(self) -> DraftFile:
        if not self._special:
            with self._writing():
                handle, name = mkstemp(dir=self._target.parent, prefix=f".{self._target.name}.")
                self._draft, self._file = Path(name), os.fdopen(handle, "wb")
                self._draft.chmod(self._mode)
                self._file.write(self._content.encode())
                self._file.flush()
        return self

    def add(self, piece: str) -> None:
        """Write more of it, of what is too large to be kept."""
        if self._file is None:
            raise UsageError(f"{self._named}{self._target} is no ordinary file")
        with self._writing():
            self._file.write(piece.encode())

    def publish(self, content: str | None = None) -> None:
        """Move it to its place, with other content than it was opened with if that is given."""
        with self._writing():
            if self._file is None or self._draft is None:
                self._target.write_bytes((self._content if content is None else content).encode())
                return
            if content is not None:
                self._file.seek(0)
                self._file.truncate()
                self._file.write(content.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._draft.replace(self._target)
            self._draft = self._file = None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Whatever cannot be written is said, and nothing of it stays."""
        try:
            yield
            return
        except OSError as error:
            trouble = trouble_of(error)
        self.__exit__()
        raise self._failure(trouble)

    def _failure(self, trouble: str) -> PrivstampError:
        return PrivstampError(
            f"{self._named}cannot write {self._target}: {trouble}; nothing was released"
        )

    def retract(self) -> None:
        """Take back what was published, because what it belongs to did not get out."""
        if not self._special:
            self._target.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written is tried again
                self._file.close()
        if self._draft is not None:
            with suppress(OSError):
                self._draft.unlink()
        self._draft = self._file = None


def saved(option: str, target: Path, step: Callable[[], object]) -> list[str]:
    """Write what took long to make, or say why not: it is to be shown all the same."""
    try:
        step()
    except PrivstampError as error:
        return [str(error)]
    except OSError as error:
        return [f"{option}: cannot write {target}: {trouble_of(error)}"]
    tell(f"written to {target}")
    return []


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# From what went wrong to one line on standard error and an exit code.

P = ParamSpec("P")
FAILURE, USAGE = 1, 2


def closed(command: Callable[P, None]) -> Callable[P, None]:
    """The command, failing closed: a line and an exit code, no traceback, no input text."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        stopped = False
        try:
            command(*args, **kwargs)
            if sys.stdout is not None:
                sys.stdout.flush()
            return
        except typer.Exit:
            raise
        except BrokenPipeError:
            code, message = FAILURE, None
            hang_up()
        except KeyboardInterrupt:
            code, message, stopped = FAILURE, None, True
            hang_up()
        except PrivstampError as error:
            code, message = USAGE if isinstance(error, UsageError) else FAILURE, str(error)
        except Exception as error:
            code, message = FAILURE, _unexpected(error)
            hang_up()
        if stopped or interrupts.heard():  # parts may make another error of it
            interrupts.say()
            raise typer.Exit(interrupts.exit_code())
        if message is not None:
            from privstamp.cli.screen import complain

            complain(message)
        raise typer.Exit(code)

    return run


def _unexpected(error: Exception) -> str:
    """Kind and place only: the message of a foreign error may quote what it was given."""
    if os.environ.get("PRIVSTAMP_DEBUG"):
        sys.stderr.write("".join(traceback.format_tb(error.__traceback__)))
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"failed ({kind}: {trouble_of(error)}); nothing was released"
    return f"unexpected failure ({kind}); nothing was released. PRIVSTAMP_DEBUG=1 shows where"
