"""PRIVATE. Which units of an edited text stood in the one it came from, by a diff of words.

Words are compared by keyed digests, and by nothing but whether they are equal: so what is aligned
is a matter of the pattern of repeats alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

WORD: Final = 8
STRETCH: Final = 16
"""Bytes of the digests of a word and of a stretch."""
_MOST: Final = 1_000_000
"""Pairs of words that are compared between the first change and the last; where there are more,
stretches that are equal still are."""


class Version(NamedTuple):
    """A text that left: its words and their stretches as digests, in a row; and the first version
    of it, by number."""

    origin: str
    words: bytes
    stretches: bytes
    first: int


class Versions:
    """Texts in the order in which they left."""

    def __init__(self) -> None:
        self._stored: list[Version] = []
        self._last: dict[tuple[str, bytes], int] = {}  # the last text with these two words

    def __len__(self) -> int:
        return len(self._stored)

    def add(self, version: Version) -> None:
        number = len(self._stored)
        self._stored.append(version)
        for pair in _pairs(_cut(version.words, WORD)):
            self._last[version.origin, pair] = number

    def nearest(self, origin: str, words: Sequence[bytes]) -> int | None:
        """The text that this one came from: it has at least half of its pairs of words, and the
        most."""
        keys = [(origin, pair) for pair in _pairs(words)]
        votes = Counter(self._last[key] for key in keys if key in self._last)
        number, count = max(votes.items(), key=lambda vote: (vote[1], vote[0]), default=(0, 0))
        return number if 0 < len(keys) <= 2 * count else None

    def first(self, number: int | None) -> int:
        """The number of a text's first version, for one that is added now."""
        return len(self) if number is None else self._stored[number].first

    def aligned(self, number: int, words: Sequence[bytes]) -> dict[int, bytes]:
        """The stretch of each unit outside of the edits: as in that version, else as in its
        first."""
        stretches: dict[int, bytes] = {}
        for which in dict.fromkeys((number, self._stored[number].first)):
            version = self._stored[which]
            known = _cut(version.stretches, STRETCH)
            for before, here in matched(_cut(version.words, WORD), words):
                stretches.setdefault(here, known[before])
        return stretches


def matched(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Places of equal words in two texts, in order.

    >>> list(matched([b"a", b"b", b"c"], [b"a", b"x", b"c"]))
    [(0, 0), (2, 2)]
    """
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    yield from ((n, n) for n in range(start))
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if 0 < len(old) * len(new) <= _MOST:
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            for n in range(block.size):
                yield start + block.a + n, start + block.b + n
    yield from ((len(before) - n, len(after) - n) for n in range(end, 0, -1))


def _pairs(words: Sequence[bytes]) -> list[bytes]:
    return [left + right for left, right in pairwise([b"", *words, b""])]


def _cut(digests: bytes, size: int) -> list[bytes]:
    return [digests[n : n + size] for n in range(0, len(digests), size)]
