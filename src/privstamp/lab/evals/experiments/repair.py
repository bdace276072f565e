"""Releases as they are drawn, and after a model has smoothed them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import changed, original, policy
from privstamp.lab.evals.experiments.table1 import PIECES, VECTORS
from privstamp.policy import Policy

REPAIRER: Final = "qwen-0.5b"
"""The model that repairs where nobody names another: on this machine."""
REPAIRED: Final = {
    "paper": changed(PIECES, budget={"epsilon": list(VECTORS[-1]), "metric": "angular"}),
    "stamp": Policy.preset("stamp"),
    "readable": Policy.preset("readable"),
}


def points(task: str, options: Options) -> Iterator[Point]:
    """Each with and without; the noise is the same in both."""
    yield original()
    back = options.kind(task) == "qa"
    for name, given in REPAIRED.items():
        restore = back and name != "paper"
        yield policy(name, given, restore=restore, repair=False)
        repaired = changed(given, repair=options.repairer(REPAIRER))
        yield policy(f"{name}, repaired", repaired, restore=restore, repair=True)


REPAIR: Final = Experiment(
    "repair",
    "Releases with and without coherence repair",
    points,
    limits={"qa": 50, "classification": 100},
    seconds={"qa": 8.0, "classification": 4.0},
)
