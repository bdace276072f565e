"""Tight constants: how large a score's multiplier may be for a proved epsilon.

With weights exp(-s * score) the loss of one step is at most s + L(s), where L is the largest
difference of log-normalisers over one step. L(s) <= s always, so s = epsilon / 2 is safe without
looking; on a given public graph L is a number that can be computed, and it is mostly far smaller.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from privstamp.noise import Float64
from privstamp.spaces.graph import ClassGraph

CONSTANTS: Final = ("tight", "nominal")
SLACK: Final = 1e-9
"""Added to every computed L: float64 is off by less than 1e-12 here (neighbourhood.md)."""
_HALVINGS: Final = 14  # of the range from epsilon / 2 to epsilon: a scale is found to 0.01 %


def counted(graph: ClassGraph, reach: int | None = None) -> int:
    """Steps up to which a distance counts: no score moves by more than the reach."""
    return graph.diameter if reach is None else min(graph.diameter, reach)


def scores(graph: ClassGraph, plateau: int, reach: int | None = None) -> Float64:
    """What a row pays at each number of steps: nothing up to the plateau, then one per step of the
    reach, then no more."""
    paid: Float64 = np.maximum(np.arange(graph.diameter + 1.0) - plateau, 0.0)
    return paid if reach is None else np.minimum(paid, reach)


def log_normalisers(
    graph: ClassGraph, plateau: int, scale: float, reach: int | None = None
) -> Float64:
    """Logarithm of the summed weights of each node, from its shell sizes; at least 0."""
    weights = np.exp(-scale * scores(graph, plateau, reach))
    total: Float64 = np.log((graph.shells * weights).sum(axis=1))
    return total


def proved(graph: ClassGraph, plateau: int, scale: float, reach: int | None = None) -> float:
    """Epsilon per step of weights exp(-scale * score): every link is checked, and slack added.

    Nodes further apart than what counts share its distance, so the range counts too.
    """
    log_z = log_normalisers(graph, plateau, scale, reach)
    one, other = graph.edges
    spread = float(np.abs(log_z[one] - log_z[other]).max(initial=0.0))
    if counted(graph, reach) < graph.diameter:
        spread = max(spread, float(np.ptp(log_z)) / counted(graph, reach))
    return scale + min(spread + SLACK, scale)


def tight_scale(graph: ClassGraph, plateau: int, epsilon: float, reach: int | None = None) -> float:
    """A multiplier with `proved(...) <= epsilon`, as large as bisection finds one.

    Each step is checked, so nothing rests on `proved` being monotone.
    """
    low, high = epsilon / 2.0, epsilon
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if proved(graph, plateau, middle, reach) <= epsilon:
            low = middle
        else:
            high = middle
    return low
