"""Every mechanism over its useful range, to be compared at equal recovery of sensitive units.

One epsilon for all groups. Each ladder begins where an attacker who knows word frequencies names
about one word in a hundred and ends where he names about one in four (docs/frontier.md), so that
utility can be read off between its rungs at 1, 5 and 20 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from privstamp.budget import Budget
from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import changed, nothing, original, policy
from privstamp.policy import Policy

RECOVERIES: Final = (0.01, 0.05, 0.20)
"""Shares of sensitive units at which mechanisms are compared."""


@dataclass(frozen=True)
class Ladder:
    """Epsilons of a mechanism on the default word space."""

    mechanism: str
    metric: str
    epsilons: tuple[float, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        more = ", ".join(f"{key} {value}" for key, value in self.options.items())
        return f"{self.mechanism} ({more})" if more else self.mechanism


ALIKE: Final = {"k": 24, "alike": 48}
LADDERS: Final = (
    Ladder("polar", "chordal", (13.0, 20.0, 26.0, 33.0, 40.0)),
    Ladder("polar-radial", "chordal", (13.0, 20.0, 26.0, 33.0, 40.0)),
    Ladder("laplace-l2", "chordal", (13.0, 17.0, 22.0, 27.0, 33.0)),
    Ladder("laplace-coordinate", "l1", (150.0, 200.0, 250.0, 310.0, 380.0)),
    Ladder("mahalanobis", "mahalanobis", (13.0, 17.0, 22.0, 27.0, 33.0)),
    Ladder("vickrey", "chordal", (13.0, 17.0, 22.0, 27.0, 35.0)),
    Ladder("polar-vocabulary", "chordal", (10.0, 15.0, 18.0, 22.0, 26.0)),
    Ladder("exponential", "chordal", (8.0, 10.0, 12.0, 13.5, 15.0)),
    Ladder("tem", "truncated", (11.0, 14.0, 16.0, 18.0, 20.0)),
    Ladder("custext", "ldp", (0.5, 4.0, 8.0)),
    Ladder("randomized-response", "ldp", (5.0, 7.0, 8.0, 9.0, 10.0)),
    Ladder("clusters", "tree", (4.0, 5.5, 6.5, 8.0, 10.0)),
    Ladder("neighbourhood", "hops", (1.0, 2.0, 2.5, 3.0, 3.5)),
    Ladder("neighbourhood", "hops", (2.0, 3.0, 3.5, 4.5, 7.0), {"plateau": 1}),
    Ladder("neighbourhood", "hops", (2.5, 3.5, 4.5, 6.0, 9.0), {**ALIKE, "plateau": 1}),
)


def points(_task: str, _options: Options) -> Iterator[Point]:
    """Mechanisms that only replace have no strength: see the experiment restore."""
    yield original()
    yield nothing()
    yield from (rung(ladder, epsilon) for ladder in LADDERS for epsilon in ladder.epsilons)


def rung(ladder: Ladder, epsilon: float) -> Point:
    """A mechanism at one strength."""
    part = {"name": ladder.mechanism, **ladder.options}
    budget = Budget.uniform(epsilon, metric=ladder.metric)
    given = changed(Policy.preset("stamp"), mechanism=part, budget=budget)
    return policy(f"{ladder.label} {epsilon:g}", given, mechanism=ladder.label,
                  metric=ladder.metric, epsilon=epsilon)  # fmt: skip


MECHANISMS: Final = Experiment(
    "mechanisms",
    "Every mechanism, to be compared at equal recovery of sensitive units",
    points,
    tasks=("fantasy", "ag_news"),
)
