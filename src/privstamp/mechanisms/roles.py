"""What each word of a name or an address is in it: given name, street, town, legal form.

A role is PUBLIC: a function of the span's type, of closed public lists, and of where a word stands.
It decides from which list a surrogate is drawn. Neighbouring words with one role between them are
drawn as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from privstamp.mechanisms import kept
from privstamp.mechanisms.closed import class_of
from privstamp.mechanisms.organisations import kind_of
from privstamp.mechanisms.places import POOLS, people_class, place_class
from privstamp.text.terms import words

KEPT: Final = "KEPT"
"""The role of a word that stays as it is written."""
SPELT: Final = "CODE"
"""The role of what is replaced digit for digit and letter for letter."""
_KNOWN: Final = frozenset({"ORGANIZATION", "PRODUCT", "MISC", "EVENT", "WORK_OF_ART", "RARE"})
_POSTCODE: Final = re.compile(
    r"\b(?:[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}|\d{5}(?:-\d{3,4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d"
    r"|\d{4} ?[A-Z]{2}|\d{4}-\d{3}|\d\d-\d{3}|(?:[A-Z]{1,2}-)\d{4,5}|\d{4,6}(?=\s+[^\W\d_]))\b"
)
_NEW_PART: Final = re.compile(r"[,;\n]")
_APOSTROPHES: Final = ("'", "\u2019")


@dataclass(frozen=True, slots=True)
class Role:
    """Words from `first` to `last` of a span are drawn as one `kind`."""

    first: int
    last: int
    kind: str


@dataclass(frozen=True, repr=False)
class Span:
    """PRIVATE. The words of a finding and what lies after each of them."""

    words: Sequence[str]
    gaps: Sequence[str]
    numbers: Sequence[bool]  # digits, codes, symbols: what has a form instead of a meaning

    def text(self, first: int, last: int) -> str:
        """Words and gaps from one word to another, without a possessive at the end."""
        pieces = [word + gap for word, gap in zip(self.words, self.gaps, strict=True)]
        end = self.words[last].removesuffix("'s").removesuffix("\u2019s")
        return "".join([*pieces[first:last], end])

    def folded(self, index: int) -> str:
        return self.words[index].casefold().removesuffix("'s").removesuffix("\u2019s")


def roles(kind: str, span: Span) -> list[Role]:
    """The roles of a span's words; a word without one is drawn by the span's type."""
    if kind in _KNOWN and (known := _known(span)):
        return known
    read = _READERS.get(kind)
    return read(span) if read is not None and span.words else []


def _known(span: Span) -> list[Role]:
    """A known organisation is drawn as one; a legal form after it stays."""
    for last in range(len(span.words) - 1, -1, -1):
        if kind := kind_of(span.text(0, last)):
            rest = range(last + 1, len(span.words))
            return [Role(0, last, kind), *(Role(at, at, KEPT) for at in rest)]
        if span.folded(last) not in kept.LEGAL_FORMS:
            break
    return []


def _person(span: Span) -> list[Role]:
    """Several people that were taken for one are read one by one."""
    count = len(span.words)
    links = [at for at in range(1, count - 1) if span.words[at] in ("and", "or", "&")]
    found = [Role(at, at, KEPT) for at in links if not span.numbers[at]]
    for before, after in pairwise([-1, *links, count]):
        if before > 0 and span.words[before + 1 : after] == ["I"]:  # and I
            found.append(Role(before + 1, before + 1, KEPT))
        else:
            found += _one_person(span, before + 1, after - 1)
    return found


def _one_person(span: Span, begin: int, end: int) -> list[Role]:
    front, last = begin, end
    while front < last + (end < len(span.words) - 1) and span.folded(front) in kept.TITLES:
        front += 1
    while last > front and span.folded(last) in kept.ENDINGS:
        last -= 1
    stay = [Role(at, at, KEPT) for at in (*range(begin, front), *range(last + 1, end + 1))]
    parts: list[Role] = []
    for first, stop in _pieces(span, front, last, _APOSTROPHES):  # O'Brien is one word
        parts.append(Role(first, stop, ""))
    parts = _one_particle(span, parts)
    comma = next((n for n, part in enumerate(parts) if "," in span.gaps[part.last]), None)
    named: list[Role] = []
    for number, part in enumerate(parts):
        word = span.words[part.first]
        if span.numbers[part.first]:
            continue
        if part.first == part.last and len(word) == 1:
            name = "PERSON_INITIAL"
        elif part.first == part.last and word.islower() and word in kept.SMALL:
            name = KEPT
        elif word.islower() and word in kept.PARTICLES:
            name = "CONNECTING"
        elif _joined(span, parts) == 0:  # one word, or hyphens all through
            name = _mistaken(span, parts) or "PERSON" if front == begin else "PERSON_FAMILY"
        elif comma is not None:  # Rowe, Josephine
            name = "PERSON_FAMILY" if number <= comma else "PERSON_GIVEN"
        else:
            name = "PERSON_FAMILY" if number >= _joined(span, parts) else "PERSON_GIVEN"
        named.append(Role(part.first, part.last, name))
    return stay + named


def _one_particle(span: Span, parts: Sequence[Role]) -> list[Role]:
    """Particles in a row ("van der") as one."""
    merged: list[Role] = []
    for part in parts:
        small = [span.words[at] in kept.PARTICLES for at in (part.first, part.first - 1) if at >= 0]
        if merged and len(small) == 2 and all(small) and part.first == part.last:
            merged[-1] = Role(merged[-1].first, part.last, "")
        else:
            merged.append(part)
    return merged


def _joined(span: Span, parts: Sequence[Role]) -> int:
    """Where the last word begins, with all that hyphens join to it."""
    joined = len(parts) - 1
    while joined and span.gaps[parts[joined - 1].last] in ("-", "\u2010", "\u2011"):
        joined -= 1
    return joined


def _mistaken(span: Span, parts: Sequence[Role]) -> str | None:
    """The class of a single word that was taken for a person: Danish, Norway."""
    if len(parts) > 1:
        return None
    name = span.text(parts[0].first, parts[0].last)
    return people_class(name) or ("COUNTRY" if name in POOLS["COUNTRY"] else None)


def _pieces(span: Span, first: int, last: int, links: Sequence[str]) -> list[tuple[int, int]]:
    """First and last words of stretches that only `links` lie between."""
    pieces: list[tuple[int, int]] = []
    for at in range(first, last + 1):
        if pieces and span.gaps[at - 1] in links and not span.numbers[at]:
            pieces[-1] = pieces[-1][0], at
        else:
            pieces.append((at, at))
    return pieces


def _runs(span: Span, free: Sequence[bool]) -> list[tuple[int, int]]:
    """Stretches of words without a role that nothing but a blank, hyphen or apostrophe parts."""
    found: list[tuple[int, int]] = []
    for at in range(len(span.words)):
        if not free[at]:
            continue
        links = (" ", "-", ". ", *_APOSTROPHES)
        if found and found[-1][1] == at - 1 and span.gaps[at - 1] in links:
            found[-1] = found[-1][0], at
        else:
            found.append((at, at))
    return found


def _organisation(span: Span) -> list[Role]:
    count = len(span.words)
    ministry = any(span.folded(at) in kept.MINISTRIES for at in range(count))
    closed = (
        kept.LEGAL_FORMS
        | kept.KINDS
        | {"st", "saint"}
        | (kept.PORTFOLIOS if ministry else frozenset())
    )
    stays = [
        not span.numbers[at]
        and (span.folded(at) in closed or _small(span, at) or _letters_of_form(span, at))
        for at in range(count)
    ]
    if count == 1:
        return [Role(0, 0, people_class(span.text(0, 0)) or "ORGANIZATION_NAME")]
    free = [not stays[at] and not span.numbers[at] for at in range(count)]
    says = any(stays[at] and span.folded(at) in kept.KINDS | kept.MINISTRIES for at in range(count))
    alone = sum(free) == 1 and not says
    last = max((at for at in range(count) if free[at]), default=-1)
    found = [Role(at, at, KEPT) for at in range(count) if stays[at]]
    placed: set[int] = set()
    for first, end in _pieces(span, 0, count - 1, (".", ". ")):  # U.S.
        if end > first and free[first] and all(len(span.words[at]) == 1 for at in (first, end - 1)):
            end -= len(span.words[end]) > 1
            name = place_class(span.text(first, end)) or "ORGANIZATION_PART"
            found.append(Role(first, end, name))
            placed.update(range(first, end + 1))
    for first, end in _runs(span, [one and at not in placed for at, one in enumerate(free)]):
        if first and span.folded(first - 1) == "of" and says:
            name = place_class(span.text(first, end)) or "LOCATION"
            found.append(Role(first, end, name))
            placed.update(range(first, end + 1))
    for at in range(count):
        if not free[at] or at in placed:
            continue
        if people := people_class(span.folded(at)):
            name = people
        elif alone:
            name = "ORGANIZATION_NAME"
        else:
            named = at > 0 and free[at - 1] and at - 1 not in placed and span.gaps[at - 1] == " "
            stands_last = at == last and named and not says  # no Zork & Vant
            name = "ORGANIZATION" if stands_last else "ORGANIZATION_PART"
        found.append(Role(at, at, name))
    return found


def _small(span: Span, at: int) -> bool:
    word = span.words[at]
    return span.folded(at) in kept.SMALL and (word.islower() or at == 0)


def _letters_of_form(span: Span, at: int) -> bool:
    """Whether a single letter belongs to a legal form with points at the end: S.A., B.V."""
    first = at
    while first and len(span.words[first - 1]) == 1 and span.gaps[first - 1].strip() == ".":
        first -= 1
    letters = span.words[first:]
    if len(span.words[at]) != 1 or first == 0 or any(len(letter) > 1 for letter in letters):
        return False
    return "".join(letters).casefold() in kept.LEGAL_FORMS


def _place(span: Span) -> list[Role]:
    whole = place_class(span.text(0, len(span.words) - 1))
    if whole:
        return [Role(0, len(span.words) - 1, whole)]
    count = len(span.words)
    if count > 1 and any(span.folded(at) in kept.FACILITIES for at in range(count)):
        return _organisation(span)
    return _address(span)


def _address(span: Span) -> list[Role]:
    """Streets, units, towns, states and postcodes; parts lie between commas or lines."""
    count = len(span.words)
    part = [0] * count
    for at in range(1, count):
        part[at] = part[at - 1] + bool(_NEW_PART.search(span.gaps[at - 1]))
    spelt = _postcodes(span)
    found: list[Role] = []
    free, numbered = [False] * count, [False] * count
    for at in range(count):
        folded = span.folded(at)
        if at in spelt:
            found.append(Role(at, at, SPELT))
        elif span.numbers[at]:
            if span.words[at].isdecimal() and len(span.words[at]) <= 4:
                found.append(Role(at, at, "HOUSE_NUMBER"))
                numbered[at] = at == 0 or part[at] > part[at - 1]
        elif _says(span, at, part) or (_small(span, at) and at):
            found.append(Role(at, at, KEPT))
        elif span.words[at].isupper() and span.words[at] in POOLS["STATE_CODE"] and at:
            found.append(Role(at, at, "STATE_CODE"))
        elif len(span.words[at]) == 1:
            found.append(Role(at, at, SPELT))
        elif folded in kept.PARTICLES and span.words[at].islower():
            found.append(Role(at, at, "CONNECTING"))
        else:
            free[at] = True
    for first, end in _runs(span, free):
        glued = span.words[end].lower().endswith(kept.GLUED)
        if glued:
            ending = next(e for e in kept.GLUED if span.words[end].lower().endswith(e))
            found.append(Role(first, end, f"STREET_{kept.GLUED.index(ending)}"))
        elif _says(span, end + 1, part) and part[end + 1] == part[end]:  # Zork Road
            found.append(Role(first, end, "STREET"))
        elif first and numbered[first - 1] and part[first - 1] == part[first]:  # 41 Zork Hill
            hill = end > first and span.folded(end) in kept.NUMBERED
            found += [Role(end, end, KEPT)] if hill else []
            found.append(Role(first, end - hill, "STREET"))
        elif first and _says(span, first - 1, part) and part[first - 1] == part[first]:
            before = first > 1 and free[first - 2] and part[first - 2] == part[first]
            found.append(Role(first, end, "LOCATION" if before else "STREET"))
        elif _after_way(span, first, part):  # rue de la Zork
            found.append(Role(first, end, "STREET"))
        else:
            found.append(Role(first, end, place_class(span.text(first, end)) or "LOCATION"))
    return found


def _after_way(span: Span, first: int, part: Sequence[int]) -> bool:
    """Whether only small words lie between a street word and this word."""
    at = first - 1
    while at >= 0 and part[at] == part[first] and span.folded(at) in kept.PARTICLES | kept.SMALL:
        at -= 1
    return at >= 0 and part[at] == part[first] and _says(span, at, part)


def _says(span: Span, at: int, part: Sequence[int]) -> bool:
    """Whether a word says what a place is; `St.` before a word of its part is a saint."""
    if not 0 <= at < len(span.words) or len(span.words) == 1:
        return False
    folded = span.folded(at)
    if folded == "st" and at + 1 < len(span.words) and part[at] == part[at + 1]:
        return at > 0 and part[at - 1] == part[at] and span.numbers[at + 1]
    return folded in kept.STREETS | kept.UNITS | kept.LAND


def _postcodes(span: Span) -> set[int]:
    """Words of what looks like a postcode and is not a house number at the front."""
    text = span.text(0, len(span.words) - 1)
    starts, position = [], 0
    for word, gap in zip(span.words, span.gaps, strict=True):
        starts.append(position)
        position += len(word) + len(gap)
    return {
        at
        for match in _POSTCODE.finditer(text)
        if match.start() > 0
        for at, start in enumerate(starts)
        if match.start() <= start < match.end()
    }


def _people(span: Span) -> list[Role]:
    return [
        Role(at, at, people_class(span.folded(at)) or "NRP")
        for at in range(len(span.words))
        if not span.numbers[at] and not (_small(span, at) and len(span.words) > 1)
    ]


_OF_AGES: Final = frozenset(
    words("aged age of old year years yr yrs yo month months week weeks day days young y o")
)
"""What an age is written with beside its number."""


def _age(span: Span) -> list[Role]:
    """An age in words is one: ninety-two, a hundred and three; so is its ordinal: ninety-second."""
    classes = [class_of(word) for word in span.words]
    found: list[Role] = []
    for at, kind in enumerate(classes):
        if span.folded(at) in _OF_AGES:
            found.append(Role(at, at, KEPT))
        if kind not in ("CARDINAL", "ORDINAL_WORD") and not _counts(span, at):
            continue
        name = "AGE_ORDINAL" if kind == "ORDINAL_WORD" else "AGE_WORDS"
        before = found[-1] if found and found[-1].kind != KEPT else None
        if before and before.last == at - 1 and span.gaps[at - 1] in ("-", " "):
            found[-1] = Role(found[-1].first, at, name)
        else:
            found.append(Role(at, at, name))
    return found


def _counts(span: Span, at: int) -> bool:
    """Whether a small word is part of a number: a hundred and three, one hundredth."""
    word = span.folded(at)
    if word in ("hundred", "hundredth"):
        return True
    near = [span.folded(place) for place in (at - 1, at + 1) if 0 <= place < len(span.words)]
    return word in ("a", "and", "one") and not {"hundred", "hundredth"}.isdisjoint(near)


_READERS: Final[dict[str, Callable[[Span], list[Role]]]] = {
    "PERSON": _person,
    "ORGANIZATION": _organisation,
    "LOCATION": _place,
    "ADDRESS": _address,
    "NRP": _people,
    "AGE": _age,
}
