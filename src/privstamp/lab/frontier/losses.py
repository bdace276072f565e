"""How far apart two words are in a mechanism's own metric, and the loss that is proved for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from privstamp.errors import Incompatible
from privstamp.lab.words import Places, Words
from privstamp.mechanisms._decoded import unit_rows
from privstamp.mechanisms.clusters import Clusters
from privstamp.mechanisms.custext import CusText
from privstamp.mechanisms.laplace import LaplaceCoordinate
from privstamp.mechanisms.mahalanobis import Mahalanobis
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.noise import Float64
from privstamp.protocols import Mechanism
from privstamp.types import Ids


def losses(mechanism: Mechanism, words: Words, epsilon: float, apart: Float64) -> Float64:
    """Proved loss in nats of pairs this far apart; infinite where nothing is promised."""
    if isinstance(mechanism, Neighbourhood):
        number, most = words.number, mechanism.graph.classes[words.number].diameter
        table = np.array([mechanism.loss(number, epsilon, n) for n in range(most + 1)])
        return table[apart.astype(np.int64)]
    return epsilon * apart


def worst_loss(mechanism: Mechanism, words: Words, epsilon: float) -> float:
    """What plain local differential privacy would call epsilon: the loss of the furthest pair."""
    if isinstance(mechanism, CusText):
        return float("inf")  # words of different sets are told apart for certain
    apart = mechanism.diameter
    if isinstance(mechanism, Neighbourhood):
        apart = float(mechanism.graph.classes[words.number].diameter)
    return float(losses(mechanism, words, epsilon, np.array([apart]))[0])


def distances(mechanism: Mechanism, words: Words, one: Places, two: Places) -> Float64:
    """The mechanism's metric, pair by pair."""
    first, second = words.ids[one], words.ids[two]
    if isinstance(mechanism, Mahalanobis):
        return mechanism.distance(first, second)
    if isinstance(mechanism, Neighbourhood):
        steps = mechanism.graph.classes[words.number].sweeps.hops(one)
        return steps[np.arange(len(one)), two].astype(np.float64)
    if isinstance(mechanism, CusText):
        pairs = zip(first.tolist(), two.tolist(), strict=True)
        together = [place in mechanism.members(row) for row, place in pairs]
        return np.where(together, 1.0, np.inf)
    if isinstance(mechanism, Clusters):
        pairs = zip(first.tolist(), two.tolist(), strict=True)
        return np.array([float(place not in mechanism.members(row)) for row, place in pairs])
    measure = _MEASURES.get(mechanism.metric)
    if measure is None:
        raise Incompatible(f'{mechanism.name}: no distance known for "{mechanism.metric}"')
    return measure(mechanism, words, first, second)


def _chordal(_: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:
    apart = unit_rows(words.space, first) - unit_rows(words.space, second)
    return _length(apart)


def _angular(mechanism: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:
    half = np.clip(_chordal(mechanism, words, first, second) / 2.0, 0.0, 1.0)
    angle: Float64 = 2.0 * np.arcsin(half) / np.pi
    return angle


def _euclidean(_: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:
    radius = words.space.radius.astype(np.float64)
    raw = [unit_rows(words.space, ids) * radius[ids, None] for ids in (first, second)]
    return _length(raw[0] - raw[1])


def _truncated(mechanism: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:
    return np.minimum(_chordal(mechanism, words, first, second), mechanism.diameter)


def _l1(mechanism: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:
    assert isinstance(mechanism, LaplaceCoordinate)
    apart = unit_rows(words.space, first) - unit_rows(words.space, second)
    out: Float64 = np.abs(apart).sum(axis=1) / mechanism.width
    return out


def _plain(_: Mechanism, words: Words, first: Ids, second: Ids) -> Float64:  # noqa: ARG001
    differs: Float64 = (first != second).astype(np.float64)
    return differs


def _length(apart: Float64) -> Float64:
    length: Float64 = np.sqrt((apart * apart).sum(axis=1))
    return length


_MEASURES: dict[str, Callable[[Mechanism, Words, Ids, Ids], Float64]] = {
    "chordal": _chordal,
    "angular": _angular,
    "euclidean": _euclidean,
    "truncated": _truncated,
    "l1": _l1,
    "ldp": _plain,
}
