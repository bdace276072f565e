"""Processes that answer jobs of an event loop, each with a deadline. One that is killed, or takes
too long, is replaced; the job it had is refused."""

from __future__ import annotations

import asyncio
import os
import pickle
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from privstamp.crew.processes import ENDED, SIZE, command, environment, framed
from privstamp.errors import StageFailed

Recipe = Callable[[], Callable[[Any], Any]]
"""Makes, in a process, what answers jobs; it is pickled, as jobs are."""
PING: Final = None
"""A job that every recipe answers with itself: the process is ready."""
UPSTREAM_KEY: Final = "PRIVSTAMP_UPSTREAM_KEY"
_PAUSE: Final = 1.0
"""Seconds before a process that could not be started is tried again."""
LARGE: Final = 1 << 20
"""Bytes that are no longer handled in one go."""
_AHEAD: Final = 4
"""Jobs that a process is given before it has answered."""
_BUSY: Final = "all processes are busy; nothing was released. Try again later"


@dataclass(frozen=True, repr=False)
class _Job:
    content: bytes
    since: float
    answer: asyncio.Future[Any]

    def settle(self, value: object) -> None:
        """Unless it is, or nobody waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(value)


class _Link(asyncio.SubprocessProtocol):
    """The pipes of one process: messages as they come, and once that it is lost."""

    def __init__(self, heard: Callable[[memoryview], None], lost: Callable[[], None]) -> None:
        self._heard, self._lost = heard, lost
        self._parts: list[bytes] = []
        self._length = 0
        self._transport: asyncio.SubprocessTransport | None = None
        self._pipe: asyncio.WriteTransport | None = None
        self.over = False
        self._exited = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        pipe = transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        self._pipe = pipe

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        del fd
        self._parts.append(data)
        self._length += len(data)
        while not self.over and self._length >= SIZE:
            if len(self._parts[0]) < SIZE:
                self._parts = [b"".join(self._parts)]
            end = SIZE + int.from_bytes(self._parts[0][:SIZE], "little")
            if self._length < end:
                return
            content = b"".join(self._parts)
            self._parts = [content[end:]] if len(content) > end else []
            self._length = len(content) - end
            self._heard(memoryview(content)[SIZE:end])

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        if fd == 1 and not self.over:  # all that it had answered was heard
            self._lost()

    def process_exited(self) -> None:
        self._exited.set()

    def send(self, content: bytes) -> None:
        assert self._pipe is not None
        if len(content) <= LARGE:
            self._pipe.write(framed(content))
        else:
            self._pipe.write(len(content).to_bytes(SIZE, "little"))
            self._pipe.write(content)

    def end(self) -> None:
        """Kill it, if it lives."""
        self.over = True
        if self._transport is not None:
            with suppress(ProcessLookupError):
                self._transport.kill()
            self._transport.close()

    async def exited(self) -> None:
        if self._transport is not None:
            await self._exited.wait()


class _Clerk:
    """One process, the jobs that it was given and those that wait for it."""

    def __init__(self, recipe: bytes, deadline: float, patience: float) -> None:
        self._recipe, self._deadline, self._patience = recipe, deadline, patience
        self._waiting: deque[_Job] = deque()
        self._given: deque[_Job] = deque()  # it works on the first
        self._since = 0.0  # and has done so since then
        self._alarm: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._link: _Link | None = None
        self._gone = asyncio.Event()
        self.ready, self.tried = asyncio.Event(), asyncio.Event()
        self.started = 0
        self._task = asyncio.create_task(self._keep())

    @property
    def busy(self) -> int:
        return len(self._waiting) + len(self._given)

    async def ask(self, content: bytes) -> Any:
        job = self._job(content)
        self._waiting.append(job)
        if self.ready.is_set():
            self._give()
        return await job.answer

    def _job(self, content: bytes) -> _Job:
        return _Job(content, time.monotonic(), self._loop.create_future())

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._end(ENDED)
        if self._link is not None:
            await self._link.exited()
        for job in self._waiting:
            job.settle(StageFailed(ENDED))

    async def _keep(self) -> None:
        """See to it that there is a process."""
        while True:
            self._gone.clear()
            if await self._begin():
                await self._gone.wait()
            else:
                await asyncio.sleep(_PAUSE)

    async def _begin(self) -> bool:
        """Whether a process is there and ready."""
        given = {name: value for name, value in environment().items() if name != UPSTREAM_KEY}
        link = self._link = _Link(self._heard, lambda: self._end(ENDED))
        with suppress(OSError):
            await self._loop.subprocess_exec(
                lambda: link,
                *command(),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=given,
                start_new_session=True,  # Ctrl-C is for the process that started it
            )
            self.started += 1
            link.send(self._recipe)
            ping = self._job(pickle.dumps(PING))
            self._put(ping)
            if await ping.answer is PING:
                self.ready.set()
                self._silence()  # what was set was set for a beginning
                self._give()
        self.tried.set()
        return self.ready.is_set()

    def _give(self) -> None:
        """A few jobs ahead, so that it need not wait for this process."""
        while self._waiting and len(self._given) < _AHEAD:
            job = self._waiting.popleft()
            if job.answer.done():
                continue  # nobody waits for it any more
            if time.monotonic() - job.since > self._deadline:
                job.settle(StageFailed(_BUSY))
                continue
            self._put(job)

    def _put(self, job: _Job) -> None:
        assert self._link is not None
        self._link.send(job.content)
        self._given.append(job)
        if len(self._given) == 1:
            self._since = self._loop.time()
        if self._alarm is None:
            self._alarm = self._loop.call_later(self._limit, self._ring)

    @property
    def _limit(self) -> float:
        return self._deadline if self.ready.is_set() else self._patience

    def _ring(self) -> None:
        """End a process that takes too long; one alarm is set for all jobs, and set again."""
        self._alarm = None
        if not self._given:
            return
        left = self._since + self._limit - self._loop.time()
        if left > 0:
            self._alarm = self._loop.call_later(left, self._ring)
        else:
            self._end(f"it took longer than {self._limit:g} seconds; nothing was released")

    def _silence(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _heard(self, content: memoryview) -> None:
        """The answer to the first of the jobs that were given."""
        try:
            answer = pickle.loads(content)  # noqa: S301
        except (EOFError, ValueError, pickle.UnpicklingError):
            self._end(ENDED)
            return
        self._given.popleft().settle(answer)
        self._since = self._loop.time()
        if self.ready.is_set():
            self._give()

    def _end(self, trouble: str) -> None:
        """No process any more: what it worked on is refused, what it had not begun waits on."""
        self.ready.clear()
        self._silence()
        if self._link is not None:
            self._link.end()
        if self._given:
            self._given.popleft().settle(StageFailed(trouble))
        self._waiting.extendleft(reversed(self._given))
        self._given.clear()
        self._gone.set()


class Staff:
    """All processes. A job goes to the one that `near` names, unless it is busy and another is
    not: what belongs together is best known where it was before."""

    def __init__(
        self, recipe: Recipe, count: int, *, deadline: float, patience: float = 300
    ) -> None:
        """`deadline`: seconds for a job; `patience`: for a process to get ready."""
        self._recipe = pickle.dumps(recipe)
        self._count, self._deadline, self._patience = count, deadline, patience
        self._clerks: list[_Clerk] = []

    def __repr__(self) -> str:
        return f"Staff({self._count} processes)"

    async def start(self) -> None:
        """Begin all of them; whoever asks before one is ready waits."""
        self._clerks = [
            _Clerk(self._recipe, self._deadline, self._patience) for _ in range(self._count)
        ]

    async def ready(self) -> None:
        """Until all were tried; an error where none is ready."""
        await asyncio.gather(*(clerk.tried.wait() for clerk in self._clerks))
        if not self.at_work:
            raise StageFailed("no process could be started. Try: privstamp policy check")

    @property
    def at_work(self) -> int:
        """Processes that are ready."""
        return sum(clerk.ready.is_set() for clerk in self._clerks)

    @property
    def replaced(self) -> int:
        """Processes that were started in the place of others."""
        return sum(max(0, clerk.started - 1) for clerk in self._clerks)

    @property
    def waiting(self) -> int:
        return sum(clerk.busy for clerk in self._clerks)

    async def ask(self, job: object, near: int = 0) -> Any:
        """The answer, or a PrivstampError in its place. Whoever is cancelled meanwhile leaves the
        job to be done to its end: what is half charged would not be known."""
        content = pickle.dumps(job)
        await breath(len(content))
        chosen = self._clerks[near % self._count]
        if chosen.busy or not chosen.ready.is_set():
            idle = (clerk for clerk in self._clerks if clerk.ready.is_set() and not clerk.busy)
            chosen = next(idle, chosen)
        return await chosen.ask(content)

    async def close(self) -> None:
        await asyncio.gather(*(clerk.close() for clerk in self._clerks))


async def breath(size: int) -> None:
    """Let others go on between two steps that each copy a large body."""
    if size > LARGE:
        await asyncio.sleep(0)


def default_count() -> int:
    return max(1, min(4, os.cpu_count() or 1))
