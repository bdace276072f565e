"""Which groups are protected, against one budget for all, over the base budget.

`uniform` is measured over a range wide enough to be read off at the mean epsilon of any variant,
and at its recovery of sensitive units: uniform wins at an equal mean by leaking what is sensitive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.budget import PROTECTED, Budget
from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import nothing, original, policy, with_budget
from privstamp.policy import Policy

BASES: Final = (5.0, 10.0, 15.0, 20.0, 30.0)
"""Base budgets of the default word space, in the metric chordal; 15 is the preset's."""
UNIFORM: Final = (5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 65.0, 90.0, 110.0)
BASE: Final = Policy.preset("stamp")


def points(_task: str, _options: Options) -> Iterator[Point]:
    """Variants from fewest protected groups to all four, then one budget for all."""
    yield original()
    yield nothing()
    for variant in sorted(PROTECTED, key=lambda name: len(PROTECTED[name])):
        for base in BASES:
            given = with_budget(BASE, Budget.preset(variant, base))
            protected = len(PROTECTED[variant])
            yield policy(f"{variant} {base:g}", given, variant=variant, base=base,
                         protected=protected)  # fmt: skip
    for epsilon in UNIFORM:
        given = with_budget(BASE, Budget.uniform(epsilon))
        yield policy(f"uniform {epsilon:g}", given, variant="uniform", base=epsilon, protected=4)


VARIANTS: Final = Experiment(
    "stamp-vs-uniform",
    "STAMP's variants against one budget for all, over the base budget",
    points,
)
