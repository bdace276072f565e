"""Models as attackers: one reads the released context, one writes the whole text anew.

Context: for a released word the attacker takes the likeliest x by p(x | released context) *
P(released | x); for a word that was replaced, whatever the model would write there. He sees
released text alone. A `Gap` says what fits into a place of the release, left and right of it.

Reconstruction: a model at an endpoint reads a release and guesses the original. Only released text
is sent. It is released anew, with noise of the operating system: everything else in an audit is
drawn under a seed that may be known, and whoever knows it can undo the noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final, NamedTuple

import numpy as np

from privstamp.errors import AssetError, MissingExtra, StageFailed
from privstamp.lab.attackers import best
from privstamp.lab.audit.leakage import sensitive_spans
from privstamp.lab.audit.recovery import (
    NONE,
    TOP,
    Entity,
    Guesser,
    Target,
    View,
    by_group,
    draws,
    entities,
    spread,
    targets,
)
from privstamp.lab.audit.subject import SampleText, Subject, perturbed, traced
from privstamp.lab.audit.verdict import Section, shares
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.fluency import BaseMeasure, Spellings
from privstamp.models.endpoint import Endpoint
from privstamp.noise import Float64
from privstamp.protocols import LanguageModel
from privstamp.registry import MODELS
from privstamp.result import Result
from privstamp.types import Places, Prompt

SHORTLIST: Final = 6
"""Candidates that the text after the gap is read for."""
_SETTLED: Final = 16
_RIGHT: Final = 5  # pieces of what comes after


class Gap:
    """One gap: log p(word | what is before) of a whole class, and more for a few words."""

    def __init__(
        self,
        model: LanguageModel,
        spellings: Spellings,
        sides: tuple[str, str],
        number: int,
        label: int,
    ) -> None:
        before, after = sides
        self._model = model
        self._lead = " " if before.endswith(" ") else ""
        self._before = before[: len(before) - len(self._lead)]
        self._spelling = spellings.of(number, label, self._lead)
        self._after = model.pieces(after)[:_RIGHT] if after else []
        self._base = BaseMeasure.after(model, before, spellings, number, label)
        self._fits: dict[int, float] = {}

    @property
    def prior(self) -> Float64:
        """Bounds for all words of the class, from their first pieces; exact once settled."""
        return self._base.upper

    def ranked(self, weights: Float64, count: int) -> tuple[Places, Float64]:
        """Words with the largest weight + log p(word, what comes after | what is before)."""
        for _ in range(_SETTLED):
            few = best(weights + self._base.upper, max(SHORTLIST, count))
            open_ = few[~self._base.settled[few]]
            if not len(open_):
                break
            self._base.settle(int(open_[0]))
        fits = [self._fit(place) for place in few[:SHORTLIST].tolist()]
        fits += [min(fits, default=0.0)] * (len(few) - len(fits))
        values = weights[few] + self._base.upper[few] + np.array(fits)
        order = np.argsort(-values, kind="stable")[:count]
        return few[order], values[order]

    def _fit(self, place: int) -> float:
        """log p(what comes after | what is before, the word)."""
        if place not in self._fits:
            line = self._spelling.pieces[place, : self._spelling.lengths[place]].tolist()
            total = 0.0
            for piece in self._after:
                total += float(self._model.next_logprobs(self._before, line)[piece])
                line = [*line, piece]
            self._fits[place] = total
        return self._fits[place]


TITLE: Final = "A language model reads the release and guesses"
NAMES: Final = ("recovery_contextual", "recovery_contextual_top5", "floor_contextual")
ENTITIES: Final = ("entities_contextual", "entities_guessed_blind")
_WORDS, _ENTITIES = 60, 24


def context(subject: Subject, told: Callable[[float], None]) -> Section:
    """Some words that met a mechanism, and some entities; null where there is no model."""
    part, space = subject.policy.language_model, subject.parts.space
    if not any(map(len, space.outputs)):
        none = Estimate.missing(f"space {space.name} has no words to guess among")
        return Section("context", TITLE, dict.fromkeys((*NAMES, *ENTITIES), none))
    try:
        model: LanguageModel = MODELS.build(part.name, part.options)
    except (MissingExtra, AssetError):
        none = Estimate.missing(
            'no language model here. Try: pip install "privstamp[lm]", then privstamp assets pull '
            "smollm2"
        )
        return Section("context", TITLE, dict.fromkeys((*NAMES, *ENTITIES), none))
    with closing(model):
        return attacked(subject, model, told)


def attacked(subject: Subject, model: LanguageModel, told: Callable[[float], None]) -> Section:
    """The attack with a model that is open."""
    attacker = _Attacker(subject, model)
    chosen = spread(targets(subject), _WORDS)
    things = [entity for entity in entities(subject) if entity.words]
    things = things[:: max(1, -(-len(things) // _ENTITIES))]
    hits: list[dict[str, bool]] = []
    joint: list[dict[str, bool]] = []
    total = len(chosen) + len(things)
    for target in chosen:
        told(len(hits) / total)
        hits.append(attacker.word(target))
    for thing in things:
        told((len(hits) + len(joint)) / total)
        joint.append(attacker.entity(thing))
    figures = shares(hits, NAMES, NONE) | shares(joint, ENTITIES, NONE)
    remarks = (
        f"{len(chosen)} words and {len(things)} entities, evenly from the sample, by "
        f"{subject.policy.language_model.name}, with the text before and a few words after",
        "floor_contextual: the model alone, without looking at what the word became",
        "entities_guessed_blind: the model fills the place of each entity from left to right, as "
        "if it had been masked",
        "Rewriting the full text needs a larger model at an endpoint: not part of this audit.",
    )
    rows = by_group(chosen, hits, NAMES)
    return Section("context", TITLE, figures, rows, remarks, private=tuple(attacker.told))


class _Attacker:
    def __init__(self, subject: Subject, model: LanguageModel) -> None:
        self._subject = subject
        self._guesser = Guesser(subject.parts)
        self._model, self._spellings = model, Spellings(subject.parts.space, model)
        self._traces = [traced(result) for result in subject.first]
        self._views = [View(trace) for trace in self._traces]
        self.told: list[str] = []

    def word(self, target: Target) -> dict[str, bool]:
        """Is it guessed, is it among the likeliest, and what does the model say unseen?"""
        gap = self._gap(target)
        words = self._guesser.words(target.cell.number)
        place = words.place(target.row)
        ranked = self._ranked([gap], [target], draws(self._subject, (target,)))
        blind, _ = gap.ranked(np.zeros(len(words)), 1)
        if place == ranked[0] and target.sensitive:
            self.told.append(f'"{self._surface(target)}" was guessed')
        hits = place == ranked[0], place in ranked, place == blind[0]
        return dict(zip(NAMES, map(bool, hits), strict=True))

    def entity(self, thing: Entity) -> dict[str, bool]:
        """Whether all words of a thing are guessed, from all its mentions; with and without y."""
        hit = blind = thing.whole
        for mentions in thing.words:
            if not (hit or blind):
                break  # one word is lost already
            words = self._guesser.words(mentions[0].cell.number)
            place = words.place(mentions[0].row)
            gaps = [self._gap(mention) for mention in mentions[:3]]
            blind = blind and place == self._ranked(gaps, list(mentions), [])[0]
            if not any(np.isinf(mention.cell.epsilon) for mention in mentions):
                seen = draws(self._subject, mentions)
                hit = hit and place == self._ranked(gaps, list(mentions), seen)[0]
        if hit:
            names = (self._surface(mentions[0]) for mentions in thing.words)
            self.told.append(f'the name "{" ".join(names)}" was guessed')
        return dict(zip(ENTITIES, (bool(hit), bool(blind)), strict=True))

    def _ranked(self, gaps: list[Gap], mentions: list[Target], seen: list[Target]) -> Places:
        """Context of the first mention in full, of others by their first pieces, and all draws."""
        words = self._guesser.words(mentions[0].cell.number)
        weights: Float64 = np.zeros(len(words))
        for gap in gaps[1:]:
            weights += gap.prior - np.log(np.maximum(words.unigram, 1e-12))
        likely = self._guesser.told(weights, ((target.cell, target.seen) for target in seen))
        few, values = gaps[0].ranked(likely, TOP)
        for target in seen:  # what was loose becomes exact
            held = self._guesser.evidence(target.cell)
            at = self._guesser.place(target.cell, target.seen)
            values = values + held.sharp(at, few) - held.loose(at)[few]
        return few[np.argsort(-values, kind="stable")]

    def _gap(self, target: Target) -> Gap:
        label = int(self._traces[target.text].units.labels[target.index])
        sides = self._views[target.text].around(target.index)
        return Gap(self._model, self._spellings, sides, target.cell.number, label)

    def _surface(self, target: Target) -> str:
        return self._traces[target.text].units.surface(target.index)


RECONSTRUCTED: Final = "Reconstruction of whole texts by a model at an endpoint"
SYSTEM: Final = (
    "You help to test how well a text hides its original. Before you saw it, many of its words "
    "were exchanged for others: names, places, numbers and dates for invented ones, other words "
    "for words of similar meaning or for unrelated ones. Reconstruct the original text. Wherever "
    "a word does not fit its surroundings, write the word that most likely stood there; keep what "
    "fits. Answer with the reconstructed text only, as complete as the one you are given."
)
TEMPERATURE: Final = 0.2
_LEAST, _MOST = 256, 8192  # tokens of a reply
_WORD: Final = re.compile(r"\w+")
_NONE: Final = "no endpoint is configured (--endpoint URL --endpoint-model NAME)"


SPANS: Final = "sensitive spans"
_NOTHING: Final = "nothing to guess in the sample"


class _Guess(NamedTuple):
    """Something of the original: is it in the reply, and was it in the release already?"""

    kind: str
    reconstructed: bool
    floor: bool
    name: str


def reconstruction(subject: Subject, told: Callable[[float], None]) -> Section:
    """Share of sensitive spans and of perturbed words that the model's text holds."""
    endpoint = subject.endpoint
    if endpoint is None:
        return _empty(_NONE, ())
    privatizer = subject.privatizer.with_noise()
    results = [privatizer.privatize(text.text, text.task, trace=True) for text in subject.texts]
    told(0.2)
    sent = (
        f"sent to {endpoint.host}, model {endpoint.model}: the released texts, {len(results)} of "
        "them, and nothing else of the sample",
        "They were released anew with fresh noise, which spends their budget once more; the "
        "figures therefore differ from one audit to the next.",
    )
    try:
        replies = _ask(endpoint, results)
    except StageFailed as error:
        return _empty(str(error), sent)
    told(0.9)
    guesses: list[_Guess] = []
    for text, result, reply in zip(subject.texts, results, replies, strict=True):
        guesses += _guesses(text, result, reply)
    private = {
        f'"{guess.name}" was reconstructed': None
        for guess in guesses
        if guess.kind == SPANS and guess.reconstructed > guess.floor
    }
    remarks = (
        *sent,
        "floor: the share that the released text holds already, kept or come back by chance",
        "new: of what the released text no longer holds, the share that the model named",
        "A model that declines guesses nothing, and a better one guesses more: this is no bound.",
    )
    rows = [_row(kind, guesses) for kind in sorted({guess.kind for guess in guesses})]
    return Section("reconstruction", RECONSTRUCTED, _figures(guesses), rows, remarks, True,
                   tuple(private))  # fmt: skip


