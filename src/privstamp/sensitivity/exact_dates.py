"""Exact dates, a day and a month: in figures, by the month's name, or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.sensitivity.quantities import AFTER
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.calendar import (
    LANGUAGES,
    ORDINALS,
    YEAR_WORDS,
    month_words,
    weekday_words,
)
from privstamp.text.dates import read_date

_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_ENDED: Final = rf"{_DAY}(?:st|nd|rd|th|er|\u00ba|\u00aa|\.)?"
_RANGE: Final = rf"(?: ?(?:-|\u2013|/|&|to|and|until|bis|au|al|y|e|et|und) ?{_ENDED})?"
_OF: Final = r"(?:(?:day )?of |de |di |d['\u2019])?"
_YEAR: Final = r"(?:,? ?(?:de |del )?(?:1[5-9]|20)\d\d(?!\d)|,? ?['\u2019]\d\d(?!\d)|-\d\d(?!\d))"
_CLOCK: Final = r"(?:[Tt]\d\d:?\d\d(?::?\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?"
_NUMERIC: Final = re.compile(
    rf"(?:(?:1[5-9]|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1{_DAY}{_CLOCK}"
    rf"|{_DAY}([-/])(?:{_DAY})\2(?:(?:1[5-9]|20)\d\d|\d\d){_CLOCK}"
    rf"|{_DAY}\.(?:0?[1-9]|1[0-2])\.(?:(?:1[5-9]|20)\d\d)|\d\d\.(?:0[1-9]|1[0-2])\.\d\d"
    rf"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[Tt]\d{{4,6}}Z?)?)(?![\w-]|[./:]\d)"
)
_ON: Final = re.compile(r"(?i)(?<!\w)(?:on|dated?|born|dob|d\.o\.b\.|since|until)[: ]{1,2}\Z")
_ALSO_ON: Final = re.compile(
    r"(?i)(?<!\w)(?:on|dated?|since|from|between)[: ]{1,2}"
    r"(?:\d{1,2}/\d{1,2}(?:,? (?:and|or|to|until) | ?[\u2013&-] ?|, )){1,4}\Z"
)
"""Before a further date without a year: on 5/6 and 5/7."""
_WITHOUT_YEAR: Final = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\w| of)"
)
_SCORED: Final = re.compile(
    r"(?i)(?<!\w)(?:gcs|mmse|moca|scored?|scale|apgar|pain|strength|grade|vision|va|phq\S{0,3}|gad\S{0,3}"
    r"|nihss|was|of|is)[: ]{1,2}\Z"
)
"""Before points out of a number of them: GCS 9/15."""
_AT_CLOCK: Final = re.compile(r" (?:at|@) ?(?:[01]?\d|2[0-3]):?[0-5]\d(?!\w|[./]\d)")
"""Behind a date without a year: 3/23 at 2:40."""
_DONE: Final = re.compile(
    r"(?i)(?<!\w)(?:prior|previous|last(?: seen)?|seen|visit(?:ed)?|admi(?:t|tted|ssion)|labs?|ct"
    r"|mri|discharged?|echo|x-?ray|colonoscopy|mammogram|app(?:oin)?t(?:ment)?|follow[- ]?up|f/u"
    r"|due|as of|started|surgery|scheduled(?: for)?|returned?|thr(?:o)?u(?:gh)?|patient)[: ]{1,2}\Z"
)
"""What is done on a day; behind it only figures that are a month and a day over 12 are a date."""
_DAYS: Final = "|".join(
    sorted((day.replace("-", "[- ]") for day in ORDINALS), key=len, reverse=True)
)
_SEVERAL: Final = rf"(?:(?:{_DAYS})(?:,? (?:to|and|until|till|through|or)|,) (?:the )?)?"
_DAY_BEFORE: Final = re.compile(rf"(?i)(?<![^\W_])(?<!\ba ){_SEVERAL}(?:{_DAYS})\Z")
_DAY_AFTER: Final = re.compile(
    rf"(?i)(?:{_DAYS})(?:,? (?:to|and|until|till|through|or) (?:the )?(?:{_DAYS}))?(?![^\W_])"
)
_IN_WORDS: Final = re.compile(rf"(?i),? (?:in )?(?:the year )?{YEAR_WORDS}")
_IN_FIGURES: Final = re.compile(_YEAR)
_GOES_ON: Final = re.compile(r" ([a-z]+)")
_COUNTED: Final = frozenset({"QUANTITY", "PERCENT", "MONEY"})


class ExactDates:
    """Dates as one language writes them."""

    def __init__(self, language: str) -> None:
        known = language if language in LANGUAGES else "en"
        months, weekdays = "|".join(month_words(known)), "|".join(weekday_words(known))
        month = rf"(?i:{months})"
        self._day_first = re.compile(
            rf"{_ENDED}{_RANGE}[ -]?{_OF}{month}(?![^\W\d_])(?:\.?[ -]?{_YEAR})?(?!\w)"
        )
        self._logged = re.compile(rf"{_DAY}/{month}/(?:19|20)\d\d:\d\d:\d\d:\d\d(?!\w)")
        self._month_before = re.compile(rf"(?<![^\W_]){month}\.?(?: {{1,2}}|-)(?:the )?\Z")
        self._month_first = re.compile(rf"{_ENDED}{_RANGE}(?:{_YEAR})?(?![\w%]|[.,:/]\d)")
        self._weekday = re.compile(rf"(?<![^\W_])(?i:{weekdays})\.?,? (?:the |den |el |le )?\Z")
        self._of_month = re.compile(rf" (?:(?i:day )?(?i:of) {month})(?![^\W_])")
        self._month_the_day = re.compile(rf"(?<![^\W_]){month}\.?,? (?:the )?(?=[^\W\d_])")

    def at(self, text: str, start: int, low: int) -> tuple[int, int] | None:
        """The date of which a first digit stands at `start`; it begins at `low` at the earliest."""
        if start and (text[start - 1].isalnum() or text[start - 1] in "_$\u20ac\u00a3"):
            return None
        joined = start > 1 and text[start - 1] in "./-:" and text[start - 2].isalnum()
        if joined and not (text[start - 1] == ":" and text[start - 2].isalpha()):  # BDAY:1981-04-09
            return None
        if match := self._logged.match(text, start):
            return start, match.end()
        if match := self._day_first.match(text, start):
            return self._with_weekday(text, start, low), _with_year(text, match.end())
        if month := self._month_before.search(text, max(low, start - 16), start):
            match = self._month_first.match(text, start)
            if match and not _is_counted(text, match.end()):
                return self._with_weekday(text, month.start(), low), match.end()
        if (match := _NUMERIC.match(text, start)) and read_date(match[0]) is not None:
            return self._with_weekday(text, start, low), match.end()
        if (match := _WITHOUT_YEAR.match(text, start)) and (
            _ON.search(text, max(low, start - 12), start)
            or _ALSO_ON.search(text, max(0, start - 40), start)
            or (_is_day(match[0]) and _is_dated(text, match, low))
        ):
            return (start, match.end()) if read_date(match[0]) is not None else None
        return None

    def in_words(self, text: str) -> Iterator[tuple[int, int]]:
        """Dates whose day is a word: the third of May, May the third, May third."""
        for match in self._of_month.finditer(text):
            if day := _DAY_BEFORE.search(text, max(0, match.start() - 44), match.start()):
                yield self._with_weekday(text, day.start(), 0), _with_year(text, match.end())
        for match in self._month_the_day.finditer(text):
            day = _DAY_AFTER.match(text, match.end())
            sure = match[0].endswith("the ") or match[0][0].isupper()
            if day and sure and not _goes_on(text, day.end()):
                yield self._with_weekday(text, match.start(), 0), _with_year(text, day.end())

    def _with_weekday(self, text: str, start: int, low: int) -> int:
        weekday = self._weekday.search(text, max(low, start - 20), start)
        return weekday.start() if weekday else start


def _is_day(figures: str) -> bool:
    """Whether one of two figures is a month and the other one can be a day alone: 11/22."""
    smaller, larger = sorted(map(int, figures.split("/")))
    return smaller <= 12 < larger


def _is_dated(text: str, match: re.Match[str], low: int) -> bool:
    """Whether figures that can be a day have a clock behind them or what was done then before."""
    before = max(low, match.start() - 24)
    if _SCORED.search(text, before, match.start()):
        return False
    clock = _AT_CLOCK.match(text, match.end())
    return clock is not None or _DONE.search(text, before, match.start()) is not None


def _with_year(text: str, end: int) -> int:
    """Where a date ends behind which a year may stand, in figures or in words."""
    year = _IN_WORDS.match(text, end) or _IN_FIGURES.match(text, end)
    return year.end() if year else end


def _goes_on(text: str, end: int) -> bool:
    """Whether a noun follows: "in March the third team won" has no date."""
    word = _GOES_ON.match(text, end)
    return word is not None and word[1] not in FUNCTION_WORDS


def _is_counted(text: str, end: int) -> bool:
    """Whether what follows is a unit: "March 10 miles" is no date."""
    unit = AFTER.match(text, end)
    return unit is not None and unit.lastgroup in _COUNTED and len(unit[0].strip()) > 1
