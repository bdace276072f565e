"""privstamp list: which parts exist, built in or installed."""

from __future__ import annotations

import inspect
import json
from typing import Annotated

from typer import Argument

from privstamp.cli import options as completion
from privstamp.cli.options import Json
from privstamp.cli.output import put
from privstamp.cli.screen import out
from privstamp.errors import UsageError, suggest
from privstamp.registry import TABLES, Table

EXAMPLES = """
privstamp list
privstamp list mechanisms --json
"""


def list_parts(
    kind: Annotated[
        str | None,
        Argument(help=f"Only this kind: {', '.join(TABLES)}.", autocompletion=completion.kinds),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the parts that a policy can name."""
    if kind is not None and kind not in TABLES:
        raise UsageError(f'no kind of parts "{kind}".{suggest(kind, TABLES)}')
    kinds = list(TABLES) if kind is None else [kind]
    tables = {name: _facts(TABLES[name]) for name in kinds}
    if as_json:
        put(json.dumps(tables, indent=2, ensure_ascii=False) + "\n")
        return
    from rich.table import Table as Grid

    console = out()
    for name, rows in tables.items():
        grid = Grid(title=name, title_justify="left", title_style="bold", box=None, pad_edge=False)
        grid.add_column("name", style="cyan", no_wrap=True)
        grid.add_column("what it is", ratio=1)
        grid.add_column("from", style="dim")
        for row in rows:
            grid.add_row(row["name"], row["about"], row["provider"])
        console.print(grid)
        console.print()


def _facts(table: Table) -> list[dict[str, str]]:
    return [
        {"name": entry.name, "provider": entry.provider, "about": about(table, entry.name)}
        for entry in table.entries()
    ]


def about(table: Table, name: str) -> str:
    """The first line of a part's docstring; a part that cannot be loaded says so."""
    try:
        text = inspect.getdoc(table.load(name)) or ""
    except Exception as error:
        return f"cannot be loaded here ({type(error).__name__})"
    return text.partition("\n\n")[0].replace("\n", " ")
