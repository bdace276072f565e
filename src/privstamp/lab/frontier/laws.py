"""Exact laws over the words of a class, quick enough for every pair of them.

`channel` gives one row at a time. The attacker's best guess needs the largest entry of every
column over all rows, so each family has its own way there: block products for scores in the
table, spreading along links for steps of a graph, a look at each block for blocks. Entries are
float32 where a table is swept: shares are right to about 1e-5 of their size.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.lab.words import Places, Words
from privstamp.noise import Float64
from privstamp.types import Ids, Table

_BLOCK: Final = 32


@dataclass(frozen=True, eq=False)
class Survey:
    """For one epsilon: P(keep) of every word, and the best attacker's success for each prior."""

    keep: Float64
    recovery: tuple[float, ...]


class Laws(ABC):
    """P(v | w) over the words of one class, numbered by place."""

    @abstractmethod
    def rows(self, places: Places, epsilon: float) -> Table:
        """P(. | w), one row per place."""

    @abstractmethod
    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        """One survey per epsilon. Recovery is sum over v of max over w of prior(w) P(v | w)."""


class Swept(Laws):
    """Laws whose recovery is found by going through all rows, a block at a time."""

    def __init__(self, count: int) -> None:
        self._count = count

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        best = np.zeros((len(epsilons), len(priors), self._count), dtype=np.float32)
        keep = np.empty((len(epsilons), self._count))
        share = np.stack([prior.astype(np.float32) for prior in priors])
        for start in range(0, self._count, _BLOCK):
            here = np.arange(start, min(start + _BLOCK, self._count))
            for number, rows in enumerate(self._blocks(here, epsilons)):
                keep[number, here] = rows[np.arange(len(here)), here]
                for which in range(len(priors)):
                    top = (rows * share[which, here, None]).max(axis=0)
                    np.maximum(best[number, which], top, out=best[number, which])
        success = best.sum(axis=2, dtype=np.float64).tolist()
        return [Survey(keep[n], tuple(success[n])) for n in range(len(epsilons))]

    def _blocks(self, places: Places, epsilons: Sequence[float]) -> Sequence[Table]:
        return [self.rows(places, epsilon) for epsilon in epsilons]


class Scored(Swept):
    """P(v | w) ~ exp(scale * score(w, v)), with scores from a block of table products."""

    def __init__(
        self,
        words: Words,
        score: Callable[[Table, Places], Table],
        scale: Callable[[float], float],
    ) -> None:
        super().__init__(len(words))
        self._scale = scale
        self._unit = words.unit
        self._columns = np.ascontiguousarray(words.unit.T)
        self._score = score

    def rows(self, places: Places, epsilon: float) -> Table:
        return self._law(self._scores(places), epsilon)

    def _blocks(self, places: Places, epsilons: Sequence[float]) -> Sequence[Table]:
        scores = self._scores(places)
        return [self._law(scores, epsilon) for epsilon in epsilons]

    def _scores(self, places: Places) -> Table:
        cosine = self._unit[places] @ self._columns
        cosine[np.arange(len(places)), places] = 1.0
        return self._score(cosine, places)

    def _law(self, scores: Table, epsilon: float) -> Table:
        law = scores * np.float32(self._scale(epsilon))
        law -= law.max(axis=1, keepdims=True)
        np.exp(law, out=law)
        law /= law.sum(axis=1, dtype=np.float64, keepdims=True).astype(np.float32)
        return law


class Channels(Swept):
    """Any mechanism with a channel, row by row: for classes that are small enough."""

    def __init__(self, words: Words, channel: Callable[[Ids, Float64], Float64]) -> None:
        super().__init__(len(words))
        self._ids = words.ids
        self._channel = channel

    def rows(self, places: Places, epsilon: float) -> Table:
        law = self._channel(self._ids[places], np.full(len(places), epsilon))
        return law[:, self._ids].astype(np.float32)


class Blocks(Laws):
    """Two chances: one for every word of the own block, one for every word outside it."""

    def __init__(self, labels: Places, stay: Callable[[float], Float64]) -> None:
        self._labels = labels
        self._sizes = np.bincount(labels)
        self._stay = stay  # chance, per block, of leaving as a word of the own block

    def _chances(self, epsilon: float) -> tuple[Float64, Float64]:
        stay = self._stay(epsilon)
        outside = np.maximum(len(self._labels) - self._sizes, 1)
        return stay / self._sizes, (1.0 - stay) / outside

    def rows(self, places: Places, epsilon: float) -> Table:
        inside, outside = self._chances(epsilon)
        own = self._labels[places]
        same = own[:, None] == self._labels[None, :]
        law: Table = np.where(same, inside[own, None], outside[own, None]).astype(np.float32)
        return law

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        found = []
        for epsilon in epsilons:
            inside, outside = self._chances(epsilon)
            success = tuple(self._success(prior, inside, outside) for prior in priors)
            found.append(Survey(inside[self._labels], success))
        return found

    def _success(self, prior: Float64, inside: Float64, outside: Float64) -> float:
        top = np.zeros(len(self._sizes))  # likeliest word of each block
        np.maximum.at(top, self._labels, prior)
        visitor = top * outside
        first = int(np.argmax(visitor))
        others = np.full(len(top), visitor[first])
        others[first] = np.delete(visitor, first).max(initial=0.0)
        return float((self._sizes * np.maximum(top * inside, others)).sum())


class Sets(Laws):
    """Mass inside the own set only: one small matrix per set."""

    def __init__(self, sets: Sequence[Places], scores: Callable[[Places], Float64]) -> None:
        self._sets = sets
        self._scores = [scores(members) for members in sets]
        self._count = sum(map(len, sets))
        self._label = np.empty(self._count, dtype=np.int64)
        self._rank = np.empty(self._count, dtype=np.int64)
        for number, members in enumerate(sets):
            self._label[members] = number
            self._rank[members] = np.arange(len(members))

    def _law(self, number: int, epsilon: float) -> Float64:
        scaled = 0.5 * epsilon * self._scores[number]
        law: Float64 = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        law /= law.sum(axis=1, keepdims=True)
        return law

    def rows(self, places: Places, epsilon: float) -> Table:
        out = np.zeros((len(places), self._count), dtype=np.float32)
        for line, place in zip(out, places.tolist(), strict=True):
            number = int(self._label[place])
            line[self._sets[number]] = self._law(number, epsilon)[self._rank[place]]
        return out

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        found = []
        for epsilon in epsilons:
            keep, success = np.empty(self._count), np.zeros(len(priors))
            for number, members in enumerate(self._sets):
                law = self._law(number, epsilon)
                keep[members] = np.diag(law)
                for which, prior in enumerate(priors):
                    success[which] += (law * prior[members, None]).max(axis=0).sum()
            found.append(Survey(keep, tuple(success.tolist())))
        return found
