"""Frames of Polars."""

from __future__ import annotations

from typing import Any

from privstamp.batch.engine import check_frequencies, counted, task
from privstamp.batch.plan import wanted


def privatize(frame: Any, columns: Any, *, secret: str | None = None) -> Any:
    """The frame released by a plan, rows in order; a lazy one is collected."""
    polars = wanted("polars", "polars")
    work = task(columns, secret)
    if isinstance(frame, polars.LazyFrame):
        frame = frame.collect()
    table = frame.to_arrow()
    check_frequencies(work.plan, counted(table))
    return polars.from_arrow(work.table(table))
