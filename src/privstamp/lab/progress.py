"""What a long measurement needs before it begins, what it tells whoever waits, and the one bar
that shows it.

    require(special, partial(open_space, Part(name="glove")), pyplot)

names all that is missing at once: a need is anything that raises a `PrivstampError` where it is not
met.

A measurement takes `progress: Progress = silent` and calls it as `progress(label, done)`: what is
being done, and how much of everything is done by now. A command makes the bar:

    with bar("reading the table", total=84) as progress:
        run(..., progress)

`within(progress, 0.2, 0.9)` is for a step: from 0 to 1 it moves the whole from 0.2 to 0.9.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from privstamp.errors import PrivstampError, optional

if TYPE_CHECKING:
    from rich.console import Console


class Progress(Protocol):
    """Told what is being done, and how much of the whole is done: never a text's content."""

    def __call__(self, label: str, done: float, /) -> None: ...


def silent(_label: str, _done: float, /) -> None:
    """Nobody is waiting."""


def within(progress: Progress, start: float, end: float) -> Progress:
    """The progress of a step that takes the whole from `start` to `end`."""

    def step(label: str, done: float, /) -> None:
        progress(label, start + (end - start) * done)

    return step


@contextmanager
def bar(
    label: str, total: float = 1.0, *, transient: bool = False, console: Console | None = None
) -> Iterator[Progress]:
    """A bar on standard error, where that is a terminal; with a total above 1 it counts.

    A transient one leaves no trace.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    console = console or Console(stderr=True, markup=False, emoji=False, highlight=False)
    counted = (MofNCompleteColumn(),) if total > 1 else ()
    left = (TextColumn("left"), TimeRemainingColumn()) if total > 1 else ()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *counted,
               TimeElapsedColumn(), *left)  # fmt: skip
    with Bars(
        *columns,
        console=console,
        transient=transient,
        disable=not console.is_terminal,
        speed_estimate_period=600,
    ) as bars:
        task = bars.add_task(label, total=total)
        yield lambda label, done: bars.update(task, description=label, completed=done)


# How long each stage of a release took: a watcher of `Privatizer`. Holds no text.


class StageTimes:
    """Adds up the seconds between the names it is told."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage = ""
        self._since = 0.0

    def __call__(self, stage: str, _done: float) -> None:
        if stage == self._stage:
            return
        now = time.perf_counter()
        if self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = stage, now

    def end(self) -> dict[str, float]:
        """Seconds by stage, now that the last one is over."""
        self("", 1.0)
        return self.seconds


class NotReady(PrivstampError):
    """Something that a measurement needs is missing; nothing was measured."""


def missing(*needs: Callable[[], object]) -> list[str]:
    """Why each need that is not met is not met; the same reason once."""
    reasons: dict[str, None] = {}
    for need in needs:
        try:
            need()
        except PrivstampError as error:
            reasons[str(error)] = None
    return list(reasons)


def require(*needs: Callable[[], object]) -> None:
    """Pass, or name everything that is missing; one reason alone is raised as it is."""
    reasons = missing(*needs)
    if not reasons:
        return
    if len(reasons) == 1:
        for need in needs:
            need()
    listed = "".join(f"\n- {reason}" for reason in reasons)
    raise NotReady(f"{len(reasons)} things are missing; nothing was measured:{listed}")


# Optional dependencies that several rooms ask for: imported when needed, missed with their fix.


def special() -> Any:
    """scipy.special, for intervals: it weighs more than the line itself and stays out of it."""
    return optional("scipy.special", "lab", "measuring with intervals")
