"""Invented words that can be said aloud: what an unknown word becomes.

A false meaning misleads a reader more than no meaning, and an invented word is put back without
doubt. Each is consonants, vowel, consonants, vowel, consonants, so no two choices spell the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable
from typing import Final

from privstamp.mechanisms._wordlists import words

_VOWELS: Final = tuple("aeiou")
PARTS: Final = (
    words("b br d dr f fl g gl gr h j k kr l m n p pl pr r s sk sl sm sn st str t tr v w z"),
    _VOWELS,
    words("""
        b br d dr f g k l ld lf lm ln lt lv m mb mbr mp n nd ndr ng nk nt ntr p r rb rd rg rk rl
        rm rn rt rv s sk sp st str t tr v z
    """),
    _VOWELS,
    words("b d f k l ld lm m n nd nk nt p r rd rk rn rt s sk st t"),
)
SIZE: Final = math.prod(map(len, PARTS))
TRIES: Final = 16
"""Candidates of one draw, of which the first that is no listed word is taken."""
_SHAPE: Final = re.compile("".join(f"({'|'.join(part)})" for part in PARTS))


def spell(choices: Iterable[int]) -> str:
    """The word of one choice from each part.

    >>> spell([25, 3, 15, 0, 8])
    'tolvan'
    """
    return "".join(part[choice] for part, choice in zip(PARTS, choices, strict=True))


def unlisted(listed: Iterable[str]) -> int:
    """How many words can be drawn where these cannot."""
    return SIZE - sum(_SHAPE.fullmatch(word) is not None for word in set(listed))


def first_unlisted(candidates: Iterable[str], listed: Container[str]) -> str:
    """The first candidate that means nothing; the last, if all do (chance below 2^-64)."""
    word = ""
    for word in candidates:
        if word not in listed:
            break
    return word
