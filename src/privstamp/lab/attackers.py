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
from functools import cached_property, lru_cache
from secrets import token_bytes
from time import perf_counter
from typing import Final

import numpy as np

from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.stated import law_of
from privstamp.noise import KEY_BYTES, Float64, Lane, Noise, Randomness
from privstamp.protocols import Directional, Discrete, ExactLaw, Fluent, Mechanism, Space
from privstamp.types import Epsilons, Ids, Places, Table

# The words under attack: the outputs of one class, how likely each is, and who is near whom.

NEAR: Final = 50
_SEED: Final = 20261115  # words and noise of a measurement: the same for whoever repeats it
_WORDS_BLOCK: Final = 64


def main_class(space: Space) -> int:
    """The class that recovery is measured on: content words, or the largest class."""
    if "content" in space.classes:
        return space.classes.index("content")
    return int(np.argmax([len(rows) for rows in space.outputs]))


def noise(count: int, purpose: str) -> Noise:
    """Reproducible noise of a measurement; a release never reads it."""
    key = Randomness.make(seed=_SEED).key(purpose.encode())
    return Noise.of_document(key, np.arange(count))


class Candidates:
    """Every output row of a class is a candidate; queries are drawn from them.

    Both priors are over these words: `even` gives each the same chance, `unigram` the public
    frequency. Rows that are only ever inputs are left out: they are never released, and an
    attacker who is told that the word is not one of them does no worse.
    """

    def __init__(self, space: Space, number: int) -> None:
        self.space = space
        self.number = number
        self.name = space.classes[number]
        self.ids: Ids = space.outputs[number]
        weight = space.prior[self.ids].astype(np.float64)
        self.unigram: Float64 = weight / weight.sum()
        self.even: Float64 = np.full(len(self.ids), 1.0 / len(self.ids))
        self.covered = float(weight.sum() / space.prior[space.class_of == number].sum())

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def unit(self) -> Table:
        return np.ascontiguousarray(self.space.unit[self.ids], dtype=np.float32)

    @cached_property
    def log_unigram(self) -> Float64:
        """What an attacker who knows frequencies begins with."""
        with np.errstate(divide="ignore"):
            logs: Float64 = np.log(self.unigram)
        return logs

    def place(self, row: int) -> int | None:
        """Where a row is among the words that may be guessed."""
        place = int(np.searchsorted(self.ids, row))
        return place if place < len(self) and self.ids[place] == row else None

    def sample(self, prior: Float64, count: int, purpose: str) -> Places:
        """Independent draws of words from a prior."""
        uniform = noise(count, f"{self.name} {purpose}").uniform(1, Lane.CHOICE)[:, 0]
        cumulative = prior.cumsum()
        drawn = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
        places: Places = np.minimum(drawn, len(self) - 1)
        return places

    def isolated(self, among: Places, count: int) -> Places:
        """Those furthest from their nearest neighbour, so likeliest to stay themselves."""
        best = np.empty(len(among), dtype=np.float32)
        for start in range(0, len(among), _WORDS_BLOCK):
            here = among[start : start + _WORDS_BLOCK]
            cosine = self.unit[here] @ self.unit.T
            cosine[np.arange(len(here)), here] = -np.inf
            best[start : start + _WORDS_BLOCK] = cosine.max(axis=1)
        return among[np.argsort(best, kind="stable")[:count]]

    def nearness(self, places: Places, outputs: Places) -> tuple[Float64, Float64]:
        """Cosine of each pair, and how many words are at least as near, the word itself aside."""
        cosine, rank = np.empty(len(places)), np.empty(len(places))
        for start in range(0, len(places), _WORDS_BLOCK):
            here, there = (
                places[start : start + _WORDS_BLOCK],
                outputs[start : start + _WORDS_BLOCK],
            )
            every = self.unit[here] @ self.unit.T
            line = np.arange(len(here))
            near = every[line, there]
            cosine[start : start + _WORDS_BLOCK] = near
            rank[start : start + _WORDS_BLOCK] = (every >= near[:, None]).sum(axis=1) - 1
        return cosine, rank


class Queries:
    """A few words with the cosines and ranks of all others, worked out once."""

    def __init__(self, words: Candidates, places: Places) -> None:
        self.places = places
        self.cosines: Table = words.unit[places] @ words.unit.T
        line = np.arange(len(places))
        self.cosines[line, places] = np.inf  # a word is its own nearest, duplicates or not
        order = np.argsort(-self.cosines, axis=1, kind="stable").astype(np.int32)
        self.ranks = np.empty_like(order)
        np.put_along_axis(self.ranks, order, np.arange(len(words), dtype=np.int32)[None, :], axis=1)
        self.nearest: Places = order[:, 1].astype(np.int64)
        self.cosines[line, places] = 1.0


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
        return Estimate.hits(self.places == self.outputs)


