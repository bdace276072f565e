"""Seconds by stage and unit: grouping, noise with decoding, repair; the score is beside the point.

The paper gives 2 ms for grouping a text of 180 tokens, and 195 and 192 ms for a token under polar
and Laplace noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import changed, policy
from privstamp.lab.evals.experiments.repair import REPAIRER
from privstamp.lab.evals.experiments.table1 import PIECES, VECTORS, WORDS
from privstamp.policy import Policy

PUBLISHED: Final = {"grouping, ms per text of 180": 2.0, "polar, ms": 195.0, "laplace, ms": 192.0}
GROUPING: Final = ("splitting", "sensitivity", "importance", "grouping")
"""Stages that the paper counts as grouping."""


def points(_task: str, options: Options) -> Iterator[Point]:
    """The published mechanisms on both tables, the presets, and a repair."""
    for space, base in (("pieces", PIECES), ("words", WORDS)):
        for mechanism, metric in (("polar", "angular"), ("laplace-l2", "chordal"),
                                  ("laplace-coordinate", "l1")):  # fmt: skip
            budget = {"epsilon": list(VECTORS[2]), "metric": metric}
            given = changed(base, mechanism=mechanism, budget=budget)
            yield policy(f"{mechanism} on {space}", given, mechanism=mechanism, space=space)
    for preset in ("stamp", "readable", "fluent"):
        yield policy(preset, Policy.preset(preset), preset=preset)
    repaired = changed(Policy.preset("readable"), repair=options.repairer(REPAIRER))
    yield policy("readable, repaired", repaired, preset="readable", repair=True)


OVERHEAD: Final = Experiment(
    "overhead",
    "Seconds by stage and unit, next to the paper's",
    points,
    tasks=("yelp",),
    limits={"qa": 20, "classification": 40},
    seconds={"qa": 5.0, "classification": 3.0},
    readers={"qa": ("qwen-0.5b",), "classification": ("tfidf",)},
)
