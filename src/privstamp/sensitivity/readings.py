"""Figures that are read off something: limits, ratios, titres, strengths and times of day.

Nobody is named by them, whatever stands before, unless a word for a number does so directly.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity import quantities as q
from privstamp.text.terms import words
from privstamp.text.vocabulary import default

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


# Words that announce the number of one thing or person, and the form that such a number has.
#
# What is measured, paid or counted is none, whatever word stands before it.


_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")
_DECIMAL: Final = re.compile(r"\d{1,3}(?:[,.]\d{3})*[.,]\d\d?|\d{1,3}(?:,\d{3})+")
"""An amount: no name of anything has a comma and so many digits behind it."""
_COUNT_OF: Final = re.compile(
    r"(?i)(?<!\w)(?:numbers?|total|count|sum|amount) (?:of|for)"
    r" (?!(?:the|my|our|your|his|her|its|their|this|that|an?|one) )(?:[a-z-]+ ){0,3}[a-z-]+"
    r"(?: ?[:=]| (?:is|was|are|were|reached|rose to))? ?\Z"
)
"""Before what is counted: number of patients: 529; but the number of my account."""
_PUBLIC_THING: Final = re.compile(
    r"(?i)(?<!\w)(?:page|chapter|section|article|clause|paragraph|figure|table|line|row|column|"
    r"question|episode|volume|issue|verse|psalm|hymn|slide|sheet|step|bus|tram|coach|metro|"
    r"subway|route|platform|gate|floor|channel|lane|exit|terminal)s? (?:numbers?|nos?\.?|nr\.?|num)"
    r" ?#?\Z"
)
_RIDDEN: Final = re.compile(r" (?:bus|tram|coach|train|trolley|shuttle|metro)(?:es|s)?(?!\w)")
_PLURAL_COUNT: Final = re.compile(
    r"(?i)(?<!\w)(?!(?:num|pin|key|card|plate|account|acct|id|ref|reference|number|locker|otp)s)"
    r"(?:[a-z]{3,}s|staff) ?[:=] ?\Z"
)
"""Before how many there are: Patients: 529."""
_FEW: Final = 4
_KEY_AND: Final = re.compile(
    r"(?i)(?<!\w)(?P<key>[a-z]{2,})(?: (?:confirmation|reference|number|code|id|ref))?"
    r"(?P<no> (?:nos?|nr)\.?)?(?P<verb> (?:is|was|reads)| ?[:=])? ?#?\Z"
)
_VERBS_AFTER: Final = frozenset(
    words(
        "number reference ref id extension badge passport serial mrn locker booking ticket"
        " confirmation reservation locator pnr"
    )
)
"""Keys behind which a verb leads to the number: my badge is 4471."""
_CODE: Final = re.compile(r"(?=[A-Z]*\d)(?=\d*[A-Z]\d*[A-Z])[A-Z\d]{5,12}")
"""Capitals and digits, as bookings have them: QX7LMP."""


def names_something(text: str, end: int, before: str, said: str, figures: str) -> bool:
    """Whether the words before say that a number names one thing or person."""
    if _is_amount(before, figures) or _is_counted(text, end, before, figures):
        return False
    digits = sum(map(str.isdigit, figures))
    mixed = is_mixed(figures) or _is_code(figures)
    if said in q.NAMING and (digits >= 3 or mixed):
        return True
    key = _KEY_AND.search(before)
    if key and _is_key(key) and (digits >= _FEW or mixed or (digits >= 3 and not key["verb"])):
        return True
    ending = 2 <= digits <= 6 and before.rstrip(" :=\"'").lower().endswith(q.ENDING)
    return ending and not _YEAR.fullmatch(figures)


def _is_key(key: re.Match[str]) -> bool:
    """Whether a key and `no`, or a verb, stand before: invoice no 685, my badge is 4471."""
    said = set(key[0].lower().split())
    if key["verb"] and key["verb"].strip().isalpha():
        return not said.isdisjoint(_VERBS_AFTER)
    return key["no"] is not None and key["key"].lower() in q.NAMING


def _is_code(body: str) -> bool:
    """Whether capitals and digits make no public word or code: not RTX4090."""
    lead = re.match("[A-Z]*", body)
    public = default().has(body.lower()) or (lead and lead[0].lower() in q.PUBLIC_CODES)
    return _CODE.fullmatch(body) is not None and not public


def is_mixed(body: str) -> bool:
    """Six signs or more in which letters and digits change places four times: Q7XK2P, but not
    the short hash of a commit."""
    runs = re.findall(r"\d+|[^\W\d_]+", body)
    return body.isalnum() and len(body) >= 6 and len(runs) >= 5 and not q.HASH.fullmatch(body)


def _is_amount(before: str, figures: str) -> bool:
    return bool(_DECIMAL.fullmatch(figures) or is_titre(figures) or q.MONEY_SIGN.search(before))


def _is_counted(text: str, end: int, before: str, figures: str) -> bool:
    """Whether the figures say how many there are, or name what is nobody's: the number 158 bus."""
    if not figures.isdigit():
        return False
    if _COUNT_OF.search(before) or _PUBLIC_THING.search(before) or _RIDDEN.match(text, end):
        return True
    return len(figures) <= _FEW and _PLURAL_COUNT.search(before) is not None
