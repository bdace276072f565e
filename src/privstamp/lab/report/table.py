"""One table for all ways out: a terminal, Markdown, a page.

    sheet = Sheet("At equal recovery", ("mechanism", "score"), [("polar", Estimate.share(3, 10))])
    console.print(on_screen(sheet))   markdown(sheet)   page(..., [Part("", [Table(sheet)])])

Cells are values; `cell` writes them the same way everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from privstamp.lab.estimate import Estimate

if TYPE_CHECKING:
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
