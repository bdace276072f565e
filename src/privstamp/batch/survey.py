"""PRIVATE. One pass over the input before the first row: everything that would be refused, at once.

Of ids and contents digests are kept, 40 bytes a row, and only while it runs; of columns whose
frequencies would tell something, 16 bytes a row each.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.batch.cells import read_cells
from privstamp.batch.frequencies import Occurrences, watched
from privstamp.batch.frequencies import faults as frequency_faults
from privstamp.batch.plan import Plan
from privstamp.batch.tables import Damaged, Piece, Source, columns, pieces
from privstamp.errors import UsageError

Watch = Callable[[str, int], None]
_SHIFT: Final = 40


@dataclass(repr=False)
class JobSurvey:
    """What a job will read."""

    rows: dict[str, int] = field(default_factory=dict)  # by source
    characters: int = 0
    damaged: dict[str, str] = field(default_factory=dict)
    doubled: dict[str, list[int]] = field(default_factory=dict)  # ids again, with other content
    sample: list[Piece] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Survey({sum(self.rows.values())} rows)"


def surveyed(found: list[Source], plan: Plan, watch: Watch, *, sample: int = 0) -> JobSurvey:
    """All faults of all files in one error; a damaged file is noted, and others go on."""
    survey = JobSurvey()
    faults: list[str] = []
    for source in found:
        try:
            faults += plan.check(columns(source, plan), source.name)
        except Damaged as error:
            survey.damaged[source.name] = str(error)
    if not faults:
        faults = _Reader(plan, survey, watch, sample).read(found)
    if faults:
        more = f"; and {len(faults) - 20} more" if len(faults) > 20 else ""
        raise UsageError("; ".join(faults[:20]) + more + ". Nothing was released")
    return survey


class _Reader:
    def __init__(self, plan: Plan, survey: JobSurvey, watch: Watch, sample: int) -> None:
        self._plan, self._survey, self._watch = plan, survey, watch
        self._values = {name: bytearray() for name in watched(plan)}
        self._ids, self._contents = bytearray(), bytearray()
        self._places = array("q")  # source and row
        self._sample, self._seen, self._stride = sample, 0, 1  # every so many-th piece

    def read(self, found: list[Source]) -> list[str]:
        for number, source in enumerate(found):
            if source.name in self._survey.damaged:
                continue
            try:
                for piece in pieces(source, self._plan):
                    self._take(piece, number)
                    self._watch(source.name, piece.rows)
            except Damaged as error:
                self._survey.damaged[source.name] = str(error)
                self._survey.rows.pop(source.name, None)  # those before the damage stay as well
            except UsageError as error:
                return [f"{source.name}: {error}"]
        self._double([source.name for source in found])
        return frequency_faults(self._plan, self._occurrences)

    def _take(self, piece: Piece, number: int) -> None:
        survey, plan = self._survey, self._plan
        survey.rows[piece.source.name] = survey.rows.get(piece.source.name, 0) + piece.rows
        cells = read_cells(piece.batch, plan)
        for name in plan.texts:
            survey.characters += sum(len(text or "") for text in cells[name])
        for name, digests in self._values.items():
            digests += b"".join(_digest(value) for value in cells[name] if value)
        if plan.id is not None:
            for place, values in enumerate(zip(*cells.values(), strict=True)):
                if (value := cells[plan.id][place]) is not None:
                    self._ids += _digest(value)
                    self._contents += _digest(*values)
                    self._places.append((number << _SHIFT) + piece.first + piece.good[place])
        if self._sample and self._seen % self._stride == 0:
            survey.sample.append(piece)
        self._seen += 1
        if len(survey.sample) > 2 * self._sample:
            del survey.sample[1::2]
            self._stride *= 2

    def _double(self, names: list[str]) -> None:
        """Rows with the id of an earlier one and other content."""
        ids, contents = _read(self._ids), _read(self._contents)
        order = np.lexsort((ids[:, 1], ids[:, 0]))  # stable: earlier rows first
        same = np.flatnonzero((ids[order[1:]] == ids[order[:-1]]).all(axis=1))
        first: dict[bytes, bytes] = {}
        for place in sorted({*order[same].tolist(), *order[same + 1].tolist()}):
            content = contents[place].tobytes()
            if first.setdefault(ids[place].tobytes(), content) != content:
                source, row = divmod(self._places[place], 1 << _SHIFT)
                self._survey.doubled.setdefault(names[source], []).append(row)

    def _occurrences(self, name: str) -> Occurrences:
        return Occurrences.of(_counts(self._values[name]), sum(self._survey.rows.values()))


def _read(digests: bytearray) -> npt.NDArray[np.uint64]:
    return np.frombuffer(digests, dtype=np.uint64).reshape(-1, 2)


def _counts(digests: bytearray) -> list[int]:
    """How often each distinct one occurs."""
    counts: list[int] = np.unique(_read(digests), axis=0, return_counts=True)[1].tolist()
    return counts


def _digest(*values: str | None) -> bytes:
    digest = blake2b(digest_size=16)
    for value in values:
        raw: Any = b"\0" if value is None else b"\1" + value.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()
