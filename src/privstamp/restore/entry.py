"""One line of a private map, and what can be told about a surrogate by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from privstamp.mechanisms.closed import DOUBTFUL
from privstamp.mechanisms.placeholder import MASK
from privstamp.mechanisms.wordlists import CONNECTING, PERCENTS
from privstamp.restore.substitution import Beside, telling

_PLACEHOLDER: Final = re.compile(r"\[([A-Z]+(?:_[A-Z]+)*)_(\d+)\]")
SHORTEST_NUMBER: Final = 3
"""Digits of a number that is put back wherever it stands."""


@dataclass(frozen=True, repr=False, slots=True)
class Entry:
    """PRIVATE. One string that was sent, what it stood for, and of what type that is."""

    surrogate: str
    original: str
    kind: str
    beside: tuple[Beside, ...] = ()
    """Words around it in the release, for what cannot be told from other text by itself."""

    def __repr__(self) -> str:
        return "Entry(private)"

    @property
    def returns(self) -> bool:
        """Whether it is put back wherever it stands."""
        return self.surrogate != MASK and telling(self.surrogate) and not short(self.surrogate)


def unbracketed(surrogate: str) -> list[str]:
    """As models write a placeholder: without its brackets, or as words. Of a surrogate, nothing.

    >>> unbracketed("[DATE_TIME_2]")
    ['DATE_TIME_2', 'date_time_2', 'DATE TIME 2']
    """
    found = _PLACEHOLDER.fullmatch(surrogate)
    if found is None:
        return []
    bare = surrogate[1:-1]
    return [bare, bare.lower(), f"{found[1].replace('_', ' ')} {found[2]}"]


def short(surrogate: str) -> bool:
    """Whether it cannot be told from other text by itself: answers count, list and number
    things, and are full of small words."""
    signs = [sign for sign in surrogate if sign.isalnum()]
    digits = sum(map(str.isdecimal, signs))
    letters = "".join(signs).lower().strip("0123456789")
    counts = digits < SHORTEST_NUMBER and letters in ("", "st", "nd", "rd", "th")
    single = len(signs) == 1 and surrogate.isalpha()
    listed = surrogate in PERCENTS + CONNECTING or surrogate.lower() in DOUBTFUL
    return (bool(digits) and counts) or single or listed
