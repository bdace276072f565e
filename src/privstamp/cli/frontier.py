"""privstamp frontier: what each mechanism gives and takes, measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from privstamp.cli.options import Json
from privstamp.cli.output import put
from privstamp.cli.screen import err, out, tell
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.frontier.run import Watch

_WIDTH = 200  # room for the widest table; a narrower terminal wraps its lines
EXAMPLES = """
privstamp frontier --quick --mechanism polar --mechanism neighbourhood
privstamp frontier --out results
privstamp frontier --space smollm2 --json > frontier.json
"""


def frontier(
    quick: Annotated[
        bool, Option("--quick", help="Fewer epsilons, words and draws: about a minute.")
    ] = False,
    space: Annotated[
        list[str] | None,
        Option("--space", metavar="NAME", help="A space, may be repeated; the default is glove."),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        Option("--mechanism", metavar="NAME", help="Only this one, may be repeated."),
    ] = None,
    folder: Annotated[
        Path | None,
        Option("--out", metavar="DIR", help="Write frontier.json and plots (SVG, PNG) there."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure mechanisms over a grid of epsilon: attack success, meaning kept, proved loss, time.

    No text is read: words of the public table are released, and attackers guess them.
    """
    from privstamp.frontier.grid import settings
    from privstamp.frontier.plots import draw_all, drawing
    from privstamp.frontier.report import as_json as written
    from privstamp.frontier.report import comparison, details
    from privstamp.frontier.run import measure_space

    if folder is not None:
        drawing()  # an absent extra is noticed before the work, not after it
        if folder.exists() and not folder.is_dir():
            raise UsageError("--out names something that is not a folder")
        folder.mkdir(parents=True, exist_ok=True)
    chosen, spaces = settings(mechanism or [], quick=quick), space or ["glove"]
    total = len(spaces) * sum(len(one.budgets) for one in chosen)
    with _progress(total) as watch:
        outcomes = [measure_space(name, chosen, quick=quick, watch=watch) for name in spaces]
    if folder is not None:
        (folder / "frontier.json").write_text(written(outcomes), encoding="utf-8")
        for one in outcomes:
            draw_all(one, folder)
        tell(f"written to {folder}")
    if as_json:
        put(written(outcomes))
        return
    console = out(max(out().width, _WIDTH))
    for one in outcomes:
        console.print(details(one))
        console.print()
        console.print(comparison(one))
        floor = one.about["floor_unigram"]
        console.print(f"\nAn attacker who sees nothing is right {floor:.2%} of the time (floor).")


@contextmanager
def _progress(total: int) -> Iterator[Watch]:
    """A bar on standard error, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = err()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading the table", total=total)

        def watch(label: str, made: int) -> None:
            progress.update(task, description=label, advance=made)

        yield watch
