"""Releases of public words, and an attacker who is really run where nobody knows the exact law.

It sees the released word v and guesses the word x with the largest log prior(x) + a * cosine(x, v)
over all words. The strength a is fitted on draws of its own, then success is counted on fresh ones.
The best attacker does at least as well, so this is a lower bound of Bayes-optimal recovery.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_bytes
from time import perf_counter
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.estimate import Estimate
from privstamp.lab.words import Words, noise
from privstamp.noise import KEY_BYTES, Float64, Noise
from privstamp.protocols import Directional, Discrete, Mechanism
from privstamp.types import Epsilons, Ids, Places, Table

STRENGTHS: Final = (1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 60.0, 120.0)
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
    tried = guesses(words, prior, train.outputs, STRENGTHS)
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
