"""A chat model on this machine that answers prompts, in a process of its own with a memory limit.

No port is opened and no text goes to a log. What the process may not do is take the caller down:
whatever happens to it is a StageFailed here, and the next question starts a fresh one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from privstamp.errors import Incompatible, StageFailed, UsageError
from privstamp.models.closing import Closing
from privstamp.models.replies import Replies, fingerprint_of, key_of
from privstamp.models.worker import Worker
from privstamp.types import HERE, Prompt, Reply, Usage

COMMAND: Final = (sys.executable, "-P", "-m", "privstamp.models.chat_process")
_BESIDES: Final = 2_000_000_000
"""Bytes of address space that the process may take besides twice the size of its file."""


class LocalModel(Closing):
    """The `Answerer` contract for a GGUF file. A reply depends on prompt, settings and seed alone.

    `memory` is in bytes of address space; `timeout` in seconds for each prompt. `cache` is a
    folder that keeps replies; without it none is kept.
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
    ) -> None:
        if threads < 1 or timeout <= 0 or (memory is not None and memory <= 0):
            raise UsageError("a local model needs threads >= 1, timeout > 0 and memory > 0")
        self.name = name
        self.fingerprint = fingerprint_of({**facts, "seed": seed})
        memory = 2 * path.stat().st_size + _BESIDES if memory is None else memory
        self._start = {"path": str(path), "threads": threads, "memory": memory, "seed": seed}
        self._timeout, self._command = timeout, command
        self._replies = None if cache is None else Replies(cache)
        self._usage = Usage()
        self._worker: Worker | None = None
        self._positions = 0
        self._closed = False
        self._lock = threading.Lock()

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

        They are asked in order of their text: what neighbours begin with alike is read once.
        """
        if not 0 <= temperature < float("inf") or max_tokens < 1:
            raise UsageError("a local model needs temperature >= 0 and max_tokens >= 1")
        settings = {"temperature": float(temperature), "max_tokens": max_tokens}
        facts: dict[str, str | float] = {"model": self.fingerprint, **settings}
        keys = [key_of(prompt, facts) for prompt in prompts]
        asked = sorted(
            dict(zip(keys, prompts, strict=True)).items(),
            key=lambda item: (item[1].system or "", item[1].text),
        )
        with self._lock:
            if self._closed:
                raise StageFailed(f"{self.name} was closed")
            found = {key: self._reply(key, prompt, settings) for key, prompt in asked}
        return [found[key] for key in keys]

    def _reply(self, key: str, prompt: Prompt, settings: Mapping[str, float]) -> Reply:
        reply = None if self._replies is None else self._replies.find(key)
        if reply is None:
            reply = self._ask({"text": prompt.text, "system": prompt.system, **settings})
            if self._replies is not None:
                self._replies.keep(key, reply)
        self._usage = self._usage.plus(reply)
        return reply

    def _ask(self, request: Mapping[str, Any]) -> Reply:
        worker = self._worker or self._started()
        answer = self._exchange(worker, request)
        if "too_long" in answer:
            raise UsageError(
                f"a prompt of {answer['too_long']} tokens and a reply of up to "
                f"{request['max_tokens']} do not fit into the {self._positions} that {self.name} "
                "reads. Shorten the prompt, or ask for fewer tokens"
            )
        if "failed" in answer:
            self._drop()
            raise StageFailed(
                f"{self.name} failed ({answer['failed']}). Try again, with more memory"
            )
        return Reply(answer["text"], answer["tokens_in"], answer["tokens_out"])

    def _started(self) -> Worker:
        self._worker = worker = Worker(self.name, self._command)
        answer = self._exchange(worker, self._start)
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

    def _exchange(self, worker: Worker, message: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return worker.ask(message, self._timeout)
        except BaseException:
            self._drop()
            raise

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.close()
        self._worker = None
