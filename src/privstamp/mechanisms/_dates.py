"""A date for a date: drawn within a window of fixed dates, written in the same form.

Proof: _dates.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from privstamp.errors import PolicyError
from privstamp.noise import Lane, Noise
from privstamp.text.dates import read_date, write_date

FIRST, LAST = date(1950, 1, 1), date(2029, 12, 31)
"""The window that is taken where a policy names none. Never the clock."""
_HALF: Final = 14
"""Days of a month that a range begins in; it ends in as many after them."""


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

    def draw(self, form: str, noise: Noise, attempt: int) -> str:
        """A date in this form. Every form of one address gives the same date."""
        chosen, start, end = noise.words(3, Lane.REPLACEMENT, attempt)[0]
        day = self.first + timedelta(days=int(chosen) * self.days >> 64)
        if form.count("<D") < 2:
            return write_date(form, day)
        first, last = ((int(word) * _HALF >> 64) + 1 for word in (start, end))
        return write_date(form, day.replace(day=first), last + _HALF)


class Days:
    """Which dates of a document are the same day, however they are written."""

    def __init__(self) -> None:
        self._places: dict[tuple[int | None, ...], int] = {}

    def of(self, date_text: str, place: int) -> tuple[str, int]:
        """The form of a date, and the place of its day's first mention, whose noise it takes.

        Without a year it is the day of that name which was mentioned last.
        """
        written = read_date(date_text)
        if written is None:
            raise ValueError("a date that cannot be read")
        day = (written.month, written.day, written.last)
        first = self._places.get((*day, written.year), place)
        self._places[*day, written.year] = self._places[*day, None] = first
        return written.form, first
