"""A run: cells in bundles that share their releases, batch by batch, into a results folder.

What is done is never done again: every batch is written before the next one begins, and a run
begins by reading what the folder holds. Bundles may be spread over processes: each works for
itself, one process alone writes. One that dies takes its bundle's rest along, and that is recorded
as a failure; the next run does it. One whose parent died ends at its next word to it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

from privstamp.errors import PrivstampError
from privstamp.lab.evals.contracts import Cell, Example, Reader, Record, Release
from privstamp.lab.evals.results import (
    FILE,
    Line,
    cell_line,
    entries,
    failed_line,
    finished,
    record_line,
    run_line,
)
from privstamp.lab.journal import Journal
from privstamp.types import Usage

if TYPE_CHECKING:
    from privstamp.lab.evals.workshop import Workshop

BATCH: Final = 16
"""Examples per cell that are lost at most when a run is killed."""
P = ParamSpec("P")
T = TypeVar("T")


Asked: TypeAlias = Mapping[str, Usage]
"""What models were asked, by the place where they run: this machine, or a host."""


Opener: TypeAlias = "Callable[[], Workshop]"
Bundle: TypeAlias = tuple[Cell, ...]
"""Cells of one task, condition and seed: they read the same releases."""
Limits: TypeAlias = Mapping[str, int]
"""Examples by task; a task that is not named gives all."""


@dataclass(frozen=True)
class Step:
    """A few items of a run: what is to be written, how many there were, and what was asked."""

    label: str
    lines: tuple[Line, ...] = ()
    items: int = 0
    fresh: bool = True  # False: an earlier run has done them
    usage: Asked = field(default_factory=dict)


Watch: TypeAlias = Callable[[Step], None]


@dataclass
class Outcome:
    """What a run has done: items measured now, known before, cells that failed, and what it asked.

    In `usage`, requests that did not become a reply are not counted.
    """

    measured: int = 0
    known: int = 0
    failures: list[Line] = field(default_factory=list)
    usage: dict[str, Usage] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        if step.fresh:
            self.measured += step.items
        else:
            self.known += step.items
        self.failures += [line for line in step.lines if line["kind"] == "failed"]
        for place, used in step.usage.items():
            self.usage[place] = self.usage.get(place, Usage()) + used


@dataclass(frozen=True)
class Failed:
    """Why something could not be done, in words that hold no text of an example."""

    words: str


@dataclass
class _Lane:
    """A reader's cells in a bundle, and the examples that it has still to read."""

    cells: list[Cell]
    key: str
    left: dict[str, Example]
    reader: Reader | None = None


def run(
    cells: Sequence[Cell],
    folder: Path,
    opener: Opener,
    *,
    limits: Limits | None = None,
    jobs: int = 1,
    watch: Watch = lambda _step: None,
) -> Outcome:
    """Run cells, or what an earlier run into the same folder left of them."""
    bundles, outcome = bundled(cells), Outcome()
    with Journal(folder / FILE) as journal:
        journal.add(entries([run_line("begun", len(cells))]))
        many = min(jobs, len(bundles)) > 1
        steps = spread(bundles, folder, opener, limits or {}, jobs) if many else None
        for step in steps or _alone(bundles, folder, opener, limits or {}):
            journal.add(entries(step.lines))
            outcome.add(step)
            watch(step)
        journal.add(entries([run_line("ended", len(cells))]))
    return outcome


def bundled(cells: Sequence[Cell]) -> list[Bundle]:
    """Cells that need the same releases, together, in the order in which they were given."""
    bundles: dict[str, list[Cell]] = {}
    for cell in cells:
        bundles.setdefault(repr((cell.task, cell.condition.data(), cell.seed)), []).append(cell)
    return [tuple(bundle) for bundle in bundles.values()]


def _alone(
    bundles: Sequence[Bundle], folder: Path, opener: Opener, limits: Limits
) -> Iterator[Step]:
    done = finished(folder)
    with closing(opener()) as workshop:
        for bundle in bundles:
            yield from work(bundle, workshop, done, limits)


