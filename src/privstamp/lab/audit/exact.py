"""The claim held against the exact law, where a mechanism has one: no samples, no chance."""

from __future__ import annotations

from typing import Final

import numpy as np

from privstamp.frontier.losses import distances
from privstamp.frontier.words import Places, Words
from privstamp.mechanisms._fluency import Fluent
from privstamp.noise import Float64
from privstamp.protocols import Discrete, Mechanism

SLACK: Final = 1e-6
"""Rounding of channel rows: a ratio above 1 by less refutes nothing."""
_BASES: Final = 24
_LEAST: Final = 1e-300


def exact_ratio(mechanism: Mechanism, words: Words, epsilon: float) -> float | None:
    """The largest loss among pairs of some words and their nearest ones, as a share of its claim.

    None where the law is not known, or no two words are a finite distance apart.
    """
    if not isinstance(mechanism, Discrete) or len(words) < 2:
        return None
    places = _some(words)
    rows = mechanism.channel(words.ids[places], np.full(len(places), epsilon))
    logs: Float64 = np.log(np.maximum(rows[:, words.ids], _LEAST))
    worst = None
    for line, place in enumerate(places[:-1].tolist()):
        others = places[line + 1 :]
        apart = how_far(mechanism, words, np.full(len(others), place), others)
        counted = (apart > 0) & np.isfinite(apart)
        if counted.any():
            lost = np.abs(logs[line + 1 :][counted] - logs[line]).max(axis=1)
            found = float((lost / (epsilon * apart[counted])).max())
            worst = found if worst is None else max(worst, found)
    return worst


def how_far(mechanism: Mechanism, words: Words, one: Places, two: Places) -> Float64:
    """Distances in the mechanism's metric; fluency does not change it."""
    plain = mechanism.mechanism if isinstance(mechanism, Fluent) else mechanism
    return distances(plain, words, one, two)


def _some(words: Words) -> Places:
    """Words by their frequency and evenly, each with the word nearest to it."""
    few = min(_BASES, len(words))
    bases = np.unique(
        np.concatenate(
            [words.sample(words.unigram, few, "exact"), words.sample(words.even, few, "")]
        )
    )
    cosine = words.unit[bases] @ words.unit.T
    cosine[np.arange(len(bases)), bases] = -np.inf
    return np.unique(np.concatenate([bases, cosine.argmax(axis=1)]))
