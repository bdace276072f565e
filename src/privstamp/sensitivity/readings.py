"""Figures that are read off something: limits, ratios, titres, strengths and times of day.

Nobody is named by them, whatever stands before, unless a word for a number does so directly.
"""

from __future__ import annotations

import re
from typing import Final

RATIO: Final = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?(?:[-/:\u2013x]\d{1,3}(?:[.,]\d{1,2})?){1,2}")
_CLOCK: Final = (
    r"(?:[01]?\d|2[0-4])[:.h][0-5]\d(?:[:.][0-5]\d(?:[.,]\d{1,9})?)?"
    r"(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?"
)
_TIME: Final = re.compile(rf"(?:{_CLOCK})(?:\+[1-3])?")
"""A time of day, or of one of the next days: 05:20+1."""
_HALF: Final = re.compile(
    rf"(?i)(?:{_CLOCK}|(?:0?[1-9]|1[0-2])(?:[0-5]\d)?)(?P<half>[ap]\.?m)?(?:\+[1-3])?"
)
_SPANS: Final = re.compile("[-\u2013]")
_LIMITS: Final = re.compile(
    r"(0|[1-9]\d{0,4}|\d{1,3}\.\d{1,2})[-\u2013]([1-9]\d{0,4}|\d{1,3}\.\d{1,2})"
)
_UNIT_BEFORE: Final = re.compile(r"(?:[^\W\d_]+/[^\W\d_]+|/[^\W\d_]+|%)[ \t]{1,12}\Z")
_VALUE_BEFORE: Final = re.compile(
    r"\d(?:[^\d\n()\[\]]{0,16}[(\[](?i:ref(?:erence)?|normal|range|limits?|nr|rr)?[. :]{0,2}"
    r"(?:range[: ]{1,2})?|[^\W\d_]{0,6}(?: {2,}| ?[|\t] ?(?:[^\d\n|\t]{0,12}[|\t] ?)?))\Z"
)
"""A value, and a bracket or the next cell of a table: 412 (150-400), 129 | 133-146."""
_BRACKET: Final = "([\u27e8"
_PAIR: Final = re.compile(
    r"(?:[1-9]\d{0,2}(?:\.\d{1,2})?|0\.\d{1,2}|[1-9]\d(?:00|50))"
    r"(?:/(?:[1-9]\d{0,2}(?:\.\d{1,2})?|0\.\d{1,2}|[1-9]\d00)){1,2}"
)
"""Two values of one thing, as pressures and strengths are: 142/86, 30/500, 100/62.5/25."""
_TITRE: Final = re.compile(r"[1-9]\d?(?:\.\d{1,2})?:[1-9]\d{0,2}(?:,?\d{3}){0,2}(?:\.\d{1,2})?")
"""One part in many: 1:640, 1:10,000."""
_STRENGTHS: Final = re.compile(r"\d{1,4}(?:\.\d{1,2})?[/-]\d{1,4}(?:\.\d{1,2})?")
_TAKEN: Final = re.compile(
    r"(?i) ?(?:mg|mcg|ml|[bt]\.?i\.?d|[bqt]ds|qid|bd|od|qd|qhs|prn|po|daily|nightly|q\d{1,2}h?)"
    r"(?!\w)"
)
"""Behind the strengths of a drug that has two: 875/125 BID."""


def is_clock(figures: str) -> bool:
    """Whether it is a time of day, or two, in hours and minutes."""
    return ":" in figures and all(map(_TIME.fullmatch, _SPANS.split(figures)))


def is_half_day(figures: str) -> bool:
    """The same with am or pm, which no name of anything has: 10:00-10:30am, 9am-5pm."""
    times = [_HALF.fullmatch(time) for time in _SPANS.split(figures)]
    return all(times) and any(time["half"] for time in times if time)


def is_strength(figures: str, text: str, end: int) -> bool:
    """Whether the figures are strengths by what follows: 875/125 BID."""
    return bool(_STRENGTHS.fullmatch(figures) and _TAKEN.match(text, end))


def is_limits(figures: str, before: str) -> bool:
    """Whether the figures are limits by themselves or the value before: 3.5-5.3, 412 (150-400)."""
    limits = _limits(figures)
    if limits is None:
        return False
    return "." in limits or bool(_UNIT_BEFORE.search(before) or _VALUE_BEFORE.search(before))


def is_reading(figures: str, before: str) -> bool:
    """Whether the figures are a pair, a titre, or limits in brackets."""
    if _PAIR.fullmatch(figures) or _TITRE.fullmatch(figures):
        return True
    return before[-1:] in _BRACKET and bool(before) and _limits(figures) is not None


def is_titre(figures: str) -> bool:
    """One part in many, which no key word announces."""
    return _TITRE.fullmatch(figures) is not None


def _limits(figures: str) -> str | None:
    """The lower one of two limits; telephones have three digits and four: 226-8871."""
    limits = _LIMITS.fullmatch(figures)
    if limits is None or float(limits[1]) >= float(limits[2]):
        return None
    local = len(limits[1]) == 3 and len(limits[2]) == 4 and limits[2].isdigit()
    return None if local and limits[2][-1] != "0" else limits[1]
