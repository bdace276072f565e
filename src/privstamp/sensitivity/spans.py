"""Overlapping findings -> spans of which no two share a character."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from privstamp.types import Finding

_IDENTIFIER: Final = 0
"""Tier of every kind not named below: what a pattern or checksum found. It wins."""
_TIERS: Final[dict[str, int]] = {
    "PERSON": 1,
    "LOCATION": 2,
    "ORGANIZATION": 3,
    "NRP": 4,
    "DATE_TIME": 5,
    "MONEY": 5,
    "PERCENT": 5,
    "QUANTITY": 5,
    "CARDINAL": 6,
    "ORDINAL": 6,
    "EVENT": 7,
    "LANGUAGE": 7,
    "LAW": 7,
    "MISC": 7,
    "PRODUCT": 7,
    "WORK_OF_ART": 7,
    "AGE": 5,
    "TIME": 5,
    "COUNT": 6,
    "SECTION": 6,
    "VERSION": 6,
    "YEAR": 6,
    "DENIED": 8,
    "CODE": 9,
    "NUMBER": 9,
    "RARE": 9,
}
_GENERAL: Final = frozenset({"NUMERIC_ID"})
"""Identifiers that say little; at equal length any other kind is the better name."""


def merge(findings: Iterable[Finding]) -> list[Finding]:
    """Every character of the findings once, in order of position.

    Within a tier overlapping spans become one, named after the longest. A lower tier keeps what
    the tiers above leave of it. The order is fixed: identifiers, persons, places, organisations.

    >>> a = Finding(0, 10, "PERSON", 0.8, "ner", "model")
    >>> b = Finding(6, 16, "LOCATION", 0.8, "ner", "model")
    >>> [(f.start, f.end, f.kind) for f in merge([b, a])]
    [(0, 10, 'PERSON'), (10, 16, 'LOCATION')]
    """
    tiers: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.start < finding.end:
            tiers.setdefault(_TIERS.get(finding.kind, _IDENTIFIER), []).append(finding)
    merged: list[Finding] = []
    for _, tier in sorted(tiers.items()):
        merged.extend(list(_outside(_joined(tier), merged)))
        merged.sort(key=lambda finding: finding.start)
    return merged


def _joined(findings: list[Finding]) -> Iterator[Finding]:
    """Overlapping findings of one tier as one each, named after the best of them."""
    findings.sort(key=lambda finding: (finding.start, -finding.end))
    best, start, end = findings[0], findings[0].start, findings[0].end
    for finding in findings[1:]:
        if finding.start >= end:
            yield _spanning(best, start, end)
            best, start, end = finding, finding.start, finding.end
        else:
            best, end = max(best, finding, key=_claim), max(end, finding.end)
    yield _spanning(best, start, end)


def _claim(finding: Finding) -> tuple[int, bool, float, str, str, str]:
    length = finding.end - finding.start
    named = finding.kind not in _GENERAL
    return (length, named, finding.score, finding.kind, finding.source, finding.rule)


def _outside(findings: Iterable[Finding], taken: Sequence[Finding]) -> Iterator[Finding]:
    """What remains of each finding outside of those taken; both in order, one walk over both."""
    first = 0
    for finding in findings:
        while first < len(taken) and taken[first].end <= finding.start:
            first += 1
        position, index = finding.start, first
        while index < len(taken) and taken[index].start < finding.end:
            if position < taken[index].start:
                yield _spanning(finding, position, taken[index].start)
            position, index = taken[index].end, index + 1
        if position < finding.end:
            yield _spanning(finding, position, finding.end)


def _spanning(finding: Finding, start: int, end: int) -> Finding:
    if (start, end) == (finding.start, finding.end):
        return finding
    return Finding(start, end, finding.kind, finding.score, finding.source, finding.rule)


_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "CODE", "NUMBER", "RARE"})


def outer(findings: Iterable[Finding]) -> list[Finding]:
    """Findings less the names and plain words that lie inside a longer name.

    A detector of single words must not cut up what another one sees as a whole: "Grove" is a name
    in a list, and no person in "14 Elm Grove".
    """
    kept: list[Finding] = []
    longest: Finding | None = None
    for one in sorted(findings, key=lambda finding: (finding.start, -finding.end)):
        if one.kind in _NAMES:
            if longest is not None and one.end <= longest.end:
                if (one.start, one.end) != (longest.start, longest.end):
                    continue
            else:
                longest = one
        kept.append(one)
    return kept


def agreed(found: Sequence[Sequence[Finding]], votes: int) -> list[Finding]:
    """Findings that at least `votes` detectors have a part in; one list per detector."""
    if votes <= 1:
        return [one for findings in found for one in findings]
    covers = [list(_covers(findings)) for findings in found]
    return [
        one
        for findings in found
        for one in findings
        if sum(_touches(cover, one) for cover in covers) >= votes
    ]


def _covers(findings: Iterable[Finding]) -> Iterator[tuple[int, int]]:
    """Stretches without overlaps that the findings cover, in order."""
    start = end = -1
    for one in sorted(findings, key=lambda finding: finding.start):
        if one.start >= end:
            if end > start:
                yield start, end
            start, end = one.start, one.end
        end = max(end, one.end)
    if end > start:
        yield start, end


def _touches(cover: Sequence[tuple[int, int]], one: Finding) -> bool:
    index = bisect_left(cover, one.end, key=lambda stretch: stretch[0]) - 1
    return index >= 0 and cover[index][1] > one.start


REASONS: Final = 4
"""Rules named for one span; more would tell nothing."""


def with_reasons(merged: Sequence[Finding], findings: Iterable[Finding]) -> list[Finding]:
    """The spans of `merged`, each naming whoever found any part of it; its own finder first."""
    starts = [one.start for one in merged]
    reasons = [{(one.source, one.rule): None} for one in merged]
    for one in findings:
        first = max(0, bisect_right(starts, one.start) - 1)
        for index in range(first, bisect_left(starts, one.end)):
            if merged[index].end > one.start and len(reasons[index]) < REASONS:
                reasons[index][one.source, one.rule] = None
    return [
        replace(
            one,
            source=" + ".join(dict.fromkeys(source for source, _ in why)),
            rule="; ".join(dict.fromkeys(rule for _, rule in why)),
        )
        if len(why) > 1
        else one
        for one, why in zip(merged, reasons, strict=True)
    ]
