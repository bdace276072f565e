"""Numbers that are written in words: where they stand, and what they are worth."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from privstamp.text.terms import words

_SMALL: Final = words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
""")
_TENS: Final = words("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS: Final = words("""
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
""")
_SCALES: Final = {
    "hundred": 100,
    "hundredth": 100,
    "thousand": 1_000,
    "million": 10**6,
    "billion": 10**9,
}
_VALUES: Final = (
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
    | {word: value for value, word in enumerate(_ORDINALS, 1)}
    | {"twentieth": 20, "thirtieth": 30, "ninetieth": 90, "a": 1}
)
_UNIT: Final = "|".join(sorted(_SMALL[1:10], key=len, reverse=True))
_ONE: Final = "|".join(
    sorted([*_SMALL, *_ORDINALS, "twentieth", "thirtieth"], key=len, reverse=True)
)
_NUMBER: Final = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{_UNIT}|{'|'.join(_ORDINALS[:9])})(?![^\W_]))?|{_ONE})"
)
CARDINAL: Final = (
    rf"(?:{_NUMBER}(?:[ -](?:{'|'.join(_SCALES)})(?![^\W_]))*"
    rf"(?:(?:,? and |,? |-)(?:{_NUMBER})(?:[ -](?:{'|'.join(_SCALES)})(?![^\W_]))*){{0,6}})"
)
WORDS: Final = re.compile(rf"(?<![^\W_]){CARDINAL}(?![^\W_])", re.IGNORECASE)
"""Every number in words. What `one` and `second` mean beside numbers is for the caller."""
OLD: Final = re.compile(
    rf"(?<![^\W_])(?:ninety(?:[- ](?:{_UNIT}|{'|'.join(_ORDINALS[:9])}))?|ninetieth"
    rf"|(?:one |a )?hundredth|(?:one|a) hundred(?:(?: and |[- ])(?:{_NUMBER}))?)"
    r"(?![^\W_])",
    re.IGNORECASE,
)
"""Numbers that are an age over 89, if they are an age."""
SPOKEN: Final = re.compile(
    r"(?<![^\W_])(?:(?:double|triple|zero|oh|one|two|three|four|five|six|seven|eight|nine)"
    r"(?:[ ,-]{1,2})){3,30}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)(?![^\W_])",
    re.IGNORECASE,
)
"""Digits read out one by one: a telephone number, a code."""
_WORD: Final = re.compile(r"[a-z]+")


def is_counting(spoken: str) -> bool:
    """Whether digits that are read out only count up or down: one, two, three, four.

    >>> is_counting("one, two, three, four"), is_counting("five five five one")
    (True, False)
    """
    values = [_VALUES.get(word) for word in _WORD.findall(spoken.lower())]
    numbers = [value for value in values if value is not None]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(numbers) == len(values) and steps in ({1}, {-1})


def value_of(number: str) -> int:
    """What number words are worth.

    >>> value_of("ninety-two"), value_of("one hundred and three"), value_of("two thousand")
    (92, 103, 2000)
    """
    total = part = 0
    for word in _WORD.findall(number.lower()):
        if word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0
        else:
            part += _VALUES.get(word, 0)
    return total + part
