"""The words under attack: the outputs of one class, how likely each is, and who is near whom."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from privstamp.noise import Float64, Lane, Noise, Randomness
from privstamp.protocols import Space
from privstamp.types import Ids, Places, Table

NEAR: Final = 50
_SEED: Final = 20261115  # words and noise of a measurement: the same for whoever repeats it
_BLOCK: Final = 64


def main_class(space: Space) -> int:
    """The class that recovery is measured on: content words, or the largest class."""
    if "content" in space.classes:
        return space.classes.index("content")
    return int(np.argmax([len(rows) for rows in space.outputs]))


def noise(count: int, purpose: str) -> Noise:
    """Reproducible noise of a measurement; a release never reads it."""
    key = Randomness.make(seed=_SEED).key(purpose.encode())
    return Noise.of_document(key, np.arange(count))


class Words:
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
        for start in range(0, len(among), _BLOCK):
            here = among[start : start + _BLOCK]
            cosine = self.unit[here] @ self.unit.T
            cosine[np.arange(len(here)), here] = -np.inf
            best[start : start + _BLOCK] = cosine.max(axis=1)
        return among[np.argsort(best, kind="stable")[:count]]

    def nearness(self, places: Places, outputs: Places) -> tuple[Float64, Float64]:
        """Cosine of each pair, and how many words are at least as near, the word itself aside."""
        cosine, rank = np.empty(len(places)), np.empty(len(places))
        for start in range(0, len(places), _BLOCK):
            here, there = places[start : start + _BLOCK], outputs[start : start + _BLOCK]
            every = self.unit[here] @ self.unit.T
            line = np.arange(len(here))
            own = every[line, there]
            cosine[start : start + _BLOCK] = own
            rank[start : start + _BLOCK] = (every >= own[:, None]).sum(axis=1) - 1
        return cosine, rank


class Queries:
    """A few words with the cosines and ranks of all others, worked out once."""

    def __init__(self, words: Words, places: Places) -> None:
        self.places = places
        self.cosines: Table = words.unit[places] @ words.unit.T
        line = np.arange(len(places))
        self.cosines[line, places] = np.inf  # a word is its own nearest, duplicates or not
        order = np.argsort(-self.cosines, axis=1, kind="stable").astype(np.int32)
        self.ranks = np.empty_like(order)
        np.put_along_axis(self.ranks, order, np.arange(len(words), dtype=np.int32)[None, :], axis=1)
        self.nearest: Places = order[:, 1].astype(np.int64)
        self.cosines[line, places] = 1.0
