"""Typed surrogates: a name for a name, a city for a city, digits for digits. Proof: surrogate.md.

Names of all kinds go word by word, so that a part of a name is the same wherever it stands.

Every draw is uniform over a public list or over all strings of one form, and reads only the type,
the form and the noise: an epsilon of 0, in ordinary-looking text.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar, Final

import numpy as np

from privstamp.mechanisms import _closed as closed
from privstamp.mechanisms import _wordlists as own
from privstamp.mechanisms import form as forms
from privstamp.mechanisms._dates import Window
from privstamp.mechanisms._pools import Pool, pools
from privstamp.noise import Lane, Noise, Uint64

_NAMES: Final = frozenset({"LOCATION", "LOCATION_PART", "ORGANIZATION", "ORGANIZATION_PART"})
_ACRONYMS: Final = frozenset({"ORGANIZATION", "ORGANIZATION_PART", "RARE"})
"""Whose words in capitals become three letters."""
DATE: Final = "DATE"
"""An exact date: one object, in the form that `privstamp.text.dates` reads."""
WHOLE: Final = frozenset({"EMAIL_ADDRESS", "EMAIL", "URL"})
"""Types whose surrogate stands for a whole span, whatever the span looks like."""

_EXACT: Final = frozenset(kind.name for kind in forms.SHAPED)
_ORDINALS: Final = frozenset({"ORDINAL", "DATE_ORDINAL"})
_COUNTED: Final = _ORDINALS | {"NUMBER", "DATE_NUMBER"}
_DATED: Final = frozenset({"CODE", "NUMBER", "DATE_NUMBER"})
"""What a space may take a decade for."""
_FOUR: Final = "0000"
_YEAR, _YEARS = 1200, 900
"""The first of the numbers that four digits become, and how many of them there are."""
_DAY: Final = {"0": (1, 9), "00": (10, 22)}
_HOUR: Final = {"0": (1, 9), "00": (0, 24)}
_OF_DATE: Final = {"0": (1, 9), "00": (1, 12), _FOUR: (_YEAR, _YEARS)}
"""First value and number of values. In 12/03/1999 either may be the month."""
_CLOCK: Final = re.compile(r"(0{1,2})((?::00){1,2})")
_DATE: Final = re.compile(r"0{1,2}([-/.])0{1,2}\1(?:0000|00)|0000([-/.])00(?:\2)00")
_DIGITS: Final = re.compile(r"(0+)")
_DECADE: Final = "0000a"
_ALPHABETS: Final = {"0": "0123456789", "a": "abcdefghijklmnopqrstuvwxyz"}
_ALPHABETS["A"] = _ALPHABETS["a"].upper()
_ORDINAL: Final = re.compile(r"([^aA]*0)([aA]+)")
_LIKE_ORDINAL: Final = re.compile(r"([^aA]*0)(aa|AA)")


@dataclass(frozen=True, repr=False)
class _Recipe:
    """One pick from every list, put into the template. The first pick can be made a compound."""

    template: str
    lists: tuple[Pool, ...]
    widens: bool = True

    @property
    def size(self) -> float:
        return float(math.prod(len(each) for each in self.lists))


class Surrogate:
    """Replaces by something of the same type and form. The lists are read when it is made."""

    name: Final = "surrogate"
    shaped: ClassVar[bool] = True
    guarantee: Final = (
        "epsilon 0: a surrogate is drawn uniformly, independently of the input given its type and "
        "form; one surrogate per distinct thing shows which of them are equal"
    )
    proof: ClassVar[str] = "surrogate.md"

    def __init__(self, *, date_window: tuple[str, str] | None = None) -> None:
        lists = pools()
        self._window = Window() if date_window is None else Window.of(date_window)
        known = json.dumps(
            [
                *(lists.fingerprint, closed.POOLS, own.TIMES, own.NATIONS, own.INSTITUTIONS),
                *(str(self._window.first), str(self._window.last)),
            ]
        )
        self.fingerprint = blake2b(known.encode(), digest_size=16).hexdigest()
        self._noun = _Recipe("{}", (lists.noun,))
        self._times = _Recipe("{}", (own.TIMES,))
        self._family = _Recipe("{}", (lists.family,))
        self._acronym = _Recipe("{}{}{}", (own.LETTERS,) * 3, widens=False)
        mail = tuple(tuple(map(str.lower, each)) for each in (lists.given, lists.family))
        self._by_type = {
            "LOCATION": _Recipe("{}", (lists.city,)),
            "LOCATION_PART": self._family,
            "ORGANIZATION": _Recipe("{}", (own.INSTITUTIONS,)),
            "ORGANIZATION_PART": self._family,
            "CONNECTING": _Recipe("{}", (own.CONNECTING,), widens=False),
            "EMAIL_ADDRESS": _Recipe("{}.{}@example.com", mail),
            "URL": _Recipe("https://example.com/{}", (lists.noun,)),
            "PERSON": _Recipe("{}", (lists.either,)),
            "PERSON_GIVEN": _Recipe("{}", (lists.given,)),
            "PERSON_FAMILY": self._family,
            "PERSON_INITIAL": _Recipe("{}", (own.LETTERS,), widens=False),
            "NRP": _Recipe("{}", (own.NATIONS,)),
        }
        self._by_type["EMAIL"] = self._by_type["EMAIL_ADDRESS"]
        self._by_type |= {
            name: _Recipe("{}", (words,), widens=False) for name, words in closed.POOLS.items()
        }
        self._months = self._by_type["MONTH"]
        self._by_form = {
            forms.EMAIL: self._by_type["EMAIL_ADDRESS"],
            forms.URL: self._by_type["URL"],
            forms.SYMBOL: _Recipe("{}", (own.SYMBOLS,), widens=False),
            forms.PERCENT: _Recipe("{}", (own.PERCENTS,), widens=False),
            forms.CURRENCY: _Recipe("{}", (own.CURRENCIES,), widens=False),
            forms.EMOJI: _Recipe("{}", (own.EMOJI,), widens=False),
            forms.SPACE: _Recipe(" ", ()),
            forms.CONTROL: _Recipe("", ()),
        }

    def whole(self, kind: str) -> bool:
        """Whether a span of this type is replaced as one rather than unit by unit."""
        return kind in WHOLE or kind == DATE

    def pool(self, kind: str, form: str) -> float:
        """How many strings a first draw chooses from: each, the original too, has 1 / pool."""
        if kind == DATE:
            return float(self._window.days)
        recipe = self._recipe(kind, form)
        if recipe is not None:
            return recipe.size
        ordinal = _ordinal(kind, form)
        shape = form if ordinal is None else ordinal[0]
        if fields := _fields(kind, shape):
            return float(math.prod(count for _, count in fields))
        if kind in _DATED and form == _DECADE:
            return float(_YEARS // 10)
        digits, letters = shape.count("0"), shape.count("a") + shape.count("A")
        magnitude = digits + letters * math.log10(26)
        if magnitude >= 300:
            return math.inf
        size = 10**digits * 26**letters
        return float(size // 10 * 9 if _leads(kind, shape) else size)

    def draw(self, kind: str, entity: int, form: str, noise: Noise, attempt: int) -> str:
        """A string of this type and form; from the third attempt on names become compounds."""
        del entity  # each has its own noise
        if kind == DATE:
            return self._window.draw(form, noise, attempt)
        recipe = self._recipe(kind, form)
        if recipe is None:
            return _shaped(kind, form, noise, attempt)
        if not recipe.lists:
            return recipe.template
        more = attempt // 2 if recipe.widens else 0
        words = noise.words(len(recipe.lists) + more, Lane.REPLACEMENT, attempt)[0]
        lists = recipe.lists + recipe.lists[:1] * more
        picks = [each[int(below(word, len(each)))] for word, each in zip(words, lists, strict=True)]
        compound = "-".join([picks[0], *picks[len(recipe.lists) :]])
        return recipe.template.format(compound, *picks[1 : len(recipe.lists)])

    def _recipe(self, kind: str, form: str) -> _Recipe | None:
        """What to draw from; None where the form itself is to be filled."""
        if kind in WHOLE:
            return self._by_type[kind]
        if form in self._by_form:
            return self._by_form[form]
        if kind in _EXACT or (form and form not in forms.WORD_FORMS):
            return None
        if kind in _NAMES and form == forms.LOWER:
            return self._noun
        if kind in _ACRONYMS and form == forms.UPPER:
            return self._acronym
        if kind in self._by_type:
            return self._by_type[kind]
        if kind == "DATE_TIME":
            return self._times if form == forms.LOWER else self._months
        return self._noun if form == forms.LOWER else self._family


def below(words: Uint64, limit: int) -> Uint64:
    """Whole numbers below `limit` from 64 random bits each: floor(word * limit / 2^64), exactly.

    Each value has probability 1/limit within 2^-64 (surrogate.md, step 2); limit up to 2^32.
    """
    high, low, half = words >> np.uint64(32), words & np.uint64(0xFFFFFFFF), np.uint64(32)
    size = np.uint64(limit)
    chosen: Uint64 = (high * size + ((low * size) >> half)) >> half
    return chosen


def _ordinal(kind: str, form: str) -> tuple[str, str] | None:
    """Digits and letters of an ordinal's form; digits and two letters are one but in a code."""
    found = (_ORDINAL if kind in _ORDINALS else _LIKE_ORDINAL).fullmatch(form)
    return (found[1], found[2]) if found and kind != "CODE" else None


