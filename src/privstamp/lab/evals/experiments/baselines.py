"""Everything that a text can be turned into, side by side: baselines, presets, mechanisms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.budget import Budget
from privstamp.lab.evals.experiments.mechanisms import LADDERS, rung
from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import (
    FILLER,
    fill,
    mask,
    nothing,
    original,
    policy,
    presidio_placeholders,
    replacing,
    with_budget,
)
from privstamp.policy import Policy

STAMP: Final = Policy.preset("stamp")
BASE: Final = 15.0


def points(task: str, options: Options) -> Iterator[Point]:
    """From nothing hidden to everything noised; mapped back or not where there are answers.

    Mechanisms stand in the middle of their ranges, with one epsilon for all units.
    """
    yield original()
    yield nothing()
    yield mask()
    yield fill(options.repair or FILLER, options.repair_model)
    qa = options.kind(task) == "qa"
    for back in (True, False) if qa else (False,):
        yield policy("Presidio placeholders", presidio_placeholders(), restore=back)
        yield policy("placeholders", replacing("placeholder"), restore=back)
        yield policy("surrogates", replacing("surrogate"), restore=back)
        for preset in ("stamp", "readable", "selective"):
            yield policy(preset, Policy.preset(preset), restore=back, preset=preset)
    yield policy("paper", Policy.preset("paper"), preset="paper")
    yield policy("uniform", with_budget(STAMP, Budget.uniform(3 * BASE)), variant="uniform")
    for variant in ("private-low", "private-only", "all-but-important"):
        given = with_budget(STAMP, Budget.preset(variant, BASE))
        yield policy(variant, given, variant=variant)
    for ladder in LADDERS:
        yield rung(ladder, ladder.epsilons[len(ladder.epsilons) // 2])


BASELINES: Final = Experiment(
    "baselines",
    "All baselines, presets and mechanisms in one run, answers mapped back or not",
    points,
)
