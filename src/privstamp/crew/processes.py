"""Batches spread over processes, answered in order. A process that dies loses its batch alone.

Started as `python -m privstamp.crew.processes`: no module of the caller's is imported again, as
forks and multiprocessing would. What is private goes through pipes; standard error goes nowhere.
Forked members come from such a process, which has loaded everything once and does nothing else.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, Final, Generic, Protocol, TypeVar

from privstamp.crew.threads import Lock
from privstamp.errors import PrivstampError, StageFailed

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")
Recipe = Callable[[], Callable[[Batch], Answer]]
"""Makes, in a process of the crew, what answers batches; it is pickled, as batches are."""
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ENDED: Final = "the process that had it was ended; nothing was released. Perhaps memory ran out"
SIZE: Final = 8
"""Bytes that say how long a message through a pipe is."""
FORKS: Final = hasattr(os, "fork") and hasattr(socket, "send_fds")
"""Whether members may be forked from a process that has loaded everything."""


def command() -> list[str]:
    """What starts a process of the crew; its first message is the recipe."""
    return [sys.executable, "-P", "-m", "privstamp.crew.processes"]


def environment() -> dict[str, str]:
    """With the caller's modules in reach, and one thread for products."""
    path = os.pathsep.join(filter(None, sys.path))
    return dict.fromkeys(_THREADS, "1") | os.environ | {"PYTHONPATH": path}


def framed(content: bytes) -> bytes:
    """A message as it goes through a pipe."""
    return len(content).to_bytes(SIZE, "little") + content


def _started(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this Python
        [*command(), *arguments],
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,  # Ctrl-C is for the process that started it
        **more,
    )


class _Process(Protocol):
    """A member of the crew."""

    @property
    def ended(self) -> bool: ...
    def ask(self, batch: object) -> Any: ...
    def end(self) -> None: ...
    def close(self) -> None: ...


class _Leader:
    """A process that loads everything once, and forks members."""

    def __init__(self, recipe: bytes) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            handle = theirs.fileno()
            nowhere = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
            self._process = _started(str(handle), pass_fds=[handle], **nowhere)
        with suppress(OSError):  # it has ended, which the next batch is told
            self._control.sendall(framed(recipe))

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def member(self) -> _Forked:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"m"], [theirs.fileno()])
        return _Forked(ours)

    def end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # its members are of its group
        self._process.wait()
        self._control.close()


class _Forked:
    """A member at the other end of a socket."""

    def __init__(self, link: socket.socket) -> None:
        self._link, self.ended = link, False
        self._pipe = link.makefile("rb")

    def ask(self, batch: object) -> Any:
        """The answer to a batch, or the error in its place."""
        try:
            self._link.sendall(framed(pickle.dumps(batch)))
            return pickle.loads(_read(self._pipe))  # noqa: S301
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.end()
            self.close()
        return StageFailed(ENDED)

    def end(self) -> None:
        """Whoever waits for its answer hears of it; it ends when it finds that nobody asks."""
        self.ended = True
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._pipe.close()
        self._link.close()


class _Member:
    """One process, started at once."""

    def __init__(self, recipe: bytes) -> None:
        self._process = _started(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send(recipe)

    def ask(self, batch: object) -> Any:
        """The answer to a batch, or the error in its place."""
        try:
            self._send(pickle.dumps(batch))
            assert self._process.stdout is not None
            return pickle.loads(_read(self._process.stdout))  # noqa: S301
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self.end()
            self.close()
        return StageFailed(ENDED)

    def _send(self, content: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, which the answer tells
            self._process.stdin.write(framed(content))
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
    def __init__(self, recipe: Recipe[Batch, Answer], jobs: int, *, forked: bool) -> None:
        self._recipe = pickle.dumps(recipe)
        self._places: SimpleQueue[_Process | None] = SimpleQueue()
        self._members: list[_Process] = []
        self._leader = _Leader(self._recipe) if forked else None
        self._lock = Lock()
        self._closed = False
        for _ in range(jobs):
            self._places.put(None)

    def answer(self, batch: Batch) -> Answer | PrivstampError:
        member = self._places.get()
        try:
            if member is None or member.ended:
                member = self._started()
            answer: Answer | PrivstampError = member.ask(batch)
            return answer
        except OSError as error:
            member, kind = None, type(error).__name__
        finally:
            self._places.put(member)
        return StageFailed(f"no process can be started ({kind}); nothing was released")

    def _started(self) -> _Process:
        with self._lock:
            if self._closed:
                raise OSError("closed")
            if self._leader is not None and self._leader.ended:
                self._leader.end()
                self._leader = _Leader(self._recipe)
            member = _Member(self._recipe) if self._leader is None else self._leader.member()
            self._members.append(member)
            return member

    def end(self) -> None:
        self._closed = True
        for member in self._members:
            member.end()
        if self._leader is not None:
            self._leader.end()

    def close(self) -> None:
        self.end()  # one may have been started meanwhile
        for member in self._members:
            member.close()


def spread(
    recipe: Recipe[Batch, Answer], batches: Iterable[Batch], jobs: int, *, forked: bool = False
) -> Generator[tuple[Batch, Answer | PrivstampError]]:
    """Each batch with its answer, in order; at most twice as many as `jobs` are under way.

    Whatever ends the loop, Ctrl-C too, ends the processes.
    """
    crew = _Crew(recipe, jobs, forked=forked and FORKS)
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
    if sys.argv[1:]:
        _lead(socket.socket(fileno=int(sys.argv[1])))
        return
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a library that prints is not heard
    if (answer := _made(sys.stdin.buffer)) is not None:
        _serve(answer, sys.stdin.buffer, output)


def _lead(control: socket.socket) -> None:
    """Fork a member for each socket that comes, until nobody asks for one."""
    size = int.from_bytes(control.recv(SIZE, socket.MSG_WAITALL), "little")
    answer = _made(io.BytesIO(framed(control.recv(size, socket.MSG_WAITALL))))
    if answer is None:
        return
    gc.collect()
    gc.freeze()  # what is shared is not written to, and so not copied
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        mark, handles, _, _ = socket.recv_fds(control, 1, 1)
        if not mark:
            return
        if os.fork() == 0:
            control.close()
            link = socket.socket(fileno=handles[0])
            _serve(answer, link.makefile("rb"), link.makefile("wb"))
            os._exit(0)
        os.close(handles[0])


def _made(source: IO[bytes]) -> Callable[[Any], Any] | None:
    """What answers; None where it cannot be made: every batch is told that the process ended."""
    with suppress(Exception):
        answer: Callable[[Any], Any] = pickle.loads(_read(source))()  # noqa: S301
        return answer
    return None


def _serve(answer: Callable[[Any], Any], source: IO[bytes], output: IO[bytes]) -> None:
    with suppress(OSError):  # nobody waits for the answer any more
        while content := _read(source):
            try:
                result = pickle.dumps(answer(pickle.loads(content)))  # noqa: S301
            except Exception as error:
                failed = StageFailed(f"a process of the crew failed ({type(error).__name__})")
                result = pickle.dumps(failed)
            output.write(framed(result))
            output.flush()


def _read(pipe: IO[bytes]) -> bytes:
    """The next message; nothing where the other side has ended."""
    size = pipe.read(SIZE)
    return pipe.read(int.from_bytes(size, "little")) if len(size) == SIZE else b""


def no_core() -> None:
    """A crash must not write keys and texts to a file. Children of the process inherit it."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))


if __name__ == "__main__":
    main()
