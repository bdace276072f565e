"""What an evaluation is made of: examples, conditions, cells of a grid, releases and records.

A task gives examples, a condition turns each into a release, a reader does the task on releases
and scores them. An experiment is a list of cells; a record is one example under one cell. Records
hold numbers, labels and ids, never text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from itertools import groupby
from typing import Any, Final, Literal, Protocol, TypeAlias

from privstamp.errors import InputError
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


RULE: Final = "clusters by SHA-256 of their name, examples inside by SHA-256 of their id"
"""Part of every fingerprint: a limit takes the first ones in this order."""


class Task:
    """Examples with one kind of answer, in an order that their ids fix; and how to get at others to
    train a classifier on, which are read only when asked for. `labels` are a classification's; the
    fingerprint is that of the data, and of the rule by which a limit chooses among them."""

    def __init__(
        self,
        name: str,
        kind: Kind,
        examples: Iterable[Example],
        *,
        labels: Sequence[str] = (),
        training: Callable[[], Sequence[Example]] = tuple,
    ) -> None:
        listed = sorted(examples, key=_place)
        self._examples = tuple(_with_wholes(listed) if kind == "qa" else listed)
        if not self._examples:
            raise InputError(f"{name}: there is not one example")
        if len({example.id for example in self._examples}) < len(self._examples):
            raise InputError(f"{name}: an id stands for two examples; ids must differ")
        self.name = name
        self.kind: Kind = kind
        self.labels = tuple(labels)
        self.fingerprint = fingerprint(self._examples, RULE, kind, *self.labels)
        self._training = training
        self._taught: tuple[Example, ...] | None = None

    def __repr__(self) -> str:
        return f"Task({self.name!r}, {len(self._examples)} examples)"

    def examples(self, limit: int | None = None) -> tuple[Example, ...]:
        """The first `limit`; those of one cluster stand together, only the last can be cut."""
        return self._examples[:limit]

    def training(self) -> tuple[Example, ...]:
        """What a classifier may see; a text that is also evaluated is left out."""
        if self._taught is None:
            asked = {example.text for example in self._examples}
            self._taught = tuple(
                example for example in self._training() if example.text not in asked
            )
        return self._taught


def fingerprint(examples: Iterable[Example], *rules: str) -> str:
    """SHA-256 over everything in the examples, in their order, and the rules they stand under."""
    digest = hashlib.sha256(json.dumps(rules).encode())
    for example in examples:
        spans = None if example.spans is None else [*map(astuple, example.spans)]
        row = [example.id, example.cluster, example.text, example.task, example.answers,
               example.label, spans, [*map(astuple, example.task_spans)]]  # fmt: skip
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def _with_wholes(examples: Iterable[Example]) -> Iterator[Example]:
    """Every example with its text's whole; where one question has two lines, with none."""
    for _, group in groupby(examples, lambda example: (example.cluster, example.text)):
        asked = list(group)
        if any("\n" in example.task for example in asked):
            yield from asked
            continue
        joined = _whole(asked)
        yield from (replace(example, whole=joined) for example in asked)


def _whole(asked: Sequence[Example]) -> Example:
    first, spans, start = asked[0], [], 0
    for example in asked:
        spans += [Span(s.start + start, s.end + start, s.kind) for s in example.task_spans]
        start += len(example.task) + 1
    task = "\n".join(question.task for question in asked)
    marked = [question.spans for question in asked if question.spans is not None]
    text_spans = (
        tuple(dict.fromkeys(span for spans in marked for span in spans)) if marked else None
    )
    return Example(
        first.cluster, first.cluster, first.text, task, spans=text_spans, task_spans=(*spans,)
    )


def first_hashed(rows: int, limit: int) -> list[int]:
    """`limit` of so many rows, spread over all of them, the same ones every time."""
    if rows <= limit:
        return list(range(rows))
    return sorted(sorted(range(rows), key=lambda row: _hash(str(row)))[:limit])


def in_share(cluster: str, share: float) -> bool:
    """Whether a cluster is of a share of all; its name alone decides."""
    return int.from_bytes(_hash(f"share {cluster}")[:8]) < share * 2**64


def _place(example: Example) -> tuple[bytes, bytes]:
    return _hash(example.cluster), _hash(example.id)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
