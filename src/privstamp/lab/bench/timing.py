"""Times of several steps in one run: taken in turn, so that a busy moment meets all of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

Step: TypeAlias = Callable[[], object]

LEAST: Final = 3
"""Rounds that are always taken, so that one busy moment does not decide."""
REST: Final = 0.03
"""Seconds: so long threads of a library look for work after a product, and keep others from it."""


def interleaved(
    steps: Mapping[str, Step],
    *,
    repeats: int,
    limit: float,
    warm: bool = False,
    rested: Collection[str] = (),
) -> dict[str, float]:
    """Median seconds of each step in at most `repeats` rounds; after some, none after `limit` s.

    Unless they are warm, every step is taken once before: caches and lazy imports. Those that are
    to be rested start on quiet cores.
    """
    for step in () if warm else steps.values():
        step()
    times: dict[str, list[float]] = {name: [] for name in steps}
    started = time.perf_counter()
    gc.collect()
    gc.freeze()  # what was made before is not looked through again and again
    for taken in range(1, repeats + 1):
        for name, step in steps.items():
            if name in rested:
                time.sleep(REST)
            before = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - before)
        if taken >= LEAST and time.perf_counter() - started > limit:
            break
    gc.unfreeze()
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def once(step: Step) -> float:
    """Seconds of a step that is too slow, or too rare, to be repeated."""
    before = time.perf_counter()
    step()
    return time.perf_counter() - before
