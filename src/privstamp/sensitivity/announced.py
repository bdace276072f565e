"""Words that announce the number of one thing or person, and the form that such a number has.

What is measured, paid or counted is none, whatever word stands before it.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.sensitivity import quantities as q
from privstamp.sensitivity import readings
from privstamp.text.terms import words
from privstamp.text.vocabulary import default

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
    return bool(
        _DECIMAL.fullmatch(figures) or readings.is_titre(figures) or q.MONEY_SIGN.search(before)
    )


def _is_counted(text: str, end: int, before: str, figures: str) -> bool:
    """Whether the figures say how many there are, or name what is nobody's: the number 158 bus."""
    if not figures.isdigit():
        return False
    if _COUNT_OF.search(before) or _PUBLIC_THING.search(before) or _RIDDEN.match(text, end):
        return True
    return len(figures) <= _FEW and _PLURAL_COUNT.search(before) is not None
