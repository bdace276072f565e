"""Organisations and places of a recogniser that are people by the lists of names.

A small model of English knows English names best, and takes others for companies and towns. The
lists of given and family names by origin know better, where no word of the span is a public one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from privstamp.sensitivity.letter_case import capitals_mean_nothing
from privstamp.sensitivity.lexicon import INITIAL, RARE, SCRIPT
from privstamp.sensitivity.lexicon_claims import FAMILY, GIVEN, NAME, PLACE
from privstamp.sensitivity.naming import PARTICLES
from privstamp.text.places import cities
from privstamp.types import Finding

PERSON: Final = "PERSON"
RULE: Final = "names by the lists"
_MOST: Final = 6
"""Words of a person's name."""
_NAMES: Final = frozenset({GIVEN, FAMILY, NAME})
_UNLISTED: Final = frozenset({RARE, SCRIPT})
_MAY_BE: Final = {
    "ORGANIZATION": (_UNLISTED | {GIVEN, NAME}, _NAMES | _UNLISTED | {PLACE, INITIAL}),
    "LOCATION": (frozenset({GIVEN, NAME}), _NAMES | _UNLISTED | {INITIAL}),
}
"""Of what a recogniser calls so: what lists must say of one word, and of each."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_HYPHENED: Final = re.compile(r"\A-\w+|\w+-\Z")
_JOINED_BEFORE: Final = re.compile(r"(?<![\w-])[^\W\d_]+-\Z")
_JOINED_AFTER: Final = re.compile(r"-[^\W\d_]+(?![\w-])")
_REACH: Final = 24
_WHERE: Final = re.compile(r"\b(?:at|in|near|inside|outside)(?: the)? \Z", re.IGNORECASE)
"""Before a place or an organisation, and hardly ever before a person."""
_LIST: Final = "lexicon"
_TAKEN, _ELSE = 1, 2
"""Of a character: in a finding, in one that is an organisation or a place by its sentence."""
_SURE: Final = 0.7
_NAME_BEFORE: Final = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+) \Z")
_NAME_AFTER: Final = re.compile(r" ([A-Z][a-z]+)(?![\w'\u2019-])")


def renamed_people(
    text: str, findings: Sequence[Finding], is_title: Callable[[str], bool] = str.isdigit
) -> list[Finding]:
    """The findings, with names of people called what they are, and as long as they are.

    `is_title` knows words, in small letters, that stand beside a name and are no part of it.
    """
    listed = sorted(
        (one for one in findings if one.source == _LIST), key=lambda finding: finding.start
    )
    starts = [one.start for one in listed]
    people = [
        replace(one, kind=PERSON, rule=RULE)
        if one.kind in _MAY_BE and one.source != _LIST and _is_person(text, one, listed, starts)
        else one
        for one in findings
    ]
    taken = bytearray(len(text))
    for one in people:
        mark = _ELSE if one.kind in _MAY_BE and one.source != _LIST else _TAKEN
        taken[one.start : one.end] = bytes(max(mark, flag) for flag in taken[one.start : one.end])
    return [_whole(text, _with_neighbours(text, one, taken, is_title)) for one in people]


@cache
def _towns() -> frozenset[str]:
    """Listed places whose names have several words."""
    return frozenset(place.name.casefold() for place in cities() if " " in place.name)


def _is_person(
    text: str, finding: Finding, listed: Sequence[Finding], starts: Sequence[int]
) -> bool:
    name = text[finding.start : finding.end]
    if " " not in name or "&" in name or name.casefold() in _towns():
        return False
    if _WHERE.search(text, max(0, finding.start - 12), finding.start):
        return False
    inside = listed[bisect_left(starts, finding.start) : bisect_left(starts, finding.end)]
    if not 2 <= len(inside) <= _MOST or inside[-1].end > finding.end:
        return False
    one_of, each_of = _MAY_BE[finding.kind]
    rules = {one.rule for one in inside}
    if rules.isdisjoint(one_of) or not rules <= each_of:
        return False
    edges = [finding.start, *(edge for one in inside for edge in (one.start, one.end)), finding.end]
    between = [text[start:end] for start, end in list(pairwise(edges))[::2]]
    alone = (word.lower() for gap in between for word in _WORD.findall(_HYPHENED.sub("", gap)))
    return PARTICLES.issuperset(alone)


def _with_neighbours(
    text: str, finding: Finding, taken: bytearray, is_title: Callable[[str], bool]
) -> Finding:
    """A sure person's name with a capitalised word before or behind it, inside of a sentence:
    Stormy Daniels. What is no name there is a title, a day, or `taken` as something else."""
    start, end = finding.start, finding.end
    if finding.kind != PERSON or finding.score < _SURE or not text[start].isupper():
        return finding
    if _ELSE in taken[start:end] or capitals_mean_nothing(text, start, end):
        return finding
    before = _NAME_BEFORE.search(text, max(0, start - _REACH), start)
    after = None if text[end - 2 : end] in ("'s", "\u2019s") else _NAME_AFTER.match(text, end)
    if before and not taken[before.start(1)] and not is_title(before[1].lower()):
        start = before.start(1)
    if after and not taken[after.start(1)] and not is_title(after[1].lower()):
        end = after.end(1)
    return replace(finding, start=start, end=end)


def _whole(text: str, finding: Finding) -> Finding:
    """A person's name with the capitalised words that hyphens join to it: I-Ching."""
    if finding.kind != PERSON:
        return finding
    before = _JOINED_BEFORE.search(text, max(0, finding.start - _REACH), finding.start)
    after = _JOINED_AFTER.match(text, finding.end, finding.end + _REACH)
    start = before.start() if before and before[0][0].isupper() else finding.start
    end = after.end() if after and after[0][1].isupper() else finding.end
    return replace(finding, start=start, end=end)
