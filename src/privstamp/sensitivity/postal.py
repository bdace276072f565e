"""Whole postal addresses: the pieces that detectors and rules found beside each other, as one.

A piece is a street, a name, a bare number, a part of a building or a postcode. Pieces that only
blanks, commas and line ends part make a chain; a chain that has the makings of an address is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from privstamp.sensitivity.houses import houses
from privstamp.sensitivity.languages import WORDS, listed
from privstamp.sensitivity.naming import CAPITAL, WAY
from privstamp.sensitivity.number_roles import Number, Role
from privstamp.types import Finding

ADDRESS: Final = "ADDRESS"
_SCORE: Final = 0.8
_WAY, _NAME, _PERSON, _NUMBER, _UNIT, _CODE, _STATE = range(7)
_NAMES: Final = {"LOCATION": _NAME, "RARE": _NAME, "ORGANIZATION": _PERSON, "PERSON": _PERSON}
_GAP: Final = re.compile(r",?[ \t\u00a0]{0,4}(?:\n[ \t]{0,8},?[ \t]{0,2}){0,2}")
_STOPPED: Final = re.compile(r"\.,?\s{1,4}")
"""After an abbreviation, and before a part of a building."""
_NUMBERED: Final = re.compile(r"\d{1,5}[A-Za-z]?,? \S")
_SHORT: Final = re.compile(r"(?<![^\W_])[^\W\d_]{1,4}\Z")
_FIGURE: Final = r"\d(?<!\w\d)\d{0,4}(?:[ -]?[A-Za-z])?(?!\w)"
_BARE: Final = frozenset({Role.COUNT, Role.VERSION, Role.YEAR, Role.QUANTITY, Role.SECTION})
_CUE: Final = re.compile(
    r"(?i)(?<!\w)(?:address(?:es)?|liv(?:e|es|ed|ing)|resid(?:e|es|ed|ing|ence)|located|based|"
    r"return(?:ed)?|sen[dt]|ship(?:ped)?|deliver(?:ed|y)?|mail(?:ed)?|moved?|staying|house|home|"
    r"(?:is|was|are|were) (?:at|on|in)|direcci\u00f3n|adresse|indirizzo|wohn(?:t|e|haft))(?!\w)"
    r"[^.!\n]{0,30}[:\s]\s{0,8}\Z"
)
_STATES: Final = re.compile(r"(?<=[,\n ])(?:[A-Z]{2,3}|nan|n/a)(?=,? {0,4}\n? {0,4}\d{4,6}\b)")


_STRONG: Final = re.compile(
    r"(?i)(?:apt|apartment|suite|ste|flat|p\.?o\.? box|post box|postfach)\b"
)
"""Parts of a building that nothing but an address has; of a room or unit only the number goes."""


class _Piece(NamedTuple):
    start: int
    end: int
    sort: int


def _units() -> re.Pattern[str]:
    """A part of a building with its number: Suite 200, Apt. 4B, No. 7, PO Box 12."""
    words = ", ".join(words.units for words in WORDS.values())
    either = "|".join(re.escape(one.rstrip(".")) for one in listed(words + ", nr, no, block, bldg"))
    return re.compile(
        rf"(?<!\w)(?i:{either})\.?[ \u00a0]?(?:#|n[o\u00ba\u00b0]\.? )?"
        r"(?:\d{1,5}(?:[-/]?[A-Za-z])?|[A-Z]\d{0,3})(?!\w|/\d\d)"
        r"|(?<!\w)(?i:\d{1,2}(?:st|nd|rd|th)|ground|first|second|third|top) [Ff]loor(?!\w)"
    )


def _ways() -> re.Pattern[str]:
    """Streets of any language that their number tells: Lindenstra\u00dfe 5, calle Alameda 23."""
    glued = "|".join(
        re.escape(one)
        for words in WORDS.values()
        for one in listed(words.ways_glued)
        if len(one) > 3
    )
    before = "|".join(
        re.escape(form)
        for words in WORDS.values()
        for one in listed(words.ways_before)
        if len(one) > 2
        for form in dict.fromkeys((one, one.capitalize()))
    )
    small = (
        "de|la|le|les|du|des|das|der|den|del|los|las|di|da|do|dos|della|y|e|d['\u2019]|l['\u2019]"
    )
    inner = rf"(?:(?:{small}) ?){{0,3}}"
    named = rf"(?:{before}) {inner}{WAY}(?:[ -]{inner}{WAY}){{0,3}}"
    return re.compile(
        rf"(?:(?<!\w)\d{{1,5}},? )?(?:"
        rf"(?<!\w){CAPITAL}[\w-]{{1,30}}?(?:{glued}) {_FIGURE}"
        rf"|(?<!\w){named},? (?:n[\u00ba\u00b0o.]{{1,2}} ?)?{_FIGURE}|(?<=\d ){named})"
    )


_UNITS: Final = _units()
_WAYS: Final = _ways()


def addresses(text: str, findings: Iterable[Finding], numbers: Sequence[Number]) -> list[Finding]:
    """One finding for every whole address."""
    pieces = list(_pieces(text, findings, numbers))
    starts = {piece.start for piece in pieces if piece.sort == _NUMBER}
    towns = {piece.start: piece.end for piece in pieces if piece.sort in (_NAME, _PERSON)}
    codes = {piece.start for piece in pieces if piece.sort == _CODE}
    pieces += (_Piece(*span, _WAY) for span in houses(text, starts, towns, codes))
    pieces.sort(key=lambda piece: (piece.start, -piece.end))
    spans = (_address(text, chain) for chain in _chains(text, pieces))
    return [Finding(*span, ADDRESS, _SCORE, "numbers", "whole address") for span in spans if span]


def _pieces(text: str, findings: Iterable[Finding], numbers: Sequence[Number]) -> Iterator[_Piece]:
    for finding in findings:
        if finding.kind == "LOCATION" and (
            finding.rule.startswith("street") or _NUMBERED.match(text, finding.start, finding.end)
        ):
            yield _Piece(finding.start, finding.end, _WAY)
        elif finding.kind == "POSTCODE" or _is_short_number(finding):
            yield _Piece(finding.start, finding.end, _CODE)
        elif finding.kind in _NAMES:
            listed = finding.source == "lexicon"  # a name in a list may be a town's as well
            coded = text[finding.end - 1].isdigit()
            sort = _NAME if listed or coded else _NAMES[finding.kind]
            yield _Piece(finding.start, finding.end, sort)
    for number in numbers:
        if not number.sure and number.role in _BARE and number.end - number.start <= 5:
            yield _Piece(number.start, number.end, _NUMBER)
    for match in _UNITS.finditer(text):
        yield _Piece(*match.span(), _UNIT)
    for match in _WAYS.finditer(text):
        yield _Piece(*match.span(), _WAY)
    for match in _STATES.finditer(text):
        yield _Piece(*match.span(), _STATE)


def _is_short_number(finding: Finding) -> bool:
    return finding.kind == "NUMERIC_ID" and 4 <= finding.end - finding.start <= 6


def _chains(text: str, pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Runs of pieces with nothing but blanks, commas and line ends in between."""
    chain: list[_Piece] = []
    end = -1
    for piece in pieces:
        if chain and piece.start < end:
            if piece.end > end or piece.sort in (_WAY, _UNIT):
                chain.append(piece)
            end = max(end, piece.end)
            continue
        if chain and not _adjoin(text, end, piece, alone=len(chain) == 1):
            yield chain
            chain = []
        if chain and piece.start == end and chain[-1].sort == _WAY:
            piece = piece._replace(sort=_NAME)  # a street that a name was cut out of
        chain.append(piece)
        end = piece.end
    if chain:
        yield chain


