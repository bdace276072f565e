"""Every number of a text and its role, told by its shape and by the few words beside it.

One pass finds the numbers; each is then looked at once, with at most 40 characters before and
behind it. What no public rule explains is an identifier: that is the safe side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from privstamp.sensitivity import number_words as words
from privstamp.sensitivity import quantities as q
from privstamp.sensitivity import readings
from privstamp.sensitivity.readings import is_mixed, names_something
from privstamp.text.closed import COMMON_PORTS
from privstamp.text.terms import either
from privstamp.text.vocabulary import default
from privstamp.text.wordforms import is_formula

OLD: Final = 89
"""Ages above are so rare that they name a person."""


class Role(StrEnum):
    """What a number stands for. The values are kinds of findings."""

    IDENTIFIER = "NUMERIC_ID"
    DATE = "DATE"
    TIME = "TIME"
    AGE = "AGE"
    MONEY = "MONEY"
    QUANTITY = "QUANTITY"
    PERCENT = "PERCENT"
    COUNT = "COUNT"
    SECTION = "SECTION"
    VERSION = "VERSION"
    YEAR = "YEAR"
    ORDINAL = "ORDINAL"


class Number(NamedTuple):
    """A number with the words that make its role; `sure` if a word or sign beside it says so."""

    start: int
    end: int
    role: Role
    sure: bool
    sensitive: bool = False


_NUMBER: Final = re.compile(r"\d[^\W_]*+(?:[-./:,_'\u2019\u2013+#][^\W_]++)*+")
"""From a first digit to the end of what is joined to it; letters before it are looked up."""
_SEGMENT: Final = re.compile(r"\d[^\W_]*+(?:[-.:,_+][^\W_]++)*+")
_PATH: Final = re.compile(r"(?<![\w.:/])/[a-z][\w.-]*/(?:[\w.-]+/)*[\w.-]*\Z")
"""What stands before a number in a path: /api/v2/patients/"""
_PATH_REACH: Final = 120
_JOINED: Final = "-_/#."
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)(?:['\u2019]s)?[^\w,;)\]!?\n]{0,4}\Z")
_GROUPS: Final = re.compile(
    r"\d{1,6}(?:[ \u00a0.-]\d{1,6}|[ \u00a0.-]?\(\d{1,6}\)[ -]?\d{1,6}|\) ?-?\d{1,6}){1,7}"
    r"(?!\w|[./:]\d)"
)
"""Digits in groups, as telephones and accounts have them: a bracket closes behind its group."""
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3}){1,3}(?:,\d{1,2})?(?!\w)")
_YEAR: Final = re.compile(
    r"(?:(?:0?[1-9]|1[0-2])[/-])?(?:1[0-9]|20)\d\d(?:s|['\u2019]s|[-/\u2013](?:\d\d|(?:1[0-9]|20)\d\d))?"
)
_ORDINAL: Final = re.compile(r"(?:\d{1,3},)*\d{1,4}(?:st|nd|rd|th)")
_AMOUNT: Final = re.compile(
    r"\d{1,3}(?:([.,'\u2019])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,3})?|0[.,]\d+"
)
"""Figures before a unit or beside a currency."""
_PLAIN: Final = re.compile(
    r"\d{1,4}(?:[.,]\d{1,3})?|0[.,]\d{1,12}|\d{1,3}(?:([.,'\u2019])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?"
    r"|[1-9]\d{0,3}0{3,6}"
)
_PER: Final = re.compile(
    r"(\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?)/[a-z]{1,12}"
)
"""An amount for each of something: 1,895/mo."""
_SECTION: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,3}[a-z]?|\d{1,3}[a-z](?:\.\d{1,3})?")
_PEOPLE: Final = either(r"""
    I he she He She who husband wife spouse partner mother father mum mom dad stepmother stepfather
    (?:[Gg]reat-)?(?:[Gg]rand)?(?:mother|father|ma|pa|dad|mum|mom) [Gg]ranny [Gg]ran [Nn]ana? aunt
    auntie uncle sister brother cousin patient widow widower neighbour neighbor lady gentleman man
    woman resident client tenant pensioner veteran nun priest friend landlord landlady victim
    survivor witness (?:oldest|eldest|elder)(?:\x20[a-z]+){0,2}
