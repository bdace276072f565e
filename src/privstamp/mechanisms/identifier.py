"""Keys, tags and identifiers that are not public become other ones, one to one.

Words outside the public vocabulary are exchanged for invented ones, long numbers for other digits;
public words, separators and the case of a word stay. What is drawn depends on nothing but noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from privstamp.mechanisms._invented import PARTS, spell
from privstamp.mechanisms.surrogate import below
from privstamp.noise import Lane, Noise
from privstamp.text.formats.names import spans_of, words_of
from privstamp.text.invisible import visible

Public = Callable[[str], bool]
SHORT: Final = 2
"""Letters of a word that is too short to name anybody."""
DIGITS: Final = 5
"""Digits of a name from which on they are a number of somebody."""
_DIGIT: Final = re.compile(r"\d")


class Identifiers:
    """The names of one document, or of many: which pass, and what the others become."""

    def __init__(
        self, key: bytes, is_public: Public, known: Mapping[str, str] | None = None
    ) -> None:
        """`known`: what words and numbers became elsewhere in the document, so that a name that
        is made of them becomes the same."""
        self._key = key
        self._is_public = is_public
        self._known = dict(known or {})
        self._renamed: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._used: set[str] = set()
        self._drawn = 0

    def learn(self, known: Mapping[str, str]) -> None:
        """More of what words and numbers became, from the next document."""
        for word, new in known.items():
            self._known.setdefault(word, new)

    def replaced(self, names: Iterable[str]) -> dict[str, str]:
        """New names for those that may not pass; never one that stands in the document."""
        asked = list(dict.fromkeys(names))
        taken = {name.casefold() for name in asked}
        for name in asked:
            taken.update(word.casefold() for word in words_of(name))
        renamed: dict[str, str] = {}
        for name in asked:
            if not self.passes(name):
                new = self._renamed.get(name) or self._name(name, taken, fresh=False)
                while new.casefold() in taken:
                    new = self._name(name, taken, fresh=True)
                taken.add(new.casefold())
                renamed[name] = self._renamed[name] = new
        return renamed

    def passes(self, name: str) -> bool:
        """Whether all words of a name are public, and its digits too few to be a number."""
        if _many_digits(name) or visible(name).edits:
            return False
        return all(map(self._word_passes, words_of(name)))

    def _word_passes(self, word: str) -> bool:
        return word.isdigit() or len(word) <= SHORT or self._is_public(word.lower())

    def _name(self, name: str, taken: set[str], *, fresh: bool) -> str:
        """The name with what may not pass exchanged; `fresh`: by words that no other name has."""
        name = visible(name).text
        digits = _many_digits(name)
        pieces: list[str] = []
        position = 0
        changed = False
        for start, end in spans_of(name):
            word = name[start:end]
            pieces.append(name[position:start])
            position = end
            if word.isdigit():
                drawn = self._number(word, fresh=fresh) if digits else word
            elif self._word_passes(word):
                drawn = word
            else:
                drawn = _cased(self._word(word, taken, fresh=fresh), word)
            changed |= drawn != word
            pieces.append(drawn)
        pieces.append(name[position:])
        if fresh and not changed:
            pieces.append(self._word("", taken, fresh=True))
        return "".join(pieces)

    def _word(self, word: str, taken: set[str], *, fresh: bool) -> str:
        folded = word.casefold()
        if not fresh and folded in self._words:
            return self._words[folded]
        drawn = None if fresh else self._known.get(folded)
        while drawn is None or drawn in taken or drawn in self._used:
            word = self._invented()
            drawn = None if self._is_public(word) else word
        self._used.add(drawn)
        return drawn if fresh else self._words.setdefault(folded, drawn)

    def _invented(self) -> str:
        return spell(PARTS, self._draw(map(len, PARTS)))

    def _number(self, word: str, *, fresh: bool) -> str:
        """Other digits, the same wherever the number stands; the first is not 0."""
        known = None if fresh else self._words.get(word) or self._known.get(word)
        if known is None:
            first, *rest = self._draw([9, *[10] * (len(word) - 1)])
            known = "".join(map(str, [first + 1, *rest]))
        return known if fresh else self._words.setdefault(word, known)

    def _draw(self, sizes: Iterable[int]) -> list[int]:
        """A whole number below each size."""
        limits = list(sizes)
        noise = Noise.of_document(self._key, [self._drawn])
        self._drawn += 1
        bits = noise.words(len(limits), Lane.NAME)[0]
        return [int(below(word, limit)) for word, limit in zip(bits, limits, strict=True)]


def _many_digits(name: str) -> bool:
    return len(_DIGIT.findall(name)) >= DIGITS


def _cased(drawn: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return drawn.upper()
    return drawn.capitalize() if like[:1].isupper() else drawn
