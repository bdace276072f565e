"""A chat model on this machine that answers prompts, in a process of its own with a memory limit.

No port is opened and no text goes to a log. What the process may not do is take the caller down:
whatever happens to it is a StageFailed here, and the next question starts a fresh one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Final

from privstamp.crew.threads import Lock
from privstamp.errors import Incompatible, StageFailed, UsageError
from privstamp.models.replies import PARAGRAPH, Closing, ReplyCache, fingerprint_of, key_of
from privstamp.types import HERE, Prompt, Reply, Usage

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


COMMAND: Final = (sys.executable, "-P", "-m", "privstamp.models.chat")
_BESIDES: Final = 2_000_000_000
"""Bytes of address space that the process may take besides twice the size of its file."""


class LocalModel(Closing):
    """The `Answerer` contract for a model that `command` serves.

    `memory` is in bytes of address space; `timeout` in seconds for each prompt. `cache` is a
    folder that keeps replies; without it none is kept. `batch` is how many prompts the process
    is given at a time: with one, a reply depends on prompt, settings and seed alone.
    """

    place = HERE

    def __init__(
        self,
        name: str,
        path: Path,
        facts: Mapping[str, str],
        *,
        threads: int = 1,
        memory: int | None = None,
        timeout: float = 600.0,
        seed: int = 0,
        cache: Path | None = None,
        command: Sequence[str] = COMMAND,
        batch: int = 1,
    ) -> None:
        if threads < 1 or timeout <= 0 or (memory is not None and memory <= 0):
            raise UsageError("a local model needs threads >= 1, timeout > 0 and memory > 0")
        self.name = name
        self.fingerprint = fingerprint_of({**facts, "seed": seed})
        memory = 2 * path.stat().st_size + _BESIDES if memory is None else memory
        self._start = {"path": str(path), "threads": threads, "memory": memory, "seed": seed}
        self._timeout, self._command, self._batch = timeout, command, batch
        self._replies = None if cache is None else ReplyCache(cache)
        self._usage = Usage()
        self._worker: Worker | None = None
        self._positions = 0
        self._closed = False
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"LocalModel({self.name})"

    def close(self) -> None:
        """End the process; a second call does nothing."""
        with self._lock:
            self._closed = True
            self._drop()

    @property
    def usage(self) -> Usage:
        """Everything since this model was made; replies from the cache count apart."""
        return self._usage

    def complete(
        self, prompts: Sequence[Prompt], *, temperature: float, max_tokens: int
    ) -> list[Reply]:
        """One reply per prompt, in the order given; equal prompts are answered once.

        What begins alike is asked in a row: neighbours read it once. Texts of a length stand
        together.
        """
        if not 0 <= temperature < float("inf") or max_tokens < 1:
            raise UsageError("a local model needs temperature >= 0 and max_tokens >= 1")
        settings = {"temperature": float(temperature), "max_tokens": max_tokens}
        facts: dict[str, str | float] = {"model": self.fingerprint, **settings}
        keys = [key_of(prompt, facts) for prompt in prompts]
        asked = dict(zip(keys, prompts, strict=True))
        with self._lock:
            if self._closed:
                raise StageFailed(f"{self.name} was closed")
            replies = self._kept(asked)
            self._ask_all(
                {key: asked[key] for key in asked if key not in replies}, settings, replies
            )
        return [replies[key] for key in keys]

    def _kept(self, asked: Iterable[str]) -> dict[str, Reply]:
        kept = {} if self._replies is None else {key: self._replies.find(key) for key in asked}
        replies = {key: reply for key, reply in kept.items() if reply is not None}
        for reply in replies.values():
            self._usage = self._usage.plus(reply)
        return replies

    def _ask_all(
        self,
        asked: Mapping[str, Prompt],
        settings: Mapping[str, float],
        found: dict[str, Reply],
    ) -> None:
        order = sorted(asked, key=lambda key: _order(asked[key]))
        for at in range(0, len(order), self._batch):
            batch = order[at : at + self._batch]
            replies = self._ask([asked[key] for key in batch], settings)
            for key, reply in zip(batch, replies, strict=True):
                if self._replies is not None:
                    self._replies.keep(key, reply)
                self._usage = self._usage.plus(reply)
                found[key] = reply

    def _ask(self, prompts: Sequence[Prompt], settings: Mapping[str, float]) -> list[Reply]:
        worker = self._worker or self._started()
        request = {"prompts": [[prompt.text, prompt.system] for prompt in prompts], **settings}
        answer = self._exchange(worker, request, self._timeout * len(prompts))
        if "too_long" in answer:
            raise UsageError(
                f"a prompt of {answer['too_long']} tokens and a reply of up to "
                f"{settings['max_tokens']} do not fit into the {self._positions} that {self.name} "
                "reads. Shorten the prompt, or ask for fewer tokens"
            )
        if "failed" in answer:
            self._drop()
            raise StageFailed(
                f"{self.name} failed ({answer['failed']}). Try again, with more memory"
            )
        return [Reply(*reply) for reply in answer["replies"]]

    def _started(self) -> Worker:
        self._worker = worker = Worker(self.name, self._command)
        answer = self._exchange(worker, self._start, self._timeout)
        if "failed" in answer:
            self._drop()
            if answer["failed"] == Incompatible.__name__:
                raise Incompatible(answer["why"])
            raise StageFailed(
                f"{self.name} could not be opened ({answer['failed']}); it has "
                f"{self._start['memory']:,} bytes of memory. Try more memory"
            )
        self._positions = answer["positions"]
        return worker

    def _exchange(
        self, worker: Worker, message: Mapping[str, Any], timeout: float
    ) -> dict[str, Any]:
        try:
            return worker.ask(message, timeout)
        except BaseException:
            self._drop()
            raise

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.close()
        self._worker = None


def _order(prompt: Prompt) -> tuple[str, int, str]:
    return prompt.system or "", len(prompt.text.rpartition(PARAGRAPH)[0]), prompt.text
