"""Lists of words that code writes as one string, and how words are compared."""

from __future__ import annotations

import tomllib
import unicodedata
from importlib.resources import files


def words(text: str) -> tuple[str, ...]:
    """The words of a string, each once, in order."""
    return tuple(dict.fromkeys(text.split()))


def read_lists(package: str, name: str) -> dict[str, frozenset[str]]:
    """The lists of a file of a package, which holds each as one string."""
    lists = tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
    return {title: frozenset(listed.split()) for title, listed in lists.items()}


def either(text: str) -> str:
    """Words as alternatives of a pattern, the longest first; they may hold pattern signs."""
    return "|".join(sorted(words(text), key=len, reverse=True))


def fold(word: str) -> str:
    """Without case and accents, so that "MULLER" repeats "Müller"."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c))
