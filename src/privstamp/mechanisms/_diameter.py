"""How far apart two units of one class can be in a metric that depends on the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from privstamp.errors import Incompatible
from privstamp.mechanisms.decoded import blocks
from privstamp.noise import Float64
from privstamp.protocols import Space

_SLACK = 1.0 + 1e-9
"""Far above what float64 loses in these sums, so that the bound is one."""


def diameter_bound(space: Space, vectors: Callable[[slice], Float64]) -> float:
    """At least the largest distance inside a class, and at most twice it.

    Two rows are no further apart than their ways to the class's mean together: the two longest.
    """
    names = range(len(space.classes))
    count = np.bincount(space.class_of, minlength=len(names))
    means = np.zeros((len(names), vectors(slice(0, 1)).shape[1]))
    for block in blocks(space):
        rows, classes = vectors(block), space.class_of[block]
        for number in names:
            means[number] += rows[classes == number].sum(axis=0)
    means /= np.maximum(count, 1)[:, None]
    longest = np.zeros((len(names), 2))
    for block in blocks(space):
        rows, classes = vectors(block), space.class_of[block]
        away = rows - means[classes]
        length = np.sqrt((away * away).sum(axis=1))
        for number in names:
            both = np.concatenate([longest[number], length[classes == number]])
            longest[number] = np.partition(both, -2)[-2:]
    bound = float(longest.sum(axis=1).max()) * _SLACK
    if not 0.0 < bound < np.inf:
        raise Incompatible(f"{space.name}: rows are equal or not finite, so they have no distances")
    return bound
