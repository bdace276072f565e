"""Records become rows: one per condition, reader and task, with utility and privacy side by side.

Seeds of one setting are one row. Rows never mix fingerprints: where a folder holds a setting under
several, the one that was run last is shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from privstamp.budget import GROUPS
from privstamp.lab.estimate import Estimate, difference, mean, pooled, ratio
from privstamp.lab.evals.answers import macro_f1
from privstamp.lab.evals.contracts import Labels, Record
from privstamp.lab.evals.records import Line, Results

SCORES: Final = ("f1", "correct", "em", "cosine")
"""The first that there is decides; the others stand beside it."""
NAMES: Final = {"correct": "accuracy", "f1": "F1", "em": "EM", "macro_f1": "macro-F1"}
"""Scores as they are headed; others by their own names."""
SHARES: Final = {
    "kept": ("sensitive_kept", "sensitive"),
    "recovered_uniform": ("recovered_uniform", "sensitive"),
    "recovered_unigram": ("recovered_unigram", "sensitive"),
    "floor_uniform": ("floor_uniform", "sensitive"),
    "floor_unigram": ("floor_unigram", "sensitive"),
    "spans_kept": ("spans_kept", "spans"),
    "content_kept": ("content_kept", "content"),
    "missed": ("missed", "looked_for"),
    "replaced": ("replaced", "units"),
    "unprotected": ("unprotected", "units"),
    "context": ("context", "contexts"),
    "windows_repaired": ("windows_repaired", "windows"),
    "windows_refused": ("windows_refused", "windows"),
}
"""Shares, each a sum over a sum."""
_SAME: Final = ("task", "reader")
"""Fingerprints that two rows must share to be compared."""


@dataclass(repr=False)
class SettingRow:
    """One setting: its cells over all seeds, and their records."""

    experiment: str
    task: str
    reader: str
    condition: str
    method: str
    labels: Labels
    fingerprints: Mapping[str, str]
    seeds: list[int]
    records: list[Record]
    original: SettingRow | None = field(default=None)

    @property
    def score(self) -> str:
        """The score that counts: f1 of answers, correct labels."""
        known = self.records[0].scores
        return next((name for name in SCORES if name in known), "")

    @property
    def examples(self) -> int:
        return len({record.example for record in self.records})

    @property
    def number(self) -> str:
        """Examples times seeds; where some examples have fewer seeds, all that was measured."""
        complete = len(self.records) == self.examples * len(self.seeds)
        return (
            f"{self.examples} × {len(self.seeds)}"
            if complete
            else f"{self.examples} ({len(self.records)} in all)"
        )

    @cached_property
    def weights(self) -> list[float]:
        """Of records: an example counts once, however many seeds it has."""
        seeds = Counter(record.example for record in self.records)
        return [1.0 / seeds[record.example] for record in self.records]

    @cached_property
    def value(self) -> Estimate:
        return mean(self.values())

    @cached_property
    def others(self) -> dict[str, Estimate | float]:
        """Scores besides the one that counts."""
        known = self.records[0].scores
        names = [name for name in SCORES if name in known and name != self.score]
        estimates: dict[str, Estimate | float] = {name: mean(self.values(name)) for name in names}
        if "predicted" in known:
            estimates["macro_f1"] = macro_f1(*self._labels(), self.weights)
        return estimates

    @cached_property
    def of_original(self) -> Estimate | None:
        """The part of the original's score that is left, example by example."""
        return None if self.original is None else ratio(self.values(), self.original.values())

    @cached_property
    def less_original(self) -> Estimate | None:
        """Points won or lost against the original, example by example."""
        return None if self.original is None else difference(self.values(), self.original.values())

    @cached_property
    def shares(self) -> dict[str, Estimate]:
        """Privacy as shares, those of which there is something to count."""
        return {
            name: self._pooled(part, total)
            for name, (part, total) in SHARES.items()
            if any(record.privacy.get(total) for record in self.records)
        }

    @property
    def epsilons(self) -> dict[str, float]:
        """Mean epsilon of the units that have a finite one, by metric."""
        epsilons = {}
        for name in self.records[0].privacy:
            metric = name.removeprefix("units_")
            if metric != name and (units := self.total(name)):
                epsilons[metric] = self.total(f"epsilon_{metric}") / units
        return epsilons

    @property
    def groups(self) -> list[float]:
        """Units of each group in a text, on average; none where nothing was grouped."""
        if "group_1" not in self.records[0].privacy:
            return []
        return [self.total(f"group_{group}") / self.examples for group in GROUPS]

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds per unit, by stage."""
        units = self.total("units")
        stages = dict.fromkeys(name for record in self.records for name in record.seconds)
        spent = {
            name: sum(
                weight * record.seconds.get(name, 0.0)
                for record, weight in zip(self.records, self.weights, strict=True)
            )
            for name in stages
        }
        return {name: total / units for name, total in spent.items()} if units else {}

    def total(self, name: str) -> float:
        """Of all examples, seeds averaged."""
        pairs = zip(self.records, self.weights, strict=True)
        return float(sum(weight * record.privacy.get(name, 0.0) for record, weight in pairs))

    def values(self, name: str = "") -> list[tuple[str, str, float]]:
        name = name or self.score
        return [
            (record.example, record.cluster, float(record.scores[name])) for record in self.records
        ]

    def _pooled(self, part: str, total: str) -> Estimate:
        return pooled(
            (
                record.example,
                record.cluster,
                record.privacy.get(part, 0.0),
                record.privacy.get(total, 0.0),
            )
            for record in self.records
        )

    def _labels(self) -> tuple[list[str], list[str]]:
        return (
            [str(record.scores["label"]) for record in self.records],
            [str(record.scores["predicted"]) for record in self.records],
        )


def rows_of(results: Results) -> tuple[list[SettingRow], int]:
    """All rows in the order in which they were first run, and how many older ones are left out."""
    shown = [
        number for number, cell in enumerate(results.cells) if results.records.get(cell["key"])
    ]
    last: dict[str, int] = {}  # of each row the cell that was run last
    for number in sorted(shown, key=results.turns.__getitem__):
        last[_called(results.cells[number])] = number
    wanted = {name: _lasting(results.cells[number]) for name, number in last.items()}
    rows: dict[str, SettingRow] = {}
    older = set()
    for cell in (results.cells[number] for number in shown):
        name, lasting = _called(cell), _lasting(cell)
        if lasting != wanted[name]:
            older.add((name, json.dumps(lasting, sort_keys=True)))
            continue
        row = rows.setdefault(name, _row(cell))
        if cell["seed"] not in row.seeds:
            row.seeds.append(cell["seed"])
            row.records += results.records[cell["key"]].values()
    for row in rows.values():
        row.original = _original(row, rows.values())
    return list(rows.values()), len(older)


def _row(cell: Line) -> SettingRow:
    return SettingRow(
        cell["experiment"], cell["task"], cell["reader"], cell["condition"], cell["method"],
        cell["labels"], _lasting(cell), [], [],
    )  # fmt: skip


def _called(cell: Line) -> str:
    names = ("experiment", "task", "reader", "condition", "labels")
    return json.dumps([cell[name] for name in names], sort_keys=True)


def _lasting(cell: Line) -> dict[str, str]:
    """What must be the same in all cells of a row: fingerprints, and what its condition does."""
    done = {name: cell[name] for name in ("method", "policy", "spans", "restore", "repair")}
    return {**cell["fingerprints"], "condition": json.dumps(done, sort_keys=True)}


def _original(row: SettingRow, rows: Iterable[SettingRow]) -> SettingRow | None:
    """The same task done by the same reader on untouched text, in any experiment."""
    if row.method == "original":
        return None
    fits = (
        candidate
        for candidate in rows
        if candidate.method == "original"
        and (candidate.task, candidate.reader) == (row.task, row.reader)
        and all(candidate.fingerprints.get(name) == row.fingerprints.get(name) for name in _SAME)
    )
    return max(fits, key=lambda fit: len(fit.records), default=None)


def by(rows: Iterable[SettingRow], name: str) -> dict[str, list[SettingRow]]:
    """Rows by a field or a label, in order of first appearance."""
    groups: dict[str, list[SettingRow]] = {}
    for row in rows:
        value: Any = row.labels[name] if name in row.labels else getattr(row, name, "")
        groups.setdefault(str(value), []).append(row)
    return groups
