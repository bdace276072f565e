"""Attackers who know the mechanism: by its exact law where it has one, else really run.

`evidence` is what a released word says about the one that stood there, log P(released | word), word
by word: `loose` covers every word of a class and may lack normalisers, `sharp` is for a shortlist,
and exact wherever the law is known.

Where only draws are, the attacker sees the released word v and guesses the word x with the largest
log prior(x) + a * cosine(x, v) over all words. The strength a is fitted on draws of its own, then
success is counted on fresh ones. The best attacker does at least as well, so this is a lower bound
of Bayes-optimal recovery.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_bytes
from time import perf_counter
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.estimate import Estimate
from privstamp.lab.words import Words, noise
from privstamp.mechanisms.class_laws import law_of
from privstamp.noise import KEY_BYTES, Float64, Noise
from privstamp.protocols import Directional, Discrete, ExactLaw, Fluent, Mechanism
from privstamp.types import Epsilons, Ids, Places, Table

STRENGTHS: Final = (1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 60.0, 120.0, 500.0)
_BLOCK: Final = 64


@dataclass(frozen=True, eq=False)
class Draws:
    """Words, the words they were released as, and how long that took per word."""

    places: Places
    outputs: Places
    seconds: float

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, part: slice) -> Draws:
        return Draws(self.places[part], self.outputs[part], self.seconds)

    @property
    def kept(self) -> Estimate:
        return _share(self.places == self.outputs)


def _share(hits: npt.NDArray[np.bool_]) -> Estimate:
    return Estimate.share(int(hits.sum()), len(hits))


def draw(mechanism: Mechanism, words: Words, places: Places, epsilon: float, purpose: str) -> Draws:
    """One release of each word, with noise that whoever repeats the measurement gets too."""
    address = noise(len(places), f"{mechanism.name} {words.name} {epsilon} {purpose}")
    begun = perf_counter()
    out = mechanism.privatize(words.ids[places], np.full(len(places), epsilon), address)
    seconds = (perf_counter() - begun) / max(len(places), 1)
    return Draws(places, np.searchsorted(words.ids, out), seconds)


def keep_rates(
    mechanism: Mechanism, ids: Ids, epsilon: Epsilons, *, draws: int = 200, key: bytes | None = None
) -> list[Estimate]:
    """P(unit comes out as itself) for each unit and its epsilon, exact where a channel is known."""
    if isinstance(mechanism, Discrete):
        rows = (mechanism.channel(ids[[n]], epsilon[[n]])[0] for n in range(len(ids)))
        return [Estimate.exact(float(row[id_])) for row, id_ in zip(rows, ids, strict=True)]
    address = Noise.of_document(key or token_bytes(KEY_BYTES), np.arange(len(ids) * draws))
    out = mechanism.privatize(np.repeat(ids, draws), np.repeat(epsilon, draws), address)
    same = out.reshape(len(ids), draws) == ids[:, None]
    return [Estimate.share(int(hits), draws) for hits in same.sum(axis=1)]


def success(words: Words, prior: Float64, train: Draws, test: Draws) -> Estimate:
    """How often the attacker with this prior is right, its strength fitted on `train`."""
    strength = fitted(words, prior, train)
    return _share(guesses(words, prior, test.outputs, [strength])[0] == test.places)


def fitted(words: Words, prior: Float64, train: Draws) -> float:
    """The strength that guesses most of the training draws; the first of equals."""
    # At the last strength the prior says nothing: whoever guesses one word would never choose it.
    tried = guesses(words, prior, train.outputs, STRENGTHS[:-1])
    return STRENGTHS[int(np.argmax([(one == train.places).sum() for one in tried]))]


def guesses(
    words: Words, prior: Float64, outputs: Places, strengths: Sequence[float]
) -> list[Places]:
    """For every strength the guess for each released word; candidates are all words."""
    distinct, which = np.unique(outputs, return_inverse=True)
    found = best_matches(words, prior, words.unit[distinct], strengths)
    return [one[which] for one in found]


def best_matches(
    words: Words, prior: Float64, vectors: Table, strengths: Sequence[float]
) -> list[Places]:
    """The word with the largest log prior + strength * product, for each vector and strength."""
    with np.errstate(divide="ignore"):
        bonus = np.log(prior).astype(np.float32)
    found = [np.empty(len(vectors), dtype=np.int64) for _ in strengths]
    for start in range(0, len(vectors), _BLOCK):
        cosine = vectors[start : start + _BLOCK] @ words.unit.T
        for out, strength in zip(found, strengths, strict=True):
            value = cosine * np.float32(strength)
            value += bonus
            out[start : start + _BLOCK] = value.argmax(axis=1)
    return found


def vector_success(
    mechanism: Directional, words: Words, places: Places, epsilon: float
) -> Estimate:
    """The best attacker who sees the noisy direction itself, before it becomes a word.

    Decoding only loses, so whoever sees the word is right no more often: an upper bound.
    """
    address = noise(len(places), f"{mechanism.name} {words.name} {epsilon} vector")
    drawn, kappa = mechanism.directions(words.ids[places], epsilon, address)
    noisy = drawn.astype(np.float32)
    return _share(best_matches(words, words.unigram, noisy, [kappa])[0] == places)


SHORTLIST: Final = 64
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
