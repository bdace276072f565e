"""Frames of pandas."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from privstamp.batch.engine import check_frequencies, counted, task


def privatize(frame: Any, columns: Any, *, secret: str | None = None) -> Any:
    """The frame released by a plan, rows in order; `secret` is file:PATH or env:NAME."""
    work = task(columns, secret)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    check_frequencies(work.plan, counted(table))
    released = work.table(table).to_pandas()
    released.index = frame.index
    return released
