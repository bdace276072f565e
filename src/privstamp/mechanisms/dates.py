"""A date for a date: drawn within a window of fixed dates, written in the same form.

Proof: dates.md.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, insort
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from operator import itemgetter
from typing import ClassVar, Final

from privstamp.errors import PolicyError
from privstamp.noise import Lane, Noise, below
from privstamp.text.calendar import WEEKDAYS
from privstamp.text.dates import WrittenDate, months_first, read_date, write_date, write_range

FIRST, LAST = date(1950, 1, 1), date(2029, 12, 31)
"""The window that is taken where a policy names none. Never the clock."""
TURN: Final = date(2000, 1, 1)
"""A day before it becomes one before it, a later one a later one."""
APART: Final = (7, 60, 730, 6574)
"""Days between two days of a text that come one after the other: up to a week, two months, two
years, eighteen years, or more. Which of these it is stays true."""
_LIMITS: Final = re.compile(r"<(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)>")
_ASSUMED: Final = 2000
"""The year of a day before the first that is written with one."""
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
        if (self.last - self.first).days < 365:
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
    def ends(self) -> tuple[date, date]:
        return self.first, self.last

    def era(self, year: int | None) -> tuple[date, date]:
        """First and last day that a day of this year may become, if nothing else is known."""
        if year is None:
            return self.ends
        if year < TURN.year:
            first, last = self.first, min(self.last, TURN - timedelta(days=1))
        else:
            first, last = max(self.first, TURN), self.last
        return (first, last) if (last - first).days >= 365 else self.ends

    def limits(self, form: str) -> tuple[date, date]:
        """First and last day that this form allows."""
        limits = _LIMITS.match(form)
        first, last = map(date.fromisoformat, limits.groups()) if limits else self.ends
        return first, last

    def days(self, form: str) -> int:
        """How many days those are."""
        first, last = self.limits(form)
        return (last - first).days + 1

    def day(self, form: str, noise: Noise, attempt: int = 0) -> date:
        """The day behind `draw`: every form of one address and one mark gives the same."""
        word = int(noise.words(3, Lane.REPLACEMENT, attempt)[0][0])
        return self.limits(form)[0] + timedelta(days=below(word, self.days(form)))

    def draw(self, form: str, noise: Noise, attempt: int) -> str:
        """A date in this form, which may begin with a mark of the days it is drawn from."""
        day, form = self.day(form, noise, attempt), _LIMITS.sub("", form, count=1)
        if form.count("<D") < 2:
            return write_date(form, day)
        words = noise.words(3, Lane.REPLACEMENT, attempt)[0][1:]
        first, last = (1 + below(int(word), _HALF) for word in words)
        return write_date(form, day.replace(day=first), last + _HALF)


class Chronology:
    """PRIVATE. Days of one text and what they become: one that is met later is drawn so that it
    lies before and after the same ones as it did, and about as far from them. One that `forgets`
    draws each by itself, as where surrogates hold through many texts."""

    def __init__(self, noise: Noise, window: Window | None = None, *, forgets: bool = False):
        self._noise, self._forgets = noise, forgets
        self._window = window or Window()
        self._days: list[tuple[int, int]] = []  # as it was, as it is drawn; in order
        self._year = _ASSUMED

    def within(self, window: Window | None) -> Chronology | None:
        """The same for the window of a replacement; None for one that has none."""
        self._window = window or self._window
        return None if window is None else self

    def mark(self, written: WrittenDate, place: int) -> str:
        """What the form of a new day begins with: the days that it is drawn from."""
        if self._forgets:
            self._days.clear()
            self._year = _ASSUMED
        self._year = written.year or self._year
        last = monthrange(self._year, written.month)[1]
        was = date(self._year, written.month, min(written.day, last)).toordinal()
        limits = self._limits(was, self._window.era(written.year))
        mark = "<{} to {}>".format(*map(date.fromordinal, limits))
        insort(self._days, (was, self._window.day(mark, self._noise.at(place)).toordinal()))
        return mark

    def _limits(self, was: int, era: tuple[date, date]) -> tuple[int, int]:
        """The days that keep order and distance to both neighbours, or to the nearer one, or the
        order alone: the first of these of which the era, or else the window, has any."""
        at = bisect_left(self._days, (was, 0))
        if at < len(self._days) and self._days[at][0] == was:  # without a year
            return (self._days[at][1],) * 2
        near: list[tuple[int, int, int]] = []  # class of the distance, first and last day
        earlier, later = 0, date.max.toordinal()
        if at:
            other, earlier = self._days[at - 1]
            least, most = _apart(was - other)
            near.append((least, earlier + least, earlier + most))
        if at < len(self._days):
            other, later = self._days[at]
            least, most = _apart(other - was)
            near.append((least, later - most, later - least))
        order = (earlier + 1, later - 1)
        nearer = min(near, key=itemgetter(0))[1:] if near else order
        within = [(first.toordinal(), last.toordinal()) for first, last in (era, self._window.ends)]
        for wanted in ([span[1:] for span in near], [nearer], []):
            for first, last in within:
                spans = [order, *wanted, (first, last)]
                limits = max(span[0] for span in spans), min(span[1] for span in spans)
                if limits[0] <= limits[1]:
                    return limits
        first, last = within[1]
        return max(first, earlier), min(last, later)  # no room between them: the day of one


def _apart(days: int) -> tuple[int, int]:
    """The least and the most days of a distance's class."""
    number = bisect_left(APART, days)
    return (1, *(most + 1 for most in APART))[number], (*APART, date.max.toordinal())[number]


@dataclass(repr=False)
class Days:
    """PRIVATE. Which dates of a document are the same day, however they are written."""

    _places: dict[tuple[int | None, ...], tuple[int, str]] = field(default_factory=dict)
    _month_first: bool = False

    def branch(self) -> Days:
        """A copy that goes its own way."""
        return Days(dict(self._places), self._month_first)

    def learn(self, date_texts: Iterable[str]) -> None:
        """How the dates of the next text are written: 3/4 is what 3/14, or 14/3, beside it says."""
        self._month_first = months_first(date_texts)

    def name(self, date_text: str) -> str:
        """The same for one day, however it is written.

        >>> Days().name("Mon, 6 Oct 2025") == Days().name("2025-10-06")
        True
        """
        written = read_date(date_text, month_first=self._month_first)
        return "" if written is None else repr(written[1:])

    def of(
        self, date_text: str, place: int, chronology: Chronology | None = None
    ) -> tuple[str, int]:
        """The form of a date, and the place of its day's first mention, whose noise it takes and
        which tells the days that it is drawn from.

        Without a year it is the day of that name which was mentioned last; if none was, the next
        one with a year is that day.
        """
        written = read_date(date_text, month_first=self._month_first)
        if written is None:
            raise ValueError("a date that cannot be read")
        day = (written.month, written.day, written.last)
        known = self._places.get((*day, written.year))
        first = known or self._places.pop((*day, _OPEN), None)
        if first is None:
            first = place, "" if chronology is None else chronology.mark(written, place)
        self._places[*day, written.year] = self._places[*day, None] = first
        if known is None and written.year is None:
            self._places[*day, _OPEN] = first
        return first[1] + written.form, first[0]


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
