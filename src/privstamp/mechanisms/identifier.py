"""Keys, tags and identifiers that are not public become other ones, one to one.

Words outside the public vocabulary are exchanged for invented ones, long numbers for other digits;
public words, separators and the case of a word stay. What is drawn depends on nothing but noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
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


@dataclass(repr=False)
class Renamed:
    """PRIVATE. What names and their words became so far, under one key. `known`: what words and
    numbers became in texts, so that a name that is made of them becomes the same."""

    key: bytes
    known: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    drawn: int = 0

    def __repr__(self) -> str:
        return f"Renamed(private, {len(self.names)} names)"

    def branch(self) -> Renamed:
        """A copy that goes its own way."""
        known, names, words = dict(self.known), dict(self.names), dict(self.words)
        return Renamed(self.key, known, names, words, set(self.used), self.drawn)


class Identifiers:
    """The names of a document: which pass, and what the others become."""

    def __init__(self, is_public: Public, renamed: Renamed) -> None:
        self._is_public, self._of = is_public, renamed

    def replaced(self, names: Iterable[str]) -> dict[str, str]:
        """New names for those that may not pass; never one that stands in the document."""
        asked = list(dict.fromkeys(names))
        taken = {name.casefold() for name in asked}
        for name in asked:
            taken.update(word.casefold() for word in words_of(name))
        renamed: dict[str, str] = {}
        for name in asked:
            if not self.passes(name):
                new = self._of.names.get(name) or self._name(name, taken, fresh=False)
                while new.casefold() in taken:
                    new = self._name(name, taken, fresh=True)
                taken.add(new.casefold())
                renamed[name] = self._of.names[name] = new
        return renamed

    def hidden(self, name: str) -> list[str]:
        """The words of a name that may not pass; all of it where no word tells."""
        words = [word for word in words_of(name) if not self._word_passes(word)]
        return words or ([] if self.passes(name) else [name])

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
        if not fresh and folded in self._of.words:
            return self._of.words[folded]
        drawn = None if fresh else self._of.known.get(folded)
        while drawn is None or drawn in taken or drawn in self._of.used:
            word = self._invented()
            drawn = None if self._is_public(word) else word
        self._of.used.add(drawn)
        return drawn if fresh else self._of.words.setdefault(folded, drawn)

    def _invented(self) -> str:
        return spell(PARTS, self._draw(map(len, PARTS)))

    def _number(self, word: str, *, fresh: bool) -> str:
        """Other digits, the same wherever the number stands; the first is not 0."""
        known = None if fresh else self._of.words.get(word) or self._of.known.get(word)
        if known is None:
            first, *rest = self._draw([9, *[10] * (len(word) - 1)])
            known = "".join(map(str, [first + 1, *rest]))
        return known if fresh else self._of.words.setdefault(word, known)

    def _draw(self, sizes: Iterable[int]) -> list[int]:
        """A whole number below each size."""
        limits = list(sizes)
        noise = Noise.of_document(self._of.key, [self._of.drawn])
        self._of.drawn += 1
        bits = noise.words(len(limits), Lane.NAME)[0].tolist()
        return [below(word, limit) for word, limit in zip(bits, limits, strict=True)]


def _many_digits(name: str) -> bool:
    return len(_DIGIT.findall(name)) >= DIGITS


def _cased(drawn: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return drawn.upper()
    return drawn.capitalize() if like[:1].isupper() else drawn
