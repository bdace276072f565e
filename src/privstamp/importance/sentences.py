"""Where sentences begin: full stops, marks and line ends, but not the stops of abbreviations."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.spaces.wordlists import ABBREVIATIONS, INITIALS
from privstamp.types import Units

_END: Final = re.compile(r"[.!?\u2026\u3002\u061f]+[\"'\u201d\u2019)\]]*+(?=\s|$)|\n")
_LAST_WORD: Final = re.compile(r"\S+\Z")
_LETTER: Final = re.compile(r"[^\W\d_]\.\Z")
_LONGEST: Final = 24
MOST_UNITS: Final = 60
"""A longer stretch without an end is cut: lists and tables are no sentences."""


def sentence_numbers(units: Units) -> npt.NDArray[np.intp]:
    """The number of each unit's sentence: 0, 1, 2, ... without gaps."""
    starts = sentence_starts(units.text)
    number = np.searchsorted(starts, units.starts, side="right")
    if not len(number):
        return number
    _, number = np.unique(number, return_inverse=True)
    place = np.arange(len(number)) - np.searchsorted(number, number)
    cut = (place > 0) & (place % MOST_UNITS == 0)
    numbers: npt.NDArray[np.intp] = number + np.cumsum(cut)
    return numbers


def sentence_starts(text: str) -> list[int]:
    """Where a new sentence may begin."""
    found = []
    for match in _END.finditer(text):
        if match[0] == ".":
            before = text[max(0, match.start() - _LONGEST) : match.end()]
            word = _LAST_WORD.search(before)
            last = "" if word is None else word[0].lstrip("(['\"").casefold()
            if last in ABBREVIATIONS or last in INITIALS or _LETTER.fullmatch(last):
                continue
        following = text[match.end() : match.end() + 2].lstrip()
        if match[0] != "\n" and following[:1].islower():
            continue
        found.append(match.end())
    return found
