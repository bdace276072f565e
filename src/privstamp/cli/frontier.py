"""privstamp frontier: what each mechanism gives and takes, measured."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from privstamp.cli import options as completion
from privstamp.cli.options import Json
from privstamp.cli.output import DraftFile, put, saved
from privstamp.cli.screen import err, out
from privstamp.errors import PrivstampError, UsageError, trouble_of

if TYPE_CHECKING:
    from privstamp.lab.frontier import Outcome

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
        Option(
            "--space",
            metavar="NAME",
            autocompletion=completion.parts("spaces"),
            help="A space, may be repeated; the default is glove.",
        ),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        Option(
            "--mechanism",
            metavar="NAME",
            autocompletion=completion.parts("mechanisms", strong=True),
            help="Only this one, may be repeated.",
        ),
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
    from privstamp.lab.frontier import as_json as written
    from privstamp.lab.frontier import draw_all, measure
    from privstamp.lab.frontier.grid import settings
    from privstamp.lab.progress import bar
    from privstamp.lab.report import pyplot

    if folder is not None:
        pyplot()  # an absent extra is noticed before the work, not after it
        _make(folder)
    chosen, spaces = settings(mechanism or [], quick=quick), space or ["glove"]
    total = len(spaces) * sum(len(setting.budgets) for setting in chosen)
    lost: list[str] = []
    with ExitStack() as files:
        file = None if folder is None else folder / "frontier.json"
        draft = None if file is None else files.enter_context(DraftFile(file, option="--out"))
        with bar("reading the table", total, console=err()) as progress:
            outcomes = measure(spaces, chosen, quick=quick, progress=progress)
        if folder is not None and file is not None and draft is not None:
            lost += saved("--out", file, lambda: draft.publish(written(outcomes)))
            lost += saved(
                "--out", folder, lambda: [draw_all(outcome, folder) for outcome in outcomes]
            )
    if as_json:
        put(written(outcomes))
    else:
        _show(outcomes)
    if lost:
        raise PrivstampError("; ".join(lost))


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError("--out names something that is not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return
    except OSError as error:
        trouble = trouble_of(error)
    raise UsageError(f"--out: cannot make the folder {folder}: {trouble}")


def _show(outcomes: list[Outcome]) -> None:
    from privstamp.lab.frontier import comparison, details
    from privstamp.lab.report import on_screen

    console = out(max(out().width, _WIDTH))
    for outcome in outcomes:
        console.print(on_screen(details(outcome), sections=True))
        console.print()
        console.print(on_screen(comparison(outcome), sections=True))
        for row in outcome.left_out():
            console.print(f"not at {row['above_floor']:+.2f}: {row['setting']}, {row['why']}")
        floor = outcome.about["floor_unigram"]
        console.print(f"\nAn attacker who sees nothing is right {floor:.2%} of the time (floor).")
