"""What a released word says about the one that stood there: log P(released | word), word by word.

`loose` covers every word of a class and may lack normalisers; `sharp` is for a shortlist, and exact
wherever the law is known. Where only draws are, it is a fitted strength times the cosine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from privstamp.lab.attackers import Draws, draw
from privstamp.lab.words import Words
from privstamp.mechanisms.class_laws import law_of
from privstamp.noise import Float64
from privstamp.protocols import ExactLaw, Fluent, Mechanism
from privstamp.types import Places

SHORTLIST: Final = 64
STRENGTHS: Final = (1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 60.0, 120.0, 500.0)
_TRAINING: Final = 150
_LATEST: Final = 4  # words seen last: each is asked about once for every prior, loosely and sharply
_LEAST: Final = 1e-37  # of a float32: what underflows is only ruled out as far as that


@dataclass(frozen=True)
class Evidence:
    """Of one mechanism at one epsilon over the words of a class; words are numbered by place."""

    words: Words
    loose: Callable[[int], Float64]
    sharp: Callable[[int, Places], Float64]
    how: str


def evidence(mechanism: Mechanism, words: Words, epsilon: float) -> Evidence:
    """The attacker knows the mechanism. With fluency he knows it without its language model."""
    if isinstance(mechanism, Fluent):
        inner = evidence(mechanism.mechanism, words, epsilon)
        return Evidence(words, inner.loose, inner.sharp, f"{inner.how}, before fluency")
    law = law_of(mechanism, words.space, words.number)
    if law is None:
        return _estimated(mechanism, words, epsilon)
    return _exact(law, words, epsilon)


def _exact(law: ExactLaw, words: Words, epsilon: float) -> Evidence:
    """Scores are symmetric up to normalisers, so the row of the released word finds candidates;
    where a law has its columns at hand, these are better still."""

    @lru_cache(maxsize=_LATEST)
    def column(seen: int) -> Float64 | None:
        return law.column(seen, epsilon)

    def loose(seen: int) -> Float64:
        known = column(seen)
        return _logs(law.rows(np.array([seen]), epsilon)[0]) if known is None else known

    def sharp(seen: int, few: Places) -> Float64:
        known = column(seen)
        return _logs(law.rows(few, epsilon)[:, seen]) if known is None else known[few]

    return Evidence(words, loose, sharp, "exact")


def _logs(law: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Float64:
    logs: Float64 = np.log(np.maximum(law.astype(np.float64), _LEAST))
    return logs


def _estimated(mechanism: Mechanism, words: Words, epsilon: float) -> Evidence:
    places = words.sample(words.unigram, _TRAINING, "audit evidence")
    strength = likeliest(words, draw(mechanism, words, places, epsilon, "evidence"))

    @lru_cache(maxsize=_LATEST)
    def loose(seen: int) -> Float64:
        near: Float64 = strength * (words.unit @ words.unit[seen]).astype(np.float64)
        return near

    return Evidence(words, loose, lambda seen, few: loose(seen)[few], "estimated")


def likeliest(words: Words, train: Draws) -> float:
    """The strength under which the words of the training draws are likeliest, given what was seen.

    Unlike the one that guesses most of them, it serves an attacker with any prior.
    """
    with np.errstate(divide="ignore"):
        prior = np.log(words.unigram).astype(np.float32)
    totals = np.zeros(len(STRENGTHS))
    for place, seen in zip(train.places.tolist(), train.outputs.tolist(), strict=True):
        cosine = words.unit @ words.unit[seen]
        for number, strength in enumerate(STRENGTHS):
            value = prior + np.float32(strength) * cosine
            top = float(value.max())
            sure = np.log(np.exp(value - top).sum(dtype=np.float64)) + top
            totals[number] += float(value[place]) - sure
    return STRENGTHS[int(totals.argmax())]


def best(values: Float64, count: int) -> Places:
    """Places of the largest values, the largest first; ties go to the lowest place."""
    count = min(count, len(values))
    found = np.argpartition(-values, count - 1)[:count] if count < len(values) else np.arange(count)
    found = np.sort(found)
    ranked: Places = found[np.argsort(-values[found], kind="stable")]
    return ranked
