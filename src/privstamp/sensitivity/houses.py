"""Houses whose street is made of plain words: what follows tells them, a town or a postcode."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Final

from privstamp.sensitivity.naming import CAPITAL

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