""")
_SOMEBODY: Final = re.compile(
    rf"(?:(?<![^\W_])(?:[Ss]?hes) \Z|(?<![^\W_])(?:[Ff]e)?[Mm]ale,? \Z)"
    rf"|(?:(?:(?<![^\W_])(?:{_PEOPLE})"
    r"|(?<![^\W_])[A-Z][a-z\u00e0-\u00ff]{2,}(?<!There)(?<!This)(?<!That))"
    r"(?:['\u2019][sm]"
    r"|,? (?:is|was|am|(?:will |would )?(?:[a-z]{3,9} )?be|turned|turns|just turned|now))"
    r"(?: (?:now|nearly|almost|already|over|just|about))?"
    rf"|(?<![^\W_])(?:[A-Z][a-z\u00e0-\u00ff]{{2,}}|(?:[Mm]y|[Hh]er|[Hh]is|[Oo]ur|[Tt]heir|[Tt]he"
    rf"|[Aa]n?) (?:{_PEOPLE})),) \Z"
)
"""Before an age that nothing else tells: she is 94, Ida Moe, 94, my mother, ninety-one,"""
_STOPS: Final = re.compile(
    r"[,.;:!?)](?!\d)|\Z| (?:and|but|now|today|then|when|with|in|on|this|last|next|so|by|since|"
    r"if|because|though|before|after|bless|lol|years? young)\b"
)
_LIVED: Final = re.compile(
    r"(?i)(?<!\w)(?:aged|age(?::| (?:of|is|was|at death))|liv(?:e[sd]?|ing) to(?: be)?|"
    r"d(?:ied|ies|ead|ying) at|(?:will |to )?turn(?:s|ed|ing)?|going on|pushing|made it to|"
    r"(?:he|she|I|who|[a-z]*(?:mother|father))(?: has)? reach(?:es|ed))"
    r"(?: (?:about|around|nearly|almost|over|just|only))? \Z"
)
"""Words that only an age follows."""
_BIRTHDAY: Final = re.compile(r" (?:birthday|birth ?date|year of (?:his|her|my) life)(?!\w)")
_AT_AGE: Final = re.compile(
    r"(?:\A|[.!?\n] ?)(?:Now |Even )?(?:At|at) \Z|(?:,|now|still|even) at \Z"
)
_HE_DOES: Final = re.compile(r",? (?:he|she|I|my|his|her|[A-Z][a-z]+)(?!\w)|,(?= [a-z])")
_PROCESS: Final = re.compile(r"\w\[\Z")
_GLUED: Final = re.compile(
    r"(\d{1,7}(?:[.,]\d{1,4}){0,3})(?:[-/\u2013](?:\d{1,7}(?:[.,]\d{1,4})?))?"
    rf"(?:(?P<time>[ap]\.?m|h(?:\d\d)?)|(?P<unit>{q.UNITS})|(?P<scale>{q.SCALE}))"
)
"""A number and its unit in one word: 10mg, 5pm, 3x."""
_AGED: Final = re.compile(r"\d{1,3}[- ]?(?:years?|yrs?|months?|weeks?|days?)?[- ]?(?:old|yo|y/o)s?")
_HYPHENED: Final = re.compile(r"\d{1,4}(?:[.,]\d{1,3})?(?:-[a-z]{2,}){1,3}")
_PORTS: Final = re.compile(r"\d{2,5}:\d{2,5}")
_LEAD: Final = re.compile(r"([A-Za-z]+)[-_ ]\Z")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_SEVERAL: Final = re.compile(r"\d+")
_LONG_LETTERS: Final = re.compile(r"[^\W\d_]{4,}")
_AFTER_AGE: Final = frozenset({"aged", "age", "ages", "turned", "turning", "turns"})


class Numbers:
    """Finds the numbers of texts in one language."""

    def __init__(self, language: str) -> None:
        self._dates = q.ExactDates(language)

    def of(self, text: str) -> Iterator[Number]:
        """Numbers in figures, in order, without overlaps."""
        done = position = 0
        while number := _NUMBER.search(text, position):
            position = number.end()
            if number.start() < done:
                continue
            match = _SEGMENT.match(text, number.start()) if "/" in number[0] else None
            if match is None or not _is_path(text, number.start()):
                match = number
            span = self._dates.at(text, match.start(), done)
            if span is not None and readings.is_calendar_version(text, match):
                span = None
            if span is not None:
                role = Number(*span, Role.DATE, sure=True, sensitive=True)
                position = max(span[1], number.start() + 1)  # 7/14\u20137/21 has two
            else:
                role = _in_groups(text, match.start()) or _role(text, match)
            yield role
            done = role.end

    def in_words(self, text: str, *, every: bool) -> Iterator[Number]:
        """Numbers in words: exact dates, ages over 89 and digits read out; or all of them."""
        dates = list(self._dates.in_words(text))
        for start, end in dates:
            yield Number(start, end, Role.DATE, sure=True, sensitive=True)
        for match in words.SPOKEN.finditer(text):
            if words.is_counting(match[0]):
                continue
            yield Number(*match.span(), Role.IDENTIFIER, sure=True, sensitive=True)
        for match in (words.WORDS if every else words.OLD).finditer(text):
            number = _worded(text, match)
            if every or number.sensitive:
                yield number


def _worded(text: str, match: re.Match[str]) -> Number:
    """The role of a number in words."""
    start, end = match.span()
    before = _LAST_WORD.search(text, max(0, start - 40), start)
    said = before[1].lower() if before else ""
    after = q.AFTER.match(text, end)
    role = Role(str(after.lastgroup)) if after else Role.COUNT
    if _BIRTHDAY.match(text, end):
        role, after = Role.AGE, None
    elif said in _AFTER_AGE or (after is None and _is_somebody(text, start, end)):
        role = Role.AGE
    elif said == "past" or (after is None and said == "to"):
        role = Role.TIME
    old = role is Role.AGE and words.value_of(match[0]) > OLD
    return Number(start, after.end() if after else end, role, sure=True, sensitive=old)


def _in_groups(text: str, start: int) -> Number | None:
    """Digits in groups that are long enough to name one thing, or a large amount."""
    match = _GROUPS.match(text, start)
    if match is None or (start and (text[start - 1].isalnum() or text[start - 1] in ".,")):
        return None
    if readings.is_public_place(match[0]):
        return None
    if thousands := _THOUSANDS.match(text, start):
        sign = q.CURRENCIES.search(text, max(0, start - 8), start)
        after = q.AFTER.match(text, thousands.end())
        if sign or after:
            role = Role.MONEY if sign or after is None else Role(str(after.lastgroup))
            return Number(start, after.end() if after else thousands.end(), role, sure=True)
    lead = _LEAD.search(text, max(0, start - 24), start)
    if lead and lead[1].lower() in q.PUBLIC_CODES | q.VERSIONED:
        return None
    groups = re.findall(r"\d+", match[0])
    digits = sum(map(len, groups))
    if digits < 7 or max(map(len, groups)) < 3 or all(map(_YEAR.fullmatch, groups)):
        return None
    if len(groups) == 2 and " " in match[0] and digits < 9 and text[start - 1 : start] not in "(+":
        return None
    return Number(start, match.end(), Role.IDENTIFIER, sure=False, sensitive=True)


def _role(text: str, match: re.Match[str]) -> Number:
    """The role of a number that is no exact date."""
    start, end = _outset(text, match.start()), match.end()
    body = text[start:end]
    figures = text[match.start() : end]
    before = text[max(0, start - 40) : start]
    word = _LAST_WORD.search(before)
    said = word[1].lower() if word else ""
    if is_formula(body) or readings.is_public_code(body, before, said):
        return Number(start, end, Role.VERSION, sure=True)
    sign = q.CURRENCIES.search(before)
    if sign and (per := _PER.fullmatch(figures)):
        last = match.start() + len(per[1])
        return Number(start - len(sign[0]), last, Role.MONEY, sure=True)
    if readings.is_strength(figures, text, end):
        return Number(start, end, Role.VERSION, sure=True)
    if start == match.start() and not _YEAR.fullmatch(figures):
        if readings.is_half_day(figures):
            return Number(start, end, Role.TIME, sure=True)
        if readings.is_limits(figures, before):
            return Number(start, end, Role.QUANTITY, sure=True)
    after = q.AFTER.match(text, end)
    measured = after is not None and len(after[0].strip()) > 1 and after.lastgroup != "COUNT"
    named = body if body.isalnum() else figures
    numbered = names_something(text, end, before, said, named)
    if q.is_record(body, before, said) or (numbered and not measured):
        return Number(start, end, Role.IDENTIFIER, sure=True, sensitive=True)
    if said == "code" and before.lower().rstrip(" :#").endswith("sort code"):
        return Number(start, end, Role.IDENTIFIER, sure=True, sensitive=True)
    if start < match.start():
        return _code(start, end, body)
    if len(figures) <= 3 and figures.isdigit() and _is_somebody(text, start, end):
        return Number(start, end, Role.AGE, sure=True, sensitive=_is_old(figures))
    if after and (_AMOUNT.fullmatch(figures) or readings.RATIO.fullmatch(figures)):
        role = Role(str(after.lastgroup))
        old = role is Role.AGE and _is_old(figures)
        return Number(start, after.end(), role, sure=True, sensitive=old)
    if _ORDINAL.fullmatch(figures) and _is_old(figures) and _BIRTHDAY.match(text, end):
        return Number(start, end, Role.AGE, sure=True, sensitive=True)
    if _YEAR.fullmatch(figures):
        return Number(start, end, Role.YEAR, sure=False)
    if _AGED.fullmatch(figures):
        return Number(start, end, Role.AGE, sure=True, sensitive=_is_old(figures))
    if unit := _GLUED.fullmatch(figures):
        if sign := q.CURRENCIES.search(before):
            return Number(start - len(sign[0]), end, Role.MONEY, sure=True)
        role = Role.TIME if unit["time"] else Role.QUANTITY
        return Number(start, end, role, sure=True)
    if said in _AFTER_AGE and figures.isdigit():
        return Number(start, end, Role.AGE, sure=True, sensitive=_is_old(figures))
    return _by_shape(start, end, figures, before, said)


def _is_somebody(text: str, start: int, end: int) -> bool:
    """Whether a number over 89 is likely somebody's age: "she is 94," or "Ida Moe, 94," """
    if text[start] not in "91nNoOaA":
        return False
    before = max(0, start - 48)
    if _LIVED.search(text, before, start):
        return True
    if _HE_DOES.match(text, end) and _AT_AGE.search(text, before, start):
        return True
    return bool(_STOPS.match(text, end) and _SOMEBODY.search(text, before, start))


