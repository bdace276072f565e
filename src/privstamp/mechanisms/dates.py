"""A date for a date: drawn within a window of fixed dates, written in the same form.

Proof: dates.md.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar, Final

from privstamp.errors import PolicyError
from privstamp.noise import Lane, Noise, below
from privstamp.text.calendar import WEEKDAYS
from privstamp.text.dates import WrittenDate, read_date, write_date, write_range

FIRST, LAST = date(1950, 1, 1), date(2029, 12, 31)
"""The window that is taken where a policy names none. Never the clock."""
TURN: Final = date(2000, 1, 1)
"""A date before it becomes one before it, a later one a later one: who was born in 1961 is not
admitted in 1963. A label of every date that has a year."""
_ERAS: Final = ("<before 2000>", "<from 2000>")
_ERA: Final = re.compile("|".join(_ERAS))
_HALF: Final = 14
"""Days of a month that a range begins in; it ends in as many after them."""
_LEAST, _MOST = 105, 521
"""Weeks of a shift: two years to ten."""
_OPEN: Final = 0
"""The year of a day that was mentioned without one alone."""
_SHIFTS: Final = 1 << 20
"""The attempt whose noise is a document's shift; numbers in a span have smaller ones."""


@dataclass(frozen=True)
class Window:
    """The dates that may be drawn, both ends included."""

    first: date = FIRST
    last: date = LAST

    def __post_init__(self) -> None:
        if self.days < 366:
            raise PolicyError("the window of dates is shorter than a year")

    @classmethod
    def of(cls, given: tuple[str, str]) -> Window:
        """From two dates as ISO 8601 writes them."""
        try:
            first, last = map(date.fromisoformat, given)
            return cls(first, last)
        except (TypeError, ValueError):
            pass
        raise PolicyError('date_window is two dates, say ["1950-01-01", "2029-12-31"]')

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def era(self, form: str) -> Window:
        """The part of the window that this form asks for; all of it where that is under a year."""
        mark = _ERA.match(form)
        try:
            if mark and mark[0] == _ERAS[0]:
                return Window(self.first, min(self.last, TURN - timedelta(days=1)))
            return Window(max(self.first, TURN), self.last) if mark else self
        except PolicyError:
            return self

    def draw(self, form: str, noise: Noise, attempt: int) -> str:
        """A date in this form. Every form of one address gives the same date."""
        chosen, start, end = noise.words(3, Lane.REPLACEMENT, attempt)[0]
        era, form = self.era(form), _ERA.sub("", form)
        day = era.first + timedelta(days=below(int(chosen), era.days))
        if form.count("<D") < 2:
            return write_date(form, day)
        first, last = (1 + below(int(word), _HALF) for word in (start, end))
        return write_date(form, day.replace(day=first), last + _HALF)


@dataclass(repr=False)
class Days:
    """PRIVATE. Which dates of a document are the same day, however they are written."""

    _places: dict[tuple[int | None, ...], tuple[int, str]] = field(default_factory=dict)

    def branch(self) -> Days:
        """A copy that goes its own way."""
        return Days(dict(self._places))

    def of(self, date_text: str, place: int) -> tuple[str, int]:
        """The form of a date, and the place of its day's first mention, whose noise it takes and
        whose year tells the era.

        Without a year it is the day of that name which was mentioned last; if none was, the next
        one with a year is that day.
        """
        written = read_date(date_text)
        if written is None:
            raise ValueError("a date that cannot be read")
        day = (written.month, written.day, written.last)
        era = "" if written.year is None else _ERAS[written.year >= TURN.year]
        known = self._places.get((*day, written.year))
        first = known or self._places.pop((*day, _OPEN), (place, era))
        self._places[*day, written.year] = self._places[*day, None] = first
        if known is None and written.year is None:
            self._places[*day, _OPEN] = first
        return first[1] + written.form, first[0]


def day_of(date_text: str) -> str:
    """The day of a date, however it is written.

    >>> day_of("Mon, 6 Oct 2025") == day_of("2025-10-06")
    True
    """
    written = read_date(date_text)
    return "" if written is None else repr(written[1:])


class Shift:
    """All dates of a document moved by one number of whole weeks. Not blind: see `guarantee`."""

    name: Final = "shift"
    kind: Final = "DATE"
    unit: Final = None
    proof: ClassVar[str] = "dates.md"
    epsilon: Final = math.inf
    distance: Final = "days between two dates of one document"
    diameter: Final = math.inf
    guarantee: Final = (
        f"every date moved by one shift, drawn uniformly from {_LEAST} to {_MOST} weeks either "
        "way: intervals between dates, their order and weekdays leave as they were, and one known "
        "date reveals all others"
    )

    def takes(self, kind: str, text: str) -> bool:
        """Whether a span is a date that can be moved."""
        return kind == self.kind and read_date(text) is not None

    def draws(self, text: str) -> int:  # noqa: ARG002  (the same for every text)
        """Shifts are one draw of the whole document."""
        return 0

    def place(self, index: int) -> int:  # noqa: ARG002
        """The unit whose noise is read: one for all."""
        return 0

    def release(self, text: str, noise: Noise) -> str:
        """The date some weeks later or earlier, in the same form."""
        written = read_date(text)
        if written is None:
            raise ValueError("a date that cannot be read")
        word = int(noise.words(1, Lane.VALUE, _SHIFTS)[0][0])
        chosen = below(word, 2 * (_MOST - _LEAST + 1))
        weeks = (_LEAST + chosen // 2) * (1 if chosen % 2 else -1)
        first = date(_year_of(text, written), written.month, written.day)
        moved = first + timedelta(weeks=weeks)
        if written.last is None:
            return write_date(written.form, moved)
        last = moved + timedelta(days=written.last - written.day)
        if last.month == moved.month:
            return write_date(written.form, moved, last.day)
        return write_range(written.form, moved, last)


def _year_of(text: str, written: WrittenDate) -> int:
    """The year of a date; one without gets a year in which its weekday, if any, is right."""
    if written.year is not None:
        return written.year
    named = [
        WEEKDAYS[word][2] for word in re.findall(r"[^\W\d_]+", text.lower()) if word in WEEKDAYS
    ]
    leap = (written.month, written.day) == (2, 29)
    years = range(1976, 2004, 4) if leap else range(1977, 2005)
    fitting = (
        year
        for year in years
        if not named or date(year, written.month, written.day).weekday() == named[0]
    )
    return next(fitting)
