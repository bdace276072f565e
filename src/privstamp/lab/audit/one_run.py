"""An audit in one run: every unit of a long synthetic text is a canary (Steinke et al., 2023).

Each canary is one of two units, by a coin. The auditor sees the release and guesses the coins it
is surest of. If every output is at most exp(c) times as likely for one unit as for the other, a
guess is right with chance exp(c) / (1 + exp(c)) at most, whatever it is based on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.extras import special
from privstamp.lab.audit.empirical import ERROR, Pair, leaning
from privstamp.noise import Lane, Noise
from privstamp.protocols import Mechanism, Space
from privstamp.types import Ids

GUESSED: Final = 0.1
"""Share of the canaries that are guessed, fixed beforehand."""
_HALVINGS: Final = 60


@dataclass(frozen=True)
class OneRun:
    """The guesses of one run, and the loss in nats that they prove."""

    claim: float
    canaries: int
    guesses: int
    right: int
    nats: float

    @property
    def over_claim(self) -> float:
        return self.nats / self.claim

    @property
    def sound(self) -> bool:
        return self.nats <= self.claim


def one_run(
    mechanism: Mechanism,
    space: Space,
    pairs: Sequence[Pair],
    *,
    canaries: int,
    key: bytes,
    error: float = ERROR,
) -> OneRun:
    """Audit with `canaries` coins, dealt out to the pairs in turn. All pairs claim the same."""
    claim = pairs[0].claim
    if any(abs(pair.claim - claim) > 1e-9 * claim for pair in pairs):
        raise ValueError("pairs of one run need one claim")
    dealt = np.arange(canaries) % len(pairs)
    where = np.arange(canaries)
    # The coins have addresses of their own, past those of the canaries.
    coins = Noise.of_document(key, where + canaries).uniform(1, Lane.CHOICE)[:, 0] < 0.5
    ends = np.array([(pair.first, pair.second) for pair in pairs], dtype=np.int32)
    ids: Ids = np.where(coins, ends[dealt, 0], ends[dealt, 1]).astype(np.int32)
    epsilon = np.array([pair.epsilon for pair in pairs])[dealt]
    out = mechanism.privatize(ids, epsilon, Noise.of_document(key, where))
    lean = np.empty(canaries)
    for number, pair in enumerate(pairs):
        mine = dealt == number
        lean[mine] = leaning(mechanism, space, pair, out[mine])
    guessed = np.argsort(-np.abs(lean), kind="stable")[: max(int(GUESSED * canaries), 1)]
    right = int(((lean[guessed] > 0) == coins[guessed]).sum())
    return OneRun(claim, canaries, len(guessed), right, proved(right, len(guessed), error))


def proved(right: int, guesses: int, error: float) -> float:
    """The largest loss that so many right guesses refute, by bisection; 0 if they refute none."""
    above = special().bdtrc  # P(more than k of n)

    def refuted(nats: float) -> bool:
        return bool(above(right - 1, guesses, 1.0 / (1.0 + np.exp(-nats))) <= error)

    if right == 0 or not refuted(0.0):
        return 0.0
    low, high = 0.0, 50.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
