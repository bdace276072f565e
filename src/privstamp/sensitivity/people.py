"""People by lists: those taken for something else, their user names, what else singles them out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from privstamp.sensitivity.capitals import capitals_mean_nothing, is_shouted
from privstamp.sensitivity.lexicon import INITIAL, RARE, SCRIPT
from privstamp.sensitivity.lexicon_claims import FAMILY, GIVEN, NAME, PLACE
from privstamp.sensitivity.patterns import rule
from privstamp.sensitivity.public_terms import RANKS_BEFORE
from privstamp.sensitivity.spans import spanning
from privstamp.sensitivity.wordrules import PARTICLES
from privstamp.text.places import cities
from privstamp.types import Finding

PERSON: Final = "PERSON"
_PLACE: Final = "LOCATION"
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
_LETTERS: Final = 5
_ABBREVIATES: Final = 3
"""Letters of an abbreviation, at most; of one that a list of names has too."""
_SINGLE: Final = re.compile(r"[A-Z]\.?")
_WORD: Final = re.compile(r"[^\W\d_]+")
_HYPHENED: Final = re.compile(r"\A-\w+|\w+-\Z")
_JOINED_BEFORE: Final = re.compile(r"(?<![\w-])(?:[^\W\d_]+-|[A-Z]['\u2019])\Z")
_JOINED_AFTER: Final = re.compile(r"(?:-|['\u2019](?=[A-Z]))[^\W\d_]+(?![\w-])")
_TITLED: Final = re.compile(r"(?<![\w.])(?:Mr|Mrs|Ms|Miss|Mx|Lil|DJ|MC)\.? \Z")
_REACH: Final = 24
_WHERE: Final = re.compile(r"\b(?:at|in|near|inside|outside)(?: the)? \Z", re.IGNORECASE)
"""Before a place or an organisation, and hardly ever before a person."""
_LIST: Final = "lexicon"
_TAKEN, _ELSE = 1, 2
"""Of a character: in a finding, in one that is an organisation or a place by its sentence."""
_SURE: Final = 0.7
_NAME_BEFORE: Final = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+) \Z|(?<![\w.'-])([A-Z][A-Za-z]) \Z")
"""A capitalised word in a sentence, or two letters wherever they are: PJ Tucker."""
_NAME_AFTER: Final = re.compile(r" ([A-Z][a-z]+)(?![\w'\u2019-])")


def renamed_people(
    text: str, findings: Sequence[Finding], is_title: Callable[[str], bool] = str.isdigit
) -> list[Finding]:
    """The findings, with names of people called what they are, and as long as they are.

    `is_title` knows words, in small letters, that stand beside a name and are no part of it.
    """
    listed = sorted(
        (finding for finding in findings if finding.source == _LIST),
        key=lambda finding: finding.start,
    )
    starts = [finding.start for finding in listed]
    people = [
        replace(finding, kind=PERSON, rule=RULE)
        if finding.kind in _MAY_BE
        and finding.source != _LIST
        and _is_person(text, finding, listed, starts)
        else finding
        for finding in findings
    ]
    people = [_lettered(text, person, listed, starts) for person in people]
    places = {(one.start, one.end) for one in people if one.kind == _PLACE and one.source != _LIST}
    people = [
        replace(one, kind=_PLACE)
        if one.kind == PERSON
        and (one.start, one.end) in places
        and _WHERE.search(text, max(0, one.start - 12), one.start)
        else one
        for one in people
    ]  # in Geneva, in Florence
    taken = bytearray(len(text))
    for person in people:
        mark = _ELSE if person.kind in _MAY_BE and person.source != _LIST else _TAKEN
        taken[person.start : person.end] = bytes(
            max(mark, flag) for flag in taken[person.start : person.end]
        )
    people = [_whole(text, _with_neighbours(text, one, taken, is_title)) for one in people]
    return _whole_towns(text, people)


@cache
def _towns() -> frozenset[str]:
    """Listed places whose names have several words."""
    return frozenset(place.name.casefold() for place in cities() if " " in place.name)


def _whole_towns(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, with a place that is the first word of a listed town as long as that is, and
    what lists say of its second word no more: Novi Sad."""
    longer = {}
    for finding in findings:
        if finding.kind == _PLACE and " " not in text[finding.start : finding.end]:
            after = _NAME_AFTER.match(text, finding.end)
            if after and text[finding.start : after.end()].casefold() in _towns():
                longer[finding.start] = after.end()
    if not longer:
        return list(findings)
    return [
        spanning(finding, finding.start, longer[finding.start])
        if finding.kind == _PLACE and finding.start in longer
        else finding
        for finding in findings
        if finding.source != _LIST
        or not any(start < finding.start and finding.end <= end for start, end in longer.items())
    ]


