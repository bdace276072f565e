"""Addresses of a session, and what each new one costs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privstamp.protocols import Fluent
from privstamp.release.certificate import Certificate
from privstamp.release.document import Document
from privstamp.sessions.ledger import millionths
from privstamp.sessions.stretches import Stretches


class Cost(NamedTuple):
    """Of one draw at one address."""

    address: int
    metric: str
    epsilon: float
    diameter: float


class Meter(Stretches):
    """Notes draws at addresses that were not there before. With fluency every draw is one: its law
    depends on what stands before it."""

    costs: list[Cost]

    def positions(self, document: Document, origin: str) -> npt.NDArray[np.int64]:
        before = set(self.addresses)
        positions = super().positions(document, origin)
        for unit in document.drawn.tolist():
            address = int(positions[unit])
            mechanism = self._parts.mechanisms[int(document.grouping.groups[unit])]
            if address not in before or isinstance(mechanism, Fluent):
                before.add(address)
                epsilon = float(document.epsilon[unit])
                self.costs.append(Cost(address, mechanism.metric, epsilon, mechanism.diameter))
        return positions


def amounts(costs: list[Cost], certificates: list[Certificate], guesses: int) -> dict[str, int]:
    """What a turn is charged: its new draws, and what its new messages let pass."""
    total = {
        "draws": len(costs),
        "unprotected": sum(facts.counts.unprotected for facts in certificates),
        "guesses": guesses,
    }

    def add(metric: str, epsilon: float, diameter: float, draws: int = 1) -> None:
        for quantity, amount in ((f"epsilon:{metric}", epsilon), ("nats", epsilon * diameter)):
            total[quantity] = total.get(quantity, 0) + draws * millionths(amount)

    for cost in costs:
        add(cost.metric, cost.epsilon, cost.diameter)
    for facts in certificates:
        for value in facts.values:  # numbers and dates by their value
            if np.isfinite(value.epsilon * value.diameter):
                total["draws"] += value.draws
                add(f"{value.kind} {value.distance}", value.epsilon, value.diameter, value.draws)
            else:
                total["unprotected"] += value.draws
    return total
