"""Small slips in everyday words: sesoning, sevice, diffrent. A function of the word alone."""

from __future__ import annotations

from collections.abc import Iterator, Set
from string import ascii_lowercase
from typing import Final

VERSION: Final = 1
"""Raise it when another word counts: releases are comparable only under the same rules."""
SHORTEST: Final = 6
"""Letters of the word that is meant; shorter ones have too many names for neighbours."""
LONGEST: Final = 20


_VOWELS: Final = "aeiouy"


def is_misspelt(word: str, ordinary: Set[str]) -> bool:
    """Whether a usual slip makes it of an ordinary word: a letter left out, doubled or swapped
    with the next, or another vowel.

    The first letter is right: people rarely miss that one, and names often differ there.
    """
    if not SHORTEST <= len(word) + 1 <= LONGEST or not (word.isascii() and word.isalpha()):
        return False
    return any(meant in ordinary for meant in _meant(word) if len(meant) >= SHORTEST)


def _meant(word: str) -> Iterator[str]:
    """Words of which the slips would make this one."""
    for at in range(1, len(word)):
        head, letter, tail = word[:at], word[at], word[at + 1 :]
        if head[-1] == letter:
            yield head + tail
        if tail:
            yield head + tail[0] + letter + tail[1:]
        for other in ascii_lowercase:
            yield head + other + letter + tail
        if letter in _VOWELS:
            for other in _VOWELS:
                yield head + other + tail
