"""Which given names follow "he" and which "she", told by words that leave as they are written.

The names themselves are never looked at: only where they stand, which of them are equal, and the
released words around them. All of that is PUBLIC, so a draw that follows it tells nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privstamp.mechanisms.wordlists import words

HE, SHE = "HE", "SHE"
_SIDES: Final = {
    **dict.fromkeys(words("he him his himself"), HE),
    **dict.fromkeys(words("she her hers herself"), SHE),
}
_BEFORE: Final = {
    **dict.fromkeys(
        words(
            "mr sir herr señor sr don signor monsieur lord father brother uncle son husband "
            "dad grandfather nephew mister boyfriend grandson stepfather stepson"
        ),
        HE,
    ),
    **dict.fromkeys(
        words(
            "mrs ms miss madam frau señora sra doña signora madame mme lady dame mother sister "
            "aunt auntie daughter wife mum mom grandmother niece girlfriend granddaughter "
            "stepmother stepdaughter"
        ),
        SHE,
    ),
}
"""Directly before a name."""
_AFTER: Final = {
    **dict.fromkeys(words("man gentleman male boy"), HE),
    **dict.fromkeys(words("woman lady female girl"), SHE),
}
"""Within a few words after it: a 58-year-old man."""
_REACH, _FAR, _BESIDE = 8, 60, 2
_STRONG, _MIDDLE = 8, 4


@dataclass(frozen=True, slots=True)
class Mention:
    """A person's name in the text: its units, and which names (by number) are its given ones."""

    first: int
    last: int
    given: tuple[int, ...]
    family: tuple[int, ...]


def sides(mentions: Sequence[Mention], released: Mapping[int, str]) -> dict[int, str]:
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
    return {name: side for name, told in told_by_name.items() if (side := _majority(told))}


def _around(mention: Mention, stop: int, released: Mapping[int, str]) -> Counter[str]:
    told: Counter[str] = Counter()
    for at in range(mention.first - _BESIDE, mention.last + 1):
        if (side := _BEFORE.get(released.get(at, ""))) is not None:
            told[side] += _STRONG
    for at in range(mention.last + 1, min(stop, mention.last + _FAR)):
        word = released.get(at, "")
        if at <= mention.last + _REACH and (side := _AFTER.get(word)) is not None:
            told[side] += _MIDDLE
        if (side := _SIDES.get(word)) is not None:
            told[side] += 1
    return told


def _majority(told: Counter[str]) -> str | None:
    if told[HE] == told[SHE]:
        return None
    return HE if told[HE] > told[SHE] else SHE
