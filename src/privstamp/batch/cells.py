"""PRIVATE. Values of a table: which are read, and what a cell of a surrogate column is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from privstamp.batch.plan import KINDS, Plan
from privstamp.errors import UsageError
from privstamp.protocols import Sensitivity
from privstamp.types import Finding, Units

LONGEST: Final = 1_000_000
"""Bytes of a text; a longer one is rejected."""
READABLE: Final = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view,
                   pa.types.is_integer, pa.types.is_date, pa.types.is_null)  # fmt: skip


@dataclass(frozen=True)
class Whole:
    """A cell of a surrogate column: all of it is one thing, or a date and the time of day."""

    kind: str
    day: int | None = None  # characters of the date before a time of day
    between: str = ""  # what joins the two
    tail: str = ""  # fractions of a second, as zeros, and the zone as it is written

    def more(self, page: Units, _: list[Finding], sensitivity: Sensitivity) -> list[Finding]:
        del sensitivity
        spans = [(0, len(page.text), self.kind)]
        if self.day is not None:
            spans = [(0, self.day, self.kind), (self.day + 1, len(page.text), "DATE_TIME")]
        return [Finding(*span, 1.0, "column", "columns.toml") for span in spans]

    def written(self, released: str) -> str:
        """As the original joins what it is made of."""
        if self.day is None:
            return released
        day, _, clock = released.rpartition(" ")
        return day + self.between + clock + self.tail


TIMED: Final = re.compile(
    r"(?P<day>.*\d)(?P<between>[Tt](?=\d\d:?\d\d)|(?<=\d{4}):(?=\d\d:)| (?=\d\d?:))"
    r"(?P<clock>\d[\d:]*)(?P<fraction>[.,]\d{1,9})?(?P<zone> ?(?:[Zz]|[+-]\d\d:?\d\d))?"
)
"""A date and the time of day. In a text what is glued to a date stays; in a column it does not."""


def whole_cell(text: str, kind: str) -> tuple[str, Whole]:
    """A cell as it is read, and what it is: date and time of day stand by themselves."""
    timed = TIMED.fullmatch(text) if kind == "date" else None
    if timed is None:
        return text, Whole(KINDS[kind])
    tail = re.sub(r"\d", "0", timed["fraction"] or "") + (timed["zone"] or "")
    whole = Whole(KINDS[kind], len(timed["day"]), timed["between"], tail)
    return f"{timed['day']} {timed['clock']}", whole


def strings(column: pa.Array | pa.ChunkedArray) -> list[str | None]:
    """Values of ids, texts and codes as strings, alike whatever file they came from."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if not any(is_known(kind) for is_known in READABLE):
        raise UsageError(
            f"a column of type {kind} is released or dropped, not read as text: to have it "
            "replaced, make it a string or a date"
        )
    values: list[Any] = column.to_pylist()
    return [None if value is None else str(value) for value in values]


def read_cells(batch: pa.RecordBatch, plan: Plan) -> dict[str, list[str | None]]:
    """What is read of a batch; columns that cannot be are named, all at once."""
    cells, told = {}, []
    for name in plan.read:
        try:
            cells[name] = strings(batch.column(name))
        except UsageError as error:
            told.append(f"{name}: {error}")
    if told:
        raise UsageError("; ".join(told))
    return cells


def fault_of(text: str) -> str:
    """Why a value is rejected before it is read; nothing if it is not."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "not valid Unicode"
    return f"longer than {LONGEST:,} bytes" if size > LONGEST else ""
