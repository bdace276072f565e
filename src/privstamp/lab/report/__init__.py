"""How the laboratory shows what it found: one table writer, one HTML page, one style of pictures.

    sheet = Sheet("At equal recovery", ("mechanism", "score"), [("polar", Estimate.share(3, 10))])
    console.print(on_screen(sheet))   markdown(sheet)
    page("What an attacker gets", [PagePart("In figures", [blocks().table(sheet)])])
    with canvas(1, 2, size=(13, 6)) as (figure, axes):
        curves(axes[0, 0], {"polar": [(0.1, Estimate.share(3, 10))]})
        save(figure, path)

Cells are values; `cell` writes them the same way everywhere. A page has no script and no fonts, and
fetches nothing. Everything is escaped by the template; only a picture goes in as it is: SVG from
`inline`. Pictures need the extra `plots`; the same picture is the same file each time.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from privstamp.errors import optional
from privstamp.lab.estimate import Estimate

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup
    from rich.table import Table


@dataclass(frozen=True)
class Sheet:
    """A title, headings and lines. `numbers` are the headings of columns that stand right."""

    title: str
    headings: Sequence[str]
    lines: Sequence[Sequence[Any]]
    numbers: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        title: str,
        records: Iterable[Mapping[str, Any]],
        columns: Mapping[str, tuple[str, str]],
        missing: str = "–",
    ) -> Sheet:
        """Records as lines: of each column the key, its heading and how its numbers are written."""
        lines = [
            [_formed(record[key], form, missing) for key, (_, form) in columns.items()]
            for record in records
        ]
        headings = [heading for heading, _ in columns.values()]
        numbers = frozenset(heading for heading, form in columns.values() if form)
        return cls(title, headings, lines, numbers)


def cell(value: Any) -> str:
    """A value as it stands in a table."""
    if isinstance(value, Estimate):
        return value.written()
    if isinstance(value, float):
        return f"{value:.3g}"
    return "" if value is None else str(value)


def on_screen(sheet: Sheet, *, sections: bool = False) -> Table:
    """For a terminal. With sections, a line is left free where the first column changes."""
    from rich.table import Table
    from rich.text import Text

    grid = Table(
        title=sheet.title, title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for heading in sheet.headings:
        right = heading in sheet.numbers
        grid.add_column(heading, justify="right" if right else "left", no_wrap=right)
    before = None
    for line in sheet.lines:
        if sections and before not in (None, line[0]):
            grid.add_section()
        before = line[0]
        grid.add_row(*(Text(cell(value)) for value in line))
    return grid


def markdown(sheet: Sheet) -> str:
    """The table alone, without its title."""
    rows = [sheet.headings, ["---"] * len(sheet.headings), *sheet.lines]
    return "".join("| " + " | ".join(map(_barred, row)) + " |\n" for row in rows)


def _barred(value: Any) -> str:
    return cell(value).replace("|", "\\|").replace("\n", " ")


def _formed(value: Any, form: str, missing: str) -> str:
    if value is None:
        return missing
    return format(value, form) if form else str(value)


def blocks() -> Any:
    """What a page is made of, as macros: text, table, pairs, tiles, listing, bars, curve, picture.

    All escape what they show, but for pictures: SVG from `inline`. Text may be a note, a remark,
    private, a pass or a fail; what stands *between asterisks* is stressed.
    """
    return _templates().get_template("blocks.html").module


@dataclass(frozen=True)
class PagePart:
    """A heading and the blocks below it; `fresh` begins a new sheet of paper."""

    title: str
    blocks: Sequence[Markup]
    fresh: bool = False


def page(title: str, parts: Sequence[PagePart], *, wide: bool = False) -> str:
    """The whole document; wide, where tables have many columns."""
    return _templates().get_template("page.html").render(title=title, parts=parts, wide=wide)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"stressed": _stressed, "cell": _cell}
    return templates


def _stressed(text: str) -> Markup:
    from markupsafe import Markup, escape

    return Markup(re.sub(r"\*(\S.*?)\*", r"<b>\1</b>", str(escape(text))))  # noqa: S704


def _cell(value: object) -> Markup:
    """Intervals stand back behind their value."""
    from markupsafe import Markup

    number, bracket, rest = cell(value).partition(" [")
    behind = Markup(" <small>[{}</small>").format(rest) if bracket else ""
    return Markup("{}{}").format(number, behind)


COLOURS: Final = (
    "#0b7a75", "#c2571a", "#3b5bdb", "#a61e4d", "#5f3dc4", "#2b8a3e", "#868e96", "#e8a33d",
    "#1864ab", "#000000",
)  # fmt: skip
MARKERS: Final = "osD^vPX*<>p"
DASHES: Final = ("-", "--", "-.", ":")
FAINT: Final = "#adb5bd"
"""Of lines that mark a level: floors, limits."""
_STYLE: Final = {
    "svg.hashsalt": "privstamp", "svg.fonttype": "none", "font.size": 10,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#e9ecef", "axes.axisbelow": True, "legend.frameon": False,
}  # fmt: skip


def pyplot() -> Any:
    """matplotlib without a display, or how to get it; asked before long work, too."""
    optional("matplotlib", "plots", "drawing pictures").use("Agg")
    return import_module("matplotlib.pyplot")


@contextmanager
def styled() -> Iterator[Any]:
    """pyplot, in the house style."""
    plot = pyplot()
    with plot.rc_context(_STYLE):
        yield plot


@contextmanager
def canvas(
    rows: int, columns: int, *, size: tuple[float, float], **shared: Any
) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes, rows by columns; closed afterwards."""
    with styled() as plot:
        figure, axes = plot.subplots(
            rows, columns, figsize=size, squeeze=False, layout="constrained", **shared
        )
        try:
            yield figure, axes
        finally:
            plot.close(figure)


def save(figure: Any, path: Path) -> None:
    """Write a picture, as its ending says: nothing in it changes from one time to the next."""
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    with styled():
        figure.savefig(path, dpi=130, metadata=metadata)


def inline(figure: Any) -> str:
    """A picture to stand in a page: nothing but its drawing, with letters as letters."""
    buffer = io.StringIO()
    with styled():
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    drawn = buffer.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    return re.sub(r"<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL).strip()


def look(number: int, form: int | None = None) -> dict[str, Any]:
    """Colour, mark and dashes of a line; no two of forty are alike. A form varies the dashes."""
    dashes = number // len(COLOURS) if form is None else form
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": DASHES[dashes % len(DASHES)],
        "markersize": 4 + dashes // len(DASHES) * 2,
        "linewidth": 1.5,
    }


def curves(axis: Any, series: Mapping[str, Sequence[tuple[float, Estimate]]]) -> None:
    """A line for each name, with the interval of its points as a band."""
    for number, (name, points) in enumerate(series.items()):
        style = look(number)
        across = [x for x, _ in points]
        axis.plot(across, [y.number for _, y in points], label=name, **style)
        low, high = _ends([y for _, y in points])
        axis.fill_between(across, low, high, color=style["color"], alpha=0.1, linewidth=0)


def whiskers(
    axis: Any, places: Sequence[float], values: Sequence[Estimate], mark: tuple[str, str], name: str
) -> None:
    """Points below each other with their intervals; a mark is its colour and its form."""
    colour, marker = mark
    axis.hlines(places, *_ends(values), color=colour, linewidth=1.6)
    across = [value.number for value in values]
    axis.plot(across, places, linestyle="", marker=marker, color=colour, label=name or None)


def _ends(values: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    return (
        [value.number if value.low is None else value.low for value in values],
        [value.number if value.high is None else value.high for value in values],
    )
