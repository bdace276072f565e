"""Which units get a draw of their own, which share one, and the draws themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.base_measure import BaseMeasure
from privstamp.mechanisms.spelling import Spellings
from privstamp.mechanisms.values import Values
from privstamp.noise import Noise
from privstamp.protocols import Fluent, LanguageModel
from privstamp.release.document import SEAM, Document
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.surrogates import Replacer
from privstamp.types import Ids, Kind, Units


class Fluency:
    """Draws what is left to draw of a document. Keeps public spellings, nothing about texts."""

    def __init__(self, parts: Parts, model: LanguageModel) -> None:
        self._parts = parts
        self._model = model
        self._spellings = Spellings(parts.space, model)

    def fill(self, document: Document, rows: Ids, watch: Callable[[float], None]) -> None:
        """Write into `rows`, one per draw of the document, those of mechanisms with fluency."""
        groups = document.grouping.groups[document.drawn]
        fluent = [g for g, own in self._parts.mechanisms.items() if isinstance(own, Fluent)]
        pending = set(np.flatnonzero(np.isin(groups, fluent)).tolist())
        if not pending:
            return
        count = len(pending)
        where = np.flatnonzero(document.perturbed)
        draw_of = dict(zip(where.tolist(), document.shared.tolist(), strict=True))
        surfaces, slots, kept = self._provisional(document)
        released, position = "", 0
        for slot, index in enumerate(kept):
            start = int(slots.starts[slot])
            if position <= len(document.text) < start:  # the task: another page
                released, position = "", len(document.text) + len(SEAM)
            released += document.units.text[position:start]
            if (draw := draw_of.get(index)) is not None:
                if draw in pending:
                    rows[draw] = self._draw(document, index, released)
                    pending.remove(draw)
                    watch(1.0 - len(pending) / count)
                released += self._written(document, index, int(rows[draw]))
            else:
                released += surfaces[index]
            position = int(slots.ends[slot])

    def _provisional(self, document: Document) -> tuple[list[str], Units, list[int]]:
        """What is not drawn, as the receiver will read it: unprotected words, and replacements.

        Replacements are drawn as they will be, but for collisions with words not yet drawn: from
        public labels and noise of their own, so they are known before any unit is.
        """
        surfaces = document.units.surfaces()
        carried, epsilon = document.pseudonyms, document.epsilon
        known = Pseudonyms(document.key) if carried is None else carried.branch()
        replacer = Replacer(self._parts.replacements, known, (), Values(self._parts.values))
        done = replacer.document(
            document.units,
            document.grouping,
            epsilon == 0,
            surfaces,
            np.isinf(epsilon),
            document.positions,
        )
        return surfaces, done.units, done.kept.tolist()

    def _draw(self, document: Document, index: int, released: str) -> int:
        units, space = document.units, self._parts.space
        row, epsilon = int(units.rows[index]), float(document.epsilon[index])
        number = int(space.class_of[row])
        mechanism = self._parts.mechanisms[int(document.grouping.groups[index])]
        if not isinstance(mechanism, Fluent):
            raise TypeError("a mechanism without fluency draws elsewhere")
        base = self.measure(released, number, int(units.labels[index]))
        noise = Noise.of_document(document.key, [document.positions[index]])
        place = mechanism.draw(row, epsilon, base, noise)
        return int(space.outputs[number][place])

    def measure(self, released: str, number: int, label: int) -> BaseMeasure:
        """What the model expects of a class's outputs after what was released."""
        return BaseMeasure.after(self._model, released, self._spellings, number, label)

    def _written(self, document: Document, index: int, row: int) -> str:
        label = document.units.labels[index : index + 1]
        return self._parts.space.render(np.array([row], dtype=np.int32), label)[0]


WORDY = (Kind.WORD, Kind.FOREIGN)
WATCHED = 50_000
"""Draws between two calls of a watcher."""
Fill: TypeAlias = Callable[[Document, Ids, Callable[[float], None]], None]
"""Draws the rows of a document that mechanisms with fluency have to draw."""