def draw(
    mechanism: Mechanism, words: Candidates, places: Places, epsilon: float, purpose: str
) -> Draws:
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


def success(words: Candidates, prior: Float64, train: Draws, test: Draws) -> Estimate:
    """How often the attacker with this prior is right, its strength fitted on `train`."""
    strength = fitted(words, prior, train)
    return Estimate.hits(guesses(words, prior, test.outputs, [strength])[0] == test.places)


def fitted(words: Candidates, prior: Float64, train: Draws) -> float:
    """The strength that guesses most of the training draws; the first of equals."""
    # At the last strength the prior says nothing: whoever guesses one word would never choose it.
    tried = guesses(words, prior, train.outputs, STRENGTHS[:-1])
    return STRENGTHS[int(np.argmax([(guess == train.places).sum() for guess in tried]))]


def guesses(
    words: Candidates, prior: Float64, outputs: Places, strengths: Sequence[float]
) -> list[Places]:
    """For every strength the guess for each released word; candidates are all words."""
    distinct, which = np.unique(outputs, return_inverse=True)
    matches = best_matches(words, prior, words.unit[distinct], strengths)
    return [match[which] for match in matches]


def best_matches(
    words: Candidates, prior: Float64, vectors: Table, strengths: Sequence[float]
) -> list[Places]:
    """The word with the largest log prior + strength * product, for each vector and strength."""
    with np.errstate(divide="ignore"):
        bonus = np.log(prior).astype(np.float32)
    matches = [np.empty(len(vectors), dtype=np.int64) for _ in strengths]
    for start in range(0, len(vectors), _BLOCK):
        cosine = vectors[start : start + _BLOCK] @ words.unit.T
        for out, strength in zip(matches, strengths, strict=True):
            value = cosine * np.float32(strength)
            value += bonus
            out[start : start + _BLOCK] = value.argmax(axis=1)
    return matches


def vector_success(
    mechanism: Directional, words: Candidates, places: Places, epsilon: float
) -> Estimate:
    """The best attacker who sees the noisy direction itself, before it becomes a word.

    Decoding only loses, so whoever sees the word is right no more often: an upper bound.
    """
    address = noise(len(places), f"{mechanism.name} {words.name} {epsilon} vector")
    drawn, kappa = mechanism.directions(words.ids[places], epsilon, address)
    noisy = drawn.astype(np.float32)
    return Estimate.hits(best_matches(words, words.unigram, noisy, [kappa])[0] == places)


SHORTLIST: Final = 64
_TRAINING: Final = 150
_LATEST: Final = 4  # words seen last: each is asked about once for every prior, loosely and sharply
_LEAST: Final = 1e-37  # of a float32: what underflows is only ruled out as far as that


@dataclass(frozen=True)
class Evidence:
    """Of one mechanism at one epsilon over the words of a class; words are numbered by place."""

    loose: Callable[[int], Float64]
    sharp: Callable[[int, Places], Float64]


def evidence(mechanism: Mechanism, words: Candidates, epsilon: float) -> Evidence:
    """The attacker knows the mechanism. With fluency he knows it without its language model."""
    if isinstance(mechanism, Fluent):
        return evidence(mechanism.mechanism, words, epsilon)
    law = law_of(mechanism, words.space, words.number)
    return _estimated(mechanism, words, epsilon) if law is None else _exact(law, epsilon)


def _exact(law: ExactLaw, epsilon: float) -> Evidence:
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

    return Evidence(loose, sharp)


def _logs(law: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Float64:
    logs: Float64 = np.log(np.maximum(law.astype(np.float64), _LEAST))
    return logs


def _estimated(mechanism: Mechanism, words: Candidates, epsilon: float) -> Evidence:
    places = words.sample(words.unigram, _TRAINING, "audit evidence")
    strength = likeliest(words, draw(mechanism, words, places, epsilon, "evidence"))

    @lru_cache(maxsize=_LATEST)
    def loose(seen: int) -> Float64:
        near: Float64 = strength * (words.unit @ words.unit[seen]).astype(np.float64)
        return near

    return Evidence(loose, lambda seen, few: loose(seen)[few])


def likeliest(words: Candidates, train: Draws) -> float:
    """The strength under which the words of the training draws are likeliest, given what was seen.

    Unlike the one that guesses most of them, it serves an attacker with any prior.
    """
    prior = words.log_unigram.astype(np.float32)
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
    places = (
        np.argpartition(-values, count - 1)[:count] if count < len(values) else np.arange(count)
    )
    places = np.sort(places)
    ranked: Places = places[np.argsort(-values[places], kind="stable")]
    return ranked
