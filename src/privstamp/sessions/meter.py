"""What a turn is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from privstamp.release.certificate import Certificate, ValueFacts
from privstamp.sessions.ledger import MOST, millionths
from privstamp.sessions.stretches import Draw


def amounts(
    draws: Sequence[Draw],
    certificates: Sequence[Certificate],
    guesses: int,
    drawn: Callable[[bytes], int],
) -> dict[str, int]:
    """Its new draws, and what its new messages let pass. `drawn`: how often a content was by now;
    of the one that was drawn most, epsilon is told for each metric."""
    total = {
        "draws": len(draws),
        "unprotected": sum(facts.counts.unprotected for facts in certificates),
        "guesses": guesses,
    }

    def add(metric: str, epsilon: float, diameter: float, count: int = 1) -> None:
        for quantity, amount in ((f"epsilon:{metric}", epsilon), ("nats", epsilon * diameter)):
            total[quantity] = total.get(quantity, 0) + count * millionths(amount)

    def most(metric: str, epsilon: float, count: int) -> None:
        quantity = MOST + metric
        total[quantity] = max(total.get(quantity, 0), count * millionths(epsilon))

    for draw in draws:
        add(draw.metric, draw.epsilon, draw.diameter)
        most(draw.metric, draw.epsilon, drawn(draw.account))
    for value in _values(certificates):
        if np.isfinite(value.epsilon * value.diameter):
            metric = f"{value.kind} {value.distance}"
            total["draws"] += value.draws
            add(metric, value.epsilon, value.diameter, value.draws)
            most(metric, value.epsilon, min(1, value.draws))
        else:
            total["unprotected"] += value.draws
    return total


def _values(certificates: Sequence[Certificate]) -> Iterable[ValueFacts]:
    """Numbers and dates that left by their value."""
    return (value for facts in certificates for value in facts.values)
