"""Whether whoever wrote a line uses capitals: where they do, a small letter tells as much."""

from __future__ import annotations

import re
from typing import Final

_LINE: Final = 600
"""Characters looked at, before a place and behind it."""
_BEGINNING: Final = re.compile(
    r"(?:\A|\n|(?<=\w\w[.!?])[\"')\u2019\u201d]? )[\s\"'(\[\u2018\u201c*_#>-]*([^\W\d_])"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_NEAR, _LONG, _MANY, _FEW = 200, 4, 3, 0.2
"""Of a heading: characters looked at, letters of a word that counts, words, share in small
letters."""
_SMALL_I: Final = re.compile(r"(?<![\w.'-])i(?=['\u2019 ])")
_LARGE_I: Final = re.compile(r"(?<![\w.'-])I(?=['\u2019 ])")


def writes_capitals(text: str, start: int, end: int, *, least: int = 1) -> bool:
    """Whether the line around a span begins its sentences, and says I, with capitals: `least` of
    them, and more than twice as many as small letters."""
    low = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    high = text.find("\n", end, end + _LINE)
    line = text[low : min(len(text), end + _LINE) if high < 0 else high]
    letters = _BEGINNING.findall(line)
    capital = sum(map(str.isupper, letters)) + len(_LARGE_I.findall(line))
    small = sum(map(str.islower, letters)) + 2 * len(_SMALL_I.findall(line))
    return capital >= least and capital > 2 * small and not line.isupper()


def capitals_mean_nothing(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading or shouted: nearly all of its longer words have a capital."""
    low = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
    high = text.find("\n", end, end + _NEAR)
    high = min(len(text), end + _NEAR) if high < 0 else high
    words = [word for word in _WORD.findall(text, low, high) if len(word) >= _LONG]
    return len(words) >= _MANY and sum(map(str.islower, words)) <= len(words) * _FEW
