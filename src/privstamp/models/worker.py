"""A process of one's own that answers JSON lines, one for one, and is never left behind."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Any, Final

from privstamp.errors import StageFailed

PARENT: Final = "PRIVSTAMP_PARENT"
"""Tells the process who started it: by the time that it looks, that one may be gone."""
_LOOK: Final = 1.0
"""Seconds of a wait, after which Ctrl-C is heard however it came."""
_GRACE: Final = 1.0
"""Seconds in which a process whose output has ended is gone."""


class Worker:
    """Started at once. Any failure ends it and is a StageFailed that holds nothing that was said.

    Its standard error goes nowhere, since a library may print what it was given.
    """

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._name = name
        self._process = _started(name, command)
        self._end = weakref.finalize(self, _end, self._process)
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        output = self._process.stdout
        threading.Thread(target=_listen, args=(output, self._lines), daemon=True).start()

    def ask(self, message: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The answer to a message; the process is gone if there is none in time."""
        try:
            answer = self._exchange(json.dumps(message).encode() + b"\n", timeout)
        except BaseException:  # Ctrl-C: what comes later would be taken for the next answer
            self.close()
            raise
        if isinstance(answer, dict):
            return answer
        self.close()
        raise StageFailed(
            f"{self._name} failed: {answer}. Try again, with more memory or a longer timeout"
        )

    def close(self) -> None:
        """End the process; a second call does nothing."""
        self._end()

    def _exchange(self, line: bytes, timeout: float) -> dict[str, Any] | str:
        """An answer, or in words why there is none."""
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(line)
            pipe.flush()
            answer: dict[str, Any] = json.loads(self._next(time.monotonic() + timeout))
        except Empty:
            return f"no answer within {timeout:g} seconds"
        except (OSError, ValueError):
            return f"its process ended ({self._code()})"
        return answer

    def _next(self, end: float) -> bytes:
        """The next line. Ctrl-C that another thread took ends no wait, so waits are short."""
        while (left := end - time.monotonic()) > _LOOK:
            with suppress(Empty):
                return self._lines.get(timeout=_LOOK)
        return self._lines.get(timeout=max(0.0, left))

    def _code(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(_GRACE)
            return f"signal {-code}" if code < 0 else f"code {code}"
        return "not by itself"


def _started(name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(  # noqa: S603
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            env={**os.environ, PARENT: str(os.getpid())},
        )
    except OSError as error:
        kind = type(error).__name__
    raise StageFailed(f"{name} cannot be started ({kind})")


def _listen(output: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    for line in output:
        lines.put(line)
    lines.put(b"")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what could not be written any more
            if pipe is not None:
                pipe.close()
