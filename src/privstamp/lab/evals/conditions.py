"""From examples to releases, condition by condition. PRIVATE: it remembers texts.

Over a grid the same parts and the same texts come back: spaces, detectors and mechanisms are built
once, and what was found in a text is remembered while the run lasts. Mask and fill: a model writes
into the gaps, from what stands left of each, with no guarantee at all. It never sees what was taken
out: the left context is the text as it is filled so far. One thing gets one filling, wherever it is
mentioned again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np

from privstamp.errors import StageFailed, UsageError
from privstamp.lab.audit.subject import traced
from privstamp.lab.evals.contracts import Condition, Example, Release, Span, in_share
from privstamp.lab.evals.lines import Line, Lines
from privstamp.lab.evals.privacy import VERSION, folded, measure
from privstamp.mechanisms.surrogate import MASK
from privstamp.models.answering import open_answerer
from privstamp.policy import Policy
from privstamp.protocols import Answerer
from privstamp.release.certificate import RepairFacts
from privstamp.release.groups import NO_SPAN
from privstamp.result import Result, Trace
from privstamp.types import Finding, Prompt, Usage

MARK: Final = MASK


def pieces(text: str, spans: Sequence[Span | Finding]) -> tuple[list[str], list[str]]:
    """What stands around the spans, and what they cover; spans that overlap are one."""
    around, inside = [], []
    position = 0
    for start, end in joined(spans):
        if end <= len(text):
            around.append(text[position:start])
            inside.append(text[start:end])
            position = end
    return [*around, text[position:]], inside


def joined(spans: Sequence[Span | Finding]) -> list[tuple[int, int]]:
    """Ranges in order, those that overlap taken together."""
    ranges: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if ranges and start < ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        elif start < end:
            ranges.append((start, end))
    return ranges


def filled(around: Sequence[str], fills: Sequence[str]) -> str:
    """The text with something else in the place of each span."""
    texts = [around[0]]
    for fill, after in zip(fills, around[1:], strict=True):
        texts += [fill, after]
    return "".join(texts)


def masked(text: str, spans: Sequence[Span | Finding]) -> str:
    """The text with a bare mark for every span."""
    around, inside = pieces(text, spans)
    return filled(around, [MARK] * len(inside))


SYSTEM: Final = "You continue texts. You reply with one to three words and nothing else."
REQUEST: Final = "Which words come next in this text? Reply with them alone.\n\n{left}"
LEFT: Final = 300
"""Characters of left context."""
TOKENS: Final = 8
TEMPERATURE: Final = 0.2
WORDS: Final = 3
_WORD: Final = re.compile(r"[^\W_]+(?:[-'\u2019.][^\W_]+)*")


@dataclass(repr=False)
class Gapped:
    """PRIVATE. A text with gaps: what is around them, and which thing each of them is."""

    around: list[str]
    things: list[str]
    fills: dict[str, str] = field(default_factory=dict)

    def next_gap(self) -> tuple[str, str] | None:
        """The first gap whose thing has no filling yet: the thing, and what stands left of it."""
        for place, thing in enumerate(self.things):
            if thing not in self.fills:
                known = [self.fills[thing] for thing in self.things[:place]]
                return thing, filled(self.around[: place + 1], known)
        return None

    def text(self) -> str:
        return filled(self.around, [self.fills[thing] for thing in self.things])


def fill(jobs: Sequence[Gapped], model: Answerer) -> None:
    """Fill all gaps: the first of every text, then the second, so that a model gets many."""
    while True:
        asked = [(job, gap) for job in jobs if (gap := job.next_gap()) is not None]
        if not asked:
            return
        prompts = [
            Prompt(REQUEST.format(left=left[-LEFT:].rstrip()), SYSTEM) for _, (_, left) in asked
        ]
        replies = model.complete(prompts, temperature=TEMPERATURE, max_tokens=TOKENS)
        for (job, (thing, _)), reply in zip(asked, replies, strict=True):
            job.fills[thing] = words(reply.text)


def words(reply: str) -> str:
    """The first words of a reply; a bare mark where it has none."""
    return " ".join(_WORD.findall(reply)[:WORDS]) or MARK


Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""Cosines of texts to other texts, pair by pair."""
Marked: TypeAlias = tuple[str, Sequence[Finding]]
"""A text and its sensitive spans."""
ATTACKS: Final = 2
"""Noised sensitive units of an example that an attacker is run on."""
COMPARED: Final = 0.25
"""Share of texts that are compared with their releases as a whole, which takes long."""
PLAIN: Final = Policy.preset("readable")
"""Whose space and detector read texts under conditions without a policy."""


