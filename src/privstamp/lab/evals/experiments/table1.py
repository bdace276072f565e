"""The paper's table: polar and both Laplace calibrations at five budget vectors.

On pieces with the raw table, as published, and on the default word space. A number in the metric
`angular` buys polar a concentration smaller by a factor of pi than in `chordal`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import changed, nothing, original, policy
from privstamp.policy import Policy

FIRST: Final = (150.0, 50.0, 450.0, 350.0)
VECTORS: Final = tuple(tuple(one + 50.0 * step for one in FIRST) for step in range(5))
KINDS: Final = (
    ("polar", "angular"),
    ("polar", "chordal"),
    ("laplace-l2", "chordal"),
    ("laplace-coordinate", "l1"),
)
PIECES: Final = Policy.preset("paper")
WORDS: Final = changed(PIECES, space="glove", importance={"name": "task-cosine", "tau": "auto"})
"""The same but for the table, and for a threshold that fits it."""


def points(_task: str, _options: Options) -> Iterator[Point]:
    """All of them; beside them the text itself, and none."""
    yield original()
    yield nothing()
    for space, base in (("pieces", PIECES), ("words", WORDS)):
        for mechanism, metric in KINDS:
            for number, vector in enumerate(VECTORS, start=1):
                budget = {"epsilon": list(vector), "metric": metric}
                given = changed(base, mechanism=mechanism, budget=budget)
                yield policy(
                    f"{mechanism} {metric} on {space}, vector {number}",
                    given,
                    mechanism=mechanism, metric=metric, space=space, vector=number,
                    epsilon=vector[0],
                )  # fmt: skip


TABLE1: Final = Experiment(
    "table1",
    "The paper's table: polar and Laplace at five budgets, on pieces and words",
    points,
    seconds={"qa": 1.8, "classification": 0.25},
)