def _by_shape(start: int, end: int, figures: str, before: str, said: str) -> Number:
    """The role of figures without a unit."""
    amount = bool(_AMOUNT.fullmatch(figures))
    if amount and (sign := q.CURRENCIES.search(before)):
        return Number(start - len(sign[0]), end, Role.MONEY, sure=True)
    if amount and not q.PAID.isdisjoint(_LETTERS.findall(before.lower())[-3:]):
        return Number(start, end, Role.MONEY, sure=True)
    short = bool(_PLAIN.fullmatch(figures) or readings.RATIO.fullmatch(figures))
    if (said in q.SECTIONS or before[-2:].strip() == "\u00a7") and (
        short or _SECTION.fullmatch(figures)
    ):
        return Number(start, end, Role.SECTION, sure=True)
    tallied = before[-1:] in "=:" or (said in q.COUNTERS and before[-2:] == ": ")
    if said in q.TALLIES and figures.isdigit() and len(figures) <= 9 and tallied:
        return Number(start, end, Role.COUNT, sure=True)
    if said in q.LISTENING and figures.isdigit() and len(figures) <= 5:
        return Number(start, end, Role.VERSION, sure=True)
    if _PROCESS.search(before) and figures.isdigit() and len(figures) <= 7:
        return Number(start, end, Role.COUNT, sure=True)
    if said in q.GRADES and (short or _SECTION.fullmatch(figures)):
        return Number(start, end, Role.VERSION, sure=True)
    if readings.is_clock(figures):
        return Number(start, end, Role.TIME, sure=True)
    for pattern, role in _SHAPES:
        if pattern.fullmatch(figures):
            return Number(start, end, role, sure=False)
    if _is_short_code(figures):
        return Number(start, end, Role.VERSION, sure=False)
    if said in q.PUBLIC_CODES and len(figures) <= _CODE and figures[0].isdigit():
        return Number(start, end, Role.VERSION, sure=True)
    if readings.is_reading(figures, before):
        return Number(start, end, Role.QUANTITY, sure=True)
    return Number(start, end, Role.IDENTIFIER, sure=False, sensitive=True)


