"""Telephone numbers: by the plans that `phonenumbers` knows, or by how they are announced."""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity.checksums import digits_of, is_address, is_dialled
from privstamp.sensitivity.confirm import Hit, is_date, is_dated_hour

PHONE: Final = (
    r"(?P<number>[\d+(](?<![\w+].)[+(]?\d?(?:[ ().\-/\u00a0\u2010-\u2013]{0,2}\d){6,14})"
    r"(?: ?x ?\d{1,5})?(?!\w)"
)
EXTENSION: Final = r"(?<=\d\d),? (?:ext\.?|extension) ?(?P<value>\d(?<!\w\d)\d{0,4})(?!\w)"
"""The number alone: the word before it stays."""
_WITHOUT_ZERO: Final = frozenset({"CO", "ES", "LU", "MX", "PE", "PT", "US"})
"""Countries whose national numbers never begin with 0."""
_EITHER: Final = frozenset({"AR", "BR", "CL", "IN", "IT"})
_DATED: Final = re.compile(
    r"(?:\d\d?([/.-])\d\d?\1(?:19|20)\d\d|(?:19|20)\d\d([/.-])\d\d?\2\d\d?)[ (]"
)
"""A date, and something behind it: 07/11/1948 (77."""
_LENGTHS: Final = {"IN": range(10, 12), "US": range(10, 12)}
"""Digits with which it is worth asking; where nothing stands, any number."""


class Phone:
    """Sure in a telephone plan; else believed after a plus, in brackets or beside a word for it."""

    def __init__(self, words: tuple[str, ...], regions: tuple[str, ...]) -> None:
        self._said = re.compile(
            rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, words)) or '(?!)'})(?!\w)"
        )
        self._regions = regions

    def __call__(self, match: re.Match[str], score: float) -> Hit | None:
        groups = re.findall(r"\d+", match["number"])
        if is_date(groups) or sum(len(group) == 1 for group in groups) > 2 or len(groups) > 6:
            return None
        start, end = match.span()
        if is_address(match["number"].strip("(+")):
            return None
        if is_dated_hour(groups, match) or _DATED.match(match["number"]):
            return None
        before = match.string[max(0, start - 30) : start]
        marked = match[0][0] in "+(" or bool(self._said.search(before))
        digits = digits_of(match["number"])
        if not marked and (len(groups) == 1 or len(digits) > 11):
            return None
        if is_dialled(match["number"], self._plans(match[0][0] == "+", digits)):
            return start, end, score
        return (start, end, 0.5) if marked else None

    def _plans(self, international: bool, digits: str) -> tuple[str, ...]:
        """Plans worth asking: many countries write national numbers with a 0 in front."""
        if international:
            return ("ZZ",)
        zero = digits[0] == "0"
        return tuple(
            region
            for region in self._regions
            if (region in _EITHER or (region in _WITHOUT_ZERO) != zero)
            and len(digits) in _LENGTHS.get(region, (len(digits),))
        )
