"""Policies at work on examples: built from shared parts, remembering texts. PRIVATE.

In an evaluation the same texts come back in every cell, so what was found in a text is remembered,
with the seconds that it took at first: a stage costs in the records what it costs its user.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import InputError, StageFailed
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.subject import Memory, RememberedSensitivity
from privstamp.lab.evals.contracts import Example, Span
from privstamp.lab.evals.privacy import Attacker
from privstamp.lab.progress import StageTimes
from privstamp.noise import Float64, Vectors
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.protocols import Importance, Neighbours, Sensitivity
from privstamp.release.parts import Parts, PartShelf, assemble, decoder_of, open_space
from privstamp.repair.rewriter import ModelRepair
from privstamp.result import Failure, Result
from privstamp.types import Finding, Ids, Scope, Scores, Units


class RememberedImportance:
    """A method that scores every pair of text and task once, whatever the thresholds."""

    def __init__(self, part: Importance, tau: float | None = None) -> None:
        self.name, self.scope, self.fingerprint = part.name, part.scope, part.fingerprint
        self._part, self._tau = part, tau
        self.memory: Memory[tuple[str, str | None], Scores] = Memory()

    def at(self, tau: float) -> RememberedImportance:
        """The same scores under another threshold."""
        other = RememberedImportance(self._part, tau)
        other.fingerprint, other.memory = f"{self.fingerprint} tau {tau:g}", self.memory
        return other

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        keys = [(units.text, task) for units, task in zip(batch, tasks, strict=True)]
        new = self.memory.missing(keys)
        if new:
            since = time.perf_counter()
            units = [batch[place] for place in new]
            scores = self._part.score(units, [tasks[place] for place in new])
            sizes = [len(unit) for unit in units]
            self.memory.keep([keys[place] for place in new], scores, sizes, since)
        scores = [self.memory.value(key) for key in keys]
        if self._tau is None:
            return scores
        # A remark says that there is nothing to score: no threshold is reached then.
        return [score if score.note else replace(score, threshold=self._tau) for score in scores]


Classes = npt.NDArray[np.uint8]


class TimedDecoder:
    """Does what another does."""

    def __init__(self, decoder: Neighbours) -> None:
        self._decoder = decoder
        self.seconds = 0.0

    def decode(self, queries: Vectors, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode, queries, classes)

    def decode_two(self, queries: Vectors, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode_two, queries, classes)

    def decode_points(self, points: Float64, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode_points, points, classes)

    def _timed(
        self, search: Callable[[Any, Classes], Ids], queries: Vectors, classes: Classes
    ) -> Ids:
        since = time.perf_counter()
        try:
            return search(queries, classes)
        finally:
            self.seconds += time.perf_counter() - since


class Annotated:
    """Finds what is annotated in the examples it was told last, and nothing else.

    Words in no list and figures are still replaced by the pipeline's own rule. A text that is no
    example, such as one that a repair has written and must check, is read by a detector.
    """

    name = "annotated"
    fingerprint = "annotated 1"
    scope = Scope.context("people read the texts")

    def __init__(self, detector: Sensitivity) -> None:
        self._detector = detector
        self._spans: dict[str, set[Span]] = {}

    def __repr__(self) -> str:
        return f"Annotated(private, {len(self._spans)} texts)"

    def learn(self, examples: Sequence[Example]) -> None:
        """The texts and tasks that may come next."""
        self._spans = {}
        for example in examples:
            if example.spans is None:
                raise InputError(
                    f'example "{example.id}" has no annotated spans; take detected ones instead'
                )
            self._spans.setdefault(example.text, set()).update(example.spans)
            self._spans.setdefault(example.task, set()).update(example.task_spans)

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        unknown = [units for units in batch if units.text not in self._spans]
        others = iter(self._detector.find(unknown) if unknown else [])
        return [
            self._marked(units.text) if units.text in self._spans else next(others)
            for units in batch
        ]

    def _marked(self, text: str) -> list[Finding]:
        return [
            Finding(span.start, span.end, span.kind, 1.0, self.name, "annotated")
            for span in sorted(self._spans[text], key=lambda span: span.start)
        ]


READY: Final = 3
"""Policies that are kept ready."""


@dataclass(repr=False)
class Line:
    """A policy, who attacks it, and what is remembered. Without a detector, spans are annotated."""

    privatizer: Privatizer
    attacker: Attacker
    annotated: Annotated
    detector: RememberedSensitivity | None
    importance: RememberedImportance
    decoder: TimedDecoder | None

    @property
    def parts(self) -> Parts:
        return self.privatizer.parts

    def run(
        self, examples: Sequence[Example], seed: int
    ) -> tuple[list[Result], list[dict[str, float]]]:
        """Results and their seconds by stage. One that fails is an error that names it."""
        privatizer, stages = self.privatizer.with_noise(seed=seed), StageTimes()
        privatizer.watch(stages)
        before = self._searched
        texts, tasks = (
            [example.text for example in examples],
            [example.task for example in examples],
        )
        results = []
        for example, outcome in zip(
            examples, privatizer.privatize_many(texts, tasks, trace=True), strict=True
        ):
            if isinstance(outcome, Failure):
                raise StageFailed(f'example "{example.id}": {outcome.error}')
            results.append(outcome)
        spent = _apart(stages.end(), self._searched - before)
        sizes = [len(result.trace.units) if result.trace else 0 for result in results]
        shares = [size / max(sum(sizes), 1) for size in sizes]
        return results, [self._seconds(*pair, spent) for pair in zip(examples, shares, strict=True)]

    @property
    def _searched(self) -> float:
        return 0.0 if self.decoder is None else self.decoder.seconds

    def _seconds(
        self, example: Example, share: float, spent: Mapping[str, float]
    ) -> dict[str, float]:
        """An example's share of a batch; what was remembered counts as it did at first."""
        seconds = {stage: total * share for stage, total in spent.items()}
        pages = (example.text, example.task)
        if self.detector is not None:
            seconds["sensitivity"] = sum(map(self.detector.memory.seconds, pages))
        scored = self.importance.memory
        seconds["importance"] = sum(scored.seconds((page, example.task)) for page in pages)
        return seconds