def _lettered(
    text: str, finding: Finding, listed: Sequence[Finding], starts: Sequence[int]
) -> Finding:
    """Single letters as somebody's, and a short word in capitals that no list has as a body's:
    GP, SLO, among words that are written in small letters."""
    word = text[finding.start : finding.end]
    if finding.kind not in (PERSON, *_MAY_BE) or not word.isupper() or len(word) > _LETTERS:
        return finding
    if finding.kind == "ORGANIZATION":
        return replace(finding, kind=PERSON) if _SINGLE.fullmatch(word) else finding
    if not word.isalpha() or len(word) == 1:
        return finding
    if finding.source == _LIST:
        names = finding.kind == PERSON and finding.score >= _SURE and len(word) > _ABBREVIATES
    else:
        inside = listed[bisect_left(starts, finding.start) : bisect_left(starts, finding.end)]
        names = any(part.rule not in _UNLISTED for part in inside)
    if names or is_shouted(text, finding.start, finding.end):
        return finding
    return replace(finding, kind="ORGANIZATION")


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
    rules = {finding.rule for finding in inside}
    if rules.isdisjoint(one_of) or not rules <= each_of:
        return False
    edges = [
        finding.start,
        *(edge for span in inside for edge in (span.start, span.end)),
        finding.end,
    ]
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
    rank = before and RANKS_BEFORE.match(text, before.start())  # DI Nowicki
    if before and not (rank or taken[before.start()] or is_title(before[0].rstrip().lower())):
        start = before.start()
    if after and not taken[after.start(1)] and not is_title(after[1].lower()):
        end = after.end(1)
    return spanning(finding, start, end)


def _whole(text: str, finding: Finding) -> Finding:
    """A person's name with the capitalised words that hyphens join to it, as in I-Ching, or
    apostrophes, as in O'Neill, and a title before it, which says that a word such as Welsh is a
    family's name."""
    if finding.kind != PERSON:
        return finding
    if title := _TITLED.search(text, max(0, finding.start - _REACH), finding.start):
        finding = replace(finding, start=title.start())
    before = _JOINED_BEFORE.search(text, max(0, finding.start - _REACH), finding.start)
    after = _JOINED_AFTER.match(text, finding.end, finding.end + _REACH)
    start = before.start() if before and before[0][0].isupper() else finding.start
    end = after.end() if after and after[0][1].isupper() else finding.end
    return spanning(finding, start, end)


# User names of which a list knows one part: tobi.o, s.okafor, and hae-won before a turn of talk.
#
# Splitters cut such a name at its signs, and what is left of it would tell who was meant.


SOURCE: Final = "handles"
_SCORE: Final = 0.6
_PARTS: Final = frozenset({"PERSON", "RARE", "HANDLE"})
_AFTER: Final = re.compile(r"[\w.-]*\w")
_BEFORE: Final = re.compile(r"\w[\w.-]*\Z")
_HANDLES_REACH: Final = 40
_SPEAKER: Final = re.compile(r"(?:\A|\n)[ \t]*(?:[\[(][^\])\n]{1,30}[\])])?[ \t<]*\Z")
_SPEAKS: Final = re.compile(r">?(?::(?!\S)|[ \t]*(?:\n|\Z))|>")
_FILE: Final = re.compile(r"\.[a-z]\w\Z")
"""Endings of files have two letters, or more."""
_INITIAL: Final = 2
"""Letters or digits of a part that only abbreviates."""


