"""The largest epsilon under which a limit holds.

Risk grows with epsilon, so its edge lies between one that holds and one that does not. Each
measurement is dear, so the next epsilon is where a line through both ends, on scales on which
such curves are nearly straight, would cross the limit. Where a figure was estimated, its
unfavourable end counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from privstamp.lab.estimate import Estimate

Measure: TypeAlias = Callable[[float], Estimate]
TOLERANCE: Final = 1.02
"""Ratio of an epsilon that does not hold to one that does at which the search ends."""
_STEPS: Final = 8
_WIDEN: Final = 2.0
_INSIDE: Final = 0.15  # of a bracket: the next epsilon stays this far from its ends
_FURTHER, _BEYOND = 1.15, 2.0  # steps beyond the edge until not even the lower end holds
_SMALLEST: Final = 1e-5


@dataclass(frozen=True)
class Found:
    """The epsilon that was chosen, or None where none will do, and all that was tried.

    `edge` holds the true edge with confidence: at its low end the upper limit of the interval
    reaches the target, at its high end the lower limit does. None: not found within the range.
    """

    epsilon: float | None
    edge: tuple[float, float | None] | None
    points: tuple[tuple[float, Estimate], ...]

    @property
    def best(self) -> tuple[float, Estimate]:
        """The safest point there is."""
        return min(self.points, key=lambda point: point[1].upper)


def largest(
    measure: Measure,
    limit: float,
    *,
    start: float,
    least: float,
    most: float,
) -> Found:
    """The edge of what holds between `least` and `most`, looked for from `start` on."""
    tried: dict[float, Estimate] = {}

    def holds(epsilon: float) -> bool:
        tried[epsilon] = measure(epsilon)
        return tried[epsilon].upper <= limit

    low = high = start
    if holds(start):
        while high < most and holds(high := min(high * _WIDEN, most)):
            low = high
    else:
        while low > least and not holds(low := max(low / _WIDEN, least)):
            high = low
    fine = tried[low].upper <= limit
    if fine and tried[high].upper > limit:
        for _ in range(_STEPS):
            if high / low <= TOLERANCE:
                break
            middle = _between(low, tried[low].upper, high, tried[high].upper, limit)
            low, high = (middle, high) if holds(middle) else (low, middle)
        top = max(tried)
        while tried[top].lower <= limit and top < min(high * _BEYOND, most):
            holds(top := min(top * _FURTHER, most))
    points = tuple(sorted(tried.items()))
    if not fine:
        return Found(None, None, points)
    return Found(low, (low, _crossing(points, low, limit)), points)


def rounded(epsilon: float) -> float:
    """Three digits, never more than it was."""
    unit = 10.0 ** (math.floor(math.log10(epsilon)) - 2)
    return float(f"{math.floor(epsilon / unit + 1e-9) * unit:.3g}")


def _between(low: float, below: float, high: float, above: float, limit: float) -> float:
    """Where a line from (log epsilon, log odds) to (log epsilon, log odds) crosses the limit."""
    start, end = _log_odds(below), _log_odds(above)
    share = (_log_odds(limit) - start) / (end - start) if end > start else 0.5
    share = min(max(share, _INSIDE), 1.0 - _INSIDE)
    return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))


def _crossing(
    points: tuple[tuple[float, Estimate], ...], chosen: float, limit: float
) -> float | None:
    """Where the lower ends of the intervals cross the limit, between the points tried."""
    before = (chosen, 0.0)
    for epsilon, figure in points:
        if epsilon < chosen:
            continue
        if figure.lower > limit:
            if epsilon <= before[0]:
                return epsilon
            share = (limit - before[1]) / (figure.lower - before[1])
            return before[0] + share * (epsilon - before[0])
        before = (epsilon, figure.lower)
    return None


def _log_odds(share: float) -> float:
    inside = min(max(share, _SMALLEST), 1.0 - _SMALLEST)
    return math.log(inside / (1.0 - inside))
