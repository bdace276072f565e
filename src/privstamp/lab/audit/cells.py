"""Keep rate and Bayes-optimal recovery of every cell: exact where the law is known, else drawn.

A vocabulary average hides who survives, so each figure stands beside the one weighted by how often
words are used, and the worst.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.lab.attackers import Candidates, draw, success
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.stated import law_of
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Mechanism

TITLE: Final = "Keep rate and recovery, by group and class of words"
SUPPORT: Final = 0.05
"""Share of the mass that an effective support leaves out."""
_QUERIES, _DRAWS, _TRIALS, _ISOLATED, _REPEATS = 200, 4000, 1000, 40, 100


@dataclass(frozen=True)
class Risk:
    """What becomes of the words of a class under one mechanism and epsilon."""

    keep_mean: Estimate
    keep_weighted: Estimate
    keep_max: Estimate
    entropy_bits: float
    support: float
    recovery_uniform: Estimate
    recovery_unigram: Estimate
    floor_unigram: float
    how: str


def cells(subject: Subject, told: Callable[[float], None]) -> Section:
    """One line per cell, and the sample's figures: cells weighted by their units."""
    rows, risks, weights = [], [], []
    space = subject.parts.space
    ordered = sorted(subject.cells)
    for done, cell in enumerate(ordered):
        told(done / len(ordered))
        risk = risk_of(
            subject.parts.mechanisms[cell.group], Candidates(space, cell.number), cell.epsilon
        )
        about = {"group": cell.group, "class": space.classes[cell.number], "epsilon": cell.epsilon}
        rows.append(about | {"units": subject.cells[cell]} | vars(risk))
        risks.append(risk)
        weights.append(subject.cells[cell])
    if not risks:
        none = Estimate.missing("no word of the sample meets a mechanism")
        return Section("cells", TITLE, dict.fromkeys(_FIGURES, none))
    share = np.array(weights, dtype=np.float64) / sum(weights)
    figures = {name: _weighted([getattr(risk, name) for risk in risks], share)
               for name in _FIGURES if name != "keep_max"}  # fmt: skip
    worst = max(risks, key=lambda risk: risk.keep_max.value or 0.0)
    return Section("cells", TITLE, figures | {"keep_max": worst.keep_max}, rows)


_FIGURES: Final = (
    "keep_mean", "keep_weighted", "keep_max", "recovery_uniform", "recovery_unigram",
)  # fmt: skip


def risk_of(mechanism: Mechanism, words: Candidates, epsilon: float) -> Risk:
    """The figures of one mechanism at one epsilon over the words of a class."""
    laws = law_of(mechanism, words.space, words.number)
    if laws is None:
        return _drawn(mechanism, words, epsilon)
    survey = laws.survey([epsilon], [words.even, words.unigram])[0]
    entropy, support = _spread(laws, words, epsilon)
    return Risk(
        keep_mean=Estimate.exact(float(survey.keep.mean())),
        keep_weighted=Estimate.exact(float(survey.keep @ words.unigram)),
        keep_max=Estimate.exact(float(survey.keep.max())),
        entropy_bits=entropy,
        support=support,
        recovery_uniform=Estimate.exact(survey.recovery[0]),
        recovery_unigram=Estimate.exact(survey.recovery[1]),
        floor_unigram=float(words.unigram.max()),
        how="exact",
    )


def _spread(laws: ExactLaw, words: Candidates, epsilon: float) -> tuple[float, float]:
    """Mean entropy, and size of the smallest set of outputs with nearly all of the mass."""
    few = words.sample(words.unigram, 16 if laws.swept else _QUERIES, "audit spread")
    rows = (laws.rows(np.array([place]), epsilon)[0] for place in few.tolist())
    return _of_rows(row.astype(np.float64) for row in rows)


def _of_rows(rows: Iterable[Float64]) -> tuple[float, float]:
    both = [(_entropy(row / row.sum()), _support(row)) for row in rows]
    entropy, support = np.mean(both, axis=0).tolist()
    return entropy, support


def _entropy(row: Float64) -> float:
    held = row[row > 0]
    return float(-(held * np.log2(held)).sum())


def _support(row: Float64) -> int:
    total = np.sort(row)[::-1].cumsum()
    return int(np.searchsorted(total, (1.0 - SUPPORT) * total[-1])) + 1


def _drawn(mechanism: Mechanism, words: Candidates, epsilon: float) -> Risk:
    """The same from releases. Recovery is an attacker's who was really run: a lower bound."""
    even = draw(mechanism, words, words.sample(words.even, _DRAWS, "even"), epsilon, "audit even")
    places = words.sample(words.unigram, _TRIALS + _DRAWS, "unigram")
    both = draw(mechanism, words, places, epsilon, "audit unigram")
    train, test = both[:_TRIALS], both[_TRIALS:]
    every = max(1, len(words) // 2000)
    lonely = words.isolated(np.arange(0, len(words), every), min(_ISOLATED, len(words)))
    repeated = draw(mechanism, words, np.repeat(lonely, _REPEATS), epsilon, "audit isolated")
    kept = (repeated.places == repeated.outputs).reshape(-1, _REPEATS).sum(axis=1)
    entropy, support = _seen(mechanism, words, epsilon)
    return Risk(
        keep_mean=even.kept,
        keep_weighted=test.kept,
        keep_max=Estimate.share(
            int(kept.max()), _REPEATS, "the worst of those furthest from others"
        ),
        entropy_bits=entropy,
        support=support,
        recovery_uniform=even.kept,
        recovery_unigram=success(words, words.unigram, train, test),
        floor_unigram=float(words.unigram.max()),
        how="draws",
    )


def _seen(mechanism: Mechanism, words: Candidates, epsilon: float) -> tuple[float, float]:
    """Entropy and support as far as draws show them: both are lower bounds."""
    few = words.sample(words.unigram, 20, "audit spread")
    drawn = draw(mechanism, words, np.repeat(few, _DRAWS // 20), epsilon, "audit spread")
    counts = (np.unique(row, return_counts=True)[1] for row in drawn.outputs.reshape(20, -1))
    return _of_rows(count.astype(np.float64) for count in counts)


def _weighted(figures: list[Estimate], share: Float64) -> Estimate:
    """A mean over cells. Their intervals are averaged as well: too wide rather than too narrow."""

    def mean(end: str) -> float:
        return float(np.dot([getattr(figure, end) or 0.0 for figure in figures], share))

    return Estimate(mean("value"), mean("low"), mean("high"))