def _shaped(kind: str, form: str, noise: Noise, attempt: int) -> str:
    """Digits for digits, letters for letters, separators as they are."""
    ordinal = _ordinal(kind, form)
    if ordinal is None:
        return _filled(kind, form, noise, attempt)
    digits = _filled(kind, ordinal[0], noise, attempt)
    ending = ordinal_ending(digits)
    return digits + (ending.upper() if "A" in ordinal[1] else ending)


def _fields(kind: str, form: str) -> list[tuple[int, int]] | None:
    """First value and number of values of each figure, where a date, a time or a year has them."""
    if kind not in _COUNTED:
        return None
    if form == _FOUR:
        return [_OF_DATE[_FOUR]]
    if form in _DAY and kind.startswith("DATE_"):
        return [_DAY[form]]
    if clock := _CLOCK.fullmatch(form):
        return [_HOUR[clock[1]], *[(0, 60)] * clock[2].count(":")]
    if _DATE.fullmatch(form):
        fields = [_OF_DATE[figure] for figure in _DIGITS.findall(form)]
        return fields if _FOUR in form else [*fields[:2], (0, 100)]
    return None


def _leads(kind: str, form: str) -> bool:
    """Whether the first digit of a form is that of a number, which is not 0."""
    return kind in _COUNTED and form[:1] == "0" and form[1:2] != "."


