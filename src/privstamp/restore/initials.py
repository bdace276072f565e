"""Initials follow the name: who was sent as Vera Coulter is V. Coulter in an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_NAMELIKE: Final = 2


def initials(surrogate: str, original: str) -> Iterator[tuple[str, str]]:
    """Pairs of shortened writings of a person's name, those of the surrogate first.

    >>> list(initials("Vera Coulter", "Priya Rao"))[:2]
    [('V. Coulter', 'P. Rao'), ('V Coulter', 'P Rao')]
    """
    sent, kept = _Name(surrogate.split()), _Name(original.split())
    if sent.whole and kept.whole:
        alike = len(sent.words) == len(kept.words)
        for mine, other in zip(sent.writings(), kept.writings(), strict=False):
            if alike or mine.count(" ") < _NAMELIKE:
                yield mine, other


class _Name:
    """The words of a name; writings of two names are in the same order."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.whole = len(words) >= _NAMELIKE and _is_name(words[0])

    def writings(self) -> Iterator[str]:
        first, *inner, last = self.words
        for pattern in ("{0}. {1}", "{0} {1}", "{1}, {0}.", "{1} {0}.", "{0}.{1}"):
            yield pattern.format(first[0], last)
        letters = [word[0] for word in self.words]
        for join in (".", ". "):
            yield join.join([*letters, ""]).rstrip()
        if inner:
            for join in (".", ". "):
                yield f"{join.join([*letters[:-1], '']).rstrip()} {last}"
            yield " ".join([first, *(f"{word[0]}." for word in inner), last])


def _is_name(word: str) -> bool:
    """No title and no initial, which stand as they are."""
    return len(word) > 1 and word[0].isalpha() and not word.endswith(".")
