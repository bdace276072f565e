"""A results folder: a journal of cells, records and failures that a run adds to; and rows of it.

The journal holds numbers, labels, ids and policies, no text of an example. A policy may hold words
of its owner: the file is for him alone. A row is one condition, reader and task, with utility and
privacy side by side; seeds of one setting are one row. Rows never mix fingerprints: where a folder
holds a setting under several, the one that was run last is shown.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from sys import intern
from typing import Any, Final, TypeAlias

from privstamp.budget import GROUPS
from privstamp.errors import InputError
from privstamp.lab.estimate import Estimate, difference, mean, pooled, ratio
from privstamp.lab.evals.answers import macro_f1
from privstamp.lab.evals.contracts import Cell, Labels, Record
from privstamp.lab.journal import Journal

FILE: Final = "results.sqlite"
FILES: Final = "results*.sqlite"
"""All of these are read: results from elsewhere may be put beside one's own."""
Line: TypeAlias = dict[str, Any]
Name: TypeAlias = tuple[str | int, ...]
_NAMED: Final = ("experiment", "task", "condition", "seed", "reader")


@dataclass
class Results:
    """What folders hold, put in order."""

    cells: list[Line] = field(default_factory=list)  # no two alike, in the order of first runs
    turns: list[int] = field(default_factory=list)  # of each cell: higher where it was run later
    records: dict[str, dict[str, Record]] = field(default_factory=dict)  # by key and example
    failures: dict[Name, str] = field(default_factory=dict)  # that no later record mended
    stopped: int = 0  # runs that were begun last in their file, and not ended


def read(*folders: Path) -> Results:
    """Everything in these folders, also while a run is writing there."""
    results, base = Results(), 0
    places: dict[str, int] = {}
    keys: defaultdict[Name, set[str]] = defaultdict(set)
    measured: dict[str, int] = {}  # when cells were last measured, and when they failed
    failed: dict[Name, tuple[int, str]] = {}
    for folder in folders:
        files = sorted(folder.glob(FILES))
        if not files:
            raise InputError(f"there are no results in {folder}. Try: privstamp evals run")
        for file in files:
            with Journal.reading(file) as journal:
                for entry in journal.entries("cell"):
                    place = places.setdefault(entry.key, len(results.cells))
                    if place == len(results.cells):
                        results.cells.append(entry.value)
                        results.turns.append(0)
                    results.turns[place] = base + entry.turn
                    keys[_name(entry.value)].add(entry.value["key"])
                for entry in journal.entries("record"):
                    record = _record(entry.value)
                    results.records.setdefault(record.cell, {})[record.example] = record
                    measured[record.cell] = base + entry.turn
                for entry in journal.entries("failed"):
                    failed[_name(entry.value)] = base + entry.turn, str(entry.value["error"])
                results.stopped += (journal.get("run", "last") or {}).get("state") == "begun"
                base += journal.turn
    results.failures = {
        name: error
        for name, (turn, error) in failed.items()
        if all(measured.get(key, 0) < turn for key in keys[name])
    }
    return results


def finished(folder: Path) -> dict[str, set[str]]:
    """Ids of the examples that are done, by key of their cell."""
    done: dict[str, set[str]] = {}
    for file in sorted(folder.glob(FILES)):
        with Journal.reading(file) as journal:
            for key in journal.keys("record"):
                cell, _, example = key.partition(" ")
                done.setdefault(cell, set()).add(example)
    return done


def entries(lines: Iterable[Line]) -> list[tuple[str, str, Line]]:
    """Lines as a journal takes them: a kind, and a key that names what they replace."""
    return [(line["kind"], _key(line), line) for line in lines]


def _key(line: Line) -> str:
    match line["kind"]:
        case "record":
            return f"{line['cell']} {line['example']}"
        case "failed":
            return json.dumps(_name(line))
        case "run":
            return "last"
    return json.dumps(line, sort_keys=True)  # a cell: another one if anything differs


def record_line(record: Record) -> Line:
    """An example under a cell, as it is written: with six digits."""
    return {
        "kind": "record", "cell": record.cell, "example": record.example,
        "cluster": record.cluster, "scores": _rounded(record.scores),
        "privacy": _rounded(record.privacy), "seconds": _rounded(record.seconds),
    }  # fmt: skip


def _rounded(values: Mapping[str, float | str]) -> Line:
    return {
        key: value if isinstance(value, str) else float(f"{value:.6g}")
        for key, value in values.items()
    }


def _record(line: Line) -> Record:
    """There may be hundreds of thousands: they share the names of their keys."""
    scores, privacy, seconds = (
        {intern(key): value for key, value in line[part].items()}
        for part in ("scores", "privacy", "seconds")
    )
    return Record(line["cell"], line["example"], line["cluster"], scores, privacy, seconds)


