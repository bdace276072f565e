"""Whole postal addresses: the pieces that detectors and rules found beside each other, as one.

A piece is a street, a name, a bare number, a part of a building or a postcode. Pieces that only
blanks, commas and line ends part make a chain; a chain that has the makings of an address is one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from privstamp.sensitivity.capitals import CAPITAL
from privstamp.sensitivity.languages import WORDS, listed
from privstamp.sensitivity.number_roles import Number, Role
from privstamp.sensitivity.wordrules import WAY
from privstamp.types import Finding

# Houses whose street is made of plain words: what follows tells them, a town or a postcode.


_WORD: Final = r"(?:[^\W\d_][\w'\u2019-]{0,30}\.?|&)"
_HOUSE: Final = re.compile(
    rf"\d(?<![\w.,:/#$\u20ac\u00a3-]\d)\d{{0,4}}(?:[A-Za-z]|[-/]\d{{1,4}}[A-Za-z]?)? "
    rf"(?P<street>{_WORD}(?: {_WORD}){{0,4}})(?=,|[ \t]{{0,4}}\r?\n)"
)
_STREET: Final = re.compile(
    rf"{CAPITAL}[\w'\u2019.-]*"
    rf"(?: (?:{CAPITAL}[\w'\u2019.-]*|of|the|and|&|on|in|at|under|upon|de|la))*"
)
_NEXT: Final = re.compile(r",?[ \t\u00a0]{0,4}(?:\r?\n[ \t]{0,8},?[ \t]{0,2}){0,2}")
_TOWN: Final = re.compile(
    rf"{CAPITAL}[\w'\u2019-]{{1,30}}(?:[ -]{CAPITAL}[\w'\u2019-]{{1,30}}){{0,2}}"
)
_OPENING: Final = re.compile(r"(?:\A|[\n,:(\"\u201c]|[a-z] at|[a-z] to)[ \t]{0,8}\Z")
_HOPS: Final = 4


def houses(
    text: str, numbers: Container[int], towns: Mapping[int, int], codes: Container[int]
) -> Iterator[tuple[int, int]]:
    """A number, words, and after a comma or line end a town or a postcode: 44 Corn Exchange, Bath.

    `numbers` and `codes` are where bare numbers and postcodes begin, `towns` also says where one
    ends. Before a postcode any words with capitals may be a town, and the span reaches as far.
    """
    for match in _HOUSE.finditer(text):
        street = match["street"]
        capitals = _STREET.fullmatch(street) is not None
        if match.start() not in numbers or not (capitals or _opens(text, match.start())):
            continue
        end, coded = _reach(text, match.end(), towns, codes)
        if coded or (end > match.end() and capitals and _opens(text, match.start())):
            yield match.start(), end


def _opens(text: str, start: int) -> bool:
    """Whether a line, a part of a sentence or a direction begins here."""
    return _OPENING.search(text, max(0, start - 12), start) is not None


def _reach(
    text: str, end: int, towns: Mapping[int, int], codes: Container[int]
) -> tuple[int, bool]:
    """How far towns follow each other, and whether a postcode comes after them."""
    known = position = end
    for _ in range(_HOPS):
        gap = _NEXT.match(text, position)
        start = gap.end() if gap else position
        if start in codes:
            return position, True
        if start in towns:
            known = position = towns[start]
        elif start > position and (town := _TOWN.match(text, start)):
            position = _before_code(town, codes)
        else:
            break
    return known, False


def _before_code(town: re.Match[str], codes: Container[int]) -> int:
    """Where words end; the first letters of a postcode are none."""
    for blank in re.finditer(r" ", town[0]):
        if town.start() + blank.end() in codes:
            return town.start() + blank.start()
    return town.end()


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
_COUNTS: Final = re.compile(r" (?!and\b|in\b|at\b|on\b|or\b|by\b|to\b|from\b|near\b)[a-z]{3,}")
"""Behind a number that counts something."""
_STATES: Final = re.compile(r"(?<=[,\n ])(?:[A-Z]{2,3}|nan|n/a)(?=,? {0,4}\n? {0,4}\d{4,6}\b)")


_STRONG: Final = re.compile(
    r"(?i)(?:apt|apartment|suite|ste|flat|p\.?o\.? box|post box|postfach)\b"
)
"""Parts of a building that nothing but an address has; of a room or unit only the number goes."""


_HOUSE_REACH: Final = 60
_BEFORE_TOWN: Final = re.compile(rf" \d{{1,4}}[A-Za-z]?, \d{{4,5}} {CAPITAL}")
"""A house's number, a postcode and the first letter of a town."""
_TOWN_REACH: Final = 16
_DIGITS: Final = 4
"""Of a postcode, at least."""
_HOUSE_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?:(?:[Tt]he )?{CAPITAL}[\w'\u2019-]* ){{0,3}}(?:Barn|Bungalow|Chambers|Cottage|"
    r"Cottages|Croft|Farm|Farmhouse|Forge|Gables|Gatehouse|Grange|Granary|Hall|House|Lodge|Maltings|"
    r"Manor|Mansions|Mill|Nook|Oasthouse|Priory|Rectory|Stables|Towers?|Vicarage|Villas?|Works),? "
    r"(?:\n[ \t]*)?\Z"
)
"""A house that has a name and no number, before its street."""


