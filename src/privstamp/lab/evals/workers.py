"""Bundles spread over processes. Each works for itself; one process alone writes.

A process that dies takes its bundle's rest along, and that is recorded as a failure; the next run
does it. A process whose parent died ends at its next word to it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final

from privstamp.lab.evals.records import failed_line, finished
from privstamp.lab.evals.runner import Bundle, Limits, Opener, Step, work

_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PATIENCE: Final = 5.0


@dataclass
class _Worker:
    process: SpawnProcess
    line: Connection
    bundle: Bundle


def spread(
    bundles: Sequence[Bundle], folder: Path, opener: Opener, limits: Limits, jobs: int
) -> Iterator[Step]:
    """The steps of all bundles, as they arrive from `jobs` processes of one thread each."""
    for name in _THREADS:
        os.environ.setdefault(name, "1")  # processes that are many threads get in each other's way
    waiting = list(reversed(bundles))
    workers = [
        _start(folder, opener, limits, waiting.pop()) for _ in range(min(jobs, len(bundles)))
    ]
    try:
        while workers:
            ready = wait([worker.line for worker in workers])
            for worker in [one for one in workers if one.line in ready]:
                try:
                    step: Step | None = worker.line.recv()
                except (EOFError, OSError):
                    workers.remove(worker)
                    yield _lost(worker)
                    if waiting:
                        workers.append(_start(folder, opener, limits, waiting.pop()))
                    continue
                if step is not None:
                    yield step
                elif waiting:
                    worker.bundle = waiting.pop()
                    worker.line.send(worker.bundle)
                else:
                    workers.remove(worker)
                    _end(worker)
    finally:
        for worker in workers:
            worker.process.terminate()
            _end(worker)


def _start(folder: Path, opener: Opener, limits: Limits, bundle: Bundle) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, folder, opener, limits))
    process.start()
    theirs.close()
    ours.send(bundle)
    return _Worker(process, ours, bundle)


def _serve(line: Connection, folder: Path, opener: Opener, limits: Limits) -> None:
    """Work off bundles until nobody sends any more. None says that one is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if not os.environ.get("PRIVSTAMP_DEBUG"):
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
    with suppress(EOFError, OSError):
        done = finished(folder)
        with closing(opener()) as workshop:
            while True:
                for step in work(line.recv(), workshop, done, limits):
                    line.send(step)
                line.send(None)


def _lost(worker: _Worker) -> Step:
    _end(worker)
    code = worker.process.exitcode
    words = f"the process that ran it ended (code {code}); perhaps there is too little memory"
    return Step("", tuple(failed_line(cell, words) for cell in worker.bundle))


def _end(worker: _Worker) -> None:
    worker.line.close()
    worker.process.join(_PATIENCE)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()
