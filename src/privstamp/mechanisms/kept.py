"""What is known of names: words that stay as they are inside one, and whole ones by their kind.

Closed lists of common words. That one of them stands there is PUBLIC, and the certificate says so.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from privstamp.mechanisms.wordlists import DATA, INSTITUTIONS, LISTS

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


# Known places, peoples and organisations: a country for a country, a bank for a bank.
#
# Which class a name belongs to is PUBLIC, a function of the name alone; which name of it, is not.

Lists: TypeAlias = dict[str, tuple[str, ...]]


def _read() -> dict[str, Lists]:
    content = (DATA / "known.toml").read_text(encoding="utf-8")
    return {
        table: {kind: _listed(text) for kind, text in lists.items()}
        for table, lists in tomllib.loads(content).items()
    }


def _listed(text: str) -> tuple[str, ...]:
    """A list of names of one or several words, separated by commas."""
    return tuple(" ".join(name.split()) for name in text.split(",") if name.strip())


_KNOWN: Final = _read()
PLACES: Final = _KNOWN["places"]
ORGANISATIONS: Final = _KNOWN["organisations"]
_PLACES, _ORGANISATIONS = _KNOWN["places_beside"], _KNOWN["organisations_beside"]
"""Names that are of a class and never drawn: they mean other things too, or are short."""
_CLASS: Final = {
    name.casefold().replace(".", ""): kind
    for kind in ("CONTINENT", "REGION", "STATE", "COUNTRY", "COUNTRY_WITH_THE")
    for name in PLACES[kind] + _PLACES[kind]
}
_PEOPLE: Final = {
    name.casefold(): kind
    for kind in ("RELIGION", "NATIONALS", "NRP")
    for name in PLACES[kind] + _PLACES[kind]
}


def place_class(name: str) -> str | None:
    """Of a name of a place that is no town: its class.

    >>> [place_class(name) for name in ("U.S.", "North Dakota", "Bavaria", "Leeds")]
    ['COUNTRY_WITH_THE', 'STATE', 'REGION', None]
    """
    plain = name.casefold().replace(".", "").removeprefix("the ")
    return _CLASS.get(plain.replace(" ", "") if len(plain) < 6 else plain) or _CLASS.get(plain)


def people_class(word: str) -> str | None:
    """Of a word for a people: whether it means one of them, many, or a faith.

    >>> [people_class(word) for word in ("Norwegian", "Poles", "Catholic", "Zork")]
    ['NRP', 'NATIONALS', 'RELIGION', None]
    """
    return _PEOPLE.get(word.casefold())


def folded(name: str) -> str:
    """As names are looked up: in any case, without points, hyphens as blanks."""
    plain = name.casefold().replace(".", "").replace("-", " ").replace("\u2019", "'")
    return " ".join(plain.removeprefix("the ").split())


_KINDS: Final[Mapping[str, str]] = {
    folded(name): kind
    for lists in (_ORGANISATIONS, ORGANISATIONS)
    for kind in lists
    for name in lists[kind]
}


def kind_of(name: str) -> str | None:
    """The kind of a known organisation.

    >>> [kind_of(name) for name in ("Deutsche Bank", "the BBC", "Kestrel Logistics")]
    ['ORG_BANK', 'ORG_BROADCASTER', None]
    """
    return _KINDS.get(folded(name))
