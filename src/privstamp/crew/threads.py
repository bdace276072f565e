"""Work shared by threads, as many as BLAS is given, each block done by whoever is free.

Inside, BLAS runs on one thread: then what is not a product runs side by side as well, and a busy
core takes fewer blocks instead of keeping the others waiting at every product.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar
from weakref import WeakSet

Job = TypeVar("Job")
Found = TypeVar("Found")

MOST = 16
WORTH_SHARING = 2e8
"""Multiplications and additions (about a millisecond) from which a second thread is worth it."""


class Lock:
    """A lock that a forked process finds open: the thread that held it does not live on there.

    A fork waits for whoever is inside, because libraries that compute there have locks of their
    own, which nobody renews. If that takes too long it goes on, and `mend` is called in the child:
    what the lock guards may be half changed then. `settle` is called just before the fork if
    nobody is inside: what must not be shared by two processes is closed there.
    """

    def __init__(
        self, mend: Callable[[], None] | None = None, settle: Callable[[], None] | None = None
    ) -> None:
        self._lock = threading.Lock()
        self._mend, self._settle = mend, settle
        self._owner: int | None = None
        self._waited_for = False
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._owner = None
        self._lock.release()

    def before_fork(self, patience: float) -> None:
        """Wait until nobody is inside, unless it is the thread that forks."""
        inside = self._owner == threading.get_ident()
        self._waited_for = not inside and self._lock.acquire(timeout=patience)
        if self._waited_for and self._settle is not None:
            self._settle()

    def after_fork(self) -> None:
        """Let others in again, in the parent."""
        if self._waited_for:
            self._waited_for = False
            self._lock.release()

    def renew(self) -> None:
        """Open it, in a child; the thread that forked stays inside if it was."""
        if self._owner == threading.get_ident():
            return
        held = self._lock.locked() and not self._waited_for
        self._lock, self._owner, self._waited_for = threading.Lock(), None, False
        if held and self._mend is not None:
            self._mend()


_locks: WeakSet[Lock] = WeakSet()
_PATIENCE = 20.0
"""Seconds that a fork waits for all locks together."""


class _Blas:
    """BLAS kept to one thread as long as somebody shares work, then as it was."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sharing = 0
        self._limit: Any = None
        self._given = 1

    def __enter__(self) -> None:
        with self._lock:
            if not self._sharing:
                self._limit = _controller().limit(limits=1, user_api="blas")
                _let_go()
            self._sharing += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._sharing -= 1
            if not self._sharing:
                self._limit.restore_original_limits()
                _let_go()

    def left(self, given: int) -> int:
        """How many of those given are left for one who shares work beside others; one at least."""
        with self._lock:
            return max(1, given - max(0, self._sharing - 1))

    def forked(self) -> None:
        """Set BLAS back in a child whose parent was sharing work at that moment."""
        if self._sharing and self._limit is not None:
            self._limit.restore_original_limits()

    def threads(self) -> int:
        """How many it is given, by the user or by itself; one if that cannot be known."""
        with self._lock:
            if not self._sharing:
                found = [
                    controller.num_threads or 1 for controller in _controller().lib_controllers
                ]
                self._given = max(1, min(found, default=1))
            return self._given


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # here: commands without text need no BLAS

    return ThreadpoolController().select(user_api="blas")


def _let_go() -> None:
    """Whoever leaves last sets BLAS back; threadpoolctl would hear only whoever came first."""
    for controller in _controller().lib_controllers:
        if hasattr(controller, "clear_controlling_thread"):  # not in its older versions
            controller.clear_controlling_thread()


@contextmanager
def held() -> Iterator[int]:
    """Inside, BLAS stays on the thread that calls it; tells how many it is given otherwise.

    After a product, however small, BLAS's own threads look for the next one for a while, and keep
    ours from their cores.
    """
    given = _blas.threads()
    if given == 1:
        yield 1
        return
    with _blas:
        yield given


@contextmanager
def alone(torch: Any) -> Iterator[None]:
    """Inside, torch stays on the thread that calls it; other threads notice nothing."""
    torch.get_num_threads()  # sets what is limited next, the first time in a thread
    with _openmp().limit(limits=1):
        yield


@cache
def _openmp() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")


def _start() -> None:
    global _blas, _pool
    _blas, _pool = _Blas(), ThreadPoolExecutor(MOST, thread_name_prefix="privstamp")


def _start_again() -> None:
    """Threads do not live on in a forked process, nor does whoever would have set BLAS back."""
    _blas.forked()
    _start()
    for lock in list(_locks):
        lock.renew()


def _wait() -> None:
    ends = time.monotonic() + _PATIENCE
    for lock in list(_locks):
        lock.before_fork(max(ends - time.monotonic(), 0.0))


def _go_on() -> None:
    for lock in list(_locks):
        lock.after_fork()


_blas: _Blas
_pool: ThreadPoolExecutor
_start()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait, after_in_parent=_go_on, after_in_child=_start_again)


def shared(
    jobs: Iterable[Job], work: Callable[[Iterator[Job]], Found], operations: float
) -> list[Found]:
    """What each thread makes of the jobs that fall to it. Which do, is left to chance."""
    queue = _Queue(jobs)
    with held() as given:
        threads = _blas.left(min(given, MOST)) if operations >= WORTH_SHARING else 1
        others = [_pool.submit(work, queue) for _ in range(threads - 1)]
        try:
            results = [work(queue)]
        finally:
            # Whoever has not begun by now has nothing left to do.
            begun = [future for future in others if not future.cancel()]
            errors = [future.exception() for future in begun]
    for error in errors:
        if error is not None:
            raise error
    return results + [future.result() for future in begun]


class _Queue(Iterator[Job]):
    """An iterator that threads may share."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._lock = threading.Lock()

    def __next__(self) -> Job:
        with self._lock:
            return next(self._jobs)
