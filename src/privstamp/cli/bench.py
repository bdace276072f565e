"""privstamp bench: what a release costs here, beside what it replaces."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from privstamp.cli.options import Json
from privstamp.cli.output import DraftFile, check_picture, check_target, put, saved
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
    from privstamp.lab.bench import FULL, QUICK, report, run, steps
    from privstamp.lab.progress import bar

    if file is not None:
        check_target("--out", file)
    if picture is not None:
        check_picture("--plot", picture, file)
    effort = QUICK if quick else FULL
    lost: list[str] = []
    with ExitStack() as files:
        draft = None if file is None else files.enter_context(DraftFile(file, option="--out"))
        with bar("reading the table", steps(effort), console=err()) as progress:
            record = run(effort, progress)
        if file is not None and draft is not None:
            lost += saved("--out", file, lambda: draft.publish(report.as_json(record)))
        if picture is not None:
            lost += saved("--plot", picture, lambda: report.draw(record, picture))
    if as_json:
        put(report.as_json(record))
    else:
        _show(record)
    if wrong := report.differing(record):
        lost.append(f"exact searches do not agree: {', '.join(wrong)} gave other rows than float32")
    if lost:
        raise PrivstampError("; ".join(lost))


def _show(record: dict[str, Any]) -> None:
    from privstamp.lab.bench.report import sections
    from privstamp.lab.report import on_screen

    console = out(max(out().width, _WIDTH))
    for sheet in sections(record):
        console.print(on_screen(sheet))
        console.print()