class Releaser:
    """Makes the releases of cells. `similarity` adds how alike text and release are as a whole."""

    def __init__(
        self,
        *,
        similarity: Similarity | None = None,
        opener: Callable[..., Answerer] = open_answerer,
    ) -> None:
        self._counted = f"{VERSION} {ATTACKS} {COMPARED if similarity else 0}"
        self._similarity = similarity
        self._opener = opener
        self._lines = Lines(ATTACKS)
        self._models: dict[tuple[str, str | None], Answerer] = {}
        self._fills: dict[tuple[str, str], Gapped] = {}

    def __repr__(self) -> str:
        return "Releaser(private)"

    def releases(
        self, condition: Condition, examples: Sequence[Example], seed: int
    ) -> list[Release]:
        """One release per example. One that fails is an error that names it."""
        line = self._line(condition)
        if condition.spans == "gold":
            line.annotated.learn(_asked(examples))
        if condition.method == "policy":
            releases = self._privatized(condition, line, examples, seed)
        else:
            releases = self._plain(condition, line, examples)
        if self._similarity is None:
            return releases
        some = [n for n, example in enumerate(examples) if in_share(example.cluster, COMPARED)]
        alike = self._similarity([examples[n].text for n in some], [releases[n].text for n in some])
        for n, value in zip(some, alike, strict=True):
            sums = {**releases[n].privacy, "context": float(value), "contexts": 1.0}
            releases[n] = replace(releases[n], privacy=sums)
        return releases

    def fingerprints(self, condition: Condition) -> dict[str, str]:
        """Of the parts that decide its releases, and of what is counted about them."""
        parts = self._line(condition).parts
        fingerprints = {
            "space": parts.space.fingerprint,
            "sensitivity": parts.sensitivity.fingerprint,
            "importance": parts.importance.fingerprint,
            "privacy": self._counted,
        }
        if parts.language_model is not None:
            fingerprints["language model"] = parts.language_model.fingerprint
        if parts.repair is not None:
            fingerprints["repair"] = parts.repair.fingerprint
        if condition.method == "fill":
            fingerprints["filled by"] = self._model(condition).fingerprint
        return fingerprints

    def usage(self) -> list[tuple[str, Usage]]:
        """What was asked of each model that fills gaps or repairs, and where that is."""
        filling = [(model.place, model.usage) for model in self._models.values()]
        return filling + [(repair.place, repair.usage) for repair in self._lines.repairs]

    def close(self) -> None:
        """End what fills gaps."""
        for model in self._models.values():
            model.close()
        self._models.clear()

    def _line(self, condition: Condition) -> Line:
        return self._lines.line(condition.policy or PLAIN, gold=condition.spans == "gold")

    def _privatized(
        self, condition: Condition, line: Line, examples: Sequence[Example], seed: int
    ) -> list[Release]:
        asked = _asked(examples)
        once = {id(example): example for example in asked}
        released = dict(zip(once, zip(*line.run([*once.values()], seed), strict=True), strict=True))
        others = dict(zip(once, self._looked_for(condition, [*once.values()]), strict=True))
        return [
            Release(
                text=result.text,
                task=_own(example, asked_for, result),
                restore=result.restore if condition.restore else None,
                privacy=_measured(line, example, result, others[id(asked_for)]),
                seconds=spent,
            )
            for example, asked_for in zip(examples, asked, strict=True)
            for result, spent in [released[id(asked_for)]]
        ]

    def _looked_for(
        self, condition: Condition, examples: Sequence[Example]
    ) -> Sequence[Sequence[Finding] | None]:
        """What the default detector finds, where a condition has another one."""
        same = condition.policy is None or condition.policy.sensitivity == PLAIN.sensitivity
        if same or condition.spans == "gold":
            return [None] * len(examples)
        parts = self._lines.line(PLAIN, gold=False).parts
        return parts.sensitivity.find([parts.space.split(example.text) for example in examples])

    def _plain(
        self, condition: Condition, line: Line, examples: Sequence[Example]
    ) -> list[Release]:
        split = line.parts.space.split
        pages = [split(page) for example in examples for page in (example.text, example.task)]
        line.parts.sensitivity.find(pages)  # all at once: it remembers
        traces = [line.privatizer.group(example.text) for example in examples]
        tasks = [line.privatizer.group(example.task) for example in examples]
        return [
            Release(
                text,
                task,
                privacy=measure(example, _as_left(condition, trace), text, line.attacker),
            )
            for example, trace, (text, task) in zip(
                examples, traces, self._written(condition, traces, tasks), strict=True
            )
        ]

    def _written(
        self, condition: Condition, traces: Sequence[Trace], tasks: Sequence[Trace]
    ) -> list[tuple[str, str]]:
        """Text and task as the reader gets them."""
        pairs = [(_marked(trace), _marked(two)) for trace, two in zip(traces, tasks, strict=True)]
        if condition.method == "original":
            return [(text, task) for (text, _), (task, _) in pairs]
        if condition.method == "nothing":
            return [("", task) for _, (task, _) in pairs]
        if condition.method == "mask":
            return [(masked(*text), masked(*task)) for text, task in pairs]
        return self._filled(condition, pairs)

    def _filled(
        self, condition: Condition, pairs: Sequence[tuple[Marked, Marked]]
    ) -> list[tuple[str, str]]:
        """Gaps of a text are filled once; what its questions mention has the same fillings."""
        kind = f"{condition.repair} {condition.repair_model} {condition.spans}"
        texts = [(kind, *text) for text, _ in pairs]
        jobs = {
            (kind, text): _gapped((text, spans))
            for kind, text, spans in texts
            if (kind, text) not in self._fills
        }
        self._fill(condition, list(jobs.values()))
        self._fills |= jobs
        known = [self._fills[kind, text] for kind, text, _ in texts]
        tasks = [
            _gapped(task, gapped.fills) for gapped, (_, task) in zip(known, pairs, strict=True)
        ]
        self._fill(condition, tasks)
        return [(gapped.text(), task.text()) for gapped, task in zip(known, tasks, strict=True)]

    def _fill(self, condition: Condition, jobs: Sequence[Gapped]) -> None:
        if any(job.next_gap() for job in jobs):
            fill(jobs, self._model(condition))

    def _model(self, condition: Condition) -> Answerer:
        if condition.repair is None:
            raise UsageError(f'condition "{condition.name}" names no model to fill gaps with')
        key = condition.repair, condition.repair_model
        if key not in self._models:
            self._models[key] = self._opener(condition.repair, model=condition.repair_model)
        return self._models[key]


