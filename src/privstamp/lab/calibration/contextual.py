"""An attacker who knows the text before a word as it was, and what a language model expects there.

The audit's attacker reads the released context. Here he is given the original one: that does not
depend on epsilon, so the model is asked once per word, and he does no worse. Only for texts that
are public, those that come with privstamp: a model is never shown a private one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.budget import Budget
from privstamp.lab.attackers import Candidates, Evidence, best, draw, evidence
from privstamp.lab.audit.subject import SampleText
from privstamp.lab.calibration.gauge import Attacker, Gauge, GaugeReading
from privstamp.lab.estimate import Estimate
from privstamp.lab.progress import Progress
from privstamp.mechanisms.fluency import BaseMeasure, Spellings
from privstamp.noise import Float64
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import LanguageModel, Mechanism
from privstamp.registry import MODELS
from privstamp.types import UNKNOWN

PLACES: Final = 120
"""Words of the texts that are attacked, for sensitive groups and for the others."""
TRUSTS: Final = (0.0, 0.25, 0.5, 1.0)
"""How far the attacker may go by the model, the rest by frequency; the best of them counts."""
_DRAWS, _SETTLED, _LIKELY, _BEFORE, _SHORTLIST = 8, 12, 8, 600, 32


@dataclass(frozen=True, eq=False, repr=False)
class WordPlace:
    """A word of a text: where it is among the words of its class, and the model's log prior."""

    group: int
    words: Candidates
    place: int
    prior: Float64  # bounds where the model was not asked about all pieces of a word

    def blend(self, trust: float) -> Float64:
        """The model's prior and the public frequency, the more of the first the more trust."""
        often = np.log(np.maximum(self.words.unigram, 1e-12))
        mixed: Float64 = trust * self.prior + (1.0 - trust) * often
        return mixed


def places(
    policy: Policy, texts: Sequence[SampleText], words: Sequence[Candidates], progress: Progress
) -> list[WordPlace]:
    """Words spread evenly over the texts, each with what the model expects there."""
    part, metric = policy.language_model, policy.budget.metric
    bare = policy.unrepaired.model_copy(update={"budget": Budget.of([0, 0, 0, 0], metric=metric)})
    line = Privatizer(bare)
    met: list[tuple[int, Candidates, int, str, int]] = []
    classes = {of_class.number: of_class for of_class in words}
    for text in texts:
        trace = line.group(text.text, text.task)
        units = trace.units
        for index in np.flatnonzero(units.rows != UNKNOWN).tolist():
            row = int(units.rows[index])
            known = classes.get(int(line.parts.space.class_of[row]))
            at = None if known is None else known.place(row)
            if known is None or at is None:
                continue
            start = int(units.starts[index])
            before = units.text[max(0, start - _BEFORE) : start]
            group, label = int(trace.grouping.groups[index]), int(units.labels[index])
            met.append((group, known, at, before, label))
    model: LanguageModel = MODELS.build(part.name, part.options)
    with closing(model):
        spellings, asked = Spellings(line.parts.space, model), []
        for sensitive in (True, False):
            chosen = [word for word in met if (word[0] < 3) == sensitive]
            chosen = chosen[:: max(1, math.ceil(len(chosen) / PLACES))]
            for done, (group, known, at, before, label) in enumerate(chosen):
                progress(f"language model: word {done + 1} of {len(chosen)}", 0.0)
                measure = BaseMeasure.after(model, before, spellings, known.number, label)
                _settle(measure, at)
                asked.append(WordPlace(group, known, at, measure.upper))
    return asked


def _settle(measure: BaseMeasure, place: int) -> None:
    """Look closely at the word itself and at what seems likeliest: bounds would mislead."""
    measure.settle(place)
    for _ in range(_SETTLED):
        few = best(measure.upper, _LIKELY)
        unsure = few[~measure.settled[few]]
        if not len(unsure):
            return
        measure.settle(int(unsure[0]))


class ContextGauge(Gauge):
    """Reads a mechanism on words in their texts."""

    def __init__(self, mechanism: Mechanism, places: Sequence[WordPlace], seed: int) -> None:
        super().__init__(mechanism, places[0].words, seed)
        self.label = "words in their texts"
        self._attacked = places
        self._laws = None

    def floor(self, attacker: Attacker) -> float:  # noqa: ARG002
        """How often the word is named unseen."""
        blind = [[int(np.argmax(place.blend(trust))) == place.place for place in self._attacked]
                 for trust in TRUSTS]  # fmt: skip
        return float(np.mean(blind, axis=1).max())

    def _read_draws(self, epsilon: float, attacker: Attacker, fresh: bool) -> GaugeReading:  # noqa: ARG002
        purpose = f"calibration {self.seed} context {'fresh' if fresh else 'search'}"
        right, kept, near = [], [], []
        for words in dict.fromkeys(place.words for place in self._attacked):
            here = [place for place in self._attacked if place.words is words]
            known = evidence(self.mechanism, words, epsilon)
            repeated = np.repeat([place.place for place in here], _DRAWS)
            drawn = draw(self.mechanism, words, repeated, epsilon, purpose)
            kept.append((drawn.outputs == repeated).reshape(-1, _DRAWS).mean(axis=1))
            along = np.einsum("ij,ij->i", words.unit[repeated], words.unit[drawn.outputs])
            near.append(along.reshape(-1, _DRAWS).mean(axis=1))
            for place, outputs in zip(here, drawn.outputs.reshape(-1, _DRAWS), strict=True):
                right.append(_rates(place, known, outputs.tolist()))
        best_trust = np.mean(right, axis=0).argmax()  # in hindsight: he knows how far to trust
        return GaugeReading(
            _of_words(np.array(right)[:, best_trust]), _of_words(np.concatenate(kept)),
            Estimate.mean(np.concatenate(near)),
        )  # fmt: skip


def _rates(place: WordPlace, known: Evidence, outputs: list[int]) -> list[float]:
    """How often the word is guessed from its releases, for each trust in the model."""
    blends = np.stack([place.blend(trust) for trust in TRUSTS])
    hits = np.zeros((len(TRUSTS), len(outputs)))
    for column, seen in enumerate(outputs):
        loose = known.loose(seen)
        few = np.unique([best(blend + loose, _SHORTLIST) for blend in blends])
        values = blends[:, few] + known.sharp(seen, few)
        hits[:, column] = few[values.argmax(axis=1)] == place.place
    rates: list[float] = hits.mean(axis=1).tolist()
    return rates


def _of_words(rates: Float64) -> Estimate:
    """A mean of rates; draws of one word are alike, so only words count as trials."""
    low = Estimate.share(math.floor(rates.sum()), len(rates))
    high = Estimate.share(math.ceil(rates.sum()), len(rates))
    return Estimate(float(rates.mean()), low.low, high.high)