def work(
    bundle: Bundle, workshop: Workshop, done: Mapping[str, set[str]], limits: Limits
) -> Iterator[Step]:
    """What is left of a bundle, each step with what models were asked for it."""
    before = workshop.usage()
    for step in _steps(bundle, workshop, done, limits):
        now = workshop.usage()
        asked = {place: used.since(before.get(place, Usage())) for place, used in now.items()}
        before = now
        yield replace(step, usage=asked)


def _steps(
    bundle: Bundle, workshop: Workshop, done: Mapping[str, set[str]], limits: Limits
) -> Iterator[Step]:
    """A cell that fails says so and ends; the others go on."""
    first = bundle[0]
    examples = attempt(lambda: workshop.task(first.task).examples(limits.get(first.task)))
    if isinstance(examples, Failed):
        yield _failure(bundle, examples)
        return
    lanes = []
    readers: dict[str, list[Cell]] = {cell.reader: [] for cell in bundle}
    for cell in bundle:
        readers[cell.reader].append(cell)
    for cells in readers.values():
        begun = attempt(_begin, cells, workshop, examples, done)
        if isinstance(begun, Failed):
            yield _failure(cells, begun)
            continue
        lane, step = begun
        yield step
        if lane.left:
            lanes.append(lane)
    left = [example for example in examples if any(example.id in lane.left for lane in lanes)]
    for start in range(0, len(left), BATCH):
        batch = left[start : start + BATCH]
        releases = attempt(workshop.releases, first.condition, batch, first.seed)
        if isinstance(releases, Failed):
            yield from (_failure(lane.cells, releases) for lane in lanes)
            return
        for lane in list(lanes):
            scored = attempt(_read, lane, batch, releases, workshop)
            if isinstance(scored, Failed):
                lanes.remove(lane)
                scored = _failure(lane.cells, scored)
            yield scored
        if not lanes:
            return


def _begin(
    cells: list[Cell],
    workshop: Workshop,
    examples: Sequence[Example],
    done: Mapping[str, set[str]],
) -> tuple[_Lane, Step]:
    """A lane with what it has still to read, and what is known of it already."""
    fingerprints, versions = workshop.fingerprints(cells[0]), workshop.versions
    key = cells[0].key(fingerprints)
    known = done.get(key, set())
    left = {example.id: example for example in examples if example.id not in known}
    lines = tuple(cell_line(cell, key, fingerprints, versions) for cell in cells)
    items = (len(examples) - len(left)) * len(cells)
    return _Lane(cells, key, left), Step(_label(cells[0]), lines, items, fresh=False)


def _read(
    lane: _Lane, batch: Sequence[Example], releases: Sequence[Release], workshop: Workshop
) -> Step:
    """Score a batch. The reader is opened when there is something to read, and not before."""
    lane.reader = lane.reader or workshop.reader(lane.cells[0])
    pairs = [both for both in zip(batch, releases, strict=True) if both[0].id in lane.left]
    scores = lane.reader.read([example for example, _ in pairs], [seen for _, seen in pairs])
    records = [
        Record(lane.key, example.id, example.cluster, score, seen.privacy, seen.seconds)
        for (example, seen), score in zip(pairs, scores, strict=True)
    ]
    lines = tuple(map(record_line, records))
    return Step(_label(lane.cells[0]), lines, len(pairs) * len(lane.cells))


def attempt(step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Failed:
    """What `step` gives, or why it failed. Messages of foreign errors may quote what they read."""
    try:
        return step(*args, **kwargs)
    except PrivstampError as error:
        return Failed(str(error))
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "privstamp" in f.filename]
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        return Failed(f"unexpected failure ({type(error).__name__}{place})")


def _failure(cells: Sequence[Cell], why: Failed) -> Step:
    return Step(_label(cells[0]), tuple(failed_line(cell, why.words) for cell in cells))


def _label(cell: Cell) -> str:
    return f"{cell.task}, {cell.condition.name}, seed {cell.seed}, {cell.reader}"


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
            for worker in [worker for worker in workers if worker.line in ready]:
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
