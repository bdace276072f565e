"""Guesses on the sample's own releases: word by word, and entity by entity over all mentions.

An attacker who knows how often words are used, or nothing at all, and no context. Beside each
figure stands its floor: what the same attacker gets who sees no release.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from privstamp.frontier.words import Places, Words
from privstamp.lab.audit.evidence import SHORTLIST, Evidence, best, evidence
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.subject import Cell, Subject
from privstamp.lab.audit.targets import Entity, Target, draws, entities, spread, targets
from privstamp.noise import Float64
from privstamp.parts import Parts
from privstamp.types import UNKNOWN

TITLE: Final = "Guessing the sample's words from one release"
TOP: Final = 5
_MOST: Final = 1200


class Guesser:
    """What is known about mechanisms and classes; nothing about texts is kept.

    `words` gives the words of a class: whoever has many guessers on one space shares them.
    """

    def __init__(self, parts: Parts, words: Callable[[int], Words] | None = None) -> None:
        self._parts = parts
        self.words = words or lru_cache(maxsize=None)(self._words)
        self.evidence = lru_cache(maxsize=None)(self._evidence)

    def _words(self, number: int) -> Words:
        return Words(self._parts.space, number)

    def _evidence(self, cell: Cell) -> Evidence:
        mechanism = self._parts.mechanisms[cell.group]
        return evidence(mechanism, self.words(cell.number), cell.epsilon)

    def place(self, row: int, words: Words) -> int | None:
        """Where a row is among the words that may be guessed."""
        place = int(np.searchsorted(words.ids, row))
        return place if place < len(words) and words.ids[place] == row else None

    def ranked(self, prior: Float64, seen: Sequence[Target], count: int = TOP) -> Places:
        """The likeliest words given a log prior over a class and independent draws of one word."""
        total, shortlist = prior.copy(), None
        for one in seen:
            total += self.evidence(one.cell).loose(self._seen(one))
        shortlist = best(total, SHORTLIST if seen else count)
        value = prior[shortlist]
        for one in seen:
            value = value + self.evidence(one.cell).sharp(self._seen(one), shortlist)
        return shortlist[best(value, count)]

    def _seen(self, one: Target) -> int:
        return int(np.searchsorted(self.words(one.cell.number).ids, one.seen))


def recovery(subject: Subject, told: Callable[[float], None]) -> Section:
    """Top-1 and top-5, by group; then entities."""
    guesser = Guesser(subject.parts)
    chosen = spread(targets(subject), _MOST)
    hits = []
    for done, one in enumerate(chosen):
        told(done / max(len(chosen), 1))
        hits.append(_hits(guesser, one))
    rows = [_row(f"group {group}", [hit for one, hit in zip(chosen, hits, strict=True)
                                    if one.cell.group == group])
            for group in sorted({one.cell.group for one in chosen})]  # fmt: skip
    things = entities(subject)
    joint = [_joint(guesser, subject, one) for one in things]
    everything = _row("all", hits)
    figures = {name: everything[name] for name in _NAMES} | {
        "entities_recovered": _share([one for one, _ in joint]),
        "entities_floor": _share([floor for _, floor in joint]),
    }
    remarks = (
        f"top {TOP}: the right word is among the {TOP} likeliest; floors see no release at all",
        "an entity is recovered if every word of it is guessed, from all its mentions together; "
        "words in no public list cannot be guessed here",
    )
    private = _told(subject, chosen, hits)
    return Section("recovery", TITLE, figures, rows, remarks, private=private)


_NAMES: Final = (
    "recovered_uniform", "recovered_unigram", "recovered_unigram_top5", "floor_unigram",
)  # fmt: skip


def _hits(guesser: Guesser, one: Target) -> dict[str, bool]:
    words = guesser.words(one.cell.number)
    place = guesser.place(one.row, words)
    with np.errstate(divide="ignore"):
        unigram = np.log(words.unigram)
    even = guesser.ranked(np.zeros(len(words)), [one], 1)
    ranked = guesser.ranked(unigram, [one])
    return {
        "recovered_uniform": place == even[0],
        "recovered_unigram": place == ranked[0],
        "recovered_unigram_top5": place in ranked,
        "floor_unigram": place == int(words.unigram.argmax()),
    }


def _row(name: str, hits: list[dict[str, bool]]) -> dict[str, Any]:
    shares = {key: _share([hit[key] for hit in hits]) for key in _NAMES}
    return {"words": name, "count": len(hits), **shares}


def _share(hits: list[bool]) -> Figure:
    return Figure.share(sum(hits), len(hits), "" if hits else "no such word in the sample")


def _joint(guesser: Guesser, subject: Subject, thing: Entity) -> tuple[bool, bool]:
    """Whether every word of an entity is guessed from all its mentions, and from none."""
    found = floor = thing.whole and bool(thing.words)
    for mentions in thing.words:
        released = any(np.isinf(one.cell.epsilon) for one in mentions)
        if not len(subject.parts.space.outputs[mentions[0].cell.number]):
            found, floor = found and released, False  # the space has no words to guess from
            continue
        words = guesser.words(mentions[0].cell.number)
        place = guesser.place(mentions[0].row, words)
        with np.errstate(divide="ignore"):
            prior = np.log(words.unigram)
        floor = floor and place == int(words.unigram.argmax())
        if released:
            continue
        ranked = guesser.ranked(prior, draws(subject, mentions), 1)
        found = found and place == ranked[0]
    return bool(found), bool(floor)


def _told(subject: Subject, chosen: list[Target], hits: list[dict[str, bool]]) -> tuple[str, ...]:
    """PRIVATE: sensitive words that were guessed."""
    space = subject.parts.space
    lines = []
    for one, hit in zip(chosen, hits, strict=True):
        if one.sensitive and hit["recovered_unigram"] and one.seen != UNKNOWN:
            was, became = space.words(np.array([one.row, one.seen], dtype=np.int32))
            lines.append(f'"{was}" left as "{became}" and was guessed')
    return tuple(dict.fromkeys(lines))
