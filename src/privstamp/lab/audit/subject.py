"""What is audited: a policy at work on a sample of texts, those that come with privstamp or the
user's own. Private: it holds the texts.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from privstamp.errors import InputError
from privstamp.models.endpoint import Endpoint
from privstamp.noise import Randomness
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Across, Sensitivity, Space
from privstamp.release.document import Written
from privstamp.release.parts import Parts
from privstamp.result import Failure, Result, Trace
from privstamp.types import UNKNOWN, Epsilons, Finding, Units


@dataclass(frozen=True, repr=False)
class SampleText:
    """A text of the sample; `marked` is what is truly sensitive in it, where somebody says so."""

    text: str
    task: str | None = None
    label: str | None = None
    marked: tuple[Finding, ...] | None = None


@dataclass(frozen=True, order=True)
class Cell:
    """Units that share group, class and epsilon meet the same mechanism."""

    group: int
    number: int  # of the class
    epsilon: float

    @classmethod
    def of(cls, trace: Trace | Written, unit: int, space: Space) -> Cell:
        """That of a unit of a released text, a word of the space."""
        number = space.class_of[trace.units.rows[unit]]
        return cls(int(trace.grouping.groups[unit]), int(number), float(trace.epsilon[unit]))


class Subject:
    """Releases of the sample, made again at will; under a seed always the same ones.

    `recall` is the detector's as its user states it, for samples without marks. `endpoint` is a
    model elsewhere, to which releases may be sent.
    """

    def __init__(
        self,
        policy: Policy,
        texts: Sequence[SampleText],
        *,
        seed: int,
        recall: float | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        if not texts:
            raise InputError("an audit needs at least one text")
        self.policy = policy
        self.texts = tuple(texts)
        self.seed = seed
        self.recall = recall
        self.endpoint = endpoint
        self.privatizer = Privatizer(policy.unrepaired, seed=seed)
        self.releases = lru_cache(maxsize=None)(self._releases)

    def __repr__(self) -> str:
        return f"Subject({len(self.texts)} texts)"

    @property
    def parts(self) -> Parts:
        return self.privatizer.parts

    def key(self, purpose: str) -> bytes:
        """Noise for one purpose of this audit; no release of anybody's reads it."""
        return Randomness.make(seed=self.seed).key(b"audit", purpose.encode())

    def _releases(self, number: int) -> list[Result]:
        """The `number`-th release of every text, each with noise of its own; made once."""
        privatizer = self.privatizer.with_noise(secret=self.key(f"release {number}"))
        texts, tasks = [text.text for text in self.texts], [text.task for text in self.texts]
        return list(map(released, privatizer.privatize_many(texts, tasks, trace=True)))

    @cached_property
    def first(self) -> list[Result]:
        return self.releases(0)

    @cached_property
    def cells(self) -> Counter[Cell]:
        """How many units of the sample each cell has."""
        cells: Counter[Cell] = Counter()
        for result in self.first:
            trace = traced(result)
            for index in np.flatnonzero(perturbed(trace)).tolist():
                cells[Cell.of(trace, index, self.parts.space)] += 1
        return cells


def released(outcome: Result | Failure) -> Result:
    """What was released, or the error that it was not for."""
    if isinstance(outcome, Failure):
        raise outcome.error
    return outcome


def traced(result: Result) -> Trace:
    if result.trace is None:
        raise ValueError("an audit needs traces")
    return result.trace


def perturbed(trace: Trace) -> npt.NDArray[np.bool_]:
    """Units that met a mechanism."""
    known = trace.units.rows != UNKNOWN
    met: npt.NDArray[np.bool_] = (trace.epsilon > 0) & np.isfinite(trace.epsilon) & known
    return met


def promised(trace: Trace, policy: Policy) -> Epsilons:
    """What the policy says for each unit's group, whatever the line made of it."""
    groups = trace.grouping.groups.tolist()
    epsilon = np.array([policy.budget.epsilon[group - 1] for group in groups], dtype=np.float64)
    epsilon[(trace.units.rows == UNKNOWN) | trace.grouping.by_rule] = 0.0
    return epsilon


MOST: Final = 30_000
"""Characters of a sample, all texts together."""
_TEXTS: Final = 60
_MARK = re.compile(r"\[\[([^|\]]+)\|([A-Z_]+)\]\]")


