"""Long lists of terms, found in one pass over a text.

A term is a run of words. Only 64-bit hashes are kept, some 20 bytes a term, and looked up all at
once; a false hit has odds of one in 10^13 or so for each word and only marks too much.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import PolicyError
from privstamp.sensitivity.lists import Token, tokens_of

LONGEST: Final = 32
"""Words of a term."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9 ]+")


class Dictionary:
    """Terms of one to 32 words; dashes and spacing do not matter, nor case unless asked for."""

    def __init__(self, terms: Iterable[str], where: str, *, case: bool = False) -> None:
        self._case = case
        whole = array("q")
        first: dict[int, int] = {}  # hash of a term's first word: its lengths, as bits
        for index, term in enumerate(terms):
            words = _words(term, case)
            if not 1 <= len(words) <= LONGEST:
                # The term itself may be private: only its place is named.
                raise PolicyError(f"{where}, entry {index + 1}: a term has 1 to {LONGEST} words")
            head = hash(words[0])
            first[head] = first.get(head, 0) | 1 << len(words) - 1
            whole.append(hash(" ".join(words)) if len(words) > 1 else head)
        self._whole = np.unique(np.frombuffer(whole, dtype=np.int64))
        heads = np.fromiter(first, dtype=np.int64, count=len(first))
        order = np.argsort(heads)
        self._heads = heads[order]
        self._lengths = np.fromiter(first.values(), dtype=np.uint32, count=len(first))[order]

    def __len__(self) -> int:
        return len(self._whole)

    def __repr__(self) -> str:
        return f"Dictionary({len(self)} terms)"

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of the longest term at each place; what begins inside one is passed by."""
        return self.spans_of(list(tokens_of(text, case=self._case)))

    def spans_of(self, found: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """The same in a text that is cut already."""
        if not len(self._heads) or not found:
            return
        words = [token.word for token in found]
        hashes = np.fromiter(map(hash, words), dtype=np.int64, count=len(words))
        place = np.minimum(np.searchsorted(self._heads, hashes), len(self._heads) - 1)
        starts = np.flatnonzero(self._heads[place] == hashes)
        firsts, lengths, runs = _candidates(words, hashes, starts, self._lengths[place[starts]])
        at = np.minimum(np.searchsorted(self._whole, runs), len(self._whole) - 1)
        end = 0
        for index in np.flatnonzero(self._whole[at] == runs).tolist():
            if firsts[index] >= end:  # the longest of a place comes first
                end = firsts[index] + lengths[index]
                yield found[firsts[index]].start, found[end - 1].end


def _words(term: str, case: bool) -> list[str]:
    if _PLAIN.fullmatch(term):  # most terms, and much quicker
        return (term if case else term.lower()).split()
    return [token.word for token in tokens_of(term, case=case)]


def _candidates(
    words: Sequence[str],
    hashes: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    masks: npt.NDArray[np.uint32],
) -> tuple[list[int], list[int], npt.NDArray[np.int64]]:
    """Runs of words that have the length of a term with that first word, and their hashes."""
    firsts: list[int] = []
    lengths: list[int] = []
    runs: list[int] = []
    for start, mask in zip(starts.tolist(), masks.tolist(), strict=True):
        length = mask.bit_length()
        while length:
            if mask >> length - 1 & 1 and start + length <= len(words):
                firsts.append(start)
                lengths.append(length)
                run = words[start : start + length]
                runs.append(hash(" ".join(run)) if length > 1 else int(hashes[start]))
            length -= 1
    return firsts, lengths, np.array(runs, dtype=np.int64)
