"""PRIVATE. Values of a table: which are read, and what a cell of a surrogate column is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from privstamp.batch.plan import KINDS, Column, Plan
from privstamp.errors import UsageError
from privstamp.protocols import Sensitivity
from privstamp.types import Finding, Units

LONGEST: Final = 1_000_000
"""Bytes of a text; a longer one is rejected."""
READABLE: Final = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view,
                   pa.types.is_integer, pa.types.is_date, pa.types.is_timestamp,
                   pa.types.is_null)  # fmt: skip


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
    if is_dated(kind):  # by Arrow: Python has no dates for some years
        column = column.cast(_in_utc(kind)).cast(pa.string())
    values: list[Any] = column.to_pylist()
    return [None if value is None else str(value) for value in values]


def is_dated(kind: pa.DataType) -> bool:
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def keeps_type(column: Column, kind: pa.DataType) -> bool:
    """Whether a column leaves as the type that it came in; else as strings."""
    return column.role == "release" or (column.kind == "date" and is_dated(kind))


def typed(values: list[str | None], kind: pa.DataType) -> pa.Array:
    """Strings as values of their type again."""
    return pa.array(values, pa.string()).cast(_in_utc(kind)).cast(kind)


def _in_utc(kind: pa.DataType) -> pa.DataType:
    """A place's hours in summer and winter would tell which of them a date is in."""
    zoned = pa.types.is_timestamp(kind) and kind.tz is not None
    return pa.timestamp(kind.unit, "UTC") if zoned else kind


def undated(values: list[str | None], kind: pa.DataType) -> list[int]:
    """Which of them are no dates of a type."""
    try:
        typed(values, kind)
        return []
    except pa.ArrowInvalid:
        if len(values) == 1:
            return [0]
    return [place for place, value in enumerate(values) if undated([value], kind)]


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
