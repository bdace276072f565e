"""A workshop of stand-ins: tasks that are numbers in words, a reader that counts them."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from privstamp.errors import AssetError
from privstamp.lab.evals.contracts import Cell, Condition, Example, Release
from privstamp.policy import Policy
from privstamp.types import Usage

PRIVACY = {
    "gold": 1.0, "units": 10.0, "sensitive": 4.0, "sensitive_kept": 1.0,
    "recovered_uniform": 0.5, "recovered_unigram": 2.0, "floor_uniform": 0.01,
    "floor_unigram": 0.2, "attacked": 4.0, "spans": 2.0, "spans_kept": 0.0, "content": 5.0,
    "content_kept": 4.0, "replaced": 2.0, "unprotected": 1.0, "group_1": 1.0, "group_2": 3.0,
    "group_3": 2.0, "group_4": 4.0, "missed": 0.0, "epsilon_chordal": 30.0, "units_chordal": 6.0,
    "context": 0.5, "contexts": 1.0,
}  # fmt: skip


@dataclass
class TinyTask:
    name: str
    count: int = 40
    kind: str = "classification"
    labels: tuple[str, ...] = ("even", "odd")
    fingerprint: str = "tiny 1"

    def examples(self, limit: int | None = None) -> Sequence[Example]:
        number = self.count if limit is None else min(limit, self.count)
        return [
            Example(f"e{i}", f"c{i // 2}", f"text {i}", "even or odd?", label=self.labels[i % 2])
            for i in range(number)
        ]

    def training(self) -> Sequence[Example]:
        return []


@dataclass
class TinyReader:
    name: str
    fingerprint: str = "reader 1"
    broken: bool = False

    def read(self, examples, releases):
        if self.broken:
            raise ValueError(f"cannot read {releases[0].text}")
        return [
            {"correct": float(len(seen.text) % 2), "label": one.label, "predicted": "odd"}
            for one, seen in zip(examples, releases, strict=True)
        ]


@dataclass
class TinyWorkshop:
    """Counts what it is asked for; `hurt` names readers that break, `pause` slows it down."""

    pause: float = 0.0
    hurt: str = ""
    dies: str = ""
    version: str = "1"
    released: list[tuple[str, str, int]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def task(self, name):
        if name == "absent":
            raise AssetError("the data of absent is not here")
        return TinyTask(name)

    def reader(self, cell):
        self.opened.append(cell.reader)
        return TinyReader(cell.reader, broken=cell.reader == self.hurt)

    def fingerprints(self, cell):
        return {"task": self.task(cell.task).fingerprint, "privstamp": self.version}

    @property
    def versions(self):
        return {"numpy": "2"}

    def releases(self, condition, examples, seed):
        if condition.name == self.dies:
            os._exit(9)
        time.sleep(self.pause)
        self.released += [(condition.name, one.id, seed) for one in examples]
        return [
            Release(one.text + "!" * seed, one.task, privacy=PRIVACY, seconds={"noise": 0.1})
            for one in examples
        ]

    def usage(self):
        """One prompt for each release, elsewhere."""
        asked = len(self.released)
        return {"host": Usage(asked, 0, 10 * asked, 2 * asked)} if asked else {}

    def close(self):
        self.closed = True


def opener(**settings):
    return partial(TinyWorkshop, **settings)


def opened(*_settings):
    """In the place of the real one, whatever its settings; known by name to other processes."""
    return TinyWorkshop()


def condition(name: str = "stamp") -> Condition:
    if name == "original":
        return Condition(name, "original")
    return Condition(name, "policy", Policy.preset(name))


def cells(*names: str, readers: Sequence[str] = ("tiny",), seeds: int = 1, task: str = "numbers"):
    return [
        Cell("toy", task, condition(name), seed, reader, {"preset": name})
        for name in names
        for seed in range(seeds)
        for reader in readers
    ]