def draw(
    documents: list[Document],
    parts: Parts,
    fill: Fill | None,
    watch: Callable[[float], None],
    *,
    once: bool,
) -> None:
    """Flatten all documents into arrays: one call of the mechanism for all of them.

    Mechanisms with fluency come after the others, in reading order.
    """
    for document in documents:
        choose_draws(document, parts, once=once)
        if document.pseudonyms is not None:
            document.take_address(document.pseudonyms)
    lengths = [len(document.drawn) for document in documents]
    ids = np.concatenate([one.units.rows[one.drawn] for one in documents])
    epsilon = np.concatenate([one.epsilon[one.drawn] for one in documents])
    positions = np.concatenate([one.positions[one.drawn] for one in documents])
    numbers = np.repeat(np.arange(len(documents), dtype=np.int64), lengths)
    noise = Noise([one.key for one in documents], numbers, positions)
    groups = np.concatenate([one.grouping.groups[one.drawn] for one in documents])
    out = np.empty(len(ids), dtype=np.int32)
    for mechanism in dict.fromkeys(parts.mechanisms.values()):
        if isinstance(mechanism, Fluent):
            continue
        mine = [group for group, own in parts.mechanisms.items() if own is mechanism]
        here = np.flatnonzero(np.isin(groups, mine))
        for start in range(0, len(here), WATCHED):
            block = here[start : start + WATCHED]
            out[block] = mechanism.privatize(ids[block], epsilon[block], noise.take(block))
            watch((start + len(block)) / len(ids))
    split = np.split(out, np.cumsum(lengths)[:-1])
    for number, (document, drawn) in enumerate(zip(documents, split, strict=True)):
        if fill is not None:
            fill(document, drawn, _share(watch, number, len(documents)))
        document.outputs = drawn[document.shared]


def _share(watch: Callable[[float], None], number: int, count: int) -> Callable[[float], None]:
    """Tells how much of a document, one of many, is drawn."""
    return lambda done: watch((number + done) / count)


def choose_draws(document: Document, parts: Parts, *, once: bool) -> None:
    """Sensitive words are drawn once per document, unless independent draws are asked for.

    Pieces of words are shared only as parts of a repeated entity: shared by themselves, they would
    be a cipher. The smallest epsilon of a word's mentions holds for all of them that have the same
    mechanism: groups 1 and 2 with different ones release a word of both groups twice.
    """
    units, where = document.units, np.flatnonzero(document.perturbed)
    identity = where.astype(np.int64)
    if once:
        groups = document.grouping.groups[where]
        wordy = (groups <= 2) & np.isin(units.kinds[where], WORDY)
        made = list(dict.fromkeys(parts.mechanisms.values()))
        number = np.zeros(5, dtype=np.int64)  # of the mechanism, by group
        for group, mechanism in parts.mechanisms.items():
            number[group] = made.index(mechanism)
        own = units.rows[where].astype(np.int64) * len(number) + number[groups]
        places = _entity_positions(document, number[document.grouping.groups])
        identity = np.where(wordy, -1 - own, places[where])
    _, first, shared = np.unique(identity, return_index=True, return_inverse=True)
    least = np.full(len(first), np.inf)
    np.minimum.at(least, shared, document.epsilon[where])
    document.epsilon[where] = least[shared]
    document.drawn, document.shared = where[first], shared


def _entity_positions(
    document: Document, mechanism: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Each unit's own place; inside an entity that repeats under one mechanism, the first place."""
    places = np.arange(len(document.units), dtype=np.int64)
    spans, rows = document.grouping.spans, document.units.rows
    numbers, firsts, sizes = np.unique(spans, return_index=True, return_counts=True)
    seen: dict[bytes, int] = {}
    for first, size in zip(firsts[numbers != NO_SPAN], sizes[numbers != NO_SPAN], strict=True):
        entity = bytes([mechanism[first]]) + rows[first : first + size].tobytes()
        earlier = seen.setdefault(entity, int(first))
        places[first : first + size] = np.arange(earlier, earlier + size)
    return places
