"""What nobody has: words that can be said aloud, addresses of machines, cards, secrets, names of
keys and tags."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from privstamp.mechanisms.networks import Pick, machines
from privstamp.mechanisms.wordlists import LETTERS, ORDINARY
from privstamp.noise import Lane, Noise, below
from privstamp.text.formats.names import spans_of, words_of
from privstamp.text.invisible import visible
from privstamp.text.terms import words
from privstamp.text.vocabulary import default

# Invented words that can be said aloud: what an unknown word becomes.
#
# A false meaning misleads a reader more than no meaning, and an invented word is put back without
# doubt. Each is consonants, vowel, consonants, vowel, consonants, so no two choices spell the same.

Pool: TypeAlias = tuple[str, ...]

_VOWELS: Final = tuple("aeiou")
PARTS: Final = (
    words("b br d dr f fl g gl gr h j k kr l m n p pl pr r s sk sl sm sn st str t tr v w z"),
    _VOWELS,
    words("""
        b br d dr f g k l ld lf lm ln lt lv m mb mbr mp n nd ndr ng nk nt ntr p r rb rd rg rk rl
        rm rn rt rv s sk sp st str t tr v z
    """),
    _VOWELS,
    words("b d f k l ld lm m n nd nk nt p r rd rk rn rt s sk st t"),
)
ACRONYM: Final = (LETTERS,) * 3
TRIES: Final = 16
"""Candidates of one draw, of which the first that is no listed word is taken."""


def spell(parts: Sequence[Pool], choices: Iterable[int]) -> str:
    """The word of one choice from each part.

    >>> spell(PARTS, [25, 3, 15, 0, 8])
    'stomban'
    """
    return "".join(part[choice] for part, choice in zip(parts, choices, strict=True))


def is_listed(word: str) -> bool:
    """Whether a public list has a word, in any case."""
    folded = word.lower()
    return folded in ORDINARY or default().has(folded)


def unlisted(parts: Sequence[Pool]) -> int:
    """How many words can be drawn: all but those of public lists."""
    shape = re.compile("".join(f"({'|'.join(part)})" for part in parts), re.IGNORECASE)
    listed = {word for word in (*ORDINARY, *default()) if shape.fullmatch(word)}
    return math.prod(map(len, parts)) - len(listed)


def first_unlisted(candidates: Iterable[str]) -> str:
    """The first candidate that means nothing; the last, if all do (chance below 2^-64)."""
    word = ""
    for word in candidates:
        if not is_listed(word):
            break
    return word


# Addresses of machines, cards and secrets: valid in form, and nobody's.
#
# Card numbers with a wrong check digit, secrets of one length whatever theirs was; see `networks`.

HEX: Final = "0123456789abcdef"
ALNUM: Final = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
SECRET: Final = 20
"""Characters that stand for any secret."""


def secret(form: str, pick: Pick) -> str:
    """Letters and digits, as many for every secret; for a code that is typed as many digits."""
    if form:
        return "".join(HEX[pick(place, 10)] for place in range(len(form)))
    return "".join(ALNUM[pick(place, len(ALNUM))] for place in range(SECRET))


def spoilt(card: str, digit: int) -> str:
    """A card number whose last digit fails Luhn's check: one of nine, by a number below 9.

    >>> [spoilt("4000 0000 0000 0000", digit)[-1] for digit in (0, 1, 2, 8)]
    ['0', '1', '3', '9']
    """
    if not any(map(str.isdigit, card)):
        return card
    total = 0
    digits = [int(char) for char in card if char.isdigit()]
    for place, value in enumerate(reversed(digits[:-1])):
        doubled = value * 2 if place % 2 == 0 else value
        total += doubled - 9 if doubled > 9 else doubled
    right = -total % 10
    last = digit if digit < right else digit + 1
    at = max(index for index, char in enumerate(card) if char.isdigit())
    return f"{card[:at]}{last}{card[at + 1 :]}"


def in_hex(kind: str, form: str, pick: Pick) -> str:
    """A network card's address of the kind that nobody is issued, or a random UUID."""
    count = sum(char in "0A" for char in form)
    drawn = [HEX[pick(place, 16)] for place in range(count)]
    if kind == "UUID" and count == 32:
        drawn[12], drawn[16] = "4", "89ab"[pick(16, 4)]
    else:
        drawn[:2] = "02"
    pieces = iter(drawn)
    text = "".join(next(pieces) if char in "0A" else char for char in form)
    return text.upper() if "A" in form else text


def size(kind: str, form: str) -> float:
    """How many strings a first draw chooses from."""
    if kind == "CREDENTIAL":
        return float(10 ** len(form) if form else len(ALNUM) ** SECRET)
    if kind == "IP_ADDRESS":
        return machines(form)
    places = sum(char in "0A" for char in form)
    if kind == "CREDIT_CARD":
        return 9.0 * 10.0 ** (places - 1)
    return 16.0 ** (places - 2) * (4.0 if kind == "UUID" and places == 32 else 1.0)


# Keys, tags and identifiers that are not public become other ones, one to one.
#
# Words outside the public vocabulary are exchanged for invented ones, long numbers for other
# digits; public words, separators and the case of a word stay. A draw depends on noise alone.

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