class _Piece(NamedTuple):
    start: int
    end: int
    sort: int


def _unit_words() -> str:
    words = ", ".join(words.units for words in WORDS.values())
    return "|".join(re.escape(word.rstrip(".")) for word in listed(words + ", nr, no, block, bldg"))


def _units() -> re.Pattern[str]:
    """A part of a building with its number: Suite 200, Apt. 4B, No. 7, PO Box 12."""
    return re.compile(
        rf"(?<!\w)(?i:{_unit_words()})\.?[ \u00a0]?(?:#|n[o\u00ba\u00b0]\.? )?"
        r"(?:\d{1,5}(?:[-/]?[A-Za-z])?|[A-Z]\d{0,3})(?!\w|/\d\d)"
        r"|(?<!\w)(?i:\d{1,2}(?:st|nd|rd|th)|ground|first|second|third|top) [Ff]loor(?!\w)"
        r"|(?<=\d )m\. ?\d{1,4}(?!\w)"
        r"|(?<!\w)\d{1,2}\.?[\u00ba\u00aa\u00b0] ?"
        r"(?:[A-Z]|(?i:izqd?a?|izquierda|d(?:e?re)?cha|centro|esq|dto|frente|int))(?!\w)\.?"
    )


def _glued() -> list[str]:
    ways = (way for words in WORDS.values() for way in listed(words.ways_glued))
    return [way for way in ways if len(way) > 3]


def _ways_before() -> list[str]:
    ways = (way for words in WORDS.values() for way in listed(words.ways_before))
    return [way for way in ways if len(way) > 2]


