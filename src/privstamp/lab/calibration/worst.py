"""Which word an attacker recovers most often, word by word.

The attacker guesses for every release v the word g(v) with the largest prior(w) P(v | w). A word
is recovered with chance sum over {v: g(v) = w} of P(v | w). An attacker with a prior who sees
nothing always names its likeliest word; that one says nothing about the release and is left out.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from privstamp.lab.audit.figures import Figure
from privstamp.lab.frontier.attack import draw, guesses
from privstamp.lab.frontier.laws import Laws
from privstamp.lab.frontier.steps import Steps
from privstamp.lab.frontier.words import Places, Words
from privstamp.noise import Float64
from privstamp.protocols import Mechanism

_BLOCK: Final = 64
_CANDIDATES, _REPEATS, _FINAL, _MANY = 40, 100, 8, 1500


def per_word(laws: Laws, prior: Float64, epsilon: float) -> Float64:
    """The chance that each word is recovered, from exact laws."""
    best, guess = (_along_links if isinstance(laws, Steps) else _swept)(laws, prior, epsilon)
    found: Float64 = np.bincount(guess, weights=best, minlength=len(prior)) / prior
    return found


def _swept(laws: Laws, prior: Float64, epsilon: float) -> tuple[Float64, Places]:
    """For every release the largest prior(w) P(v | w), and whose it is, from all rows."""
    best = np.zeros(len(prior), dtype=np.float32)
    guess = np.zeros(len(prior), dtype=np.int64)
    share = prior.astype(np.float32)
    for start in range(0, len(prior), _BLOCK):
        here = np.arange(start, min(start + _BLOCK, len(prior)))
        joint = laws.rows(here, epsilon) * share[here, None]
        line = joint.argmax(axis=0)
        top = joint[line, np.arange(joint.shape[1])]
        better = top > best
        best[better], guess[better] = top[better], here[line[better]]
    return best.astype(np.float64), guess


def _along_links(laws: Laws, prior: Float64, epsilon: float) -> tuple[Float64, Places]:
    """The same on a graph: the largest value within 0, 1, ... steps is handed on by neighbours."""
    assert isinstance(laws, Steps)
    weights, total = laws._law(epsilon)
    graph, value = laws._graph, prior / total
    reach = np.arange(len(value))  # whose value is the largest so far
    best, guess = value * weights[0], reach.copy()
    source = np.repeat(np.arange(len(value)), np.diff(graph.start))
    for weight in weights[1:].tolist():
        order = np.lexsort((value[reach[graph.ends]], source))
        last = graph.start[1:] - 1
        handed = reach[graph.ends[order[last]]]
        reach = np.where(value[handed] > value[reach], handed, reach)
        here = value[reach] * weight
        better = here > best
        best[better], guess[better] = here[better], reach[better]
    return best, guess


def blind(prior: Float64) -> int | None:
    """The word that an attacker who sees nothing names; None where all are alike."""
    return int(prior.argmax()) if prior.max() > prior.min() else None


def largest(values: Float64, prior: Float64) -> Figure:
    """The largest chance, the blind guess aside."""
    skipped = blind(prior)
    return Figure.exact(
        float(values.max() if skipped is None else np.delete(values, skipped).max())
    )


class Suspects:
    """Words that draws single out: those far from all others, and those an attacker bets on.

    The few that are recovered most often are drawn many times anew, so that luck does not choose.
    """

    def __init__(self, mechanism: Mechanism, words: Words, prior: Float64) -> None:
        self._mechanism, self._words, self._prior = mechanism, words, prior
        every = max(1, len(words) // 2000)
        among = np.arange(0, len(words), every)
        found = words.isolated(among, min(_CANDIDATES, len(among)))
        if (skipped := blind(prior)) is not None:
            often = np.argsort(-prior, kind="stable")[: _CANDIDATES + 1]
            found = np.union1d(found, often[often != skipped])
            found = found[found != skipped]
        self._found: Places = found

    def worst(self, epsilon: float, strength: float | None, purpose: str) -> Figure:
        """The largest share among the final few, each with its interval."""
        hits = self._hits(self._found, _REPEATS, epsilon, strength, f"{purpose} first")
        few = self._found[np.argsort(-hits, kind="stable")[:_FINAL]]
        again = self._hits(few, _MANY, epsilon, strength, f"{purpose} again")
        return max((Figure.share(int(one), _MANY) for one in again), key=lambda one: one.high or 0)

    def _hits(
        self, places: Places, repeats: int, epsilon: float, strength: float | None, purpose: str
    ) -> Float64:
        each = np.repeat(places, repeats)
        drawn = draw(self._mechanism, self._words, each, epsilon, purpose)
        guess = drawn.outputs
        if strength is not None:
            guess = guesses(self._words, self._prior, drawn.outputs, [strength])[0]
        right: Float64 = (guess == each).reshape(len(places), repeats).sum(axis=1)
        return right
