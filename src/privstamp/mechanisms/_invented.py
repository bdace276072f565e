"""Invented words that can be said aloud: what an unknown word becomes.

A false meaning misleads a reader more than no meaning, and an invented word is put back without
doubt. Each is consonants, vowel, consonants, vowel, consonants, so no two choices spell the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from privstamp.mechanisms.wordlists import LETTERS, ORDINARY, words
from privstamp.text.vocabulary import default

Pool: TypeAlias = tuple[str, ...]

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
ACRONYM: Final = (LETTERS,) * 3
TRIES: Final = 16
"""Candidates of one draw, of which the first that is no listed word is taken."""


def spell(parts: Sequence[Pool], choices: Iterable[int]) -> str:
    """The word of one choice from each part.

    >>> spell(PARTS, [25, 3, 15, 0, 8])
    'tolvan'
    """
    return "".join(part[choice] for part, choice in zip(parts, choices, strict=True))


def is_listed(word: str) -> bool:
    """Whether a public list has a word, in any case."""
    folded = word.lower()
    return folded in ORDINARY or default().has(folded)


def unlisted(parts: Sequence[Pool]) -> int:
    """How many words can be drawn: all but those of public lists."""
    shape = re.compile("".join(f"({'|'.join(part)})" for part in parts), re.IGNORECASE)
    listed = {word for word in (*ORDINARY, *default()) if shape.fullmatch(word)}
    return math.prod(map(len, parts)) - len(listed)


def first_unlisted(candidates: Iterable[str]) -> str:
    """The first candidate that means nothing; the last, if all do (chance below 2^-64)."""
    word = ""
    for word in candidates:
        if not is_listed(word):
            break
    return word