class Lines:
    """Makes lines, and keeps the latest of them. Parts are built once for all."""

    def __init__(self, attacks: int) -> None:
        self._attacks = attacks
        self._shelf = PartShelf()
        self._held: OrderedDict[str, Line] = OrderedDict()
        self.repairs: list[ModelRepair] = []  # those that count what they ask

    def __repr__(self) -> str:
        return f"Lines(private, {len(self._held)} policies)"

    def line(self, policy: Policy, *, gold: bool) -> Line:
        """The policy, ready; `gold` takes annotated spans for a detector's."""
        key = f"{gold} {policy.fingerprint()}"
        if key not in self._held:
            self._held[key] = self._built(policy, gold=gold)
            if len(self._held) > READY:
                self._held.popitem(last=False)
        self._held.move_to_end(key)
        return self._held[key]

    def _built(self, policy: Policy, *, gold: bool) -> Line:
        shelf = self._shelf
        scored, tau = _without_tau(policy)
        decoder = self._decoder(policy)
        parts = assemble(scored, shelf)
        if isinstance(parts.repair, ModelRepair) and parts.repair not in self.repairs:
            self.repairs.append(parts.repair)
        importance: RememberedImportance = shelf.take(
            lambda: RememberedImportance(parts.importance),
            *("remembered importance", scored.space, scored.importance),
        )
        importance = importance if tau is None else importance.at(tau)
        annotated, detector = Annotated(parts.sensitivity), None
        if not gold:
            detector = shelf.take(
                lambda: RememberedSensitivity(parts.sensitivity),
                *("remembered sensitivity", policy.space, policy.sensitivity),
            )
        parts = replace(parts, sensitivity=detector or annotated, importance=importance)

        @cache
        def words(number: int) -> Candidates:
            return shelf.take(
                lambda: Candidates(parts.space, number), "words", policy.space, number
            )

        return Line(
            Privatizer(policy, seed=0, parts=parts),
            Attacker(parts, words, self._attacks),
            annotated,
            detector,
            importance,
            decoder,
        )

    def _decoder(self, policy: Policy) -> TimedDecoder | None:
        """The decoder with a watch, before anybody takes it; approximate ones have none."""
        space = self._shelf.take(lambda: open_space(policy.space), "space", policy.space)
        if not all(map(len, space.outputs)):  # text as it is written: nothing is decoded
            return None
        decoder = decoder_of(
            policy,
            space,
            self._shelf,
            lambda plain: TimedDecoder(plain) if isinstance(plain, Neighbours) else plain,
        )
        return decoder if isinstance(decoder, TimedDecoder) else None


def _without_tau(policy: Policy) -> tuple[Policy, float | None]:
    """The threshold apart, so that policies that differ in it alone score a text once."""
    options = policy.importance.options
    tau = options.pop("tau", None)
    if isinstance(tau, bool) or not isinstance(tau, int | float) or not 0 < tau < 1:
        return policy, None
    part = Part.model_validate({"name": policy.importance.name, **options})
    return policy.model_copy(update={"importance": part}), float(tau)


def _apart(spent: Mapping[str, float], decoding: float) -> dict[str, float]:
    """The stage of a mechanism that decodes, as noise and decoding."""
    if not decoding:
        return dict(spent)
    rest = {stage: seconds for stage, seconds in spent.items() if stage != "mechanism"}
    return {**rest, "noise": spent["mechanism"] - decoding, "decoding": decoding}
