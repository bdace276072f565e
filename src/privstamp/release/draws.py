"""Which units get a draw of their own, which share one, and the draws themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.numeric import Values
from privstamp.noise import Noise
from privstamp.protocols import Fluent, LanguageModel, Measure
from privstamp.release.document import SEAM, Chosen, Labelled, Sampled, grown
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts
from privstamp.release.replaced import Pseudonyms, Replaced
from privstamp.release.surrogates import Replacer
from privstamp.types import Ids, Kind, among, join_surfaces


class Fluency:
    """Draws what is left to draw of a document. Keeps public spellings, nothing about texts."""

    def __init__(self, parts: Parts, model: LanguageModel) -> None:
        from privstamp.mechanisms.fluency import Spellings  # few lines have a model

        self._parts = parts
        self._model = model
        self._spellings = Spellings(parts.space, model)

    def fill(
        self, document: Chosen, replaced: Replaced, rows: Ids, watch: Callable[[float], None]
    ) -> None:
        """Write into `rows`, one per draw of the document, those of mechanisms with fluency.

        What is not drawn stands in `replaced` as the receiver will read it: unprotected words, and
        surrogates, which come from public labels and noise of their own.
        """
        groups = document.grouping.groups[document.drawn]
        pending = set(np.flatnonzero(among(fluent_groups(self._parts))[groups]).tolist())
        count = len(pending)
        where = np.flatnonzero(document.perturbed)
        draw_of = dict(zip(where.tolist(), document.shared.tolist(), strict=True))
        slots = replaced.units
        released, position = "", 0
        for slot, index in enumerate(replaced.kept.tolist()):
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
                released += replaced.surfaces[index]
            position = int(slots.ends[slot])

    def _draw(self, document: Chosen, index: int, released: str) -> int:
        units, space = document.units, self._parts.space
        row, epsilon = int(units.rows[index]), float(document.epsilon[index])
        number = int(space.class_of[row])
        mechanism = self._parts.mechanisms[int(document.grouping.groups[index])]
        if not isinstance(mechanism, Fluent):
            raise TypeError("a mechanism without fluency draws elsewhere")

        def at(position: int) -> int:
            base = self.measure(released, number, int(units.labels[index]))
            noise = Noise.of_document(document.key, [position])
            return int(space.outputs[number][mechanism.draw(row, epsilon, base, noise)])

        if document.pseudonyms is None or document.address is None:
            return at(int(document.positions[index]))
        return document.address.row(document, index, released, at)  # the law is another one here

    def measure(self, released: str, number: int, label: int) -> Measure:
        """What the model expects of a class's outputs after what was released."""
        from privstamp.mechanisms.fluency import BaseMeasure

        return BaseMeasure.after(self._model, released, self._spellings, number, label)

    def _written(self, document: Chosen, index: int, row: int) -> str:
        label = document.units.labels[index : index + 1]
        return self._parts.space.render(np.array([row], dtype=np.int32), label)[0]


WORDY = among((Kind.WORD, Kind.FOREIGN))
WATCHED = 50_000
"""Draws between two calls of a watcher."""
BRACKETED = re.compile(r"\[[^\[\]\s]{1,60}\]")


def fluent_groups(parts: Parts) -> list[int]:
    return [group for group, part in parts.mechanisms.items() if isinstance(part, Fluent)]


def draw(
    documents: list[Labelled],
    parts: Parts,
    fluency: Fluency | None,
    watch: Callable[[float], None],
    *,
    once: bool,
) -> list[Sampled]:
    """Rows by mechanisms, then surrogates, then rows by mechanisms with fluency, which read both:
    in reading order."""
    chosen = [choose_draws(document, parts, once=once).addressed() for document in documents]
    rows = drawn_rows(chosen, parts, watch)
    return [
        _sampled(document, drawn, parts, fluency, _share(watch, number, len(chosen)))
        for number, (document, drawn) in enumerate(zip(chosen, rows, strict=True))
    ]


def drawn_rows(documents: list[Chosen], parts: Parts, watch: Callable[[float], None]) -> list[Ids]:
    """Flatten all documents into arrays: one call of each mechanism for all of them.

    Those of mechanisms with fluency are left out.
    """
    lengths = [len(document.drawn) for document in documents]
    ids = np.concatenate([document.units.rows[document.drawn] for document in documents])
    epsilon = np.concatenate([document.epsilon[document.drawn] for document in documents])
    positions = np.concatenate([document.positions[document.drawn] for document in documents])
    numbers = np.repeat(np.arange(len(documents), dtype=np.int64), lengths)
    noise = Noise([document.key for document in documents], numbers, positions)
    groups = np.concatenate([document.grouping.groups[document.drawn] for document in documents])
    out = np.empty(len(ids), dtype=np.int32)
    for mechanism in dict.fromkeys(parts.mechanisms.values()):
        if isinstance(mechanism, Fluent):
            continue
        served = [group for group, part in parts.mechanisms.items() if part is mechanism]
        here = np.flatnonzero(among(served)[groups])
        for start in range(0, len(here), WATCHED):
            block = here[start : start + WATCHED]
            out[block] = mechanism.privatize(ids[block], epsilon[block], noise.take(block))
            watch((start + len(block)) / len(ids))
    return np.split(out, np.cumsum(lengths)[:-1])


