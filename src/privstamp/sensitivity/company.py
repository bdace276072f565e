"""English words by the company they keep in the default space: read from its vectors, no files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from typing import Final

import numpy as np

from privstamp.sensitivity.common_nouns import has_plural
from privstamp.spaces.classes import Voters, largest, read_lists
from privstamp.spaces.glove import PREPROCESSING, read_glove
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.spaces.words import directed, zipf

NEIGHBOURS: Final = 20
_BLOCK: Final = 64


class Company:
    """Public words and their directions."""

    def __init__(self) -> None:
        self._words, self._unit, _ = directed(*read_glove(), PREPROCESSING)
        self._row_of = dict(zip(self._words, range(len(self._words)), strict=True))
        self._voters = Voters(self._words, self._unit, zipf(self._words), read_lists())

    def names_and_places(self, asked: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Those that the space counts as names or places, and those that it counts as places."""
        candidates = [w for w in asked if w in self._row_of and not _is_of_another(w)]
        rows = np.array([self._row_of[word] for word in candidates], dtype=np.intp)
        names, places = (
            frozenset(candidates[place] for place in np.flatnonzero(chosen).tolist())
            for chosen in self._voters.ask(rows)
        )
        return names | places, places

    def common_nouns(
        self, words: Collection[str], frequency: Mapping[str, float], names: Set[str]
    ) -> set[str]:
        """Those with a plural in use, and with no more `names` among the words nearest to them than
        among all words."""
        named = np.zeros(len(self._words), dtype=np.float32)
        named[[self._row_of[word] for word in self._row_of.keys() & names]] = 1.0
        asked = sorted(w for w in words if w in self._row_of and has_plural(w, frequency, names))
        nouns: set[str] = set()
        for start in range(0, len(asked), _BLOCK):
            block = asked[start : start + _BLOCK]
            rows = np.array([self._row_of[word] for word in block])
            cosines = self._unit[rows] @ self._unit.T
            cosines[np.arange(len(rows)), rows] = -2.0
            near = cosines >= largest(cosines, NEIGHBOURS)
            shares = [float(named[row].mean(dtype=np.float64)) for row in near]
            share = named.mean(dtype=np.float64)
            nouns |= {word for word, here in zip(block, shares, strict=True) if here <= share}
        return nouns


def _is_of_another(word: str) -> bool:
    """Whether the space has it in a class that comes before names: small words, and numbers."""
    return word in FUNCTION_WORDS or any(map(str.isdigit, word))
