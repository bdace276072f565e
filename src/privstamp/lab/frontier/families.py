"""Which exact laws a mechanism has."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from privstamp.lab.frontier.laws import Blocks, Channels, Laws, Scored, Sets
from privstamp.lab.frontier.steps import Steps
from privstamp.lab.words import Places, Words
from privstamp.mechanisms._decoded import unit_rows
from privstamp.mechanisms.clusters import Clusters
from privstamp.mechanisms.custext import CusText
from privstamp.mechanisms.exponential import Exponential, PolarVocabulary, Tem
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.randomized_response import RandomizedResponse
from privstamp.noise import Float64
from privstamp.protocols import Discrete, Mechanism
from privstamp.types import Table

SMALL: Final = 5000
"""Words up to which a channel of unknown form is gone through row by row."""


def laws_of(mechanism: Mechanism, words: Words) -> Laws | None:
    """Exact laws over these words, or None where draws are all there is (or would be quicker)."""
    if isinstance(mechanism, PolarVocabulary | Exponential | Tem):
        return Scored(
            words, _score(mechanism, words), lambda epsilon: mechanism.scale(words.number, epsilon)
        )
    if isinstance(mechanism, Neighbourhood):
        return Steps(mechanism, words.number)
    if isinstance(mechanism, Clusters):
        return _clusters(mechanism, words)
    if isinstance(mechanism, RandomizedResponse):
        everyone = np.arange(len(words))

        def own(epsilon: float) -> Float64:
            return np.full(len(words), 1.0 / (1.0 + (len(words) - 1) * np.exp(-epsilon)))

        return Blocks(everyone, own)
    if isinstance(mechanism, CusText):
        return Sets(_distinct(words, mechanism.members), lambda members: _stretched(words, members))
    if isinstance(mechanism, Discrete) and len(words) <= SMALL:
        return Channels(words, mechanism.channel)
    return None


def _score(
    mechanism: PolarVocabulary | Exponential | Tem, words: Words
) -> Callable[[Table, Places], Table]:
    """The mechanism's score from cosines, block by block."""
    metric = mechanism.metric
    radius = words.space.radius[words.ids].astype(np.float32)

    def chord(cosine: Table) -> Table:
        out: Table = np.sqrt(np.maximum(2.0 - 2.0 * cosine, 0.0, dtype=np.float32))
        return out

    def score(cosine: Table, places: Places) -> Table:
        if isinstance(mechanism, PolarVocabulary):
            return cosine / np.float32(np.pi) if metric == "angular" else cosine
        if isinstance(mechanism, Tem):
            return -np.minimum(chord(cosine), np.float32(mechanism.gamma))
        if metric == "angular":
            angle = np.arccos(np.clip(cosine, -1.0, 1.0)) / -np.pi
            return angle.astype(np.float32)
        if metric == "chordal":
            return -chord(cosine)
        mine = radius[places, None]
        squared = np.square(mine - radius) + mine * radius * (2.0 - 2.0 * cosine)
        distance: Table = -np.sqrt(np.maximum(squared, 0.0))
        return distance

    return score


def _clusters(mechanism: Clusters, words: Words) -> Blocks:
    sets = _distinct(words, mechanism.members)
    labels = np.empty(len(words), dtype=np.int64)
    for number, members in enumerate(sets):
        labels[members] = number
    first = [int(words.ids[members[0]]) for members in sets]

    @lru_cache(maxsize=8)  # asked again for every guess
    def stay(epsilon: float) -> Float64:
        return np.array([mechanism.stay(row, epsilon) for row in first])

    return Blocks(labels, stay)


def _distinct(words: Words, members: Callable[[int], Places]) -> list[Places]:
    """The public sets that the words form, each once."""
    seen, sets = np.zeros(len(words), dtype=np.bool_), []
    for place, row in enumerate(words.ids.tolist()):
        if not seen[place]:
            sets.append(members(row))
            seen[sets[-1]] = True
    return sets


def _stretched(words: Words, members: Places) -> Float64:
    """Cosines inside a set, each row stretched to run from 0 to 1."""
    unit = unit_rows(words.space, words.ids[members])
    cosine = unit @ unit.T
    low = cosine.min(axis=1, keepdims=True)
    width = cosine.max(axis=1, keepdims=True) - low
    stretched: Float64 = (cosine - low) / np.where(width > 0, width, 1.0)
    return stretched
