"""How a date is written, apart from which date it is: `03/10/2025` -> `<DD>/<MM>/<YYYY>`.

A form holds fields in angle brackets and, between them, nothing but separators, a few small words
and the time of day: it is PUBLIC, and any date can be written in it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import date
from typing import Final, NamedTuple

from privstamp.text.calendar import (
    MONTHS,
    ORDINALS,
    WEEKDAYS,
    YEAR_WORDS,
    month_name,
    read_year,
    weekday_name,
    year_in_words,
)
from privstamp.text.terms import words

_SMALL: Final = frozenset(
    words("of the to and day de di du d del le el al au den der und et y e a bis until on")
)
"""Words that may stand inside a date."""
_CLOCK: Final = re.compile(
    r"(?<=\d)(?:[Tt](?=\d\d:?\d\d)[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?|:\d\d:\d\d:\d\d)\Z"
)
"""As ISO 8601 has it, or a web server's log."""
_TOKEN: Final = re.compile(
    rf"(?P<year>(?<![^\W_])(?i:{YEAR_WORDS}))"
    rf"|(?P<word>(?i:(?:twenty|thirty)[- ](?:{'|'.join(ORDINALS[:9])}))"
    r"(?![^\W_])|[^\W\d_]+(?:-[^\W\d_]+)?)|(?P<figures>\d+)|(?P<other>.)",
    re.S,
)
_OTHER: Final = frozenset(" ,./-'\u2019\u2013\u2014\u00a0\u00ba\u00aa&\n\t")
_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})
_FIELD: Final = re.compile(r"<([A-Za-z]+)(?: (\w+) (\w+))?>")
_CASES: Final = {"lower": str.lower, "title": str.capitalize, "upper": str.upper}
PIVOT: Final = 50
"""Years of two digits from here on are of the 20th century."""


class WrittenDate(NamedTuple):
    """The form of a date, and its value: private. Parts that are not written are None."""

    form: str
    year: int | None
    month: int
    day: int
    last: int | None  # the last day of a range


def read_date(text: str, *, month_first: bool = False) -> WrittenDate | None:
    """The form and value of a string that is an exact date; None if it is none. `month_first`
    reads 3/4 as the fourth of March, unless there is no such month.

    >>> tuple(read_date("Mon, 6 Oct 2025"))
    ('<Ws en title>, <D> <MMM en title> <YYYY>', 2025, 10, 6, None)
    """
    clock = _CLOCK.search(text)
    body = text[: clock.start()] if clock else text
    tokens = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(body)]
    fields = _Fields([word for kind, word in tokens if kind == "figures"], month_first)
    for index, (kind, word) in enumerate(tokens):
        following = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if kind == "year":
            known = fields.year(word)
        else:
            known = fields.word(word) if kind == "word" else fields.sign(kind, word, following)
        if not known:
            return None
    return fields.written(clock[0] if clock else "")


