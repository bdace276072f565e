"""Words that stay as they are inside a name or an address, because they only say what it is.

Closed lists of common words. That one of them stands there is PUBLIC, and the certificate says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privstamp.mechanisms.wordlists import INSTITUTIONS, LISTS

_LISTS: Final = {name: frozenset(names) for name, names in LISTS.items()}
TITLES, ENDINGS = _LISTS["TITLES"], _LISTS["ENDINGS"]
"""Before a person's name, and after it."""
CALLED_BY: Final = _LISTS["CALLED_BY"]
"""Before somebody's given name: my sister Keisha, Sir Gawain."""
LEGAL_FORMS: Final = _LISTS["LEGAL_FORMS"]
KINDS: Final = frozenset(word.casefold() for word in INSTITUTIONS) | _LISTS["KINDS"]
FACILITIES: Final = _LISTS["FACILITIES"]
"""Of these kinds, those that are taken for places."""
MINISTRIES, PORTFOLIOS = _LISTS["MINISTRIES"], _LISTS["PORTFOLIOS"]
"""And what a ministry is for."""
SMALL, PARTICLES = _LISTS["SMALL"], _LISTS["PARTICLES"]
"""Inside a name; for small words of other languages another one is drawn."""
BEFORE: Final = _LISTS["BEFORE"]
STREETS: Final = _LISTS["STREETS"] | BEFORE
NUMBERED: Final = _LISTS["NUMBERED"]
"""Ends of a street's name where a house number stands before it; elsewhere they may be names."""
GLUED: Final = ("strasse", "straße", "straat", "gasse", "platz", "allee", "weg", "gatan", "gata")
"""Ends of a street's name that is one word."""
UNITS: Final = _LISTS["UNITS"]
COMPASS: Final = _LISTS["COMPASS"]
LAND: Final = _LISTS["LAND"] | COMPASS
"""What a place is, and where it lies; no common family names."""

# Which given names follow "he" and which "she", told by words that leave as they are written.
#
# The names themselves are never looked at: only where they stand, which of them are equal, and the
# released words around them. All of that is PUBLIC, so a draw that follows it tells nothing more.

HE, SHE = "HE", "SHE"


def _sides(prefix: str) -> dict[str, str]:
    return {word: side for side in (HE, SHE) for word in _LISTS[prefix + side]}


_PRONOUNS, _BEFORE, _AFTER = map(_sides, ("", "BEFORE_", "AFTER_"))
"""Directly before a name; and within a few words after it: a 58-year-old man."""
_REACH, _FAR, _BESIDE = 8, 60, 2
_STRONG, _MIDDLE = 8, 4


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A person's name in the text: its units, and which names (by number) are its given ones."""

    first: int
    last: int
    given: tuple[int, ...]
    family: tuple[int, ...]


def sides(mentions: Sequence[PersonMention], released: Mapping[int, str]) -> dict[int, str]:
    """For each name that can be told its side, by number.

    `released` are the units that leave as they are written, folded; others are not looked at.
    """
    votes: dict[int, Counter[str]] = {}
    shared: dict[int, Counter[str]] = {}
    for number, mention in enumerate(mentions):
        stop = mentions[number + 1].first if number + 1 < len(mentions) else mention.last + _FAR
        told = _around(mention, stop, released)
        for name in mention.given:
            votes.setdefault(name, Counter()).update(told)
        for name in mention.family:
            shared.setdefault(name, Counter()).update(told)
    for mention in mentions:  # "Mr. Rowe" tells of "J. Rowe" where nothing else does
        for name in mention.given:
            if not votes[name]:
                for family in mention.family:
                    if len(shared[family]) == 1:
                        votes[name].update(shared[family])
    told_by_name = {**shared, **votes}
    told_sides = {name: side for name, told in told_by_name.items() if (side := _majority(told))}
    return _by_turns(mentions) | told_sides


def _by_turns(mentions: Sequence[PersonMention]) -> dict[int, str]:
    """Several given names of somebody of whom nothing tells are of one side all the same."""
    several = [mention.given for mention in mentions if len(mention.given) > 1]
    return {name: (HE, SHE)[turn % 2] for turn, names in enumerate(several) for name in names}


def _around(mention: PersonMention, stop: int, released: Mapping[int, str]) -> Counter[str]:
    told: Counter[str] = Counter()
    for at in range(mention.first - _BESIDE, mention.last + 1):
        if (side := _BEFORE.get(released.get(at, ""))) is not None:
            told[side] += _STRONG
    for at in range(mention.last + 1, min(stop, mention.last + _FAR)):
        word = released.get(at, "")
        if at <= mention.last + _REACH and (side := _AFTER.get(word)) is not None:
            told[side] += _MIDDLE
        if (side := _PRONOUNS.get(word)) is not None:
            told[side] += 1
    return told


def _majority(told: Counter[str]) -> str | None:
    if told[HE] == told[SHE]:
        return None
    return HE if told[HE] > told[SHE] else SHE


# Which words of an address only say what a part of it is: Street, Suite, Calle.


def street_words(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int]) -> set[int]:
    """Their places among folded `words`; `part` numbers what commas and lines part.

    In a street's name one word alone stands for the street: of Wharf Street the last, of Calle de
    la Plaza the first. The others are its name, whatever they mean elsewhere.
    """
    if len(words) == 1:
        return set()
    says = {at for at in range(len(words)) if _says(words, numbers, part, at)}
    for first, last in _stretches(words, numbers, part):
        ways = [at for at in range(first, last + 1) if words[at] in STREETS and at in says]
        numbered = first > 0 and numbers[first - 1] and part[first - 1] == part[first]
        if words[first] in BEFORE:
            says.difference_update(range(first + 1, last + 1))
        elif ways:
            says.difference_update(range(first, ways[-1]))
        elif numbered:  # 88 Harbour Zork, 14 North Hill
            end = last if words[last] in LAND and words[last] not in COMPASS else last + 1
            says.difference_update(range(first, end))
    return says


def _says(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int], at: int) -> bool:
    """Whether a word may say what a place is; `St.` before a word of its part is a saint."""
    if words[at] == "st" and at + 1 < len(words) and part[at] == part[at + 1]:
        return at > 0 and part[at - 1] == part[at] and numbers[at + 1]
    return words[at] in STREETS | UNITS | LAND


def _stretches(
    words: Sequence[str], numbers: Sequence[bool], part: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """First and last words between numbers, commas and parts of buildings."""
    first = None
    for at in range(len(words)):
        if numbers[at] or (words[at] in UNITS and not _names(words, numbers, part, at)):
            first = None
            continue
        if first is None:
            first = at
        after = at + 1
        if after == len(words) or numbers[after] or part[after] != part[at]:
            yield first, at
            first = None
        elif words[after] in UNITS and not _names(words, numbers, part, after):
            yield first, at


def _names(words: Sequence[str], numbers: Sequence[bool], part: Sequence[int], at: int) -> bool:
    """Whether a word such as House is followed by others, as in House Street."""
    after = at + 1
    if after == len(words) or part[after] != part[at] or numbers[after]:
        return False
    return len(words[after]) > 1
