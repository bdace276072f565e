"""What a number is by itself: read off something, announced by a word, or known to everybody.

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
_HIDDEN: Final = re.compile(r"[*\u2022]{3,}[ -]?(?:[*\u2022]{2,}[ -]?)*\Z")
"""Before the last digits of a number whose others are hidden: ***-**-4471."""
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
    ending = 2 <= digits <= 6 and (
        before.rstrip(" :=\"'").lower().endswith(q.ENDING) or _HIDDEN.search(before) is not None
    )
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
    return body.isalnum() and len(body) >= 6 and len(runs) >= 5 and not HASH.fullmatch(body)


def _is_amount(before: str, figures: str) -> bool:
    return bool(_DECIMAL.fullmatch(figures) or is_titre(figures) or q.MONEY_SIGN.search(before))


def _is_counted(text: str, end: int, before: str, figures: str) -> bool:
    """Whether the figures say how many there are, or name what is nobody's: the number 158 bus."""
    if not figures.isdigit():
        return False
    if _COUNT_OF.search(before) or _PUBLIC_THING.search(before) or _RIDDEN.match(text, end):
        return True
    return len(figures) <= _FEW and _PLURAL_COUNT.search(before) is not None


# What everybody knows: versions, hashes, colours, addresses of every machine, regions.


TALLIED: Final = re.compile(r"[A-Z]{1,4}x[1-9]")
"""Signs of a note and how often: AAOx3, QIDx7."""
_VERSION: Final = re.compile(
    r"[vV]?\d{1,4}\.\d{1,4}(?:\.\d{1,6}){0,2}(?:[-.]?(?:rc|alpha|beta|dev|post|pre|snapshot|lts)"
    r"[-.]?\d{0,4})|[vV]\d{1,4}(?:\.\d{1,6}){0,3}",
    re.IGNORECASE,
)
_RELEASED: Final = re.compile(r"[vV]?\d{1,6}(?:\.\d{1,6}){1,3}(?!\.?\d)")
_PIECE: Final = re.compile(r"\d+|[^\W\d_]+")
_OCTET: Final = 255
"""The largest part of an internet address."""
HASH: Final = re.compile(r"(?=[a-f]*\d)[0-9a-f]{7,64}")
"""The hash of a commit, or its beginning."""
_COLOUR: Final = re.compile(r"(?=\d*[A-Fa-f])(?:[0-9A-Fa-f]{3,4}){1,2}")
_HEX_CODE: Final = re.compile(r"0x[0-9A-Fa-f]{1,8}")
_DIGEST: Final = re.compile(r"(?:sha\d{1,3}|md5)[:-][0-9a-f]{7,128}")
_PAINTED: Final = re.compile(
    r"(?:colou?r|background|border|fill|stroke)[\w-]{0,9}[\"']? ?[:=][^;#\n]{0,20}#\Z"
)
_WORD: Final = re.compile(r"([^\W\d_]+)[^\w,;)\]!?\n]{0,4}\Z")


def is_public_code(body: str, before: str, said: str) -> bool:
    """Whether it is a version, a hash or a colour, or a place that is everywhere the same."""
    known = is_version(body, said) or is_public_place(body)
    return known or is_public_hex(body, before, said)


def is_version(body: str, said: str) -> bool:
    """Figures with dots, then words that are public, short letters and more figures.

    Groups of three digits are what numbers of persons and accounts have: 12.345.678-9.
    """
    if _VERSION.fullmatch(body):
        return True
    match = _RELEASED.match(body)
    if match is None or (body[0] == "0" and body[1:2].isdigit()):
        return False
    parts = re.findall(r"\d+", match[0])
    if said in q.VERSIONED and match.end() == len(body):
        return True
    if sum(len(part) <= 2 for part in parts) < 2 or len(parts) < 3:
        return False
    if match.end() == len(body):
        return len(parts) == 4 and max(map(int, parts)) > _OCTET
    rest = _PIECE.findall(body[match.end() :])
    return all(
        len(piece) <= 4 if piece.isdigit() else len(piece) <= 2 or default().knows(piece.lower())
        for piece in rest
    )


def is_calendar_version(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like a date is a version: release 2024.3.1."""
    word = _WORD.search(text, max(0, match.start() - 24), match.start())
    dotted = re.fullmatch(r"(?:19|20)\d\d\.\d{1,2}\.\d{1,2}", match[0])
    return dotted is not None and word is not None and word[1].lower() in q.VERSIONED


_EVERYWHERE: Final = re.compile(
    r"(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|255(?:\.\d{1,3}){3})(?::\d{1,5})?"
)
"""Addresses that mean the same on every machine: see `checksums.is_everywhere`."""
_REGION: Final = re.compile(
    r"(?:[a-z]{2}(?:-gov|-isob?)?|europe|asia|australia|africa|northamerica|southamerica)"
    r"-(?:north|south)?(?:north|south|east|west|central)(?:\d|-\d)-?[a-f]?"
)
"""Where a cloud has its machines: eu-north-1, europe-west4-a."""


def is_public_place(body: str) -> bool:
    """Whether it is an address of every machine, or a region of a cloud."""
    return bool(_EVERYWHERE.fullmatch(body) or _REGION.fullmatch(body))


def is_public_hex(body: str, before: str, said: str) -> bool:
    """Whether it is a colour, or the hash that a word for one announces: commit 3f2a9bc."""
    if _DIGEST.fullmatch(body):
        return True
    if _HEX_CODE.fullmatch(body):
        return True
    if before.endswith("#"):
        if _PAINTED.search(before) and len(body) in (3, 6) and body.isdigit():
            return True
        return not before[-2:-1].isalnum() and _COLOUR.fullmatch(body) is not None
    return said in q.HASHES and HASH.fullmatch(body) is not None
