"""A results folder: a journal of cells, records and failures that a run adds to.

It holds numbers, labels, ids and policies, no text of an example. A policy may hold words of its
owner: the file is for him alone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, Final, TypeAlias

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Cell, Record
from privstamp.lab.journal import Journal

FILE: Final = "results.sqlite"
FILES: Final = "results*.sqlite"
"""All of these are read: results from elsewhere may be put beside one's own."""
BEGUN: Final = "begun"
ENDED: Final = "ended"
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
    results, turns, base = Results(), _Turns(), 0
    places: dict[str, int] = {}
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
                    turns.named[_name(entry.value)].add(entry.value["key"])
                for entry in journal.entries("record"):
                    record = _record(entry.value)
                    results.records.setdefault(record.cell, {})[record.example] = record
                    turns.measured[record.cell] = base + entry.turn
                for entry in journal.entries("failed"):
                    turns.failed[_name(entry.value)] = base + entry.turn, str(entry.value["error"])
                results.stopped += (journal.get("run", "last") or {}).get("state") == BEGUN
                base += journal.turn
    results.failures = turns.unmended()
    return results


@dataclass
class _Turns:
    """When cells were last measured, and when they failed."""

    named: defaultdict[Name, set[str]] = field(default_factory=lambda: defaultdict(set))
    measured: dict[str, int] = field(default_factory=dict)
    failed: dict[Name, tuple[int, str]] = field(default_factory=dict)

    def unmended(self) -> dict[Name, str]:
        """Failures after which nothing was measured of the cells of that name."""
        return {
            name: error
            for name, (turn, error) in self.failed.items()
            if all(self.measured.get(key, 0) < turn for key in self.named[name])
        }


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
    """Lines as a journal takes them."""
    return [(line["kind"], _key(line), line) for line in lines]


def _key(line: Line) -> str:
    """Names what an entry replaces when it is written again."""
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


def _record(line: Line) -> Record:
    scores = {intern(key): _number(value) for key, value in line["scores"].items()}
    privacy, seconds = (  # there may be hundreds of thousands: they share the names of their keys
        {intern(key): float(value) for key, value in line[part].items()}
        for part in ("privacy", "seconds")
    )
    return Record(line["cell"], line["example"], line["cluster"], scores, privacy, seconds)


def _number(value: Any) -> float | str:
    return float(value) if isinstance(value, int | float) else str(value)