_CHANNEL: Final = re.compile(
    r"(?<![\w@./-])(?:[A-Z][a-z]+){2,4}(?<=[a-z])(?:TV|(?:Man|Guy|Girl|Boy|Chick|Dude|Kid|Mom|Mum|Dad|"
    r"Gamer|Gaming|Gamez|Vlogs?|Plays|Official|Fan|Lover|Queen|King))(?!\w)"
)
"""What people call themselves and their channels: MysteryGuitarMan."""


def whole(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The whole user name, where a finding is one part of it, in small letters; and user names of
    several everyday words."""
    for match in _CHANNEL.finditer(text):
        yield Finding(*match.span(), "HANDLE", _SCORE, SOURCE, "words of a user name")
    for finding in findings:
        if finding.kind in _PARTS and text[finding.start : finding.end].islower():
            start, end = _run(text, finding.start, finding.end)
            if (start, end) != (finding.start, finding.end) and _is_handle(text, start, end):
                yield Finding(start, end, "HANDLE", _SCORE, SOURCE, "rest of a user name")


def _run(text: str, start: int, end: int) -> tuple[int, int]:
    """What is joined to a finding by dots, hyphens and underscores."""
    before = _BEFORE.search(text, max(0, start - _HANDLES_REACH), start)
    after = _AFTER.match(text, end, end + _HANDLES_REACH)
    return before.start() if before else start, after.end() if after else end


def _is_handle(text: str, start: int, end: int) -> bool:
    run = text[start:end]
    if not run.islower() or text[end : end + 1] == "(":
        return False
    parts = re.split(r"[._]", run)
    if _FILE.search(run):
        return False
    if len(parts) > 1 and "-" not in run and len(parts) <= 3:
        short = sum(len(part) <= _INITIAL for part in parts)
        if short == len(parts) - 1:
            return True
    before = _SPEAKER.search(text, max(0, start - _HANDLES_REACH), start)
    return before is not None and _SPEAKS.match(text, end) is not None


# What singles a person out, or dates a text, without a name: closed lists, by choice.


_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_DAYS: Final = (
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tues|Tue|Wed|Thurs|Thu|Fri"
    "|Sat|Sun"
)
_SPANS: Final = "hour|night|day|weekend|week|fortnight|month|quarter|term|season|year|decade"
_TIMES: Final = "morning|afternoon|evening|spring|summer|autumn|fall|winter|christmas|easter"
_COUNTS: Final = (
    r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several"
    "|some|a few|a couple of"
)
_RARE: Final = (
    "only|sole|youngest|oldest|eldest|tallest|richest|longest[- ]serving|last surviving"
    "|first (?:female|male|black|asian|deaf|blind|openly gay|transgender)"
)

SINGLING: Final = (
    rule("DATE_ELEMENT", "month or weekday", 0.6, rf"(?<!\w)(?:{_MONTHS}|{_DAYS})(?!\w)"),
    rule(
        "RELATIVE_DATE",
        "a day told from another",
        0.6,
        r"(?<!\w)(?i:yesterday|today|tonight|tomorrow"
        rf"|(?:last|next|this|past|coming|previous|following) "
        rf"(?:{_SPANS}|{_TIMES}|{_MONTHS}|{_DAYS})"
        rf"|(?:{_COUNTS}) (?:{_SPANS})s? (?:ago|earlier|later|before|after|from now|since)"
        rf"|the (?:{_SPANS}|{_TIMES}) (?:before|after)(?: (?:last|next|yesterday|tomorrow))?)"
        r"(?!\w)",
    ),
    rule(
        "SINGULAR",
        "the only one",
        0.6,
        rf"(?i:(?<=\bthe )|(?<=\bour )|(?<=\bhis )|(?<=\bher )|(?<=\btheir )|(?<=\bits ))"
        rf"(?i:{_RARE}) [a-z-]++(?!\w)",
    ),
)
KINDS: Final = frozenset(rule.kind for rule in SINGLING)
