"""Times of several steps in one run: taken in turn, so that a busy moment meets all of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

Step: TypeAlias = Callable[[], object]
Watch: TypeAlias = Callable[[str], None]
"""Told what comes next."""

REST: Final = 0.03
"""Seconds: so long threads of a library look for work after a product, and keep others from it."""


def interleaved(
    steps: Mapping[str, Step],
    *,
    repeats: int,
    limit: float,
    warm: bool = False,
    at_once: Collection[str] = (),
) -> dict[str, float]:
    """Median seconds of each step; no more rounds than `repeats`, no new one after `limit` s.

    Unless they are warm, every step is taken once before: caches and lazy imports. Every step is
    given quiet cores, but for those that are to follow the one before them at once.
    """
    for step in () if warm else steps.values():
        step()
    times: dict[str, list[float]] = {name: [] for name in steps}
    started = time.perf_counter()
    gc.collect()
    gc.freeze()  # what was made before is not looked through again and again
    for _ in range(repeats):
        for name, step in steps.items():
            if name not in at_once:
                time.sleep(REST)
            before = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - before)
        if time.perf_counter() - started > limit:
            break
    gc.unfreeze()
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def once(step: Step) -> float:
    """Seconds of a step that is too slow, or too rare, to be repeated."""
    before = time.perf_counter()
    step()
    return time.perf_counter() - before
