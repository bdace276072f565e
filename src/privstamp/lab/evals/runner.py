"""A run: cells in bundles that share their releases, batch by batch, into a results folder.

What is done is never done again: every batch is written before the next one begins, and a run
begins by reading what the folder holds. Bundles may be spread over processes: each works for
itself, one process alone writes. One that dies takes its bundle's rest along, and that is recorded
as a failure; the next run does it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

from privstamp.crew.processes import spread
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
Portion: TypeAlias = tuple[int, Bundle, slice]
"""Which bundle it is of, its cells, and a few of its examples."""
_EVERY: Final = slice(None)
_ENDED: Final = "the process that ran it ended; perhaps there is too little memory"
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
        given = bundles, folder, opener, limits or {}
        many = min(jobs, len(bundles)) > 1
        for step in _side_by_side(*given, jobs) if many else _alone(*given):
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


def _side_by_side(
    bundles: Sequence[Bundle], folder: Path, opener: Opener, limits: Limits, jobs: int
) -> Iterator[Step]:
    """The steps of all bundles by `jobs` processes, a few examples at a time, in their order."""
    lost: set[int] = set()

    def portions() -> Iterator[Portion]:
        with closing(opener()) as workshop:
            for number, bundle in enumerate(bundles):
                examples = attempt(_examples, workshop, bundle, limits)
                count = 1 if isinstance(examples, Failed) else len(examples)
                for start in range(0, count, BATCH):
                    if number not in lost:
                        yield number, bundle, slice(start, start + BATCH)

    recipe = partial(_worker, folder, opener, limits)
    for (number, bundle, _), steps in spread(recipe, portions(), jobs):
        if not isinstance(steps, PrivstampError):
            yield from steps
        elif number not in lost:
            lost.add(number)
            yield _failure(bundle, Failed(_ENDED))


def _worker(folder: Path, opener: Opener, limits: Limits) -> Callable[[Portion], list[Step]]:
    """What works off portions, in a process of its own."""
    done, workshop = finished(folder), opener()
    return lambda portion: list(work(portion[1], workshop, done, limits, portion[2]))


def work(
    bundle: Bundle,
    workshop: Workshop,
    done: Mapping[str, set[str]],
    limits: Limits,
    part: slice = _EVERY,
) -> Iterator[Step]:
    """What is left of a part of a bundle, each step with what models were asked for it."""
    before = workshop.usage()
    for step in _steps(bundle, workshop, done, limits, part):
        now = workshop.usage()
        asked = {place: used.since(before.get(place, Usage())) for place, used in now.items()}
        before = now
        yield replace(step, usage=asked)


def _examples(workshop: Workshop, bundle: Bundle, limits: Limits) -> Sequence[Example]:
    return workshop.task(bundle[0].task).examples(limits.get(bundle[0].task))


def _steps(
    bundle: Bundle,
    workshop: Workshop,
    done: Mapping[str, set[str]],
    limits: Limits,
    part: slice,
) -> Iterator[Step]:
    """A cell that fails says so and ends; the others go on."""
    first, every = bundle[0], attempt(_examples, workshop, bundle, limits)
    if isinstance(every, Failed):
        yield _failure(bundle, every)
        return
    examples = every[part]
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
