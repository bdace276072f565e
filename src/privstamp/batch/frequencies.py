"""What how often values occur would tell, in files and in engines alike: refused before any row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from privstamp.batch.plan import Plan

REPEATS: Final = 0.01
"""Share of rows that one value of a pseudonym or code, or repeats under noise by content, may
fill."""
HELD: Final = 100
"""Rows that may in any case hold the same names: somebody has as many, nobody's has more."""
_ACCEPT: Final = 'or say frequencies = "accept" at the top of the plan'


@dataclass(frozen=True)
class Occurrences:
    """Of a column's values that are not empty: how often the most common one occurs, and how many
    are the same as an earlier one; of how many rows."""

    most: int
    repeated: int
    rows: int

    @classmethod
    def of(cls, counts: Iterable[int], rows: int) -> Occurrences:
        """By how often each distinct value occurs."""
        known = list(counts)
        return cls(max(known, default=0), sum(known) - len(known), rows)


def watched(plan: Plan) -> list[str]:
    """Columns whose frequencies are to be counted."""
    names = [*plan.named("pseudonym"), *_codes(plan)]
    names += [] if plan.same is None else [plan.same]
    names += [] if plan.by_row else [*plan.texts, *plan.named("surrogate")]
    return [] if plan.frequencies == "accept" else list(dict.fromkeys(names))


def faults(plan: Plan, occurrences: Callable[[str], Occurrences]) -> list[str]:
    """What would be read from its frequency."""
    told = []
    for name in watched(plan):
        seen = occurrences(name)
        fills = f"{name}: one value fills {seen.most} of {seen.rows} rows"
        common = seen.most > max(1, REPEATS * seen.rows)
        if common and name in plan.named("pseudonym"):
            told.append(
                f"{fills}, and its pseudonym would be read by that. Make it a surrogate or drop it,"
                f" {_ACCEPT}"
            )
        elif common and name in _codes(plan):
            told.append(
                f"{fills}, and the shape that its code keeps would be read by that. Make it a "
                f"surrogate of another kind or drop it, {_ACCEPT}"
            )
        if name == plan.same and seen.most > max(HELD, REPEATS * seen.rows):
            told.append(
                f"{fills}, and the names in all of them would be drawn under one key, to be read by"
                f" how often they occur. Leave empty what is nobody's, {_ACCEPT}"
            )
        drawn = name in plan.texts or name in plan.named("surrogate")
        if drawn and not plan.by_row and seen.repeated > REPEATS * seen.rows:
            told.append(
                f"{name}: {seen.repeated} of {seen.rows} texts repeat another one, and under noise "
                f"by content that shows. Name an id, {_ACCEPT}"
            )
    return told


def _codes(plan: Plan) -> list[str]:
    return [name for name in plan.named("surrogate") if plan.columns[name].kind == "code"]
