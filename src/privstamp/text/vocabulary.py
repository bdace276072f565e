"""Words that name nobody: public lists by subject, and rules by which English makes words of words.

A word counts by its letters and by whether it has a capital, never by the text around it. What no
list or rule knows is not public, nor is a word with letters of another script than its looks say.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from privstamp.text.wordforms import bases, is_term

LISTS: Final = ("general", "medical", "legal", "technical", "product")
"""By subject; `general` has English with its inflections."""
_LOWER: Final = "general-lower"
"""Rare words that are public in small letters only: with a capital they may well be names."""
_NAMED: Final = "general-named"
"""Words that are better known as names: public in small letters where others have capitals."""
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_APART: Final = 1024
"""Bytes between two words of a list whose places are known."""
_DIGRAPH: Final = re.compile("[ao]e")
_LEARNED: Final = 7
"""Letters of a term that Britain may write with ae or oe."""
_FIGURES: Final = 4
"""Digits that an identifier may hold besides its words: sha256, utf8, v2024."""


class WordList:
    """Sorted words as one string of bytes, hardly larger than the file unpacked. Words that stand
    some way apart are known, so that a word is looked for between two of them."""

    def __init__(self, words: bytes) -> None:
        self._words = b"\n%b\n" % words
        self.fingerprint = hashlib.sha256(words).hexdigest()
        places = range(0, len(words), _APART)
        self._starts = sorted({self._words.rfind(b"\n", 0, place + 1) for place in places})
        ends = [self._words.index(b"\n", start + 1) for start in self._starts]
        self._heads = [
            self._words[start + 1 : end] for start, end in zip(self._starts, ends, strict=True)
        ]
        self._starts.append(len(self._words) - 1)

    def __contains__(self, word: str) -> bool:
        wanted = word.encode()
        place = bisect_right(self._heads, wanted) - 1
        if place < 0 or b"\n" in wanted:
            return False
        line = b"\n%b\n" % wanted
        return self._words.find(line, self._starts[place], self._starts[place + 1] + 1) >= 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._words.decode().split())


class Vocabulary:
    """Some of the shipped lists, and words of one's own."""

    def __init__(self, lists: Sequence[str] = LISTS, own: Iterable[str] = ()) -> None:
        self.lists = tuple(lists)
        self._written = frozenset().union(*map(_written, lists), map(str.lower, own))
        self._derived = [_derived(name) for name in lists if _has(name)]
        self._met: set[str] = set()  # of these lists, and never a word that they do not have
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
        if word in self._written or word in self._met:
            return True
        for part in self._derived:
            if word in part:
                self._met.add(word)
                return True
        return not capital and any(word in part for part in self._lower)

    def knows(self, word: str, *, capital: bool = False) -> bool:
        """Whether a lower-case word is in a list, or is made of such a word by a public rule."""
        word = plain(word)
        if not word.isascii() or not word.isalpha():
            return False
        if self.has(word, capital=capital) or (self._terms and is_term(word)):
            return True
        american = _DIGRAPH.sub("e", word) if len(word) >= _LEARNED else word
        if american != word and any(american in part for part in self._subjects):  # haemoptysis
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


def is_word(vocabulary: Vocabulary, word: str) -> bool:
    """Whether a vocabulary knows a word as it is written, or programs are written so.

    >>> is_word(default(), "Angiography"), is_word(default(), "KeyError")
    (True, True)
    """
    return vocabulary.knows(word.lower(), capital=not word.islower()) or is_code(word)


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


# A word list on disk: word to row and row to word, ready before it is read into memory.


CLITICS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "'t"})
"""Halves of words that other splitters leave; ours gives them the rows of not, are, have, ..."""

PATIENCE = 20_000
"""Questions answered from the disk before the list is read into memory: 0.2 s and 60 MB."""


def read_at_once() -> None:
    """For processes that ask for long: each list is read into memory when it is first asked."""
    global PATIENCE
    PATIENCE = 0


class WordRows(Protocol):
    """What splitting asks of a word list; a dict will do."""

    def get(self, word: str, default: int, /) -> int: ...


class WordTable:
    """Words by row, and rows by the sorted hashes of words; a hit is compared letter by letter."""

    def __init__(self, folder: Path) -> None:
        self._letters = memoryview(np.load(folder / "letters.npy", mmap_mode="r"))
        self._ends = memoryview(np.load(folder / "ends.npy", mmap_mode="r"))
        self._hashes = memoryview(np.load(folder / "hashes.npy", mmap_mode="r"))
        self._rows = memoryview(np.load(folder / "rows.npy", mmap_mode="r"))

        self._asked = 0
        self._words: list[str] = []
        self._row_of: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def joined(self) -> bytes:
        """All words by row, a line each."""
        letters = np.frombuffer(self._letters, dtype=np.uint8)
        return np.insert(
            letters, np.frombuffer(self._ends, dtype=np.int64)[:-1], ord("\n")
        ).tobytes()

    def index(self) -> bytes:
        """What finds the row of a word: sorted hashes, and the rows behind them."""
        return bytes(self._hashes) + bytes(self._rows)

    def word(self, row: int) -> str:
        """The word of a row."""
        if self._words and row >= 0:
            return self._words[row]
        self._asked += 1
        return self._spelling(row).decode()

    def get(self, word: str, default: int, /) -> int:
        """The row of a lower-case word."""
        if self._row_of:
            return self._row_of.get(word, default)
        self._asked += 1
        if self._asked > PATIENCE:
            self._load()
        spelling = word.encode()
        wanted = int.from_bytes(_hash(spelling), "little")
        place = bisect_left(self._hashes, wanted)
        while place < len(self._hashes) and self._hashes[place] == wanted:
            if self._spelling(self._rows[place]) == spelling:
                return int(self._rows[place])
            place += 1
        return default

    def _load(self) -> None:
        """Read the whole list: who asks this often is better served from memory."""
        letters, ends = bytes(self._letters), self._ends.tolist()
        words = [letters[a:b].decode() for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        self._row_of = {words[row]: row for row in self._rows.tolist()}
        self._words = words

    def _spelling(self, row: int) -> bytes:
        if not 0 <= row < len(self._ends):
            raise IndexError(f"row {row} of {len(self._ends)}")
        return bytes(self._letters[self._ends[row - 1] if row else 0 : self._ends[row]])


def write_words(folder: Path, words: Sequence[str]) -> None:
    """Store a list; clitics keep their rows but are never found."""
    spellings = [word.encode() for word in words]
    letters = np.frombuffer(b"".join(spellings), dtype=np.uint8)
    rows = [row for row, word in enumerate(words) if word not in CLITICS]
    hashes = np.frombuffer(b"".join([_hash(spellings[row]) for row in rows]), dtype="<u8")
    order = np.argsort(hashes, kind="stable")
    np.save(folder / "letters.npy", letters)
    np.save(folder / "ends.npy", np.cumsum([len(s) for s in spellings], dtype=np.int64))
    np.save(folder / "hashes.npy", hashes[order])
    np.save(folder / "rows.npy", np.array(rows, dtype=np.int32)[order])


def _hash(spelling: bytes) -> bytes:
    return blake2b(spelling, digest_size=8).digest()