def _sampled(
    document: Chosen,
    rows: Ids,
    parts: Parts,
    fluency: Fluency | None,
    watch: Callable[[float], None],
) -> Sampled:
    """With every unit as it will be written; `rows` are those of the draws so far."""
    where = np.flatnonzero(document.perturbed)
    late = among(fluent_groups(parts))[document.grouping.groups[where]]
    surfaces = document.units.surfaces()

    def write(which: npt.NDArray[np.bool_]) -> None:
        drawn, labels = rows[document.shared[which]], document.units.labels[where[which]]
        words = parts.space.render(drawn, labels)
        for index, word in zip(where[which].tolist(), words, strict=True):
            surfaces[index] = word

    write(~late)
    replaced = _replace(document, parts, surfaces, where[late])
    if fluency is not None and late.any():
        fluency.fill(document, replaced, rows, watch)
        write(late)
        words = {surfaces[index].strip().casefold() for index in where[late].tolist()}
        replaced.forget(words)
    return grown(Sampled, document, outputs=rows[document.shared], replaced=replaced)


def _replace(
    document: Chosen, parts: Parts, surfaces: list[str], late: npt.NDArray[np.intp]
) -> Replaced:
    """Draw what replaces units at epsilon 0, and write it into `surfaces`; what is drawn `late` is
    not known yet."""
    mask = document.epsilon == 0
    unknown = mask.copy()
    unknown[late] = True
    released = {surfaces[i].strip().casefold() for i in np.flatnonzero(~unknown).tolist()}
    if not all(part.shaped for part in parts.replacements.values()):
        shown = ["" if hide else word for hide, word in zip(unknown, surfaces, strict=True)]
        skeleton = join_surfaces(document.units, shown)
        released |= {label.casefold() for label in BRACKETED.findall(skeleton)}
    known = document.pseudonyms or Pseudonyms(document.key)
    key = known.key if document.address is None else document.address.noise
    values = Values(parts.values, Noise.of_document(key, [])) if parts.values else None
    replacer = Replacer(parts.replacements, known, released, values)
    as_written = np.isinf(document.epsilon)
    return replacer.document(
        document.units, document.grouping, mask, surfaces, as_written, document.positions
    )


def _share(watch: Callable[[float], None], number: int, count: int) -> Callable[[float], None]:
    """Tells how much of a document, one of many, is drawn."""
    return lambda done: watch((number + done) / count)


def choose_draws(document: Labelled, parts: Parts, *, once: bool) -> Chosen:
    """Sensitive words are drawn once per document, unless independent draws are asked for.

    Pieces of words are shared only as parts of a repeated entity: shared by themselves, they would
    be a cipher. The smallest epsilon of a word's mentions holds for all of them that have the same
    mechanism: groups 1 and 2 with different ones release a word of both groups twice.
    """
    units, where = document.units, np.flatnonzero(document.perturbed)
    positions = np.arange(len(units))
    if not len(where):
        epsilon = document.epsilon.copy()
        return grown(
            Chosen, document, epsilon=epsilon, drawn=where, shared=where, positions=positions
        )
    identity = where.astype(np.int64)
    if once:
        groups = document.grouping.groups[where]
        wordy = (groups <= 2) & WORDY[units.kinds[where]]
        mechanisms = list(dict.fromkeys(parts.mechanisms.values()))
        number = np.zeros(5, dtype=np.int64)  # of the mechanism, by group
        for group, mechanism in parts.mechanisms.items():
            number[group] = mechanisms.index(mechanism)
        words = units.rows[where].astype(np.int64) * len(number) + number[groups]
        places = _entity_positions(document, number[document.grouping.groups])
        identity = np.where(wordy, -1 - words, places[where])
    _, first, shared = np.unique(identity, return_index=True, return_inverse=True)
    least = np.full(len(first), np.inf)
    np.minimum.at(least, shared, document.epsilon[where])
    epsilon = document.epsilon.copy()
    epsilon[where] = least[shared]
    return grown(
        Chosen, document, epsilon=epsilon, drawn=where[first], shared=shared, positions=positions
    )


def _entity_positions(
    document: Labelled, mechanism: npt.NDArray[np.int64]
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
