"""One HTML page for all reports: no script, no fonts, nothing fetched; light, dark and on paper.

    page("What an attacker gets", [Part("In figures", [Text("..."), Table(sheet), Bars(...)])])

Everything is escaped by the template. Only a `Picture` goes in as it is: SVG from `plot.inline`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from privstamp.lab.estimate import Estimate
from privstamp.lab.report.table import Sheet, cell

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

Style: TypeAlias = Literal["", "note", "remark", "pass", "fail", "private"]
"""How text stands out: explanations, warnings, verdicts, and what must not be passed on."""


@dataclass(frozen=True)
class Text:
    """A paragraph; what stands *between asterisks* is stressed."""

    text: str
    style: Style = ""
    kind: ClassVar = "text"


@dataclass(frozen=True)
class Table:
    """A table; its title is left to the part it stands in."""

    sheet: Sheet
    kind: ClassVar = "table"


@dataclass(frozen=True)
class Pairs:
    """Names and what is said of each."""

    lines: Sequence[tuple[str, str | Estimate]]
    kind: ClassVar = "pairs"


@dataclass(frozen=True)
class Tiles:
    """Headline figures: a name, a number and what it means."""

    tiles: Sequence[tuple[str, Estimate, str]]
    kind: ClassVar = "tiles"


@dataclass(frozen=True)
class Listing:
    """Lines below each other."""

    lines: Sequence[str]
    title: str = ""
    style: Style = "note"
    kind: ClassVar = "listing"


@dataclass(frozen=True)
class Bars:
    """Horizontal bars from 0 to 1, several per line; a series called floor is grey."""

    lines: Sequence[tuple[str, Sequence[Estimate]]]
    series: Sequence[str]
    kind: ClassVar = "bars"

    @property
    def known(self) -> list[tuple[str, Sequence[Estimate]]]:
        return [
            line for line in self.lines if any(estimate.value is not None for estimate in line[1])
        ]


@dataclass(frozen=True)
class Curve:
    """Shares over a number of times, joined by a line."""

    points: Sequence[tuple[float, Estimate]]
    across: str
    kind: ClassVar = "curve"

    @property
    def known(self) -> list[tuple[float, Estimate]]:
        return [point for point in self.points if point[1].value is not None]


@dataclass(frozen=True)
class Picture:
    """SVG that we drew ourselves."""

    svg: str
    kind: ClassVar = "picture"


Block: TypeAlias = Text | Table | Pairs | Tiles | Listing | Bars | Curve | Picture


@dataclass(frozen=True)
class Part:
    """A heading and what stands below it; `fresh` begins a new sheet of paper."""

    title: str
    blocks: Sequence[Block]
    fresh: bool = False


def page(title: str, parts: Sequence[Part], *, wide: bool = False) -> str:
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
