"""Lists of words that code writes as one string."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a string, each once, in order."""
    return tuple(dict.fromkeys(text.split()))


def either(text: str) -> str:
    """Words as alternatives of a pattern, the longest first; they may hold pattern signs."""
    return "|".join(sorted(words(text), key=len, reverse=True))
