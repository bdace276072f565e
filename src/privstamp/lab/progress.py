"""What a long measurement tells whoever waits, and the one bar that shows it.

A measurement takes `progress: Progress = silent` and calls it as `progress(label, done)`: what is
being done, and how much of everything is done by now. A command makes the bar:

    with bar("reading the table", total=84) as progress:
        run(..., progress)

`within(progress, 0.2, 0.9)` is for a step: from 0 to 1 it moves the whole from 0.2 to 0.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

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
