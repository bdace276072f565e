"""What may be kept of a table's releases: numbers of each row, and sums over all of them.

Facts common to all rows are in the certificate once; what differs is a few small numbers a row.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pydantic import BaseModel, field_validator

from privstamp.batch.plan import Plan
from privstamp.release.certificate import Certificate, Counts
from privstamp.release.document import Written
from privstamp.release.parts import Parts
from privstamp.release.total import Account, Total

COUNTED: Final = (*Counts.model_fields, "draws")
NUMBERS: Final = (*COUNTED, "nats")
SCHEMA: Final = pa.schema(
    [
        pa.field("row", pa.int32()),
        pa.field("column", pa.int16()),
        *(pa.field(name, pa.int32()) for name in COUNTED),
        pa.field("nats", pa.float64()),
        pa.field("person", pa.int64()),
    ]
)
"""Of one text: its row in the piece, its column in the plan, counts, the sum of epsilon times
diameter over its draws, and a keyed digest of whom it is about."""


def nats(certificate: Certificate) -> float:
    """The loss of what was drawn, also where other units left as they were."""
    loss = certificate.loss
    if math.isfinite(loss.worst_case):
        return loss.worst_case
    widths = {
        facts.metric.partition("@")[0]: facts.diameter
        for facts in sorted(certificate.mechanisms, key=lambda facts: facts.diameter)
    }
    widths |= {f"{value.kind} {value.distance}": value.diameter for value in certificate.values}
    sums = ((name, epsilon) for name, epsilon in loss.summed_epsilon.items() if epsilon)
    return sum(
        epsilon * widths[name]
        for name, epsilon in sums
        if math.isfinite(epsilon * widths.get(name, math.inf))
    )


class Facts:
    """Takes what was released of a batch of rows, in order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._places = {name: number for number, name in enumerate(plan.columns)}
        self._accounts: list[tuple[int, str, Account]] = []
        self.nulls: Counter[str] = Counter()
        self.empty: Counter[str] = Counter()
        self.persons: dict[int, int] = {}

    def __repr__(self) -> str:
        return f"Facts({len(self._accounts)} texts)"

    def add(self, name: str, document: Written, parts: Parts) -> None:
        account = Account.of(document, parts)
        self._accounts.append(
            (document.index, name, Account(account.certificate, "", account.weights))
        )

    def nothing(self, name: str, value: str | None) -> None:
        """A cell without text leaves as it is."""
        (self.nulls if value is None else self.empty)[name] += 1

    def keep(self, rows: Iterable[int]) -> None:
        """Only these leave."""
        left = set(rows)
        self._accounts = [account for account in self._accounts if account[0] in left]

    def table(self) -> pa.Table:
        """Numbers of each text; fewer than 64 bytes of a file each."""
        certificates = [account.certificate for *_, account in self._accounts]
        columns: list[list[Any]] = [
            [row for row, *_ in self._accounts],
            [self._places[name] for _, name, _ in self._accounts],
            *([getattr(one.counts, name) for one in certificates] for name in Counts.model_fields),
            [one.loss.draws for one in certificates],
            [nats(one) for one in certificates],
            [self.persons.get(row) for row, *_ in self._accounts],
        ]
        return pa.table(
            [pa.array(column, kind.type) for column, kind in zip(columns, SCHEMA, strict=True)],
            schema=SCHEMA,
        )

    def sums(self) -> dict[str, Sum]:
        """One certificate for each column."""
        totals: dict[str, Sum] = {}
        for _, name, account in self._accounts:
            totals.setdefault(name, Sum()).add(account)
        return totals


class ColumnSum(BaseModel):
    """The sum of one column, as it is written."""

    texts: int
    weights: dict[str, int]
    certificate: dict[str, Any]

    @field_validator("certificate")
    @classmethod
    def _is_one(cls, content: dict[str, Any]) -> dict[str, Any]:
        Certificate.model_validate(_read(content))
        return content


class Sum:
    """Certificates of one column added up, here or in another process."""

    def __init__(self) -> None:
        self._total = Total(b"")
        self._weights: Counter[str] = Counter()
        self.texts = 0

    def add(self, account: Account, texts: int = 1) -> None:
        self._total.add(account)
        self._weights.update(account.weights)
        self.texts += texts

    def certificate(self, note: str = "") -> Certificate:
        return self._total.certificate(note)

    def kept(self, time: str) -> ColumnSum:
        """For the record of a piece: as of the time when the job began, so that a piece that is
        done twice has one record."""
        content = self.certificate().to_dict() | {"time": time}
        return ColumnSum(texts=self.texts, weights=dict(self._weights), certificate=content)

    def add_kept(self, kept: ColumnSum) -> None:
        """One that was written."""
        certificate = Certificate.model_validate(_read(kept.certificate))
        self.add(Account(certificate, "", kept.weights), kept.texts)


def _read(value: Any) -> Any:
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {key: _read(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_read(inner) for inner in value]
    return math.inf if value == "inf" else value


@dataclass(frozen=True)
class Spread:
    """Median, 95 % and largest of some numbers, and their sum."""

    sum: float
    median: float
    most_of: float
    largest: float

    @classmethod
    def of(cls, values: np.ndarray[Any, Any]) -> Spread:
        if not len(values):
            return cls(0, 0, 0, 0)
        middle, high = np.quantile(values, (0.5, 0.95), method="higher").tolist()
        return cls(values.sum().item(), middle, high, values.max().item())

    def to_dict(self) -> dict[str, float]:
        return {
            "sum": self.sum,
            "median": self.median,
            "95%": self.most_of,
            "largest": self.largest,
        }


def persons(table: pa.Table, piece: np.ndarray[Any, Any]) -> dict[str, Any] | None:
    """What all rows of one person add up to: of `table`, with the piece of each text."""
    known = table.column("person").is_valid().to_numpy()
    if not known.any():
        return None
    ids = table.column("person").drop_null().to_numpy()
    who, index = np.unique(ids, return_inverse=True)
    row = np.stack([piece[known], table.column("row").to_numpy()[known]])
    firsts = np.unique(np.vstack([index, row]), axis=1)
    sums = {"rows": np.bincount(firsts[0], minlength=len(who))}
    for name in ("nats", "draws", "unprotected"):
        sums[name] = np.bincount(index, table.column(name).to_numpy()[known], minlength=len(who))
    return {
        "persons": len(who),
        "texts_of_nobody": int((~known).sum()),
        **{name: Spread.of(values).to_dict() for name, values in sums.items()},
    }
