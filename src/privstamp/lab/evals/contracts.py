"""What an evaluation is made of: examples, conditions, cells of a grid, releases and records.

A task gives examples, a condition turns each into a release, a reader does the task on releases
and scores them. An experiment is a list of cells; a record is one example under one cell. Records
hold numbers, labels and ids, never text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from privstamp.policy import Policy

Kind: TypeAlias = Literal["qa", "classification"]
Method: TypeAlias = Literal["original", "nothing", "mask", "fill", "policy"]
Labels: TypeAlias = Mapping[str, str | int | float | bool]
"""Where a cell stands in its experiment: what tables have as columns and figures as axes."""


@dataclass(frozen=True)
class Span:
    """An annotated sensitive span, by characters."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, repr=False)
class Example:
    """One item of a task. Examples of one text share a `cluster`: they are not independent."""

    id: str
    cluster: str
    text: str
    task: str  # the question, or what is asked of every text
    answers: tuple[str, ...] = ()
    label: str = ""
    spans: tuple[Span, ...] | None = None  # None: nobody annotated them
    task_spans: tuple[Span, ...] = ()
    whole: Example | None = None  # the text with every question about it, one to a line

    def __repr__(self) -> str:
        return f"Example({self.id!r})"


class Task(Protocol):
    """Examples with one kind of answer."""

    name: str
    kind: Kind
    labels: tuple[str, ...]  # of a classification
    fingerprint: str  # of the data, and of the rule by which a limit chooses among them

    def examples(self, limit: int | None = None) -> Sequence[Example]:
        """The first `limit` in an order fixed by their ids, whole clusters kept together."""
        ...

    def training(self) -> Sequence[Example]:
        """Examples to train a classifier on; none of them is ever evaluated."""
        ...


@dataclass(frozen=True)
class Condition:
    """What is done to a text before the task is.

    original: nothing. nothing: the reader sees no context. mask: sensitive spans become a bare
    mark. fill: they are dropped, and a model fills the gaps from what stands left of them.
    policy: a Privatizer, which releases a text once for all questions about it, as its owner
    would: every further release of the same text spends its budget again.
    """

    name: str
    method: Method
    policy: Policy | None = None
    spans: Literal["detected", "gold"] = "detected"
    restore: bool = False
    repair: str | None = None  # the model that fills gaps, or its URL
    repair_model: str | None = None  # as the server at that URL calls it

    def data(self) -> dict[str, Any]:
        """Everything that decides what it does; the name does not."""
        policy = None if self.policy is None else self.policy.model_dump(mode="json")
        served = {} if self.repair_model is None else {"repair_model": self.repair_model}
        return {
            "method": self.method, "policy": policy, "spans": self.spans,
            "restore": self.restore, "repair": self.repair, **served,
        }  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One point of a grid: a task under a condition, with one seed, done by one reader."""

    experiment: str
    task: str
    condition: Condition
    seed: int
    reader: str  # "tfidf", "minilm", or a model that answers
    labels: Labels = field(default_factory=dict)

    def key(self, fingerprints: Mapping[str, str]) -> str:
        """Names the cell's records; another policy, task, model or version is another key."""
        data = {
            "task": self.task, "condition": self.condition.data(), "seed": self.seed,
            "reader": self.reader, "fingerprints": dict(sorted(fingerprints.items())),
        }  # fmt: skip
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, repr=False)
class Release:
    """What a reader gets to see of an example, how to read its answer, and what it cost."""

    text: str
    task: str
    restore: Callable[[str], str] | None = None
    privacy: Mapping[str, float] = field(default_factory=dict)  # counts and sums, see privacy.py
    seconds: Mapping[str, float] = field(default_factory=dict)  # by stage

    def __repr__(self) -> str:
        return f"Release({len(self.text)} characters)"


class Reader(Protocol):
    """Does a task on releases."""

    name: str
    fingerprint: str

    def read(
        self, examples: Sequence[Example], releases: Sequence[Release]
    ) -> list[dict[str, float | str]]:
        """Scores per example: em, f1, cosine; or correct, label, predicted."""
        ...


@dataclass(frozen=True)
class Record:
    """One example under one cell, as a line of a results file."""

    cell: str
    example: str
    cluster: str
    scores: Mapping[str, float | str]
    privacy: Mapping[str, float]
    seconds: Mapping[str, float]
