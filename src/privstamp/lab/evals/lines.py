"""Policies at work on examples: built from shared parts, remembering texts. PRIVATE."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from privstamp.errors import StageFailed
from privstamp.lab.evals.annotated import Annotated
from privstamp.lab.evals.contracts import Example
from privstamp.lab.evals.privacy import Attacker
from privstamp.lab.evals.remembering import RememberedImportance, RememberedSensitivity, remembered
from privstamp.lab.evals.timed import TimedDecoder
from privstamp.lab.frontier.words import Words
from privstamp.parts import Parts, Shelf, assemble, decoder_of, open_space
from privstamp.pipeline import Privatizer
from privstamp.policy import Part, Policy
from privstamp.protocols import Neighbours
from privstamp.repair.model import ModelRepair
from privstamp.result import Failure, Result
from privstamp.stopwatch import Stages

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
        privatizer, stages = self.privatizer.with_noise(seed=seed), Stages()
        privatizer.watch(stages)
        before = self._searched
        texts, tasks = [one.text for one in examples], [one.task for one in examples]
        results = []
        for example, found in zip(
            examples, privatizer.privatize_many(texts, tasks, trace=True), strict=True
        ):
            if isinstance(found, Failure):
                raise StageFailed(f'example "{example.id}": {found.error}')
            results.append(found)
        spent = _apart(stages.end(), self._searched - before)
        sizes = [len(one.trace.units) if one.trace else 0 for one in results]
        shares = [size / max(sum(sizes), 1) for size in sizes]
        return results, [self._seconds(*one, spent) for one in zip(examples, shares, strict=True)]

    @property
    def _searched(self) -> float:
        return 0.0 if self.decoder is None else self.decoder.seconds

    def _seconds(
        self, example: Example, share: float, spent: Mapping[str, float]
    ) -> dict[str, float]:
        """An example's share of a batch; what was remembered counts as it did at first."""
        seconds = {stage: whole * share for stage, whole in spent.items()}
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
        self._shelf = Shelf()
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
                lambda: remembered(parts.sensitivity),
                *("remembered sensitivity", policy.space, policy.sensitivity),
            )
        parts = replace(parts, sensitivity=detector or annotated, importance=importance)

        @cache
        def words(number: int) -> Words:
            return shelf.take(lambda: Words(parts.space, number), "words", policy.space, number)

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
        made = decoder_of(
            policy,
            space,
            self._shelf,
            lambda one: TimedDecoder(one) if isinstance(one, Neighbours) else one,
        )
        return made if isinstance(made, TimedDecoder) else None


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
