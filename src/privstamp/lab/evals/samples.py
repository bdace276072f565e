"""Invented texts of ten kinds, marked with what must go and with what a reader needs to stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.fantasy import PassageQuestion, faults_of, questions, read_lines

KINDS: Final = (
    *("clinical", "ticket", "legal", "mail", "chat"),
    *("record", "code", "log", "news", "letter"),
)
"""Kinds of text."""
FORMATS: Final = frozenset(
    {"plain", "mail", "chat", "json", "jsonl", "csv", "xml", "markdown"}
    | {"python", "javascript", "sql", "log", "trace"}
)
GO: Final = frozenset(
    {"PERSON", "LOCATION", "ORGANIZATION", "EMAIL_ADDRESS", "URL", "PHONE_NUMBER", "IP_ADDRESS"}
    | {"CREDIT_CARD", "IBAN_CODE", "ADDRESS", "DATE", "AGE", "ID", "CREDENTIAL", "USERNAME"}
)
"""Kinds of what must go; a date is an exact one, an age is over 89."""
INDIRECT: Final = frozenset({"ORGANIZATION", "DATE"})
"""Marked, but no direct identifiers: measured by kind, not summed."""
NUMBERS: Final = frozenset(
    {"dose", "vital", "measure", "count", "section", "version", "money", "percent", "time"}
    | {"year", "ordinal", "age"}
)
"""Roles of numbers that stay."""
STAY: Final = NUMBERS | {
    *("clinical", "code", "key", "header", "negation", "quoted", "product", "term")
}
SPLITS: Final = ("dev", "held")
"""Tune on `dev` alone; `held` tells whether it helped."""
WORDS: Final = (30, 200)


@dataclass(frozen=True, repr=False)
class Sample:
    """One text, what is asked of it, and its marks in reading order; what is unmarked is either."""

    id: str
    kind: str
    format: str
    split: str
    task: str
    text: str
    go: tuple[Span, ...]
    stay: tuple[Span, ...]
    facts: tuple[PassageQuestion, ...]

    def __repr__(self) -> str:
        return f"Sample({self.id!r})"


def check(sample: Sample) -> list[str]:
    """What is wrong with a sample, by position and not by quoting; empty when nothing is."""
    wrong = [
        f"{name} is unknown"
        for name, value, known in (
            ("kind", sample.kind, KINDS),
            ("format", sample.format, FORMATS),
            ("split", sample.split, SPLITS),
        )
        if value not in known
    ]
    low, high = WORDS
    if not low <= (length := len(sample.text.split())) <= high:
        wrong.append(f"text has {length} words; {low} to {high} are asked for")
    if not sample.task:
        wrong.append("task is empty")
    for name, spans, known in (("go", sample.go, GO), ("stay", sample.stay, STAY)):
        if not spans:
            wrong.append(f"nothing is marked {name}")
        for place, span in enumerate(spans, start=1):
            if span.kind not in known:
                wrong.append(f"{name} {place}: unknown kind")
            if not sample.text[span.start : span.end].strip():
                wrong.append(f"{name} {place}: marks nothing")
    marks = sorted((*sample.go, *sample.stay), key=lambda span: span.start)
    if any(left.end > right.start for left, right in pairwise(marks)):
        wrong.append("two marks overlap")
    for place, fact in enumerate(sample.facts, start=1):
        if not fact.answers or not all(answer in sample.text for answer in fact.answers):
            wrong.append(f"fact {place}: an answer does not occur in the text")
    return wrong


def check_all(samples: Iterable[Sample]) -> list[str]:
    """What is wrong with a set: the faults of each sample, and ids used twice."""
    return faults_of((sample.id, check(sample)) for sample in samples)


def parse(lines: Iterable[str]) -> tuple[Sample, ...]:
    """Samples from JSON lines; a mark that does not say what stands at its place is refused."""
    return read_lines(lines, _sample, "line {} is not a sample", "docs/lab/samples.md")


@cache
def load(split: str | None = None) -> tuple[Sample, ...]:
    """The set shipped with privstamp, or its half `dev` or `held`."""
    if split not in (None, *SPLITS):
        raise InputError(f"no split of that name. Known: {', '.join(SPLITS)}")
    lines = (files(__package__) / "data" / "samples.jsonl").read_text("utf-8").splitlines()
    return tuple(sample for sample in parse(lines) if split in (None, sample.split))


def _sample(row: dict[str, Any]) -> Sample:
    text = str(row["text"])
    return Sample(
        **{name: str(row[name]) for name in ("id", "kind", "format", "split", "task")},
        text=text,
        go=_spans(row["go"], text),
        stay=_spans(row["stay"], text),
        facts=questions(row["facts"]),
    )


def _spans(marks: list[Any], text: str) -> tuple[Span, ...]:
    spans = []
    for start, end, kind, written in marks:
        if text[start:end] != written:
            raise ValueError("a mark does not match the text")
        spans.append(Span(start, end, str(kind)))
    return tuple(spans)
