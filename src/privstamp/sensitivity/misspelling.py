"""Small slips in everyday words: sesoning, sevice, restaraunt. A function of the word alone.

Slips that names share with words (a letter left out, another vowel) count in words of six letters
on; the longer a word, the fewer names are near it, and the more may be wrong. In shorter ones they
count of the most frequent words alone: wiht, stil.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property
from string import ascii_lowercase
from typing import Final

VERSION: Final = 3
"""Raise it when another word counts: releases are comparable only under the same rules."""
SHORTEST, LONGEST = 6, 20
"""Letters of the word that is meant; shorter ones have too many names for neighbours."""
LONG: Final = 8
"""Letters from which any one letter may be wrong or too many."""
SOUNDED: Final = 9
"""Letters from which the consonants alone tell a word."""
SHORT: Final = 4
"""Letters of a short word, at least."""
SWAPPED, DROPPED = 4.6, 5.0
"""Zipf frequencies from which a short word counts that two letters were swapped in, or one was
doubled or left out in. Of rare listed names 0.3 % each come so near one."""
_VOWELS: Final = "aeiouy"
_MUTE: Final = re.compile(f"[{_VOWELS}]")
_DOUBLED: Final = re.compile(r"(.)\1+")


class Slips:
    """Tells misspelt `ordinary` words; `is_word` is asked of those that a slip of more than one
    letter, or in any letter, would be of. `frequency` has the Zipf frequencies of frequent ones."""

    def __init__(
        self,
        ordinary: Set[str],
        is_word: Callable[[str], bool],
        frequency: Mapping[str, float] | None = None,
    ) -> None:
        self._ordinary, self._is_word = ordinary, is_word
        self._frequency = frequency or {}

    def __contains__(self, word: str) -> bool:
        """Whether a usual slip makes it of an ordinary word: a letter left out, doubled or swapped
        with the next, or another vowel; in a longer one any letter. A missing
        blank is none: passwords and user names are words written together.

        The first letter is right: people rarely miss that one, and names often differ there.
        """
        if not SHORT <= len(word) < LONGEST or not (word.isascii() and word.isalpha()):
            return False
        if self._is_short_slip(word):
            return True
        if len(word) + 1 < SHORTEST:
            return False
        if any(meant in self._ordinary for meant in _meant(word) if len(meant) >= SHORTEST):
            return True
        if len(word) < LONG:
            return False
        meant_words = (*_any_letter(word), *self._sounded(word))
        return any(self._has(meant) for meant in meant_words)

    def _is_short_slip(self, word: str) -> bool:
        """Whether it is a frequent word with two letters swapped, one doubled or left out."""
        return any(
            meant in self._ordinary and self._frequency.get(meant, 0.0) >= least
            for least, meant in _meant_short(word)
        )

    def _has(self, word: str) -> bool:
        return word in self._ordinary and self._is_word(word)

    def _sounded(self, word: str) -> Iterator[str]:
        """Ordinary words with the same consonants, at most a letter shorter or longer."""
        if len(word) >= SOUNDED:
            for meant in self._by_consonants.get(_consonants(word), ()):
                if abs(len(meant) - len(word)) <= 1:
                    yield meant

    @cached_property
    def _by_consonants(self) -> dict[str, list[str]]:
        words: dict[str, list[str]] = {}
        for word in self._ordinary:
            if len(word) >= LONG:
                words.setdefault(_consonants(word), []).append(word)
        return words


def _consonants(word: str) -> str:
    """The first letter, and the consonants behind it, each but once in a row."""
    return word[0] + _DOUBLED.sub(r"\1", _MUTE.sub("", word[1:]))


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


def _meant_short(word: str) -> Iterator[tuple[float, str]]:
    """Words that slips of short words make this one of, and how frequent they must be."""
    for at in range(1, len(word)):
        head, letter, tail = word[:at], word[at], word[at + 1 :]
        if head[-1] == letter and len(word) > SHORT:
            yield SWAPPED, head + tail
        if tail and tail[0] != letter:
            yield SWAPPED, head + tail[0] + letter + tail[1:]
    for at in range(1, len(word) + 1):
        for letter in ascii_lowercase:
            yield DROPPED, word[:at] + letter + word[at:]


def _any_letter(word: str) -> Iterator[str]:
    """The word with any one letter taken out, or exchanged for another."""
    for at in range(1, len(word)):
        head, tail = word[:at], word[at + 1 :]
        yield head + tail
        for letter in ascii_lowercase:
            yield head + letter + tail
