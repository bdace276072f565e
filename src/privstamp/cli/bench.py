"""privstamp bench: what a release costs here, beside what it replaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from privstamp.cli.options import Json
from privstamp.cli.output import Draft, check_picture, check_target, put, saved
from privstamp.cli.screen import err, out
from privstamp.errors import PrivstampError

_WIDTH = 160  # room for the widest table; a narrower terminal wraps its lines
EXAMPLES = """
privstamp bench --quick
privstamp bench --out bench.json --plot bench.png
privstamp bench --json > bench.json
"""


def bench(
    quick: Annotated[bool, Option("--quick", help="A few sizes only: under a minute.")] = False,
    file: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Write the record (JSON) there as well.")
    ] = None,
    picture: Annotated[
        Path | None, Option("--plot", metavar="FILE", help="Draw it there (PNG or SVG).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure noise, decoding, every mechanism and the whole line, as ratios of one run.

    No text of yours is read. The full run takes about ten minutes on a quiet machine.
    """
    from privstamp.lab.bench.plot import draw
    from privstamp.lab.bench.report import as_json as written
    from privstamp.lab.bench.report import differing
    from privstamp.lab.bench.run import FULL, QUICK, run, steps

    if file is not None:
        check_target("--out", file)
    if picture is not None:
        check_picture("--plot", picture, file)
    effort = QUICK if quick else FULL
    lost: list[str] = []
    with ExitStack() as files:
        draft = None if file is None else files.enter_context(Draft(file, option="--out"))
        with _progress(steps(effort)) as watch:
            record = run(effort, watch)
        if file is not None and draft is not None:
            lost += saved("--out", file, lambda: draft.publish(written(record)))
        if picture is not None:
            lost += saved("--plot", picture, lambda: draw(record, picture))
    if as_json:
        put(written(record))
    else:
        _show(record)
    if wrong := differing(record):
        lost.append(f"exact searches do not agree: {', '.join(wrong)} gave other rows than float32")
    if lost:
        raise PrivstampError("; ".join(lost))


def _show(record: dict[str, Any]) -> None:
    from rich.table import Table

    from privstamp.lab.bench.report import sections

    console = out(max(out().width, _WIDTH))
    for title, headings, lines in sections(record):
        table = Table(*headings, title=title, title_justify="left")
        for line in lines:
            table.add_row(*line)
        console.print(table)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error, where that is a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    console = err()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading the table", total=total)

        def watch(label: str) -> None:
            made = 0 if label.startswith("mechanism ") else 1
            progress.update(task, description=label, advance=made)

        yield watch