def cell_line(
    cell: Cell, key: str, fingerprints: Mapping[str, str], versions: Mapping[str, str]
) -> Line:
    """A cell with everything that is needed to run it again; its policy as a policy file."""
    policy = cell.condition.policy
    return {
        "kind": "cell", "key": key, **_called(cell), "labels": dict(cell.labels),
        **cell.condition.data(), "policy": None if policy is None else policy.to_toml(),
        "fingerprints": dict(fingerprints), "versions": dict(versions),
    }  # fmt: skip


def run_line(state: str, cells: int) -> Line:
    """That a run of so many cells has begun, or ended. One that was killed has no end."""
    return {"kind": "run", "state": state, "cells": cells}


def failed_line(cell: Cell, error: str) -> Line:
    """A cell that could not be run; the next run tries it again."""
    return {"kind": "failed", **_called(cell), "error": error}


def _called(cell: Cell) -> Line:
    values = (cell.experiment, cell.task, cell.condition.name, cell.seed, cell.reader)
    return dict(zip(_NAMED, values, strict=True))


def _name(line: Line) -> Name:
    return tuple(line[key] for key in _NAMED)


SCORES: Final = ("f1", "correct", "em", "cosine")
"""The first that there is decides; the others stand beside it."""
NAMES: Final = {"correct": "accuracy", "f1": "F1", "em": "EM", "macro_f1": "macro-F1"}
"""Scores as they are headed; others by their own names."""
_OF: Final = {
    "kept": ("sensitive_kept", "sensitive"),
    **{
        name: (name, "sensitive")
        for name in ("recovered_uniform", "recovered_unigram", "floor_uniform", "floor_unigram")
    },
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
    original: SettingRow | None = None

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
        if len(self.records) == self.examples * len(self.seeds):
            return f"{self.examples} × {len(self.seeds)}"
        return f"{self.examples} ({len(self.records)} in all)"

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
            labels, predicted = (
                [str(record.scores[name]) for record in self.records]
                for name in ("label", "predicted")
            )
            estimates["macro_f1"] = macro_f1(labels, predicted, self.weights)
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
            name: pooled(self.counted(name))
            for name, (_, total) in _OF.items()
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
        return {name: self.total(name, "seconds") / units for name in stages} if units else {}

    def total(self, name: str, part: str = "privacy") -> float:
        """Of all examples, seeds averaged."""
        values = (getattr(record, part).get(name, 0.0) for record in self.records)
        pairs = zip(self.weights, values, strict=True)
        return float(sum(weight * value for weight, value in pairs))

    def values(self, name: str = "") -> list[tuple[str, str, float]]:
        name = name or self.score
        return [
            (record.example, record.cluster, float(record.scores[name])) for record in self.records
        ]

    def counted(self, share: str) -> list[tuple[str, str, float, float]]:
        """What a share is the ratio of, record by record: a part, and what it is of."""
        part, total = _OF[share]
        return [
            (record.example, record.cluster, record.privacy.get(part, 0.0),
             record.privacy.get(total, 0.0))
            for record in self.records
        ]  # fmt: skip


def rows_of(results: Results) -> tuple[list[SettingRow], int]:
    """All rows in the order in which they were first run, and how many older ones are left out."""
    shown = [
        number for number, cell in enumerate(results.cells) if results.records.get(cell["key"])
    ]
    last: dict[str, int] = {}  # of each row the cell that was run last
    for number in sorted(shown, key=results.turns.__getitem__):
        last[_row_name(results.cells[number])] = number
    wanted = {name: _lasting(results.cells[number]) for name, number in last.items()}
    rows: dict[str, SettingRow] = {}
    older = set()
    for cell in (results.cells[number] for number in shown):
        name, lasting = _row_name(cell), _lasting(cell)
        if lasting != wanted[name]:
            older.add((name, json.dumps(lasting, sort_keys=True)))
            continue
        if name not in rows:
            rows[name] = SettingRow(
                cell["experiment"], cell["task"], cell["reader"], cell["condition"], cell["method"],
                cell["labels"], lasting, [], [],
            )  # fmt: skip
        row = rows[name]
        if cell["seed"] not in row.seeds:
            row.seeds.append(cell["seed"])
            row.records += results.records[cell["key"]].values()
    for row in rows.values():
        row.original = _original(row, rows.values())
    return list(rows.values()), len(older)


def _row_name(cell: Line) -> str:
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

    def known(which: SettingRow) -> list[str | None]:
        return [which.task, which.reader, *map(which.fingerprints.get, ("task", "reader"))]

    fits = [fit for fit in rows if fit.method == "original" and known(fit) == known(row)]
    return max(fits, key=lambda fit: len(fit.records), default=None)


def by(rows: Iterable[SettingRow], name: str) -> dict[str, list[SettingRow]]:
    """Rows by a field or a label, in order of first appearance."""
    groups: dict[str, list[SettingRow]] = {}
    for row in rows:
        value: Any = row.labels[name] if name in row.labels else getattr(row, name, "")
        groups.setdefault(str(value), []).append(row)
    return groups
