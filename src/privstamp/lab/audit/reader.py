"""A language model as attacker: what fits into a gap of the released text, left and right of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from privstamp.frontier.words import Places
from privstamp.lab.audit.evidence import best
from privstamp.mechanisms._base_measure import BaseMeasure
from privstamp.mechanisms._spelling import Spellings
from privstamp.noise import Float64
from privstamp.protocols import LanguageModel, Space

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


class Reader:
    """Makes gaps of a space's words. Keeps public spellings, nothing about texts."""

    def __init__(self, model: LanguageModel, space: Space) -> None:
        self._model = model
        self._spellings = Spellings(space, model)

    def gap(self, sides: tuple[str, str], number: int, label: int) -> Gap:
        return Gap(self._model, self._spellings, sides, number, label)
