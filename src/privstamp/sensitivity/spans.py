"""Findings: their kinds, a policy's own words laid over them, and spans that share no character."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from privstamp.errors import PolicyError
from privstamp.text.invisible import as_latin
from privstamp.types import Finding, Units

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
            yield spanning(best, start, end)
            best, start, end = finding, finding.start, finding.end
        else:
            best, end = max(best, finding, key=_claim), max(end, finding.end)
    yield spanning(best, start, end)


def _claim(finding: Finding) -> tuple[int, bool, bool, float, str, str, str]:
    length = finding.end - finding.start
    named = finding.kind not in _GENERAL
    secret = finding.kind == "CREDENTIAL"  # a link with a password is no mere address
    return (length, named, secret, finding.score, finding.kind, finding.source, finding.rule)


def _outside(findings: Iterable[Finding], taken: Sequence[Finding]) -> Iterator[Finding]:
    """What remains of each finding outside of those taken; both in order, one walk over both."""
    first = 0
    for finding in findings:
        while first < len(taken) and taken[first].end <= finding.start:
            first += 1
        position, index = finding.start, first
        while index < len(taken) and taken[index].start < finding.end:
            if position < taken[index].start:
                yield spanning(finding, position, taken[index].start)
            position, index = taken[index].end, index + 1
        if position < finding.end:
            yield spanning(finding, position, finding.end)


def spanning(finding: Finding, start: int, end: int) -> Finding:
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


def agreed(by_part: Sequence[Sequence[Finding]], votes: int) -> list[Finding]:
    """Findings that at least `votes` detectors have a part in; one list per detector."""
    if votes <= 1:
        return [finding for findings in by_part for finding in findings]
    covers = [list(_covers(findings)) for findings in by_part]
    return [
        finding
        for findings in by_part
        for finding in findings
        if sum(_touches(cover, finding) for cover in covers) >= votes
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


def _touches(cover: Sequence[tuple[int, int]], finding: Finding) -> bool:
    index = bisect_left(cover, finding.end, key=lambda stretch: stretch[0]) - 1
    return index >= 0 and cover[index][1] > finding.start


REASONS: Final = 4
"""Rules named for one span; more would tell nothing."""


def with_reasons(merged: Sequence[Finding], findings: Iterable[Finding]) -> list[Finding]:
    """The spans of `merged`, each naming whoever found any part of it; its own finder first."""
    starts = [finding.start for finding in merged]
    reasons = [{(finding.source, finding.rule): None} for finding in merged]
    for one in findings:
        first = max(0, bisect_right(starts, one.start) - 1)
        for index in range(first, bisect_left(starts, one.end)):
            if merged[index].end > one.start and len(reasons[index]) < REASONS:
                reasons[index][one.source, one.rule] = None
    return [
        Finding(
            finding.start,
            finding.end,
            finding.kind,
            finding.score,
            " + ".join(dict.fromkeys(source for source, _ in why)),
            "; ".join(dict.fromkeys(rule for _, rule in why)),
        )
        if len(why) > 1
        else finding
        for finding, why in zip(merged, reasons, strict=True)
    ]


def marked(text: str, findings: Sequence[Finding]) -> bytearray:
    """A flag for each character that lies in one of the findings."""
    flags = bytearray(len(text))
    for finding in findings:
        flags[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
    return flags


# Which kinds are made of words that mean something, and which are identifiers.


WORDED: Final = frozenset(
    {
        *("PERSON", "LOCATION", "ORGANIZATION", "NRP", "DATE_TIME", "MONEY", "PERCENT", "QUANTITY"),
        *("CARDINAL", "ORDINAL", "EVENT", "LANGUAGE", "LAW", "MISC", "PRODUCT", "WORK_OF_ART"),
        *("AGE", "HEALTH", "JOB_TITLE", "GENDER", "ETHNICITY", "RELIGION", "ORIENTATION"),
        *("POLITICS", "DENIED", "CODE", "NUMBER", "RARE"),
        *("TIME", "COUNT", "SECTION", "VERSION", "YEAR", "ADDRESS"),
        *("KIN", "DATE_ELEMENT", "RELATIVE_DATE", "SINGULAR"),
    }
)
"""Kinds whose words have neighbours in meaning: another word can stand for each."""
SPELT: Final = frozenset({"CREDENTIAL", "DATE", "EMAIL_ADDRESS", "HANDLE", "URL"})
"""Kinds that are identifiers also where they look like words."""
SECRETS: Final = frozenset(
    {"CREDENTIAL", "CREDIT_CARD", "CRYPTO", "PASSWORD", "API_KEY", "PIN", "CVV"}
)
"""Kinds that open something: they come back only on request, by kind."""
_NUMBERED: Final = frozenset(
    {"IBAN_CODE", "ABA_ROUTING_NUMBER", "MEDICAL_LICENSE", "MEDICAL_RECORD", "NUMERIC_ID", "ID"}
)
_HARMLESS: Final = ("_POSTCODE", "_POSTAL_CODE", "_ZIP")
_PARTS: Final = ("_GIVEN", "_FAMILY", "_INITIAL", "_PART")


def family(kind: str) -> str:
    """The kind of which a part has a name of its own: PERSON for PERSON_GIVEN."""
    for part in _PARTS:
        kind = kind.removesuffix(part)
    return kind


def is_official(kind: str) -> bool:
    """Whether it numbers a person or an account: no tool gets it unasked."""
    national = len(kind) > 3 and kind[2] == "_" and not kind.endswith(_HARMLESS)
    return kind in SECRETS or kind in _NUMBERED or national


def is_identifier(finding: Finding, text: str) -> bool:
    """Whether a span stands for one thing by its characters: a postcode, an account, a password.

    Of the kinds that are not listed here, those of a user too, spans with a digit are.
    """
    if finding.kind in WORDED:
        return False
    return finding.kind in SPELT or any(map(str.isdigit, text[finding.start : finding.end]))


# Words that a person allows or denies, laid over what a detector found.


# Scripts written without blanks between words: each character is a token of its own.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks (accents, vowel signs) are no word characters to `re`, but belong to their word.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
    "\u1ab0-\u1aff\u20d0-\u20ff"
)
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}]|[{_MARKS}])+|\S")
_DASHES: Final = frozenset("-_\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_APOSTROPHES: Final = frozenset("'\u2019\u02bc\uff07")


class Token(NamedTuple):
    start: int
    end: int
    word: str


@dataclass
class _Node:
    """Terms that share a beginning; `allow` and `deny` say whether one ends here."""

    next: dict[str, _Node] = field(default_factory=dict)
    allow: bool = False
    deny: bool = False


def apply_lists(
    units: Units, findings: Sequence[Finding], allow: Sequence[str], deny: Sequence[str]
) -> list[Finding]:
    """Findings less those made of allowed words only, and every denied word; deny wins.

    Terms are words or phrases; case, dashes and spacing do not matter, a possessive may follow.
    """
    if not allow and not deny:
        return list(findings)
    root = _planted(tuple(allow), tuple(deny))
    tokens = list(tokens_of(units.text))
    allowed, denied = _matches(root, tokens)
    if deny and not units.text.isascii():  # a denied word is denied also by its looks
        seen = [token._replace(word=as_latin(token.word)) for token in tokens]
        denied = sorted({*denied, *_matches(root, seen)[1]})
    kept = _not_allowed(findings, tokens, allowed) if any(allowed) else list(findings)
    return kept + [Finding(start, end, "DENIED", 1.0, "lists", "deny") for start, end in denied]


@lru_cache(maxsize=4)
def _planted(allow: tuple[str, ...], deny: tuple[str, ...]) -> _Node:
    """All terms as one tree; made once for the lists of a policy."""
    root = _Node()
    for name, terms in (("allow", allow), ("deny", deny)):
        for index, term in enumerate(terms):
            _plant(root, name, index, term)
    return root


def _plant(root: _Node, name: str, index: int, term: str) -> None:
    words = [token.word for token in tokens_of(term)]
    if not words:
        # The term itself may be private: only its place is named.
        raise PolicyError(f"entry {index + 1} of the {name} list is empty; remove it")
    node = root
    for word in words:
        node = node.next.setdefault(word, _Node())
    setattr(node, name, True)


def tokens_of(text: str, *, case: bool = False) -> Iterator[Token]:
    """Words and signs of a text, without dashes, as they are compared; `case` keeps capitals."""
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word in _DASHES:
            continue
        if word in _APOSTROPHES:
            word = "'"
        elif word.isascii():
            word = word if case else word.lower()
        else:
            word = unicodedata.normalize("NFKC", word)
            word = word if case else unicodedata.normalize("NFKC", word.casefold())
        yield Token(match.start(), match.end(), word)


def _matches(root: _Node, tokens: list[Token]) -> tuple[bytearray, list[tuple[int, int]]]:
    """Which tokens are allowed, and the denied spans; the longest term at each place."""
    allowed = bytearray(len(tokens))
    denied: list[tuple[int, int]] = []
    for first, token in enumerate(tokens):
        node, index = root.next.get(token.word), first
        allow_end = deny_end = -1
        while node is not None:
            allow_end = index if node.allow else allow_end
            deny_end = index if node.deny else deny_end
            index += 1
            node = node.next.get(tokens[index].word) if index < len(tokens) else None
        if allow_end >= 0:
            stop = _past_possessive(tokens, allow_end + 1)
            allowed[first:stop] = b"\x01" * (stop - first)
        if deny_end >= 0:
            denied.append((token.start, tokens[deny_end].end))
    return allowed, denied


def _past_possessive(tokens: list[Token], index: int) -> int:
    """The index behind a possessive ending that begins here."""
    if index < len(tokens) and tokens[index].word == "'":
        glued = tokens[index].start == tokens[index - 1].end
        after = index + 1
        if glued and after < len(tokens) and tokens[after].word == "s":
            return after + 1 if tokens[after].start == tokens[index].end else after
        return after if glued else index
    return index


def _not_allowed(
    findings: Sequence[Finding], tokens: list[Token], allowed: bytearray
) -> list[Finding]:
    """Findings that hold a word which is not allowed, or nothing that is."""
    ordered = sorted(findings, key=lambda finding: finding.start)
    kept: list[Finding] = []
    first = 0
    for finding in ordered:
        while first < len(tokens) and tokens[first].end <= finding.start:
            first += 1
        index, some, every = first, False, True
        while index < len(tokens) and tokens[index].start < finding.end and every:
            some = some or bool(allowed[index])
            every = bool(allowed[index]) or not any(map(str.isalnum, tokens[index].word))
            index += 1
        if not (some and every):
            kept.append(finding)
    return kept
