"""A draft of columns.toml, from the types of columns and what a detector finds in a sample."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

import pyarrow as pa
import tomli_w

from privstamp.batch.cells import READABLE, is_dated, strings
from privstamp.batch.engine import counted
from privstamp.batch.frequencies import faults
from privstamp.batch.plan import KINDS, Column, Plan
from privstamp.batch.tables import Source, carried, columns, pieces
from privstamp.errors import UsageError
from privstamp.pipeline import Privatizer

SAMPLE: Final = 60
"""Rows that are looked at."""
WORDS: Final = 6
"""Words of a value, on average, from which on it is a text."""
HEADER: Final = """\
# What becomes of every column: text, surrogate (of a kind), pseudonym, drop, or release.
# A draft from {rows} rows: read it. Nothing is proposed for release, which is unprotected;
# what looked harmless is commented and dropped until you say otherwise.
"""
EMPTY: Final = Plan.model_construct(table="draft", columns={})
DROPPED: Final = re.compile(r'^("?[^"=\n]*"? = "drop")$', re.MULTILINE)
REMARK: Final = '  # or "release": leaves UNPROTECTED'


def draft(found: list[Source], folder: str) -> str:
    """TOML, with comments."""
    names = columns(found[0], EMPTY)
    nested = carried(found[0], SAMPLE)
    read = {
        name: Column.model_validate({"as": "release" if name in nested else "text"})
        for name in names
    }
    piece = next(pieces(found[0], EMPTY.model_copy(update={"columns": read})), None)
    if piece is None:
        raise UsageError(f"{found[0].name}: there is no row in it to make a draft from")
    batch = piece.batch.slice(0, SAMPLE)
    line = Privatizer()
    roles = {name: "drop" if name in nested else _role(batch.column(name), line) for name in names}
    ids = [name for name in names if _is_id(batch.column(name))]
    content: dict[str, object] = {"table": Path(folder).stem or "table"}
    if ids:
        content["id"] = ids[0]
    content |= {"secret": "file:job.key", "columns": roles}
    remarks = _remarks(Plan.model_validate(content), piece.batch)
    if odd := [source.name for source in found[1:] if _differs(source, names)]:
        remarks.append(f"{', '.join(odd)}: other columns than {found[0].name}; each needs a plan")
    header = HEADER.format(rows=batch.num_rows) + "".join(f"# {remark}\n" for remark in remarks)
    return DROPPED.sub(rf"\1{REMARK}", header + tomli_w.dumps(content))


def _remarks(plan: Plan, batch: pa.RecordBatch) -> list[str]:
    """What the draft leaves to its reader: whose rows they are, and what frequencies would tell."""
    seen = counted(pa.Table.from_batches([batch]))
    people = [name for name in plan.named("pseudonym") if seen(name).repeated]
    told = [f'person = "{name}" adds up rows that are about one {name}' for name in people]
    return told + faults(plan, seen)


def _differs(source: Source, names: list[str]) -> bool:
    """Whether a file has other columns; JSON lines are not read through for that."""
    return source.format != "jsonl" and set(columns(source, EMPTY)) != set(names)


def _role(column: pa.Array, line: Privatizer) -> object:
    if not any(is_known(column.type) for is_known in READABLE):
        return "drop"
    if is_dated(column.type):
        return {"as": "surrogate", "kind": "date"}
    values = [value for value in strings(column) if value]
    if not values:
        return "drop"
    if sum(len(value.split()) for value in values) / len(values) >= WORDS:
        return "text"
    kinds: Counter[str] = Counter()
    for value in values:
        kinds.update(_whole(value, line))
    for kind, finding in KINDS.items():
        if kinds[finding] > len(values) / 2:
            return {"as": "surrogate", "kind": kind}
    if _is_id(column):
        return "pseudonym"
    return "text" if sum(kinds.values()) > len(values) / 20 else "drop"


def _whole(value: str, line: Privatizer) -> set[str]:
    """Kinds of what is found in a value."""
    try:
        return {finding.kind for finding in line.group(value).grouping.findings}
    except Exception:  # whatever it was, it is no reason to release the column
        return {"TEXT"}


def _is_id(column: pa.Array) -> bool:
    """Whether every row has a value of its own, of one word."""
    readable = any(is_known(column.type) for is_known in READABLE)
    values = strings(column) if readable else []
    words = all(value is not None and len(value.split()) == 1 for value in values)
    return len(values) > 1 and words and len(set(values)) == len(values)
