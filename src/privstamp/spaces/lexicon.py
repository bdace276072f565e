"""A word list on disk: word to row and row to word, ready before it is read into memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np

CLITICS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "'t"})
"""Halves of words that other splitters leave; ours gives them the rows of not, are, have, ..."""

PATIENCE = 20_000
"""Questions answered from the disk before the list is read into memory: 0.2 s and 60 MB."""


class Known(Protocol):
    """What splitting asks of a word list; a dict will do."""

    def get(self, word: str, default: int, /) -> int: ...


class Lexicon:
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
        wanted = _hash(spelling)
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


def write_lexicon(folder: Path, words: Sequence[str]) -> None:
    """Store a list; clitics keep their rows but are never found."""
    spellings = [word.encode() for word in words]
    letters = np.frombuffer(b"".join(spellings), dtype=np.uint8)
    found = [row for row, word in enumerate(words) if word not in CLITICS]
    hashes = np.array([_hash(spellings[row]) for row in found], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    np.save(folder / "letters.npy", letters)
    np.save(folder / "ends.npy", np.cumsum([len(s) for s in spellings], dtype=np.int64))
    np.save(folder / "hashes.npy", hashes[order])
    np.save(folder / "rows.npy", np.array(found, dtype=np.int32)[order])


def _hash(spelling: bytes) -> int:
    return int.from_bytes(blake2b(spelling, digest_size=8).digest(), "little")