class _Fields:
    """Fields of a date as its tokens come."""

    def __init__(self, figures: list[str], month_first: bool) -> None:
        self._figures, self._month_first = figures, month_first
        self._form: list[str] = []
        self._days: list[int] = []
        self._month: int | None = None
        self._year: int | None = None
        self._numeric: list[tuple[int, str]] = []  # place in the form, digits: day or month

    def year(self, words: str) -> bool:
        """A year in words; one that is written twice is no date."""
        known = self._year is None and bool(self._form)
        self._year = read_year(words)
        self._form.append(f"<Yw en {_case(words)}>")
        return known and self._year is not None

    def word(self, word: str) -> bool:
        lower = word.lower().replace(" ", "-")
        case = _case(word)
        if lower in MONTHS and self._month is None:
            language, short, self._month = MONTHS[lower]
            self._form.append(f"<{'MMM' if short else 'MMMM'} {language} {case}>")
        elif lower in WEEKDAYS:
            language, short, _ = WEEKDAYS[lower]
            self._form.append(f"<{'Ws' if short else 'W'} {language} {case}>")
        elif lower in ORDINALS:
            self._days.append(ORDINALS.index(lower) + 1)
            self._form.append(f"<Dw en {case}>")
        elif lower in _ENDINGS and self._form and self._form[-1].startswith("<n"):
            self._form[-1] += "o"
        elif lower == "er" and self._form:  # French: 1er
            pass
        elif lower in _SMALL:
            self._form.append(word)
        else:
            return False
        return True

    def sign(self, kind: str, word: str, following: str) -> bool:
        if kind == "other":
            self._form.append(word)
            return word in _OTHER
        if len(word) == 8 and len(self._figures) == 1:
            self._year, self._month = int(word[:4]), int(word[4:6])
            self._days.append(int(word[6:]))
            self._form.append("<YYYY><MM><DD>")
        elif len(word) == 4:
            self._year = int(word)
            self._form.append("<YYYY>")
        elif len(word) <= 2:
            self._numeric.append((len(self._form), word))
            self._form.append("<n")
        else:
            return False
        return not following.isdigit()

    def written(self, clock: str) -> WrittenDate | None:
        """All of it, once every token was read."""
        numbers = [int(digits) for _, digits in self._numeric]
        names = self._names(numbers)
        if names is None:
            return None
        padded = self._padded(names)
        for (place, digits), name in zip(self._numeric, names, strict=True):
            number, ordinal = int(digits), self._form[place].endswith("o")
            if name == "YY":
                self._year = (1900 if number >= PIVOT else 2000) + number
                self._form[place] = "<YY>"
                continue
            if name == "M":
                self._month = number
            else:
                self._days.append(number)
            self._form[place] = f"<{name}o>" if ordinal else f"<{name * (1 + padded)}>"
        if self._month is None or not 1 <= len(self._days) <= 2:
            return None
        day, last = self._days[0], (self._days[1] if len(self._days) == 2 else None)
        if not all(_exists(self._year, self._month, day) for day in self._days):
            return None
        return WrittenDate("".join(self._form) + clock, self._year, self._month, day, last)

    def _names(self, numbers: list[int]) -> list[str] | None:
        """What each number of one or two digits is: D, M or YY."""
        if self._month is not None:  # by name, or in one run of eight digits
            days = 2 if self._year is not None else 3
            if len(numbers) > days or len(numbers) + len(self._days) == 0:
                return None
            spare = self._year is None and bool(numbers) and len(numbers) + len(self._days) > 1
            after = spare and self._numeric[-1][0] > _month_place(self._form)
            if after and not (len(numbers) > 1 and self._numeric[-2][0] > _month_place(self._form)):
                return ["D"] * (len(numbers) - 1) + ["YY"]
            if (
                after
                and len(numbers) > 1
                and self._form[self._numeric[-1][0] - 1] in ("'", "\u2019")
            ):
                return ["D"] * (len(numbers) - 1) + ["YY"]
            return ["D"] * len(numbers)
        if self._year is not None and self._form[0] == "<YYYY>":
            return ["M", "D"] if len(numbers) == 2 else None
        years = ["YY"] if len(numbers) == 3 and self._year is None else []
        if len(numbers) - len(years) != 2:
            return None
        american = numbers[1] > 12 or (self._month_first and numbers[0] <= 12)
        return ["M", "D", *years] if american else ["D", "M", *years]

    def _padded(self, names: list[str]) -> bool:
        digits = [
            word for (_, word), name in zip(self._numeric, names, strict=True) if name != "YY"
        ]
        if any(word[0] == "0" for word in digits):
            return True
        by_name = any(part.startswith("<MM") for part in self._form)
        return bool(digits) and not by_name and all(len(word) == 2 for word in digits)


def _case(word: str) -> str:
    if word.islower():
        return "lower"
    return "upper" if len(word) > 1 and word.isupper() else "title"


def _month_place(form: list[str]) -> int:
    return next(place for place, part in enumerate(form) if part.startswith("<M"))


def _exists(year: int | None, month: int, day: int) -> bool:
    """Whether there is such a day; without a year, in a leap year."""
    if not 1 <= month <= 12 or (year is not None and not 1 <= year <= 9999):
        return False
    return 1 <= day <= monthrange(2000 if year is None else year, month)[1]


def months_first(texts: Iterable[str]) -> bool:
    """Whether these dates of one text are written as 12/31: one of them says so, none 31/12."""
    said = set()
    for text in texts:
        numbers = [int(figures) for figures in re.findall(r"\d+", text)[:2]]
        if re.match(r"\d{1,2}[-/.]\d{1,2}(?!\d)", text) and max(numbers) > 12 >= min(numbers):
            said.add(numbers[1] > 12)
    return said == {True}


def write_date(form: str, day: date, last: int | None = None) -> str:
    """A date in a form; `last` is the second day of a range.

    >>> write_date("<Ws en title>, <D> <MMM en title> <YYYY>", date(1999, 5, 3))
    'Mon, 3 May 1999'
    """
    days = iter([day.day, day.day if last is None else last])

    def field(match: re.Match[str]) -> str:
        name, language, case = match.groups()
        if name == "Yw":
            return _CASES[case](year_in_words(day.year))
        if name[0] == "Y":
            return f"{day.year:04}" if name == "YYYY" else f"{day.year % 100:02}"
        if name in ("M", "MM"):
            return str(day.month).rjust(len(name), "0")
        if name[0] == "M":
            return _CASES[case](month_name(language, day.month, short=name == "MMM"))
        if name[0] == "W":
            return _CASES[case](weekday_name(language, day.weekday(), short=name == "Ws"))
        number = next(days)
        if name == "Dw":
            return _CASES[case](ORDINALS[number - 1])
        return f"{number}{_ending(number)}" if name == "Do" else str(number).rjust(len(name), "0")

    return _FIELD.sub(field, form)


def write_range(form: str, first: date, last: date) -> str:
    """A range whose days lie in two months: each day with its own.

    >>> write_range("<D>-<D> <MMMM en title>", date(1999, 5, 30), date(1999, 6, 2))
    '30 May-2 June'
    """
    days = list(re.finditer(r"<D[^>]*>", form))
    between = form[days[0].end() : days[1].start()]
    single = form[: days[0].start()] + form[days[1].start() :]
    return write_date(single, first) + between + write_date(single, last)


def _ending(number: int) -> str:
    if number in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
