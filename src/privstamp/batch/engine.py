"""The same rows inside an engine: what is sent there is a plan and the place of a secret, and what
comes back has one column more, which says of every row what was counted or why it was rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as compute

from privstamp.batch import secret as secrets
from privstamp.batch.cells import keeps_type, strings
from privstamp.batch.facts import Spread, persons
from privstamp.batch.frequencies import Occurrences, faults
from privstamp.batch.plan import MARK, Plan
from privstamp.batch.record import promises
from privstamp.batch.rows import Released, Rows
from privstamp.errors import UsageError

COUNTED: Final = ("units", "unprotected", "draws")
MARKS: Final = pa.struct(
    [
        pa.field("rejected", pa.string()),
        *(pa.field(name, pa.int32()) for name in COUNTED),
        pa.field("nats", pa.float64()),
        pa.field("person", pa.string()),
    ]
)


@dataclass(frozen=True, repr=False)
class EngineTask:
    """What an engine is given. It may show it: no secret is in it."""

    plan: Plan
    secret: str

    def __repr__(self) -> str:
        return f"Task({self.plan.table})"

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Record batches, one by one."""
        rows = _rows(self.plan, secrets.read(self.secret))
        for batch in batches:
            yield marked(rows(batch), batch, rows)

    def table(self, table: pa.Table) -> pa.Table:
        """A table at once."""
        schema = self.schema(table.schema)
        return pa.Table.from_batches(self(table.combine_chunks().to_batches()), schema)

    def schema(self, given: pa.Schema) -> pa.Schema:
        """Of what comes back."""
        if told := self.plan.check(given.names):
            raise UsageError("; ".join(told))
        fields = []
        for name in self.plan.leaving:
            kind = given.field(name).type
            stays = keeps_type(self.plan.columns[name], kind)
            fields.append(pa.field(name, kind if stays else pa.string()))
        return pa.schema([*fields, pa.field(MARK, MARKS)])

    @property
    def fingerprint(self) -> str:
        """Of everything that decides what comes back; read where the secret is."""
        return self.plan.fingerprint() + secrets.check_value(secrets.read(self.secret))


_LOADED: Final[dict[tuple[str, bytes], Rows]] = {}
"""By plan and secret: one load for each process, as long as the secret at its place is the same."""


def _rows(plan: Plan, secret: bytes) -> Rows:
    key = plan.fingerprint(), secret
    if key not in _LOADED:
        for oldest in list(_LOADED)[:-1]:  # two, at most
            del _LOADED[oldest]
        _LOADED[key] = Rows(plan, secret).warmed()
    return _LOADED[key]


def task(columns: Any, secret: str | None) -> EngineTask:
    """From a plan, its content or its file."""
    plan = Plan.load(columns)
    place = secret or plan.secret
    if place is None or not place.startswith((secrets.FILE, secrets.ENVIRONMENT)):
        secrets.read(None if place is None else "")
    return EngineTask(plan, str(place))


def marked(released: Released, batch: pa.RecordBatch, rows: Rows) -> pa.RecordBatch:
    """All rows in order; of rejected ones nothing but the id, and the reason."""
    kept = {number: place for place, number in enumerate(released.kept)}
    places = pa.array([kept.get(number) for number in range(batch.num_rows)], pa.int64())
    columns = [column.take(places) for column in released.batch.columns]
    fields = list(released.batch.schema)
    plan, reasons = rows.plan, {row: f"{stage}: {why}" for row, _, stage, why in released.rejected}
    if plan.id in plan.leaving and released.rejected:
        at, ids = plan.leaving.index(plan.id), strings(batch.column(plan.id))
        role = plan.columns[plan.id].role
        if role == "release":
            columns[at] = batch.column(plan.id)
        elif role == "pseudonym":
            columns[at] = pa.array([value and rows.pseudonym(value) for value in ids], pa.string())
    sums = _sums(released.facts.table(), batch.num_rows)
    people = {row: f"{who & (1 << 64) - 1:016x}" for row, who in released.facts.persons.items()}
    every = range(batch.num_rows)
    marks = pa.StructArray.from_arrays(
        [
            pa.array([reasons.get(number) for number in every], pa.string()),
            *(pa.array(sums[name], pa.int32()) for name in COUNTED),
            pa.array(sums["nats"], pa.float64()),
            pa.array([people.get(number) for number in every], pa.string()),
        ],
        fields=list(MARKS),
    )
    schema = pa.schema([*fields, pa.field(MARK, MARKS)])
    return pa.RecordBatch.from_arrays([*columns, marks], schema=schema)


def _sums(facts: pa.Table, rows: int) -> dict[str, Any]:
    """Over the texts of each row."""
    where = facts.column("row").to_numpy()
    sums = {
        name: np.bincount(where, facts.column(name).to_numpy(), minlength=rows).astype(np.int64)
        for name in COUNTED
    }
    sums["nats"] = np.bincount(where, facts.column("nats").to_numpy(), minlength=rows)
    return sums


def check_frequencies(plan: Plan, occurrences: Callable[[str], Occurrences]) -> None:
    """Refuse what its frequencies would tell."""
    if told := faults(plan, occurrences):
        raise UsageError("; ".join(told))


def counted(table: pa.Table) -> Callable[[str], Occurrences]:
    """For tables in memory."""

    def occurrences(name: str) -> Occurrences:
        values = [value for value in strings(table.column(name)) if value]
        return Occurrences.of(Counter(values).values(), table.num_rows)

    return occurrences


def statement(marks: pa.ChunkedArray | pa.Array, columns: Any) -> dict[str, Any]:
    """What the rows of a frame add up to, from its column of marks; safe to keep."""
    plan = Plan.load(columns)
    whole = marks.combine_chunks() if isinstance(marks, pa.ChunkedArray) else marks
    rejected = whole.field("rejected")
    fine = compute.is_null(rejected)
    left = whole.filter(fine)
    table = pa.table(
        [left.field(field.name) for field in MARKS], names=[field.name for field in MARKS]
    ).append_column("row", pa.array(range(len(left)), pa.int64()))
    reasons = compute.value_counts(rejected.drop_null()).to_pylist()
    return {
        "table": plan.table,
        "plan": plan.fingerprint(),
        "rows": len(whole),
        "rejected": {reason["values"]: reason["counts"] for reason in reasons},
        "promises": promises(plan),
        "per_row": {
            name: Spread.of(table.column(name).to_numpy()).to_dict() for name in (*COUNTED, "nats")
        },
        "persons": persons(table, np.zeros(len(left), dtype=np.int64)),
    }
