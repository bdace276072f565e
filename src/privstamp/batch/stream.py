"""JSON lines from a pipe to a pipe: by row, without parts, manifest or resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO, Final

from privstamp.batch import secret as secrets
from privstamp.batch.frequencies import watched
from privstamp.batch.plan import Plan
from privstamp.batch.rows import Rows
from privstamp.batch.tables import json_rows, line, parse, table
from privstamp.errors import PrivstampError, UsageError

BLOCK: Final = 256
"""Lines that are read before the first of them leaves."""


def released(
    source: BinaryIO,
    plan: Plan,
    secret: str | None,
    warn: Callable[[str], None],
    max_rejected: float,
) -> Iterator[str]:
    """Rows as they come; those that are rejected are told with their number and the reason, and in
    the end, if they were too many, by an error."""
    if names := watched(plan):
        raise UsageError(
            f"{', '.join(names)}: how often values occur cannot be seen in a pipe before the first "
            "row leaves. Pseudonyms, codes, names that hold and noise by content need files, or "
            'frequencies = "accept" at the top of the plan'
        )
    rows = Rows(plan, secrets.read(secret or plan.secret))
    read = set(plan.read)
    numbered = enumerate(iter(source.readline, b""), 1)
    lines = ((number, raw) for number, raw in numbered if raw.strip())
    count = rejected = 0
    while block := list(islice(lines, BLOCK)):
        good = []
        for number, raw in block:
            value = parse(raw)
            if not isinstance(value, str) and (extra := set(value) - set(plan.columns)):
                value = f"columns that the plan does not list: {len(extra)}"
            row = value if isinstance(value, str) else line(value, plan, read)
            if isinstance(row, str):
                warn(f"line {number} was rejected: {row}")
            else:
                good.append((number, row))
        count += len(block)
        outcome = rows(table([row for _, row in good], plan))
        for place, _, stage, reason in outcome.rejected:
            warn(f"line {good[place][0]} was rejected: {stage}: {reason}")
        rejected += len(block) - outcome.batch.num_rows
        yield b"".join(json_rows(outcome.batch, plan)).decode()
    if rejected > max_rejected * count:
        raise PrivstampError(
            f"{rejected} of {count} lines were rejected, more than --max-rejected {max_rejected:g}"
        )
