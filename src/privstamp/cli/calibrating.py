"""How a calibration is shown: the curve, the chosen point, and what moves meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from privstamp.cli.screen import err, out

if TYPE_CHECKING:
    from privstamp.lab.audit.figures import Figure
    from privstamp.lab.calibration.outcome import Outcome, Plan
    from privstamp.lab.calibration.plan import Watch


def show(plan: Plan) -> None:
    """All that was tried, the figures at the epsilon chosen, and the budget."""
    from rich.table import Table

    from privstamp.lab.calibration.resolving import in_words

    console = out()
    for one in plan.outcomes:
        console.print(_title(one))
        table = Table("epsilon", "class", "recovery", "95 % interval", "keep", box=None)
        for point in one.curve:
            mark = " <" if point.epsilon == one.epsilon else ""
            figure = point.recovery
            table.add_row(f"{point.epsilon:.3g}{mark}", point.name, number(figure),
                          _interval(figure), number(point.keep))  # fmt: skip
        console.print(table)
        for reading in one.classes:
            figures = reading.reading
            console.print(
                f"  {reading.name}: recovered {number(figures.recovery)} (blind guess "
                f"{reading.floor:.3f}), kept {number(figures.keep)}, cosine to the original "
                f"{number(figures.cosine)}",
                soft_wrap=True,
            )
    if plan.possible:
        metric = plan.asked.budget.metric
        console.print(f"epsilon = {list(plan.epsilon)}, metric = {json.dumps(metric)}")
    else:
        console.print(f"cannot. {in_words(plan)}", soft_wrap=True)


def _title(outcome: Outcome) -> str:
    groups = ", ".join(map(str, outcome.groups))
    limit = "" if outcome.limit is None else f", limit {outcome.limit:g}"
    head = f"groups {groups}: {outcome.mechanism}, {outcome.metric}{limit}"
    if outcome.epsilon is None:
        return f"{head}: no epsilon"
    high = outcome.edge[1] if outcome.edge else None
    between = f" (the edge lies below {high:.3g})" if high else ""
    return f"{head}: epsilon {outcome.epsilon:.3g}{between}"


def number(figure: Figure) -> str:
    """Its value, or a dash."""
    return "-" if figure.value is None else f"{figure.value:.3f}"


def _interval(figure: Figure) -> str:
    known = figure.low is not None and figure.high is not None and figure.low != figure.high
    return f"{figure.low:.3f} to {figure.high:.3f}" if known else "exact"


@contextmanager
def progress() -> Iterator[Watch]:
    """A bar on standard error, where that is a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    console = err()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("reading the table", total=1.0)
        yield lambda what, share: progress.update(bar, description=what, completed=share)
