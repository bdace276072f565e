"""Words that a person names as needed, whatever a method makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from privstamp.sensitivity.lists import apply_lists
from privstamp.types import Scores, Units


def apply_keep(units: Units, scores: Scores, keep: Sequence[str]) -> Scores:
    """Every unit of a kept word or phrase is important, with or without a task.

    Terms are found as those of the lists of sensitive words are: case, dashes and spacing do not
    matter, a possessive may follow.
    """
    if not keep:
        return scores
    kept = np.zeros(len(units), dtype=bool)
    for found in apply_lists(units, [], allow=(), deny=keep):
        first = np.searchsorted(units.ends, found.start, side="right")
        last = np.searchsorted(units.starts, found.end, side="left")
        kept[first:last] = True
    return replace(scores, kept=kept)
