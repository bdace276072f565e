"""PRIVATE. The heart of a batch: a table's rows in, released rows and what is known of them out.

A row's noise is a function of the secret, table, column, id, text, task, labels and fingerprints:
partitions, order, retries and engines cannot change it. Proof: docs/concepts/batch.md
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from privstamp.batch.cells import (
    Whole,
    fault_of,
    is_dated,
    keeps_type,
    read_cells,
    typed,
    undated,
    whole_cell,
)
from privstamp.batch.facts import Facts
from privstamp.batch.plan import Plan
from privstamp.errors import InputError, PrivstampError, UsageError
from privstamp.noise import Randomness
from privstamp.pipeline import Privatizer
from privstamp.release.document import Document
from privstamp.release.replaced import Pseudonyms
from privstamp.release.roster import Roster
from privstamp.result import Failure
from privstamp.text.vocabulary import read_at_once

DOUBLED: Final = "it stands in an earlier row with other content"
INVENTED: Final = (
    "Dana Whitfield wrote from Leeds on 5 March 2024 about order A-1042 of 24.50: call 020 7946 "
    "0958, or write to dana@example.com, zworgling."
)
"""Released to nobody."""
NO_DATE: Final = "no date of the calendar that surrogates are drawn from"
LENGTH: Final = 26
"""Characters of a pseudonym: 130 bits."""


@dataclass(repr=False)
class Row:
    """PRIVATE. One row on its way."""

    number: int
    id: str | None
    names: Callable[[str], Pseudonyms]
    roster: Roster = field(default_factory=Roster)
    error: tuple[str, str] | None = None  # the column, or id, and why

    def __repr__(self) -> str:
        return f"Row(private, {self.number})"

    def reject(self, stage: str, reason: str) -> None:
        if self.error is None:
            self.error = stage, reason


@dataclass(frozen=True, repr=False)
class Released:
    """`batch` has the rows that leave, `kept` their numbers; `rejected` are number, id, stage and
    reason of the others."""

    batch: pa.RecordBatch
    kept: list[int]
    rejected: list[tuple[int, str, str, str]]
    facts: Facts

    def __repr__(self) -> str:
        return f"Released({len(self.kept)} rows, {len(self.rejected)} rejected)"


class Rows:
    """Made once where the work runs; called with record batches of any size."""

    def __init__(self, plan: Plan, secret: bytes) -> None:
        self.plan = plan
        self._random = Randomness.make(secret=secret)
        self._lines = {
            name: Privatizer(policy, secret=secret) for name, policy in plan.policies.items()
        }
        self._drawn = [*plan.named("surrogate"), *plan.texts]
        self._facts = [fact for name in sorted(self._lines) for fact in self._lines[name].facts]
        self._pseudonym = self._random.key(b"pseudonyms")
        self._person = self._random.key(b"persons")

    def __repr__(self) -> str:
        return f"Rows({self.plan.table})"

    def warmed(self) -> Rows:
        """With all read that texts make a process read, once and for good: processes forked from
        this one share it, and memory does not grow when a text first needs it."""
        read_at_once()
        row = dict.fromkeys(self.plan.columns, "0") | dict.fromkeys(self.plan.texts, INVENTED)
        self(pa.RecordBatch.from_pylist([row]))
        return self

    def fingerprints(self) -> dict[str, list[str]]:
        """Of everything but the rows that a release depends on."""
        return {name: [fact.decode() for fact in line.facts] for name, line in self._lines.items()}

    def __call__(self, batch: pa.RecordBatch, doubled: Iterable[int] = ()) -> Released:
        """All rows of a batch, whole or not at all each; `doubled` have the id of another row."""
        if told := self.plan.check(batch.schema.names):
            raise UsageError("; ".join(told))
        cells = read_cells(batch, self.plan)
        rows = [self._row(number, cells) for number in range(batch.num_rows)]
        for number in doubled:
            rows[number].reject("id", DOUBLED)
        facts = Facts(self.plan)
        made: dict[str, list[str | None]] = {}
        for name in self._drawn:
            made[name] = self._column(name, rows, cells, facts)
            kind = batch.schema.field(name).type
            if is_dated(kind) and keeps_type(self.plan.columns[name], kind):
                for number in undated(made[name], kind):
                    rows[number].reject(name, NO_DATE)
        for name in self.plan.named("pseudonym"):
            made[name] = [value and self.pseudonym(value) for value in cells[name]]
        kept = [row.number for row in rows if row.error is None]
        facts.keep(kept)
        if self.plan.person is not None:
            facts.persons = {
                number: self._digest(value)
                for number in kept
                if (value := cells[self.plan.person][number])  # an empty cell of CSV is nobody
            }
        rejected = [
            (row.number, self._shown(row.id), *row.error) for row in rows if row.error is not None
        ]
        return Released(self._written(batch, made, kept), kept, rejected, facts)

    def _row(self, number: int, cells: dict[str, list[str | None]]) -> Row:
        plan = self.plan
        value = None if plan.id is None else cells[plan.id][number] or None
        texts = [cells[name][number] or "" for name in self._drawn]
        who = None if plan.same is None else cells[plan.same][number] or None
        place = (b"row", plan.table.encode(), (value or "").encode())

        def names(column: str) -> Pseudonyms:
            here: Sequence[bytes] = (*place, *(text.encode() for text in texts))
            if not plan.by_row:
                here = (b"content", plan.table.encode(), column.encode(),
                        (cells[column][number] or "").encode())  # fmt: skip
            key = self._random.key(b"names", *here, *self._facts)
            row = self._random.key(b"places", *here, *self._facts)
            if who is not None:
                key = self._random.key(b"same", who.encode(), *self._facts)
            return Pseudonyms(key, carried=True, row=row, holds=who is not None)

        row = Row(number, value, names)
        if plan.id is not None and value is None:
            row.reject("id", "it is missing")
        for name, column in cells.items():
            if (text := column[number]) is not None and (fault := fault_of(text)):
                row.reject(name, fault)
        if plan.by_row and row.error is None:
            shared = names("")
            row.names = lambda _: shared
        return row

    def _column(
        self, name: str, rows: list[Row], cells: dict[str, list[str | None]], facts: Facts
    ) -> list[str | None]:
        column, values = self.plan.columns[name], cells[name]
        line = self._lines[self.plan.policy_of(name)]
        asked = None if column.task_column is None else cells[column.task_column]
        documents = []
        for row in rows:
            text = values[row.number]
            if row.error is not None:
                continue
            if not text:
                facts.nothing(name, text)
                continue
            whole = None
            if column.kind is not None:
                text, whole = whole_cell(text, column.kind)
            document = Document(
                row.number,
                text,
                column.task if asked is None else asked[row.number],
                private_task=asked is not None,
                format=line.policy.format if column.role == "text" else "plain",
                pseudonyms=row.names(name),
                roster=whole or row.roster,
                whole=whole is not None,
                row=self._place(name, row),
            )
            documents.append(document)
        texts: list[str | None] = list(values)
        for batch in _bounded(documents):  # let go of at once: what is known of a text is large
            for outcome in line.run(batch):
                row = rows[outcome.index]
                if isinstance(outcome, Failure):
                    row.reject(name, _reason(outcome.error))
                    continue
                if name != self._drawn[-1]:  # nothing of the row is read any more
                    row.roster.learn(outcome.text, outcome.findings)
                facts.add(name, outcome, line.parts)
                text, known = outcome.result.text, outcome.roster
                texts[row.number] = known.written(text) if isinstance(known, Whole) else text
        return texts

    def _place(self, name: str, row: Row) -> tuple[bytes, ...]:
        """What the noise of a cell depends on, beside its text."""
        if not self.plan.by_row:
            return b"content", self.plan.table.encode(), name.encode()
        return b"row", self.plan.table.encode(), name.encode(), (row.id or "").encode()

    def pseudonym(self, value: str) -> str:
        """The same for one value in all tables under one secret."""
        digest = hmac.new(self._pseudonym, value.encode(), "sha256").digest()
        return b32encode(digest).decode()[:LENGTH].lower()

    def _digest(self, value: str) -> int:
        digest = hmac.new(self._person, value.encode(), "sha256").digest()
        return int.from_bytes(digest[:8], "little", signed=True)

    def _shown(self, value: str | None) -> str:
        """A rejected row's id: as it is only if its column leaves as it is."""
        if value is None or self.plan.id is None:
            return ""
        return value if self.plan.columns[self.plan.id].role == "release" else self.pseudonym(value)

    def _written(
        self, batch: pa.RecordBatch, made: dict[str, list[str | None]], kept: list[int]
    ) -> pa.RecordBatch:
        arrays, fields = [], []
        for name in self.plan.leaving:
            given = batch.schema.field(name)
            if name not in made:
                arrays.append(batch.column(name).take(pa.array(kept, pa.int64())))
                fields.append(pa.field(name, given.type))
                continue
            stays = keeps_type(self.plan.columns[name], given.type)
            kind = given.type if stays else pa.string()
            arrays.append(typed([made[name][number] for number in kept], kind))
            fields.append(pa.field(name, kind))
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))


def _reason(error: PrivstampError) -> str:
    """Ours never hold text; an argument that somebody else put there is left out."""
    return str(error) if isinstance(error, InputError) else type(error).__name__


def _bounded(documents: list[Document]) -> Iterator[list[Document]]:
    from privstamp.release.document import BATCH_CHARACTERS, BATCH_DOCUMENTS

    batch: list[Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.text)
        if size >= BATCH_CHARACTERS or len(batch) >= BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