def _ways() -> re.Pattern[str]:
    """Streets of any language that their number tells: Lindenstra\u00dfe 5, calle Alameda 23."""
    glued = "|".join(map(re.escape, _glued()))
    before = "|".join(
        re.escape(form)
        for word in _ways_before()
        for form in dict.fromkeys((word, word.capitalize()))
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
_MAY_BE_UNIT: Final = re.compile(
    rf"(?<!\w)(?:(?:{_unit_words()})(?=[. \u00a0#n]|[a-z]?\d|[a-z](?!\w))"
    r"|(?:ground|first|second|third|top|\d{1,2}(?:st|nd|rd|th)) floor"
    r"|\d{1,2}\.?[\u00ba\u00aa\u00b0])|(?<=\d )m\. ?\d"
)
"""Where one of _UNITS may begin in a text in small letters: quicker than to ignore case."""
_WAY_WORDS: Final = (*_ways_before(), *_glued())
_WAY_ENDS: Final = frozenset(word[-3:] for word in _WAY_WORDS)
_BEFORE_WAY: Final = 56
"""Characters of a way up to the end of its word: 5, Alt-Moabiterstraße."""


def _units_in(text: str, lowered: str) -> Iterator[re.Match[str]]:
    if len(lowered) != len(text):  # places differ
        yield from _UNITS.finditer(text)
        return
    end = 0
    for begin in _MAY_BE_UNIT.finditer(lowered):
        match = _UNITS.match(text, begin.start()) if begin.start() >= end else None
        if match is not None:
            yield match
            end = match.end()


_WAYS: Final = _ways()


def _ways_in(text: str, lowered: str) -> Iterator[re.Match[str]]:
    if len(lowered) != len(text):  # places differ
        yield from _WAYS.finditer(text)
        return
    end = 0
    for blank in _after_ways(lowered):
        for place in range(max(end, blank - _BEFORE_WAY), blank):
            if match := _WAYS.match(text, place):
                yield match
                end = match.end()
                break


def _after_ways(lowered: str) -> Iterator[int]:
    """The blanks behind words for ways: quicker than a pattern of so many."""
    blank = lowered.find(" ")
    while blank >= 0:
        if lowered[blank - 3 : blank] in _WAY_ENDS and lowered.endswith(_WAY_WORDS, 0, blank):
            yield blank
        blank = lowered.find(" ", blank + 1)


def addresses(text: str, findings: Iterable[Finding], numbers: Sequence[Number]) -> list[Finding]:
    """One finding for every whole address."""
    pieces = list(_pieces(text, findings, numbers))
    starts = {piece.start for piece in pieces if piece.sort == _NUMBER}
    towns = {piece.start: piece.end for piece in pieces if piece.sort in (_NAME, _PERSON)}
    codes = {piece.start for piece in pieces if piece.sort == _CODE}
    pieces += (_Piece(*span, _WAY) for span in houses(text, starts, towns, codes))
    pieces.sort(key=lambda piece: (piece.start, -piece.end))
    spans = (_with_house(text, chain) for chain in _chains(text, pieces))
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
            house = _BEFORE_TOWN.search(text, finding.start, finding.end + _TOWN_REACH)
            end = min(finding.end, house.start()) if house else finding.end
            yield _Piece(finding.start, end, sort)
    for number in numbers:
        if not number.sure and number.role in _BARE and _is_short(text, number):
            yield _Piece(number.start, number.end, _NUMBER)
    lowered = text.lower()
    for match in _units_in(text, lowered):
        yield _Piece(*match.span(), _UNIT)
    for match in _ways_in(text, lowered):
        yield _Piece(*match.span(), _WAY)
    for match in _STATES.finditer(text):
        yield _Piece(*match.span(), _STATE)


def _is_short(text: str, number: Number) -> bool:
    """Whether it is a house's number, which may be of several houses: 99/101."""
    figures = text[number.start : number.end]
    return len(figures) <= 5 or (len(figures) <= 7 and "/" in figures)


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


def _with_house(text: str, chain: Sequence[_Piece]) -> tuple[int, int] | None:
    """The address of a chain, with the name of its house: The Old Forge, Mill Lane."""
    span = _address(text, chain)
    start = span[0] if span else chain[0].start
    house = _HOUSE_BEFORE.search(text, max(0, start - _HOUSE_REACH), start)
    if house is None:
        return span
    if span:
        return house.start(), span[1]
    codes = [piece.end for piece in chain if piece.sort == _CODE]
    return (house.start(), codes[-1]) if codes and len(chain) > 1 else None


def _has_town(chain: Sequence[_Piece], sorts: Sequence[int]) -> bool:
    """Whether a number of four or five digits stands behind a house's and before a town:
    Kasteelpark 44, 3001 Heverlee."""
    return any(
        sorts[i] in (_NAME, _PERSON)
        and sorts[i + 1 : i + 4] == [_NUMBER, _NUMBER, _NAME]
        and chain[i + 2].end - chain[i + 2].start >= _DIGITS
        for i in range(len(sorts) - 3)
    )


def _address(text: str, chain: Sequence[_Piece]) -> tuple[int, int] | None:
    """From where to where a chain is an address; None if it is none."""
    sorts = [piece.sort for piece in chain]
    first = next((i for i, sort in enumerate(sorts) if sort in (_WAY, _UNIT, _NUMBER)), None)
    if first is None:
        return None
    way, unit = _WAY in sorts, _UNIT in sorts
    named = _NAME in sorts or _PERSON in sorts
    if not way and not unit:
        coded = _CODE in sorts[first:] or _has_town(chain, sorts)
        begin = first if first == 0 or sorts[first - 1] not in (_NAME, _PERSON) else first - 1
        cued = _CUE.search(text, max(0, chain[begin].start - 60), chain[begin].start)
        if not named or not (coded or cued):
            return None
        if coded and not cued and len(sorts) - first < 3:
            return None
        if not coded and _COUNTS.match(text, chain[-1].end):
            return None  # send us each Martinmas 16 barrels
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
