"""One style for all pictures. Needs the extra `plots`.

    with canvas(1, 2, size=(13, 6)) as (figure, axes):
        curves(axes[0, 0], {"polar": [(0.1, Estimate.share(3, 10))]})
        save(figure, path)

`inline` gives a picture as SVG to stand in a page. The same picture is the same file each time.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from privstamp.errors import MissingExtra
from privstamp.lab.estimate import Estimate

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
    try:
        matplotlib = import_module("matplotlib")
    except ImportError:
        matplotlib = None
    if matplotlib is None:
        raise MissingExtra("plots", "drawing pictures")
    matplotlib.use("Agg")
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
