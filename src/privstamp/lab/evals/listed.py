"""A task whose examples are all at hand, in an order that their ids fix."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Example, Kind, Span

RULE: Final = "clusters by SHA-256 of their name, examples inside by SHA-256 of their id"
"""Part of every fingerprint: a limit takes the first ones in this order."""


class ListedTask:
    """Examples, and how to get at others to train on; these are read only when asked for."""

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
        return f"ListedTask({self.name!r}, {len(self._examples)} examples)"

    def examples(self, limit: int | None = None) -> tuple[Example, ...]:
        """The first `limit`; those of one cluster stand together, only the last can be cut."""
        return self._examples[:limit]

    def training(self) -> tuple[Example, ...]:
        """What a classifier may see; a text that is also evaluated is left out."""
        if self._taught is None:
            asked = {example.text for example in self._examples}
            self._taught = tuple(one for one in self._training() if one.text not in asked)
        return self._taught


def fingerprint(examples: Iterable[Example], *rules: str) -> str:
    """SHA-256 over everything in the examples, in their order, and the rules they stand under."""
    whole = hashlib.sha256(json.dumps(rules).encode())
    for one in examples:
        spans = None if one.spans is None else [(s.start, s.end, s.kind) for s in one.spans]
        asked = [(s.start, s.end, s.kind) for s in one.task_spans]
        row = [one.id, one.cluster, one.text, one.task, one.answers, one.label, spans, asked]
        whole.update(json.dumps(row).encode())
    return whole.hexdigest()


def _with_wholes(examples: Iterable[Example]) -> Iterator[Example]:
    """Every example with its text's whole; where one question has two lines, with none."""
    for _, group in groupby(examples, lambda one: (one.cluster, one.text)):
        asked = list(group)
        if any("\n" in one.task for one in asked):
            yield from asked
            continue
        whole = _whole(asked)
        yield from (replace(one, whole=whole) for one in asked)


def _whole(asked: Sequence[Example]) -> Example:
    first, spans, start = asked[0], [], 0
    for one in asked:
        spans += [Span(s.start + start, s.end + start, s.kind) for s in one.task_spans]
        start += len(one.task) + 1
    task = "\n".join(one.task for one in asked)
    marked = [one.spans for one in asked if one.spans is not None]
    text_spans = tuple(dict.fromkeys(span for one in marked for span in one)) if marked else None
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