def _adjoin(text: str, end: int, piece: _Piece, *, alone: bool) -> bool:
    if piece.start - end > 24:
        return False
    if _GAP.fullmatch(text, end, piece.start) or text[end : piece.start] == "-":
        return True
    if not _STOPPED.fullmatch(text, end, piece.start):
        return False
    if _SHORT.search(text, max(0, end - 5), end):
        return True
    return piece.sort == _UNIT and not (alone and text[end - 1].isdigit())


def _address(text: str, chain: Sequence[_Piece]) -> tuple[int, int] | None:
    """From where to where a chain is an address; None if it is none."""
    sorts = [piece.sort for piece in chain]
    first = next((i for i, sort in enumerate(sorts) if sort in (_WAY, _UNIT, _NUMBER)), None)
    if first is None:
        return None
    way, unit = _WAY in sorts, _UNIT in sorts
    named = _NAME in sorts or _PERSON in sorts
    if not way and not unit:
        coded = _CODE in sorts[first:]
        begin = first if first == 0 or sorts[first - 1] not in (_NAME, _PERSON) else first - 1
        cued = _CUE.search(text, max(0, chain[begin].start - 60), chain[begin].start)
        if not named or not (coded or cued):
            return None
        if coded and not cued and len(sorts) - first < 3:
            return None
        first = begin
    elif not way and not (named or _CODE in sorts or _NUMBER in sorts):
        strong = _STRONG.match(text, chain[first].start)
        return (chain[first].start, chain[first].end) if strong else None
    elif first and sorts[first] == _UNIT and sorts[first - 1] == _NAME:
        first -= 1
    last = len(chain) - 1
    while last > first and sorts[last] in (_PERSON,):
        last -= 1
    if not way and sorts[first : last + 1] == [_NUMBER]:
        return None
    return chain[first].start, max(piece.end for piece in chain[first : last + 1])
