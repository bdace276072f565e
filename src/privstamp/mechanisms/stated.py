"""What our mechanisms state about themselves: distances by the name of the metric, the loss that
follows from them, no exact law. A mechanism that knows better says so itself.

Laws are over the words of a class, and quick enough for every pair of them. `channel` gives one row
at a time; the attacker's best guess needs the largest entry of every column over all rows, so each
family has its own way there: block products for scores in the table, spreading along links for
steps of a graph, a look at each block for blocks. A mechanism of somebody else's takes one of them,
or gives `rows` alone to a `Swept`. Entries are float32 where a table is swept: shares are right to
about 1e-5 of their size.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import numpy as np

from privstamp.noise import Float64
from privstamp.protocols import Discrete, ExactLaw, Mechanism, Space
from privstamp.spaces.graph import ClassGraph
from privstamp.spaces.hops import Steps as Hops
from privstamp.types import Ids, Places, Survey, Table


class Stated:
    """Every output is at most exp(epsilon * distance) times as likely for one unit as for another
    of its class; no two of them are further apart than the diameter."""

    metric: str
    diameter: float
    _space: Space

    def distance(self, ids: Ids, others: Ids) -> Float64:
        """The metric, pair by pair."""
        return DISTANCES[self.metric](self._space, ids, others)

    def loss(self, number: int, epsilon: float, distance: Float64 | None = None) -> Float64:
        """Nats proved for units of a class so far apart; without a distance, for any two."""
        return epsilon * (self._furthest(number) if distance is None else distance)

    @property
    def bounded(self) -> bool:
        """Whether something is promised of any two units of a class."""
        return all(map(np.isfinite, map(self._furthest, range(len(self._space.classes)))))

    def _furthest(self, number: int) -> Float64:  # noqa: ARG002
        """The largest distance in a class, or a bound of it."""
        return np.array(self.diameter)

    def law(self, number: int) -> ExactLaw | None:  # noqa: ARG002
        """Draws are all there is."""
        return None


CHORD: Final = "the straight-line distance between their unit vectors (0 to 2)"
ANGLE: Final = "the angle between their vectors divided by pi (0 to 1)"


def promise(space: Space, distance: str, end: str = ".") -> str:
    """The guarantee of most mechanisms, by what its distance is."""
    return (
        "For any two units of one class under one epsilon, every output is at most "
        "exp(epsilon * d) times as likely for one as for the other, where d is "
        f"{distance} in the table of {space.name} ({space.fingerprint[:12]}){end}"
    )


def unit_rows(space: Space, ids: Ids | slice) -> Float64:
    """Rows of the table, of length one in float64: the vectors that the metrics speak of."""
    rows = space.unit[ids].astype(np.float64)
    rows /= np.sqrt(np.vecdot(rows, rows))[:, None]
    return rows


def _chordal(space: Space, ids: Ids, others: Ids) -> Float64:
    return _lengths(unit_rows(space, ids) - unit_rows(space, others))


def _angular(space: Space, ids: Ids, others: Ids) -> Float64:
    half = np.clip(_chordal(space, ids, others) / 2.0, 0.0, 1.0)
    angle: Float64 = 2.0 * np.arcsin(half) / np.pi
    return angle


def _euclidean(space: Space, ids: Ids, others: Ids) -> Float64:
    radius = space.radius.astype(np.float64)
    raw = [unit_rows(space, rows) * radius[rows, None] for rows in (ids, others)]
    return _lengths(raw[0] - raw[1])


def _different(space: Space, ids: Ids, others: Ids) -> Float64:  # noqa: ARG001
    differs: Float64 = (ids != others).astype(np.float64)
    return differs


def _lengths(apart: Float64) -> Float64:
    lengths: Float64 = np.sqrt((apart * apart).sum(axis=1))
    return lengths


DISTANCES: Final[dict[str, Callable[[Space, Ids, Ids], Float64]]] = {
    "chordal": _chordal,
    "angular": _angular,
    "euclidean": _euclidean,
    "truncated": _chordal,
    "ldp": _different,
}
"""Metrics that the table alone decides."""


_BLOCK: Final = 32
_WIDE: Final = 64


def law_of(mechanism: Mechanism, space: Space, number: int) -> ExactLaw | None:
    """The exact law of a mechanism over a class, or nothing where draws are all there is.

    One that states no law but has a channel is gone through row by row.
    """
    stated = getattr(mechanism, "law", None)
    law: ExactLaw | None = None if stated is None else stated(number)
    if law is None and isinstance(mechanism, Discrete):
        return Channels(space, number, mechanism.channel)
    return law


class Swept(ABC):
    """A law that is known by its rows: whatever is asked, all of them are gone through."""

    swept: ClassVar[bool] = True

    def __init__(self, count: int) -> None:
        self._count = count

    @abstractmethod
    def rows(self, places: Places, epsilon: float) -> Table:
        """P(. | w), one row per place."""

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        """One survey per epsilon. Recovery is sum over v of max over w of prior(w) P(v | w)."""
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
        # Bayes: who guesses, at each output v, the word with the largest prior(w) P(v | w) is
        # right with the sum of these maxima, and nobody does better.
        success = best.sum(axis=2, dtype=np.float64).tolist()
        return [Survey(keep[n], tuple(success[n])) for n in range(len(epsilons))]

    def _blocks(self, places: Places, epsilons: Sequence[float]) -> Sequence[Table]:
        return [self.rows(places, epsilon) for epsilon in epsilons]

    def guesses(self, prior: Float64, epsilon: float) -> tuple[Float64, Places]:
        """For every release the largest prior(w) P(v | w), and whose it is."""
        best = np.zeros(len(prior), dtype=np.float32)
        guess = np.zeros(len(prior), dtype=np.int64)
        share = prior.astype(np.float32)
        for start in range(0, len(prior), _WIDE):
            here = np.arange(start, min(start + _WIDE, len(prior)))
            joint = self.rows(here, epsilon) * share[here, None]
            line = joint.argmax(axis=0)
            top = joint[line, np.arange(joint.shape[1])]
            better = top > best
            best[better], guess[better] = top[better], here[line[better]]
        return best.astype(np.float64), guess

    def column(self, seen: int, epsilon: float) -> Float64 | None:  # noqa: ARG002
        """log P(seen | w) of every word, where that is quicker than all rows."""
        return None


class Scored(Swept):
    """P(v | w) ~ exp(scale * score(w, v)), with scores from a block of table products."""

    def __init__(
        self,
        space: Space,
        number: int,
        score: Callable[[Table, Places], Table],
        scale: Callable[[float], float],
    ) -> None:
        """`score` gets cosines, a line for each of some places, and these places."""
        outputs = space.outputs[number]
        super().__init__(len(outputs))
        self._scale = scale
        self._unit = np.ascontiguousarray(space.unit[outputs], dtype=np.float32)
        self._columns = np.ascontiguousarray(self._unit.T)
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
        law -= law.max(axis=1, keepdims=True)  # the law is the same, and exp cannot overflow
        np.exp(law, out=law)
        law /= law.sum(axis=1, dtype=np.float64, keepdims=True).astype(np.float32)
        return law


class Channels(Swept):
    """Any mechanism with a channel, row by row: as slow as the channel is."""

    def __init__(
        self, space: Space, number: int, channel: Callable[[Ids, Float64], Float64]
    ) -> None:
        super().__init__(len(space.outputs[number]))
        self._ids = space.outputs[number]
        self._channel = channel

    def rows(self, places: Places, epsilon: float) -> Table:
        law = self._channel(self._ids[places], np.full(len(places), epsilon))
        return law[:, self._ids].astype(np.float32)


class Blocks(Swept):
    """Two chances: one for every word of the own block, one for every word outside it."""

    swept: ClassVar[bool] = False

    def __init__(self, labels: Places, stay: Callable[[float], Float64]) -> None:
        super().__init__(len(labels))
        self._labels = labels
        self._sizes = np.bincount(labels)
        self._stay = stay  # chance, per block, of leaving as a word of the own block

    def _chances(self, epsilon: float) -> tuple[Float64, Float64]:
        stay = self._stay(epsilon)
        outside = np.maximum(len(self._labels) - self._sizes, 1)
        return stay / self._sizes, (1.0 - stay) / outside

    def rows(self, places: Places, epsilon: float) -> Table:
        inside, outside = self._chances(epsilon)
        labels = self._labels[places]
        same = labels[:, None] == self._labels[None, :]
        law: Table = np.where(same, inside[labels, None], outside[labels, None]).astype(np.float32)
        return law

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        surveys = []
        for epsilon in epsilons:
            inside, outside = self._chances(epsilon)
            success = tuple(self._success(prior, inside, outside) for prior in priors)
            surveys.append(Survey(inside[self._labels], success))
        return surveys

    def _success(self, prior: Float64, inside: Float64, outside: Float64) -> float:
        # An output of block b is guessed as the likeliest word of b, or as the likeliest of all
        # other blocks, whose chance of coming here is that of any word outside of its own.
        top = np.zeros(len(self._sizes))  # likeliest word of each block
        np.maximum.at(top, self._labels, prior)
        visitor = top * outside
        first = int(np.argmax(visitor))
        others = np.full(len(top), visitor[first])
        others[first] = np.delete(visitor, first).max(initial=0.0)
        return float((self._sizes * np.maximum(top * inside, others)).sum())


class Sets(Swept):
    """Mass inside the own set only: one small matrix per set."""

    swept: ClassVar[bool] = False

    def __init__(self, sets: Sequence[Places], scores: Callable[[Places], Float64]) -> None:
        super().__init__(sum(map(len, sets)))
        self._sets = sets
        self._scores = [scores(members) for members in sets]
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
        surveys = []
        for epsilon in epsilons:
            keep, success = np.empty(self._count), np.zeros(len(priors))
            for number, members in enumerate(self._sets):
                law = self._law(number, epsilon)
                keep[members] = np.diag(law)
                for which, prior in enumerate(priors):
                    success[which] += (law * prior[members, None]).max(axis=0).sum()
            surveys.append(Survey(keep, tuple(success.tolist())))
        return surveys


class Steps(Swept):
    """P(v | w) ~ exp(-s * paid(steps)) on a graph, where what is paid never falls with the steps.

    Recovery spreads along links, no pair is looked at.
    """

    swept: ClassVar[bool] = False

    def __init__(self, graph: ClassGraph, paid: Float64, scale: Callable[[float], float]) -> None:
        super().__init__(len(graph))
        self._graph, self._paid, self._scale = graph, paid, scale
        self._held: dict[bytes, Hops] = {}

    def _law(self, epsilon: float) -> tuple[Float64, Float64]:
        """Weight at each number of steps, and the normaliser of each word."""
        weights: Float64 = np.exp(-self._scale(epsilon) * self._paid)
        return weights, self._graph.shells @ weights

    def rows(self, places: Places, epsilon: float) -> Table:
        weights, total = self._law(epsilon)
        key = places.tobytes()  # the same words are asked for at every epsilon
        if key not in self._held:
            self._held[key] = self._graph.sweeps.hops(places)
        law: Table = weights.astype(np.float32)[self._held[key]]
        law /= total[places, None].astype(np.float32)
        return law

    def column(self, seen: int, epsilon: float) -> Float64 | None:
        _, total = self._law(epsilon)
        steps = self._graph.sweeps.hops(np.array([seen]))[0]
        logs: Float64 = -self._scale(epsilon) * self._paid[steps] - np.log(total)
        return logs

    def survey(self, epsilons: Sequence[float], priors: Sequence[Float64]) -> list[Survey]:
        surveys = []
        for epsilon in epsilons:
            weights, total = self._law(epsilon)
            success = tuple(self._success(prior / total, weights) for prior in priors)
            surveys.append(Survey(weights[0] / total, success))
        return surveys

    def _success(self, value: Float64, weights: Float64) -> float:
        """Sum over v of the largest weight(steps) * value(w): the largest value within 0, 1, ...
        steps of v, found by handing it on from neighbour to neighbour."""
        # Weights never rise with the steps: a word further away than the largest value within n
        # steps is beaten by it, so after n rounds the maximum over all of them is known.
        reach, best = value.copy(), value * weights[0]
        for weight in weights[1:].tolist():
            handed = np.maximum.reduceat(reach[self._graph.ends], self._graph.start[:-1])
            np.maximum(reach, handed, out=reach)
            np.maximum(best, reach * weight, out=best)
        return float(best.sum())

    def guesses(self, prior: Float64, epsilon: float) -> tuple[Float64, Places]:
        """The same with whose value it is that neighbours hand on."""
        weights, total = self._law(epsilon)
        graph, value = self._graph, prior / total
        reach = np.arange(len(value))  # whose value is the largest so far
        best, guess = value * weights[0], reach.copy()
        source = np.repeat(np.arange(len(value)), np.diff(graph.start))
        for weight in weights[1:].tolist():
            # The last link of each word in this order leads to the neighbour that hands on most.
            order = np.lexsort((value[reach[graph.ends]], source))
            last = graph.start[1:] - 1
            handed = reach[graph.ends[order[last]]]
            reach = np.where(value[handed] > value[reach], handed, reach)
            here = value[reach] * weight
            better = here > best
            best[better], guess[better] = here[better], reach[better]
        return best, guess
