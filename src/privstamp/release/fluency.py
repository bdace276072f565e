"""Draws in reading order, each with an eye on what was released before it.

Only for mechanisms with fluency: a language model is shown the released text so far, as a receiver
will read it, and never what stood there. Proof: mechanisms/_fluency.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from privstamp.mechanisms._base_measure import BaseMeasure
from privstamp.mechanisms._fluency import Fluent
from privstamp.mechanisms._spelling import Spellings
from privstamp.mechanisms.values import Values
from privstamp.noise import Noise
from privstamp.protocols import LanguageModel
from privstamp.release.document import SEAM, Document
from privstamp.release.parts import Parts
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.surrogates import Replacer
from privstamp.types import Ids, Units


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
        position = int(document.positions[index])
        if document.address is not None:
            position = document.address.after(position, released)
        noise = Noise.of_document(document.key, [position])
        place = mechanism.draw(row, epsilon, base, noise)
        return int(space.outputs[number][place])

    def measure(self, released: str, number: int, label: int) -> BaseMeasure:
        """What the model expects of a class's outputs after what was released."""
        return BaseMeasure.after(self._model, released, self._spellings, number, label)

    def _written(self, document: Document, index: int, row: int) -> str:
        label = document.units.labels[index : index + 1]
        return self._parts.space.render(np.array([row], dtype=np.int32), label)[0]
