"""Sensitivity x importance -> one group per unit, with spans kept whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privstamp.protocols import Space
from privstamp.sensitivity.kinds import is_identifier
from privstamp.types import UNKNOWN, Finding, Groups, Ids, Kind, Label, Scores, Units

NUMBER_KINDS = (Kind.NUMBER, Kind.ORDINAL, Kind.CODE)
NO_SPAN = -1
NAMED = ("PERSON", "LOCATION")
WORD_BY_WORD = "lexicon"
"""The part whose findings are single words; others say themselves where a name ends."""
LONGEST = 5
"""Words of one name; more in a row are a list."""


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
    public: bool = False,
) -> Grouping:
    """Paper, section 3: 1 sensitive and important, 2 sensitive, 3 important, 4 neither.

    Every unit that touches a sensitive span is sensitive; a span is important by the mean of its
    units. Unknown units and, unless the policy says otherwise, numbers are sensitive.

    Numbers are then replaced whatever their budget. So are units of identifiers, since another
    word says nothing in a postcode; and capitalised `small` words inside a span (US, May, Will):
    their class is so small that noise alone would often keep them.

    Where the map is `public`, a span is one unit: a group may not depend on its neighbours.
    """
    spans = np.full(len(units), NO_SPAN, dtype=np.int32)
    important = scores.important.copy()
    by_rule = np.isin(units.kinds, NUMBER_KINDS) & replace_numbers
    if findings and len(units):
        first = np.searchsorted(units.ends, [f.start for f in findings], side="right")
        last = np.searchsorted(units.starts, [f.end for f in findings], side="left")
        for index, (low, high) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if low < high:
                if public and high - low > 1:
                    raise ValueError("a public map was given a span of several units")
                spans[low:high] = index
                important[low:high] = scores.important_span(low, high)
                by_rule[low:high] |= is_identifier(findings[index], units.text)
    by_rule &= units.rows != UNKNOWN
    if small is not None:
        capital = units.labels & (Label.TITLE | Label.UPPER) != 0
        by_rule |= small & capital & (spans != NO_SPAN)
    sensitive = (spans != NO_SPAN) | (units.rows == UNKNOWN) | by_rule
    groups = np.where(sensitive, np.where(important, 1, 2), np.where(important, 3, 4))
    return Grouping(groups.astype(np.int8), spans, tuple(findings), by_rule)


def join_names(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Parts of one name or place that a word list found one by one, as one span.

    `findings` are in order and do not overlap. Neighbours of one kind are joined across a blank or
    hyphen, and a person's name takes in a capitalised rare word beside it.
    """
    joined: list[Finding] = []
    for one in findings:
        before = joined[-1] if joined else None
        kind = None if before is None else _common_kind(text, before, one)
        if before is None or kind is None:
            joined.append(one)
            continue
        joined[-1] = Finding(
            before.start,
            one.end,
            kind,
            max(before.score, one.score),
            _both(before.source, one.source, " + "),
            _both(before.rule, one.rule, "; "),
        )
    return joined


def _common_kind(text: str, before: Finding, after: Finding) -> str | None:
    """The kind of two neighbours as one name; None if they are two things."""
    if text[before.end : after.start] not in (" ", "-"):
        return None
    if WORD_BY_WORD not in before.source + after.source:
        return None
    if text.count(" ", before.start, after.end) >= LONGEST:
        return None
    kinds = {before.kind, after.kind}
    if kinds == {"PERSON", "RARE"}:
        rare = before if before.kind == "RARE" else after
        return "PERSON" if text[rare.start].isupper() else None
    return before.kind if len(kinds) == 1 and before.kind in NAMED else None


def _both(first: str, second: str, link: str) -> str:
    """Two reasons as one, without repeating either."""
    return link.join(dict.fromkeys([*first.split(link), *second.split(link)]))


def small_words(space: Space, rows: Ids) -> npt.NDArray[np.bool_]:
    """Which units are function words, where the space has a class of them."""
    if "function" not in space.classes:
        return np.zeros(len(rows), dtype=bool)
    number = space.classes.index("function")
    small: npt.NDArray[np.bool_] = (rows != UNKNOWN) & (space.class_of[rows] == number)
    return small