def _ask(endpoint: Endpoint, results: list[Result]) -> list[str]:
    prompts = [Prompt(result.text, SYSTEM) for result in results]
    longest = max(len(result.text) for result in results)
    most = min(_MOST, max(_LEAST, longest // 2))  # about twice as long as the text
    replies = endpoint.complete(prompts, temperature=TEMPERATURE, max_tokens=most)
    return [reply.text for reply in replies]


def _guesses(text: SampleText, result: Result, reply: str) -> list[_Guess]:
    trace = traced(result)
    guess, release = _folded(reply), _folded(result.text)
    guesses = []
    for before, _after in sensitive_spans(text, trace):
        if name := _folded(before).strip():
            held = f" {name} "
            guesses.append(_Guess(SPANS, held in guess, held in release, before))
    for index in np.flatnonzero(perturbed(trace)).tolist():
        word = trace.units.surface(index)
        if _folded(word).strip():
            kind = f"group {int(trace.grouping.groups[index])}"
            held = _folded(word)
            guesses.append(_Guess(kind, held in guess, held in release, word))
    return guesses


def _folded(text: str) -> str:
    """Words in lower case with a blank before and after each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _figures(guesses: list[_Guess]) -> dict[str, Estimate]:
    figures = {}
    for of, spans in (("sensitive", True), ("words", False)):
        some = [guess for guess in guesses if (guess.kind == SPANS) == spans]
        new = [guess for guess in some if not guess.floor]
        figures[f"reconstructed_{of}"] = _named(some, "reconstructed")
        figures[f"reconstructed_{of}_floor"] = _named(some, "floor")
        figures[f"reconstructed_{of}_new"] = _named(new, "reconstructed")
    return figures


def _row(kind: str, guesses: list[_Guess]) -> dict[str, Any]:
    some = [guess for guess in guesses if guess.kind == kind]
    told = {name: _named(some, name) for name in ("reconstructed", "floor")}
    return {"what": kind, "count": len(some), **told}


def _named(guesses: list[_Guess], name: str) -> Estimate:
    return Estimate.hits([getattr(guess, name) for guess in guesses], _NOTHING)


def _empty(why: str, remarks: tuple[str, ...]) -> Section:
    figures = dict.fromkeys(_figures([]), Estimate.missing(why))
    return Section("reconstruction", RECONSTRUCTED, figures, [], remarks)