def _filled(kind: str, form: str, noise: Noise, attempt: int) -> str:
    words = noise.words(len(form), Lane.REPLACEMENT, attempt)[0]
    if fields := _fields(kind, form):
        parts = _DIGITS.split(form)
        for place, (word, (first, count)) in enumerate(zip(words, fields, strict=False)):
            figure = first + int(below(word, count))
            parts[2 * place + 1] = f"{figure:0{len(parts[2 * place + 1])}}"
        return "".join(parts)
    if kind in _DATED and form == _DECADE:  # 1990s
        return f"{_YEAR // 10 + int(below(words[0], _YEARS // 10))}0s"
    points = np.frombuffer(form.encode("utf-32-le"), dtype=np.uint32).copy()
    for mark, alphabet in _ALPHABETS.items():
        here = points == ord(mark)
        chosen = below(words[here], len(alphabet))
        points[here] = np.frombuffer(alphabet.encode("utf-32-le"), dtype=np.uint32)[chosen]
    if _leads(kind, form):
        points[0] = ord("1") + int(below(words[0], 9))
    return points.tobytes().decode("utf-32-le")


def ordinal_ending(digits: str) -> str:
    """st, nd, rd or th.

    >>> [ordinal_ending(digits) for digits in ("1", "12", "23", "1,013")]
    ['st', 'th', 'rd', 'th']
    """
    if digits[-2:-1] == "1":
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1:], "th")
