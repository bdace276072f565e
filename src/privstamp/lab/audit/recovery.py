"""Guesses on the sample's own releases: word by word, and entity by entity over all mentions.

An attacker who knows how often words are used, or nothing at all, and no context. Beside each
figure stands its floor: what the same attacker gets who sees no release. `targets` and `entities`
are what is attacked, here and elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import numpy as np

from privstamp.lab.attackers import SHORTLIST, Candidates, Evidence, best, evidence
from privstamp.lab.audit.subject import Cell, Subject, perturbed, traced
from privstamp.lab.audit.verdict import Section, shares
from privstamp.noise import Float64
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts
from privstamp.result import Trace
from privstamp.types import UNKNOWN, Places


@dataclass(frozen=True, repr=False)
class Target:
    """One word: its row, and what it was released as (UNKNOWN where it was replaced)."""

    text: int
    index: int
    cell: Cell
    row: int
    seen: int

    @property
    def sensitive(self) -> bool:
        return self.cell.group <= 2


@dataclass(frozen=True, repr=False)
class Entity:
    """A sensitive thing of one text: for each of its words, the places where it is mentioned."""

    text: int
    words: tuple[tuple[Target, ...], ...]
    whole: bool  # False if a word of it is in no list: nobody here can guess it


def targets(subject: Subject) -> list[Target]:
    """Words that met a mechanism, in reading order."""
    targets: list[Target] = []
    for number, result in enumerate(subject.first):
        trace = traced(result)
        met = np.flatnonzero(perturbed(trace)).tolist()
        targets += [_target(subject, trace, number, index) for index in met]
    return targets


def entities(subject: Subject) -> list[Entity]:
    """Sensitive spans of the first releases, equal ones of a text taken together."""
    entities = []
    for number, result in enumerate(subject.first):
        trace, marked = traced(result), subject.texts[number].marked
        mentions: dict[tuple[str, ...], list[list[int]]] = {}
        for span in trace.grouping.findings if marked is None else marked:
            inside = list(trace.units.inside(span.start, span.end))
            name = tuple(trace.units.surface(index).casefold() for index in inside)
            if inside:
                mentions.setdefault(name, []).append(inside)
        entities += [_entity(subject, trace, number, places) for places in mentions.values()]
    return entities


def _entity(subject: Subject, trace: Trace, number: int, places: list[list[int]]) -> Entity:
    columns = [
        column for column in zip(*places, strict=True) if trace.units.rows[column[0]] != UNKNOWN
    ]
    words = tuple(
        tuple(_target(subject, trace, number, index) for index in column) for column in columns
    )
    return Entity(number, words, len(columns) == len(places[0]))


def _target(subject: Subject, trace: Trace, number: int, index: int) -> Target:
    row, cell = int(trace.units.rows[index]), Cell.of(trace, index, subject.parts.space)
    released = row if np.isinf(cell.epsilon) else int(trace.rows[index])
    return Target(number, index, cell, row, released)


def draws(subject: Subject, mentions: tuple[Target, ...]) -> list[Target]:
    """Mentions that are draws of their own: a word drawn once per document is seen once."""
    met = [
        mention
        for mention in mentions
        if mention.seen != UNKNOWN and 0 < mention.cell.epsilon < np.inf
    ]
    if subject.policy.draws == "independent":
        return met
    return list({(mention.cell, mention.seen): mention for mention in met}.values())


def spread(items: list[Target], count: int) -> list[Target]:
    """At most so many of them, evenly from first to last."""
    if len(items) <= count:
        return items
    return [items[place] for place in np.linspace(0, len(items) - 1, count).astype(int).tolist()]


class View:
    """A release around its units: what a reader sees before and after each of them."""

    _BLOCK, _BEFORE, _AFTER = 64, 32, 4

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._text = "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        """The release piece by piece, noting where units begin and end."""
        units, position, length = self._trace.units, 0, 0
        for index, surface in enumerate(self._trace.surfaces):
            gap = units.text[position : units.starts[index]] if surface else ""
            self._begins.append(length + len(gap))
            length += len(gap) + len(surface)
            self._ends.append(length)
            position = int(units.ends[index])
            yield gap
            yield surface
        yield units.text[position:]

    def around(self, index: int) -> tuple[str, str]:
        """Before and after a unit; of a replaced span, before and after the whole of it.

        What is before begins at a place shared by neighbours, so that a model reads it once.
        """
        first, last = self._run(index)
        start = max(0, first // self._BLOCK * self._BLOCK - self._BEFORE)
        stop = min(last + self._AFTER, len(self._ends) - 1)
        before = self._text[self._begins[start] : self._begins[first]]
        return before, self._text[self._ends[last] : self._ends[stop]]

    def _run(self, index: int) -> tuple[int, int]:
        span = self._trace.grouping.spans[index]
        if self._trace.epsilon[index] > 0 or span == NO_SPAN:
            return index, index
        inside = np.flatnonzero(self._trace.grouping.spans == span)
        return int(inside[0]), int(inside[-1])


TITLE: Final = "Guessing the sample's words from one release"
NONE: Final = "no such word in the sample"
TOP: Final = 5
_MOST: Final = 1200


class Guesser:
    """What is known about mechanisms and classes; nothing about texts is kept.

    `words` gives the words of a class: whoever has many guessers on one space shares them.
    """

    def __init__(self, parts: Parts, words: Callable[[int], Candidates] | None = None) -> None:
        self._parts = parts
        self.words = words or cache(partial(Candidates, parts.space))
        self.evidence = cache(self._evidence)

    def _evidence(self, cell: Cell) -> Evidence:
        mechanism = self._parts.mechanisms[cell.group]
        return evidence(mechanism, self.words(cell.number), cell.epsilon)

    def told(self, prior: Float64, seen: Iterable[tuple[Cell, int]]) -> Float64:
        """A log prior over a class, and what independent draws of one word add to it."""
        total = prior
        for cell, row in seen:
            total = total + self.evidence(cell).loose(self.place(cell, row))
        return total

    def place(self, cell: Cell, row: int) -> int:
        """Where a released row is among the words of its class."""
        return int(np.searchsorted(self.words(cell.number).ids, row))

    def ranked(self, prior: Float64, seen: Sequence[Target], count: int = TOP) -> Places:
        """The likeliest words given a log prior over a class and independent draws of one word."""
        total = self.told(prior, ((target.cell, target.seen) for target in seen))
        shortlist = best(total, SHORTLIST if seen else count)
        value = prior[shortlist]
        for target in seen:
            place = self.place(target.cell, target.seen)
            value = value + self.evidence(target.cell).sharp(place, shortlist)
        return shortlist[best(value, count)]


def recovery(subject: Subject, told: Callable[[float], None]) -> Section:
    """Top-1 and top-5, by group; then entities."""
    guesser = Guesser(subject.parts)
    chosen = spread(targets(subject), _MOST)
    hits = []
    for done, target in enumerate(chosen):
        told(done / max(len(chosen), 1))
        hits.append(_hits(guesser, target))
    joint = [_joint(guesser, subject, thing) for thing in entities(subject)]
    figures = shares(hits, _NAMES, NONE) | shares(joint, _ENTITIES, NONE)
    remarks = (
        f"top {TOP}: the right word is among the {TOP} likeliest; floors see no release at all",
        "an entity is recovered if every word of it is guessed, from all its mentions together; "
        "words in no public list cannot be guessed here",
    )
    rows = by_group(chosen, hits, _NAMES)
    private = _told(subject, chosen, hits)
    return Section("recovery", TITLE, figures, rows, remarks, private=private)


def by_group(
    chosen: Sequence[Target], hits: Sequence[dict[str, bool]], names: Sequence[str]
) -> list[dict[str, Any]]:
    """A line of shares for each group that was guessed at."""
    groups: dict[int, list[dict[str, bool]]] = {}
    for target, hit in zip(chosen, hits, strict=True):
        groups.setdefault(target.cell.group, []).append(hit)
    return [
        {"words": f"group {group}", "count": len(some), **shares(some, names, NONE)}
        for group, some in sorted(groups.items())
    ]


_NAMES: Final = (
    "recovered_uniform", "recovered_unigram", "recovered_unigram_top5", "floor_unigram",
)  # fmt: skip
_ENTITIES: Final = ("entities_recovered", "entities_floor")


def _hits(guesser: Guesser, target: Target) -> dict[str, bool]:
    words = guesser.words(target.cell.number)
    place = words.place(target.row)
    even = guesser.ranked(np.zeros(len(words)), [target], 1)
    ranked = guesser.ranked(words.log_unigram, [target])
    return {
        "recovered_uniform": place == even[0],
        "recovered_unigram": place == ranked[0],
        "recovered_unigram_top5": place in ranked,
        "floor_unigram": place == int(words.unigram.argmax()),
    }


def _joint(guesser: Guesser, subject: Subject, thing: Entity) -> dict[str, bool]:
    """Whether every word of an entity is guessed from all its mentions, and from none."""
    hit = floor = thing.whole and bool(thing.words)
    for mentions in thing.words:
        released = any(np.isinf(mention.cell.epsilon) for mention in mentions)
        if not len(subject.parts.space.outputs[mentions[0].cell.number]):
            hit, floor = hit and released, False  # the space has no words to guess from
            continue
        words = guesser.words(mentions[0].cell.number)
        place = words.place(mentions[0].row)
        floor = floor and place == int(words.unigram.argmax())
        if released:
            continue
        ranked = guesser.ranked(words.log_unigram, draws(subject, mentions), 1)
        hit = hit and place == ranked[0]
    return dict(zip(_ENTITIES, (bool(hit), bool(floor)), strict=True))


def _told(subject: Subject, chosen: list[Target], hits: list[dict[str, bool]]) -> tuple[str, ...]:
    """PRIVATE: sensitive words that were guessed."""
    space = subject.parts.space
    lines = []
    for target, hit in zip(chosen, hits, strict=True):
        if target.sensitive and hit["recovered_unigram"] and target.seen != UNKNOWN:
            was, became = space.words(np.array([target.row, target.seen], dtype=np.int32))
            lines.append(f'"{was}" left as "{became}" and was guessed')
    return tuple(dict.fromkeys(lines))