def _measured(
    line: Line, example: Example, result: Result, looked_for: Sequence[Finding] | None
) -> dict[str, float]:
    metrics = line.privatizer.policy.budget.metrics
    trace = traced(result)
    sums = measure(example, trace, result.text, line.attacker, metrics, looked_for)
    return {**sums, **_windows(example, result.certificate.repair)}


def _windows(example: Example, repair: RepairFacts | None) -> dict[str, float]:
    """What a repair came to. One that failed is not to pass for a repaired text."""
    if repair is None:
        return {}
    if repair.failed or repair.trouble:
        raise StageFailed(f'example "{example.id}" was not repaired: {repair.trouble}')
    counts = {"repaired": repair.repaired, "refused": repair.refused}
    windows = repair.repaired + repair.refused + repair.unchanged
    return {"windows": float(windows), **{f"windows_{k}": float(n) for k, n in counts.items()}}


def _asked(examples: Sequence[Example]) -> list[Example]:
    """What is released for each example: its text with all questions about it, or itself."""
    return [example.whole or example for example in examples]


def _own(example: Example, asked: Example, result: Result) -> str:
    """An example's own question, as it was released."""
    if result.task is None:
        return example.task
    if asked is example:
        return result.task
    lines = zip(asked.task.split("\n"), traced(result).task, strict=True)
    return dict(lines)[example.task]


def _gapped(page: Marked, fills: Mapping[str, str] | None = None) -> Gapped:
    around, inside = pieces(*page)
    return Gapped(around, [*map(folded, inside)], dict(fills or {}))


def _marked(trace: Trace) -> Marked:
    return trace.units.text, trace.grouping.findings


def _as_left(condition: Condition, trace: Trace) -> Trace:
    """What a condition without a policy does to each unit: it leaves as it is, or not at all."""
    gone = np.full(len(trace.units), condition.method == "nothing")
    if condition.method in ("mask", "fill"):
        gone = trace.grouping.spans != NO_SPAN
    surfaces = ["" if out else word for out, word in zip(gone, trace.units.surfaces(), strict=True)]
    return replace(trace, epsilon=np.where(gone, 0.0, np.inf), surfaces=surfaces)
