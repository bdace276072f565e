"""The certificate of a whole job: sums of those of its texts, what a row and a person add up to."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from privstamp.batch.facts import Spread, Sum, persons
from privstamp.batch.folder import PieceRecord
from privstamp.batch.plan import Plan

FORMAT: Final = "privstamp-batch-certificate"
SHARED: Final = ("counts", "loss", "groups", "language", "languages", "structure", "values",
                 "notes", "threshold", "task", "fingerprints", "not_protected")  # fmt: skip
"""Of a certificate, what may differ between two columns under one policy."""
BY_ROW: Final = (
    "the noise of a row depends on secret, table, column, id, text, task, labels and fingerprints: "
    "a retry, another partition or another engine gives the same row; two rows with equal text are "
    "two releases, and counted"
)
BY_CONTENT: Final = (
    "noise by content: equal texts of a column leave equal, so frequencies show; whoever knows how "
    "common a text is may read it from that"
)
ROWS_ONLY: Final = "no column tells whom a row is about: this certificate knows rows only"
PERSONS: Final = "sums are over all rows of one person, as the column {person} tells them apart"
SAME: Final = (
    "names, identifiers and dates hold through all rows with one {same}: the promise is given that "
    "pattern of equality, which shows; numbers of one or two digits, months and weekdays are by row"
)
PSEUDONYMS: Final = (
    "pseudonyms are equal where values are, in all tables under this secret: how often a value "
    "occurs shows"
)


def promises(plan: Plan) -> list[str]:
    """What holds between rows, in words."""
    told = [BY_ROW if plan.by_row else BY_CONTENT]
    told.append(ROWS_ONLY if plan.person is None else PERSONS.format(person=plan.person))
    if plan.same is not None:
        told.append(SAME.format(same=plan.same))
    if plan.named("pseudonym"):
        told.append(PSEUDONYMS)
    if passing := plan.named("release"):
        told.append(f"columns released as they are, UNPROTECTED: {', '.join(passing)}")
    return told


class JobRecord:
    """Takes the records and numbers of all pieces, in order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sums: dict[str, Sum] = {}
        self._tables: list[pa.Table] = []
        self._counts: Counter[str] = Counter()
        self._nulls: Counter[str] = Counter()
        self._empty: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()

    def add(self, record: PieceRecord, facts: bytes) -> None:
        for name, content in record.columns.items():
            self._sums.setdefault(name, Sum()).add_kept(content)
        self._counts.update({"rows": record.rows, "released": record.released})
        self._nulls.update(record.nulls)
        self._empty.update(record.empty)
        self._reasons.update(f"{stage}: {reason}" for _, _, stage, reason in record.rejected)
        self._tables.append(parquet.read_table(io.BytesIO(facts)))

    def to_dict(self, time: str, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What may be kept and shown of the job."""
        plan, tables = self._plan, self._tables
        piece = np.repeat(np.arange(len(tables)), [table.num_rows for table in tables])
        table = pa.concat_tables(tables) if tables else None
        names = list(plan.columns)
        columns: dict[str, Any] = {}
        for name, column in plan.columns.items():
            facts: dict[str, Any] = {"as": column.role, "null": self._nulls[name],
                                     "empty": self._empty[name]}  # fmt: skip
            if name in self._sums and table is not None:
                here = table.column("column").to_numpy() == names.index(name)
                facts["texts"] = self._sums[name].texts
                facts["per_row"] = {
                    number: Spread.of(table.column(number).to_numpy()[here]).to_dict()
                    for number in ("units", "unprotected", "draws", "nats")
                }
            columns[name] = {key: value for key, value in facts.items() if value != 0}
        return {
            "format": FORMAT,
            "version": 1,
            "table": plan.table,
            "time": time,
            "rows": self._counts["rows"],
            "released": self._counts["released"],
            "rejected": dict(sorted(self._reasons.items())),
            "promises": promises(plan),
            "persons": None if table is None else persons(table, piece),
            "columns": columns,
            "certificates": self._certificates(time),
            **(extra or {}),
        }

    def _certificates(self, time: str) -> list[dict[str, Any]]:
        """One for the columns under each policy; what they differ in, for each column."""
        groups: dict[str, list[str]] = {}
        for name in self._sums:
            groups.setdefault(self._plan.policy_of(name), []).append(name)
        written = []
        for policy, names in groups.items():
            each = {name: self._sums[name].certificate().to_dict() for name in names}
            common = next(iter(each.values())) | {"time": time}
            kept = {key: value for key, value in common.items() if key not in SHARED}
            for name, content in each.items():
                content["fingerprints"].pop("text", None)  # of a single text; parts have digests
                if self._plan.columns[name].task_column is not None:
                    content["fingerprints"]["task"] = None  # of a single row
            told = {name: {key: content[key] for key in SHARED} for name, content in each.items()}
            shared = [key for key in SHARED if len({str(one[key]) for one in told.values()}) == 1]
            kept |= {key: next(iter(told.values()))[key] for key in shared}
            rest = {
                name: {k: v for k, v in one.items() if k not in shared}
                for name, one in told.items()
            }
            written.append({"policy": policy, "common": kept, "columns": rest})
        return written


def rejected_lines(records: Iterable[PieceRecord]) -> Iterable[dict[str, Any]]:
    """For rejected.jsonl: where, which id, at which stage and why; never text."""
    for record in records:
        for row, shown, stage, reason in record.rejected:
            yield {"source": record.source, "row": record.first + row, "id": shown,
                   "stage": stage, "reason": reason}  # fmt: skip
