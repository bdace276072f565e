"""Words that name nobody: public lists by subject, and rules by which English makes words of words.

A word counts by its letters and by whether it has a capital, never by the text around it. What no
list or rule knows is not public, nor is a word with letters of another script than its looks say.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from privstamp.text.wordforms import bases, is_term

LISTS: Final = ("general", "medical", "legal", "technical", "product")
"""By subject; `general` has English with its inflections."""
_LOWER: Final = "general-lower"
"""Rare words that are public in small letters only: with a capital they may well be names."""
_NAMED: Final = "general-named"
"""Words that are better known as names: public in small letters where others have capitals."""
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_FIGURES: Final = 4
"""Digits that an identifier may hold besides its words: sha256, utf8, v2024."""


class WordList:
    """Sorted words as one string of bytes, looked up by halves: as small as the file unpacked."""

    def __init__(self, words: bytes) -> None:
        self._words = words
        self.fingerprint = hashlib.sha256(words).hexdigest()

    def __contains__(self, word: str) -> bool:
        wanted, words = word.encode(), self._words
        low, high = 0, len(words)
        while low < high:
            middle = (low + high) // 2
            start = words.rfind(b"\n", low, middle) + 1 or low
            end = words.find(b"\n", middle)
            end = len(words) if end < 0 else end
            here = words[start:end]
            if here == wanted:
                return True
            if here < wanted:
                low = end + 1
            else:
                high = start
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(self._words.decode().split())


class Vocabulary:
    """Some of the shipped lists, and words of one's own."""

    def __init__(self, lists: Sequence[str] = LISTS, own: Iterable[str] = ()) -> None:
        self.lists = tuple(lists)
        self._written = frozenset().union(*map(_written, lists), map(str.lower, own))
        self._derived = [_derived(name) for name in lists if _has(name)]
        self._lower = [_derived(_LOWER)] if "general" in lists else []
        self._named = [_derived(_NAMED)] if "general" in lists else []
        self._terms = "medical" in lists
        special = (_special(name) for name in lists if name != "general")
        self._roles = _written("roles") if "general" in lists else frozenset()
        self._special = self._roles.union(*special)
        self._written |= self._roles
        self._subjects = [_derived(name) for name in lists if name != "general" and _has(name)]
        facts = [*sorted(self._written), *(part.fingerprint for part in self._derived)]
        facts += [part.fingerprint for part in (*self._lower, *self._named)]
        self.fingerprint = hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def __iter__(self) -> Iterator[str]:
        """All words of the lists, some of them twice."""
        yield from self._written
        for part in (*self._derived, *self._lower):
            yield from part

    def has(self, word: str, *, capital: bool = False) -> bool:
        """Whether a lower-case word stands in a list, whatever names are spelt like it."""
        if word in self._written or any(word in part for part in self._derived):
            return True
        return not capital and any(word in part for part in self._lower)

    def knows(self, word: str, *, capital: bool = False) -> bool:
        """Whether a lower-case word is in a list, or is made of such a word by a public rule."""
        word = plain(word)
        if not word.isascii() or not word.isalpha():
            return False
        if self.has(word, capital=capital) or (self._terms and is_term(word)):
            return True
        return any(self.has(base, capital=True) for base in bases(word, capital=capital))

    def is_named(self, word: str) -> bool:
        """Whether a lower-case word is both a name and an everyday word: brown, mark, penny."""
        return any(word in part for part in self._named)

    def is_role(self, word: str) -> bool:
        """Whether it is a role, a defined term, an instruction or the head of a form: a name only
        beside another one."""
        return word in self._roles

    def is_term(self, word: str) -> bool:
        """Whether a word belongs to a subject: a drug, a role, a protocol, a product. A company
        named like a word of general English (Shell) is none of them."""
        if word in self._special or any(word in part for part in self._subjects):
            return True
        return self._terms and is_term(word)


def is_public(word: str) -> bool:
    """Whether the shipped lists know a word, as it is written.

    >>> is_public("angiography"), is_public("Metformin"), is_public("Raghunathan")
    (True, True, False)
    """
    return default().knows(word.lower(), capital=word[:1].isupper())


def all_public(identifier: str) -> bool:
    """Whether every word of a key, tag or variable is public; it is cut at _, - and capitals.

    >>> all_public("customer_id"), all_public("KeyError"), all_public("raghunathan_id")
    (True, True, False)
    """
    return all(
        len(part) <= _FIGURES if part.isdigit() else len(part) == 1 or default().knows(part.lower())
        for part in _PARTS.findall(identifier)
    )


def is_code(word: str) -> bool:
    """Whether public words are written together as programs do it; after a first capital, as in
    names that people give themselves, one of them is a technical word.

    >>> is_code("KeyError"), is_code("maxRetries"), is_code("MysteryGuitarMan"), is_code("McRae")
    (True, True, False, False)
    """
    if word[1:].islower() or word.isupper() or not word.isalpha():
        return False
    parts = [part.lower() for part in _PARTS.findall(word)]
    technical = word[0].islower() or any(part in _written("technical") for part in parts)
    return technical and all_public(word)


@cache
def default() -> Vocabulary:
    """All lists that are shipped."""
    return Vocabulary()


def plain(word: str) -> str:
    """Without accents: naive for naïve. Letters of another script stay what they are."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def packed(words: Iterable[str]) -> bytes:
    """Words as a file of this package holds them."""
    return zlib.compress("\n".join(sorted(set(words))).encode(), 9)


@cache
def _written(name: str) -> frozenset[str]:
    """The list that was written for privstamp; # begins a remark."""
    text = (_folder() / f"{name}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@cache
def _special(name: str) -> frozenset[str]:
    """Words of a subject; technical ones only where they are no words of general English."""
    words = _written(name)
    if name != "technical":
        return words
    return frozenset(word for word in words if word not in _derived("general"))


@cache
def _derived(name: str) -> WordList:
    """The list that `benchmarks/vocabulary.py` makes of public ones."""
    return WordList(zlib.decompress((_folder() / f"{name}.z").read_bytes()))


def _has(name: str) -> bool:
    return (_folder() / f"{name}.z").is_file()


def _folder() -> Traversable:
    return files("privstamp.text") / "words"