_CODE: Final = 12
"""Signs of a standard's number: ISO 27001."""
_SHAPES: Final = (
    (_ORDINAL, Role.ORDINAL),
    (_PLAIN, Role.COUNT),
    (_SECTION, Role.SECTION),
    (_HYPHENED, Role.COUNT),
    (_PORTS, Role.VERSION),
)


def _is_path(text: str, start: int) -> bool:
    """Whether a number stands in a path, where a slash parts what is named."""
    return _PATH.search(text, max(0, start - _PATH_REACH), start) is not None


def _outset(text: str, start: int) -> int:
    """Where the letters that are joined to a first digit begin: V in V4-V6."""
    low = max(0, start - 24)
    at = start
    joined = _JOINED.replace("/", "") if _is_path(text, start) else _JOINED
    while at > low and (text[at - 1].isalpha() or text[at - 1] in joined):
        at -= 1
    while at < start and text[at] in _JOINED:
        at += 1
    return at if any(map(str.isalpha, text[at:start])) else start


def _code(start: int, end: int, body: str) -> Number:
    """Letters with digits behind them: a public code if it is short or of a known kind."""
    lead = re.split(r"[\d\-_/#.]", body, maxsplit=1)[0].lower()
    if (lead in q.PUBLIC_CODES and len(body) <= 16) or readings.TALLIED.fullmatch(body):
        return Number(start, end, Role.VERSION, sure=True)
    if _is_short_code(body):
        return Number(start, end, Role.VERSION, sure=False)
    return Number(start, end, Role.IDENTIFIER, sure=False, sensitive=True)


def _is_short_code(body: str) -> bool:
    """Too short to name one of many: A1c, V4-V6, S22, H1N1, COVID-19; longer words are public."""
    if not all(default().knows(word.lower()) for word in _LONG_LETTERS.findall(body)):
        return False
    if is_mixed(body):
        return False
    letters = sum(map(str.isalpha, body))
    runs = [run for run in _SEVERAL.findall(body) if run not in COMMON_PORTS or run == body]
    digits, longest = sum(map(len, runs)), max(map(len, runs), default=0)
    return (longest <= 2 and digits <= 4) or (digits <= 3 and digits + letters <= 5)


def _is_old(figures: str) -> bool:
    leading = re.match(r"\d+", figures)
    return leading is not None and int(leading[0][:4]) > OLD
