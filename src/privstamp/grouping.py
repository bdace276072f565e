"""Sensitivity x importance -> one group per unit, with spans kept whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privstamp.protocols import Space
from privstamp.types import UNKNOWN, Finding, Groups, Ids, Kind, Label, Scores, Units

NUMBER_KINDS = (Kind.NUMBER, Kind.ORDINAL, Kind.CODE)
NO_SPAN = -1


@dataclass(frozen=True, repr=False, eq=False)
class Grouping:
    """Group of each unit, and the span it belongs to."""

    groups: Groups
    spans: npt.NDArray[np.int32]  # index into findings, NO_SPAN outside of all
    findings: tuple[Finding, ...]
    by_rule: npt.NDArray[np.bool_]  # known units that are replaced whatever their budget

    def __repr__(self) -> str:
        return f"Grouping({len(self.groups)} units, {len(self.findings)} spans)"


def group(
    units: Units,
    findings: Sequence[Finding],
    scores: Scores,
    *,
    replace_numbers: bool,
    small: npt.NDArray[np.bool_] | None = None,
) -> Grouping:
    """Paper, section 3: 1 sensitive and important, 2 sensitive, 3 important, 4 neither.

    Every unit that touches a sensitive span is sensitive; one important unit makes its whole span
    important. Unknown units and, unless the policy says otherwise, numbers are sensitive.

    Numbers are then replaced whatever their budget; so are capitalised `small` words inside a
    span (US, May, Will): their class is so small that noise alone would often keep them.
    """
    spans = np.full(len(units), NO_SPAN, dtype=np.int32)
    important = scores.important.copy()
    if findings and len(units):
        first = np.searchsorted(units.ends, [f.start for f in findings], side="right")
        last = np.searchsorted(units.starts, [f.end for f in findings], side="left")
        for index, (low, high) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if low < high:
                spans[low:high] = index
                important[low:high] = important[low:high].any()
    numbers = np.isin(units.kinds, NUMBER_KINDS)
    by_rule = numbers & (units.rows != UNKNOWN) & replace_numbers
    if small is not None:
        capital = units.labels & (Label.TITLE | Label.UPPER) != 0
        by_rule |= small & capital & (spans != NO_SPAN)
    sensitive = (spans != NO_SPAN) | (units.rows == UNKNOWN) | by_rule
    groups = np.where(sensitive, np.where(important, 1, 2), np.where(important, 3, 4))
    return Grouping(groups.astype(np.int8), spans, tuple(findings), by_rule)


def small_words(space: Space, rows: Ids) -> npt.NDArray[np.bool_]:
    """Which units are function words, where the space has a class of them."""
    if "function" not in space.classes:
        return np.zeros(len(rows), dtype=bool)
    number = space.classes.index("function")
    small: npt.NDArray[np.bool_] = (rows != UNKNOWN) & (space.class_of[rows] == number)
    return small
