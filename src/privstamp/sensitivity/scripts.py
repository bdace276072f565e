"""How words are written: in which script, and in which case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.text.invisible import as_latin
from privstamp.types import Finding

SOURCE: Final = "scripts"
CAPITAL: Final = "[A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017f\u0386-\u03ab\u0400-\u042f]"
"""Letters of which a name may begin with one; those without a capital are sorted out later."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_GREEK: Final = re.compile(r"[\u0370-\u03ff]")
_LATIN: Final = re.compile(r"[A-Za-z]")


def mixed(text: str) -> Iterator[Finding]:
    """Every such word. A Greek letter at an end (TNF-alpha as one word) is a sign, no disguise."""
    if text.isascii():
        return
    for match in _WORD.finditer(text):
        word = match[0]
        inner = word if not _GREEK.search(word) else _GREEK.sub("", word[0]) + word[1:-1]
        if word.isascii() or inner.isascii() or not _LATIN.search(word):
            continue
        if as_latin(word.lower()).isascii():
            yield Finding(match.start(), match.end(), "RARE", 0.5, SOURCE, "letters of two scripts")


# Whether whoever wrote a line uses capitals: where they do, a small letter tells as much.


_LINE: Final = 600
"""Characters looked at, before a place and behind it."""
_BEGINNING: Final = re.compile(
    r"(?:\A|\n|(?<=\w\w[.!?])[\"')\u2019\u201d]? )[\s\"'(\[\u2018\u201c*_#>-]*([^\W\d_])"
)
_LONG: Final = re.compile(r"[^\W\d_]{4,}")
_NEAR, _MANY, _FEW = 200, 3, 0.2
"""Of a heading: characters looked at, words that count, share of them in small letters."""
_SMALL_I: Final = re.compile(r"(?<![\w.'-])i(?=['\u2019 ])")
_LARGE_I: Final = re.compile(r"(?<![\w.'-])I(?=['\u2019 ])")


def writes_capitals(text: str, start: int, end: int) -> bool:
    """Whether the line around a span begins its sentences, and says I, with capitals: more than
    twice as many as small letters."""
    low = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    high = text.find("\n", end, end + _LINE)
    line = text[low : min(len(text), end + _LINE) if high < 0 else high]
    letters = _BEGINNING.findall(line)
    capital = sum(map(str.isupper, letters)) + len(_LARGE_I.findall(line))
    small = sum(map(str.islower, letters)) + 2 * len(_SMALL_I.findall(line))
    return capital > 2 * small and not line.isupper()


def capitals_mean_nothing(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading or shouted: nearly all of its longer words have a capital."""
    low = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
    high = text.find("\n", end, end + _NEAR)
    high = min(len(text), end + _NEAR) if high < 0 else high
    words = _LONG.findall(text, low, high)
    return len(words) >= _MANY and sum(map(str.islower, words)) <= len(words) * _FEW


def is_shouted(text: str, start: int, end: int) -> bool:
    """Whether a line is in capitals: most of its other words of some length are."""
    low = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
    high = text.find("\n", end, end + _NEAR)
    high = min(len(text), end + _NEAR) if high < 0 else high
    words = [*_LONG.findall(text, low, start), *_LONG.findall(text, end, high)]
    return sum(map(str.isupper, words)) * 2 > len(words)
