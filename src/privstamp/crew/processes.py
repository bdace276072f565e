"""Batches spread over processes, answered in order. A process that dies loses its batch alone.

Started as `python -m privstamp.crew.processes`: no module of the caller's is imported again, as
forks and multiprocessing would. What is private goes through pipes; standard error goes nowhere.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

from privstamp.errors import PrivstampError, StageFailed

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")
Recipe = Callable[[], Callable[[Batch], Answer]]
"""Makes, in a process of the crew, what answers batches; it is pickled, as batches are."""
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ENDED: Final = "the process that had it was ended; nothing was released. Perhaps memory ran out"


class _Member:
    """One process, started at once."""

    def __init__(self, recipe: bytes) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        environment = dict.fromkeys(_THREADS, "1") | os.environ | {"PYTHONPATH": path}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "privstamp.crew.processes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the process that started it
        )
        self._send(recipe)

    def ask(self, batch: object) -> Any:
        """The answer to a batch, or the error in its place."""
        try:
            self._send(pickle.dumps(batch))
            assert self._process.stdout is not None
            return pickle.load(self._process.stdout)  # noqa: S301
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.end()
            self.close()
        return StageFailed(_ENDED)

    def _send(self, content: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, which the answer tells
            self._process.stdin.write(len(content).to_bytes(8, "little") + content)
            self._process.stdin.flush()

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def end(self) -> None:
        """End the process; whoever waits for its answer hears of it."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes, when nobody waits for an answer any more."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what could not be written any more
                if pipe is not None:
                    pipe.close()


class _Crew(Generic[Batch, Answer]):
    def __init__(self, recipe: Recipe[Batch, Answer], jobs: int) -> None:
        self._recipe = pickle.dumps(recipe)
        self._places: SimpleQueue[_Member | None] = SimpleQueue()
        self._members: list[_Member] = []
        self._closed = False
        for _ in range(jobs):
            self._places.put(None)

    def answer(self, batch: Batch) -> Answer | PrivstampError:
        member = self._places.get()
        try:
            if member is None or member.ended:
                member = self._started()
            found: Answer | PrivstampError = member.ask(batch)
            return found
        except OSError as error:
            member, kind = None, type(error).__name__
        finally:
            self._places.put(member)
        return StageFailed(f"no process can be started ({kind}); nothing was released")

    def _started(self) -> _Member:
        if self._closed:
            raise OSError("closed")
        member = _Member(self._recipe)
        self._members.append(member)
        return member

    def end(self) -> None:
        self._closed = True
        for member in self._members:
            member.end()

    def close(self) -> None:
        self.end()  # one may have been started meanwhile
        for member in self._members:
            member.close()


def spread(
    recipe: Recipe[Batch, Answer], batches: Iterable[Batch], jobs: int
) -> Iterator[tuple[Batch, Answer | PrivstampError]]:
    """Each batch with its answer, in order; at most twice as many as `jobs` are under way.

    Whatever ends the loop, Ctrl-C too, ends the processes.
    """
    crew = _Crew(recipe, jobs)
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="privstamp-crew")
    waiting: deque[tuple[Batch, Future[Answer | PrivstampError]]] = deque()
    try:
        for batch in batches:
            waiting.append((batch, pool.submit(crew.answer, batch)))
            if len(waiting) >= 2 * jobs:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        crew.end()
        pool.shutdown(cancel_futures=True)
        crew.close()


def main() -> None:
    """Answer until nobody asks any more."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a library that prints is not heard
    answer: Callable[[Any], Any] | None = None
    while content := _read():
        result: Any
        try:
            if answer is None:
                answer = pickle.loads(content)()  # noqa: S301
                continue
            result = pickle.dumps(answer(pickle.loads(content)))  # noqa: S301
        except Exception as error:
            failed = StageFailed(f"a process of the crew failed ({type(error).__name__})")
            if answer is None:
                return  # every batch is told that the process has ended
            result = pickle.dumps(failed)
        output.write(result)
        output.flush()


def _read() -> bytes:
    size = sys.stdin.buffer.read(8)
    return sys.stdin.buffer.read(int.from_bytes(size, "little")) if len(size) == 8 else b""


if __name__ == "__main__":
    main()