def bundled() -> list[SampleText]:
    """Invented texts of four kinds, with what is sensitive in them marked."""
    source = files("privstamp.lab.audit").joinpath("sample.txt").read_text(encoding="utf-8")
    texts = []
    for entry in source.split("\n= "):
        head, _, body = entry.removeprefix("= ").partition("\n")
        label, _, task = head.partition(" | ")
        texts.append(_marked(body.strip(), task, label))
    return texts


def read(source: str, name: str, task: str | None) -> list[SampleText]:
    """The user's own texts: one file is one text; a .jsonl file has one in each line."""
    if not name.endswith(".jsonl"):
        return [SampleText(source, task)] if source.strip() else []
    texts = []
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip():
            texts.append(_entry(line, number, task))
    return texts


def bounded(texts: list[SampleText]) -> list[SampleText]:
    """A sample of a size that can be released dozens of times: fewer texts, evenly, and cut."""
    if sum(len(text.text) for text in texts) <= MOST:
        return texts
    taken = texts[:: -(-len(texts) // _TEXTS)]
    return [_cut(text, MOST // len(taken)) for text in taken]


def _cut(text: SampleText, most: int) -> SampleText:
    """The beginning of a text, up to a blank."""
    if len(text.text) <= most:
        return text
    end = max(text.text.rfind(" ", 0, most), text.text.rfind("\n", 0, most))
    end = end if end > 0 else most
    marked = text.marked and tuple(span for span in text.marked if span.end <= end)
    return replace(text, text=text.text[:end], marked=marked)


class _Entry(BaseModel):
    """A line of a .jsonl file; what else it holds does not matter."""

    model_config = ConfigDict(strict=True)
    text: str
    task: str | None = None
    label: str | None = None
    spans: list[tuple[int, int, str]] | None = None


def _entry(line: str, number: int, task: str | None) -> SampleText:
    try:
        row = _Entry.model_validate_json(line)
        spans = row.spans or ()
        if all(0 <= start < end <= len(row.text) for start, end, _ in spans):
            marked = None if row.spans is None else tuple(_span(*span) for span in spans)
            return SampleText(row.text, row.task or task, row.label, marked)
    except ValidationError:
        pass
    raise InputError(
        f'line {number} of the sample is not an object with a text, say {{"text": "..."}}; '
        'task and label are strings, spans are [[start, end, "KIND"], ...]'
    )


def _span(start: int, end: int, kind: str) -> Finding:
    return Finding(start, end, kind, 1.0, "sample", "marked by hand")


def _marked(source: str, task: str, label: str) -> SampleText:
    """A text without its marks, and where they were."""
    text, spans, at = "", [], 0
    for mark in _MARK.finditer(source):
        text += source[at : mark.start()]
        start = len(text)
        text += mark[1]
        spans.append(_span(start, len(text), mark[2]))
        at = mark.end()
    return SampleText(text + source[at:], task, label, tuple(spans))


# Parts that read a text once, since the same texts are released again and again. PRIVATE.

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Values by key, and the seconds that each took."""

    def __init__(self) -> None:
        self._values: dict[K, V] = {}
        self._seconds: dict[K, float] = {}

    def __repr__(self) -> str:
        return f"Memory(private, {len(self._values)} texts)"

    def missing(self, keys: Sequence[K]) -> list[int]:
        """Places of the keys that are not known, each key once."""
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        return sorted(place for key, place in first.items() if key not in self._values)

    def keep(
        self, keys: Sequence[K], values: Sequence[V], sizes: Sequence[int], since: float
    ) -> None:
        """What was worked out since then; the time is shared out by size."""
        spent = time.perf_counter() - since
        total = max(sum(sizes), 1)
        for key, value, size in zip(keys, values, sizes, strict=True):
            self._values[key] = value
            self._seconds[key] = spent * size / total

    def value(self, key: K) -> V:
        return self._values[key]

    def seconds(self, key: K) -> float:
        return self._seconds.get(key, 0.0)


class RememberedSensitivity:
    """A detector that reads every text once."""

    def __init__(self, part: Sensitivity) -> None:
        self.name, self.scope, self.fingerprint = part.name, part.scope, part.fingerprint
        self._part = part
        self.memory: Memory[str, list[Finding]] = Memory()
        if isinstance(part, Across):  # it looks for the names of one text in another as well
            self.across = part.across

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        texts = [units.text for units in batch]
        new = [batch[place] for place in self.memory.missing(texts)]
        if new:
            since = time.perf_counter()
            findings = self._part.find(new)
            self.memory.keep(
                [units.text for units in new], findings, [len(units) for units in new], since
            )
        return [list(self.memory.value(text)) for text in texts]
