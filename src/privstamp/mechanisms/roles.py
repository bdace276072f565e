"""What each word of a name or an address is in it: given name, street, town, legal form.

A role is PUBLIC: a function of the span's type, of closed public lists, and of where a word stands.
It decides from which list a surrogate is drawn. Neighbouring words with one role between them are
drawn as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from privstamp.mechanisms import kept
from privstamp.mechanisms.kept import PLACES, kind_of, people_class, place_class, street_words
from privstamp.text.closed import class_of
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
class WordRole:
    """Words from `first` to `last` of a span are drawn as one `kind`."""

    first: int
    last: int
    kind: str


@dataclass(frozen=True, repr=False)
class SpanWords:
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


_LETTERS: Final = 2
"""Of two given names, written as one."""


def roles(kind: str, span: SpanWords) -> list[WordRole]:
    """The roles of a span's words; a word without one is drawn by the span's type."""
    if kind in _KNOWN and (known := _known(span)):
        return known
    read = _READERS.get(kind)
    return read(span) if read is not None and span.words else []


def _known(span: SpanWords) -> list[WordRole]:
    """A known organisation is drawn as one; a legal form after it stays."""
    for last in range(len(span.words) - 1, -1, -1):
        if kind := kind_of(span.text(0, last)):
            rest = range(last + 1, len(span.words))
            return [WordRole(0, last, kind), *(WordRole(at, at, KEPT) for at in rest)]
        if span.folded(last) not in kept.LEGAL_FORMS:
            break
    return []


def _person(span: SpanWords) -> list[WordRole]:
    """Several people that were taken for one are read one by one."""
    count = len(span.words)
    links = [at for at in range(1, count - 1) if span.words[at] in ("and", "or", "&")]
    roles = [WordRole(at, at, KEPT) for at in links if not span.numbers[at]]
    for before, after in pairwise([-1, *links, count]):
        if before > 0 and span.words[before + 1 : after] == ["I"]:  # and I
            roles.append(WordRole(before + 1, before + 1, KEPT))
        else:
            roles += _one_person(span, before + 1, after - 1)
    return roles


def _one_person(span: SpanWords, begin: int, end: int) -> list[WordRole]:
    front, last = begin, end
    while front < last + (end < len(span.words) - 1) and span.folded(front) in kept.TITLES:
        front += 1
    while last > front and span.folded(last) in kept.ENDINGS:
        last -= 1
    stay = [WordRole(at, at, KEPT) for at in (*range(begin, front), *range(last + 1, end + 1))]
    parts: list[WordRole] = []
    for first, stop in _pieces(span, front, last, _APOSTROPHES):  # O'Brien is one word
        parts.append(WordRole(first, stop, ""))
    parts = _one_particle(span, parts)
    comma = next((n for n, part in enumerate(parts) if "," in span.gaps[part.last]), None)
    named: list[WordRole] = []
    for number, part in enumerate(parts):
        word = span.words[part.first]
        if span.numbers[part.first]:
            continue
        letters = len(word) == _LETTERS and word.isupper() and not span.words[last].isupper()
        if part.first == part.last and (len(word) == 1 or (letters and not number)):  # PJ Tucker
            name = "PERSON_INITIAL"
        elif part.first == part.last and word.islower() and word in kept.SMALL:
            name = KEPT
        elif word.islower() and word in kept.PARTICLES:
            name = "CONNECTING"
        elif (
            part.first == part.last
            and word.isupper()
            and not span.words[last if number == 0 else front].isupper()
        ):
            name = "ORGANIZATION_NAME"  # letters beside a name: Mary Agnes OSB
        elif _joined(span, parts) == 0:  # one word, or hyphens all through
            alone = front == 0 and end == len(span.words) - 1
            mistaken = _mistaken(span, parts) if alone else None
            titled = "PERSON_FAMILY" if front > begin else "PERSON"
            if front > begin and span.folded(front - 1) in kept.CALLED_BY:
                titled = "PERSON_GIVEN"  # sister Ida
            name = mistaken or titled
        elif comma is not None:  # Rowe, Josephine
            name = "PERSON_FAMILY" if number <= comma else "PERSON_GIVEN"
        else:
            name = "PERSON_FAMILY" if number >= _joined(span, parts) else "PERSON_GIVEN"
        named.append(WordRole(part.first, part.last, name))
    return stay + named


def _one_particle(span: SpanWords, parts: Sequence[WordRole]) -> list[WordRole]:
    """Particles in a row ("van der") as one."""
    merged: list[WordRole] = []
    for part in parts:
        small = [span.words[at] in kept.PARTICLES for at in (part.first, part.first - 1) if at >= 0]
        if merged and len(small) == 2 and all(small) and part.first == part.last:
            merged[-1] = WordRole(merged[-1].first, part.last, "")
        else:
            merged.append(part)
    return merged


def _joined(span: SpanWords, parts: Sequence[WordRole]) -> int:
    """Where the last word begins, with all that hyphens join to it."""
    joined = len(parts) - 1
    while joined and span.gaps[parts[joined - 1].last] in ("-", "\u2010", "\u2011"):
        joined -= 1
    return joined


def _mistaken(span: SpanWords, parts: Sequence[WordRole]) -> str | None:
    """The class of a single word that was taken for a person: Danish, Norway."""
    if len(parts) > 1:
        return None
    name = span.text(parts[0].first, parts[0].last)
    return people_class(name) or ("COUNTRY" if name in PLACES["COUNTRY"] else None)


def _pieces(span: SpanWords, first: int, last: int, links: Sequence[str]) -> list[tuple[int, int]]:
    """First and last words of stretches that only `links` lie between."""
    pieces: list[tuple[int, int]] = []
    for at in range(first, last + 1):
        if pieces and span.gaps[at - 1] in links and not span.numbers[at]:
            pieces[-1] = pieces[-1][0], at
        else:
            pieces.append((at, at))
    return pieces


def _runs(span: SpanWords, free: Sequence[bool]) -> list[tuple[int, int]]:
    """Stretches of words without a role that nothing but a blank, hyphen or apostrophe parts."""
    runs: list[tuple[int, int]] = []
    for at in range(len(span.words)):
        if not free[at]:
            continue
        links = (" ", "-", ". ", *_APOSTROPHES)
        if runs and runs[-1][1] == at - 1 and span.gaps[at - 1] in links:
            runs[-1] = runs[-1][0], at
        else:
            runs.append((at, at))
    return runs


def _organisation(span: SpanWords) -> list[WordRole]:
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
        return [WordRole(0, 0, people_class(span.text(0, 0)) or "ORGANIZATION_NAME")]
    free = [not stays[at] and not span.numbers[at] for at in range(count)]
    says = any(stays[at] and span.folded(at) in kept.KINDS | kept.MINISTRIES for at in range(count))
    alone = sum(free) == 1 and not says
    shouted = all(word == word.upper() for word in span.words)
    last = max((at for at in range(count) if free[at]), default=-1)
    roles = [WordRole(at, at, KEPT) for at in range(count) if stays[at]]
    placed: set[int] = set()
    for first, end in _pieces(span, 0, count - 1, (".", ". ")):  # U.S.
        if end > first and free[first] and all(len(span.words[at]) == 1 for at in (first, end - 1)):
            end -= len(span.words[end]) > 1
            name = place_class(span.text(first, end)) or "ORGANIZATION_PART"
            roles.append(WordRole(first, end, name))
            placed.update(range(first, end + 1))
    for first, end in _runs(
        span, [is_free and at not in placed for at, is_free in enumerate(free)]
    ):
        if first and span.folded(first - 1) == "of" and says:
            name = place_class(span.text(first, end)) or "LOCATION"
            roles.append(WordRole(first, end, name))
            placed.update(range(first, end + 1))
    for at in range(count):
        if not free[at] or at in placed:
            continue
        if people := people_class(span.folded(at)):
            name = people
        elif alone or (span.words[at].isupper() and len(span.words[at]) > 1 and not shouted):
            name = "ORGANIZATION_NAME"  # letters among words: NHL Enterprises
        else:
            named = at > 0 and free[at - 1] and at - 1 not in placed and span.gaps[at - 1] == " "
            stands_last = at == last and named and not says  # no Zork & Vant
            name = "ORGANIZATION" if stands_last else "ORGANIZATION_PART"
        roles.append(WordRole(at, at, name))
    return roles


def _small(span: SpanWords, at: int) -> bool:
    word = span.words[at]
    return span.folded(at) in kept.SMALL and (word.islower() or at == 0)


def _letters_of_form(span: SpanWords, at: int) -> bool:
    """Whether a single letter belongs to a legal form with points at the end: S.A., B.V."""
    first = at
    while first and len(span.words[first - 1]) == 1 and span.gaps[first - 1].strip() == ".":
        first -= 1
    letters = span.words[first:]
    if len(span.words[at]) != 1 or first == 0 or any(len(letter) > 1 for letter in letters):
        return False
    return "".join(letters).casefold() in kept.LEGAL_FORMS


def _place(span: SpanWords) -> list[WordRole]:
    place = place_class(span.text(0, len(span.words) - 1))
    if place:
        return [WordRole(0, len(span.words) - 1, place)]
    count = len(span.words)
    if count > 1 and any(span.folded(at) in kept.FACILITIES for at in range(count)):
        return _organisation(span)
    return _address(span)


def _address(span: SpanWords) -> list[WordRole]:
    """Streets, units, towns, states and postcodes; parts lie between commas or lines."""
    count = len(span.words)
    part = [0] * count
    for at in range(1, count):
        part[at] = part[at - 1] + bool(_NEW_PART.search(span.gaps[at - 1]))
    spelt = _postcodes(span)
    says = street_words([span.folded(at) for at in range(count)], span.numbers, part)
    roles: list[WordRole] = []
    free, numbered = [False] * count, [False] * count
    for at in range(count):
        folded = span.folded(at)
        if at in spelt:
            roles.append(WordRole(at, at, SPELT))
        elif span.numbers[at]:
            if span.words[at].isdecimal() and len(span.words[at]) <= 4:
                roles.append(WordRole(at, at, "HOUSE_NUMBER"))
                numbered[at] = at == 0 or part[at] > part[at - 1]
        elif at in says or (_small(span, at) and at):
            roles.append(WordRole(at, at, KEPT))
        elif span.words[at].isupper() and span.words[at] in PLACES["STATE_CODE"] and at:
            roles.append(WordRole(at, at, "STATE_CODE"))
        elif len(span.words[at]) == 1:
            roles.append(WordRole(at, at, SPELT))
        elif folded in kept.PARTICLES and span.words[at].islower():
            again = bool(roles) and roles[-1].kind == "CONNECTING" and roles[-1].last == at - 1
            first = roles.pop().first if again else at  # "de la" as one
            roles.append(WordRole(first, at, "CONNECTING"))
        else:
            free[at] = True
    for first, end in _runs(span, free):
        glued = span.words[end].lower().endswith(kept.GLUED)
        if glued:
            ending = next(e for e in kept.GLUED if span.words[end].lower().endswith(e))
            roles.append(WordRole(first, end, f"STREET_{kept.GLUED.index(ending)}"))
        elif end + 1 in says and part[end + 1] == part[end]:  # Zork Road
            roles.append(WordRole(first, end, "STREET"))
        elif first and numbered[first - 1] and part[first - 1] == part[first]:  # 41 Zork Hill
            hill = end > first and span.folded(end) in kept.NUMBERED
            roles += [WordRole(end, end, KEPT)] if hill else []
            roles.append(WordRole(first, end - hill, "STREET"))
        elif first - 1 in says and part[first - 1] == part[first]:
            before = first > 1 and free[first - 2] and part[first - 2] == part[first]
            roles.append(WordRole(first, end, "LOCATION" if before else "STREET"))
        elif _after_way(span, first, part, says):  # rue de la Zork
            roles.append(WordRole(first, end, "STREET"))
        else:
            roles.append(WordRole(first, end, place_class(span.text(first, end)) or "LOCATION"))
    return roles


def _after_way(span: SpanWords, first: int, part: Sequence[int], says: Container[int]) -> bool:
    """Whether only small words lie between a street word and this word."""
    at = first - 1
    while at >= 0 and part[at] == part[first] and span.folded(at) in kept.PARTICLES | kept.SMALL:
        at -= 1
    return at >= 0 and part[at] == part[first] and at in says


def _postcodes(span: SpanWords) -> set[int]:
    """Words of what looks like a postcode and is not a house number at the front."""
    text = span.text(0, len(span.words) - 1)
    starts, position = [], 0
    for word, gap in zip(span.words, span.gaps, strict=True):
        starts.append(position)
        position += len(word) + len(gap)
    return {
        at
        for match in _POSTCODE.finditer(text)
        if match.start() > 0 or match.end() == len(text)
        for at, start in enumerate(starts)
        if match.start() <= start < match.end()
    }


def _people(span: SpanWords) -> list[WordRole]:
    return [
        WordRole(at, at, people_class(span.folded(at)) or "NRP")
        for at in range(len(span.words))
        if not span.numbers[at] and not (_small(span, at) and len(span.words) > 1)
    ]


_OF_AGES: Final = frozenset(
    words("aged age of old year years yr yrs yo month months week weeks day days young y o")
)
"""What an age is written with beside its number."""


def _age(span: SpanWords) -> list[WordRole]:
    """An age in words is one: ninety-two, a hundred and three; so is its ordinal: ninety-second."""
    classes = [class_of(word) for word in span.words]
    roles: list[WordRole] = []
    for at, kind in enumerate(classes):
        if span.folded(at) in _OF_AGES:
            roles.append(WordRole(at, at, KEPT))
        if kind not in ("CARDINAL", "ORDINAL_WORD") and not _counts(span, at):
            continue
        name = "AGE_ORDINAL" if kind == "ORDINAL_WORD" else "AGE_WORDS"
        before = roles[-1] if roles and roles[-1].kind != KEPT else None
        if before and before.last == at - 1 and span.gaps[at - 1] in ("-", " "):
            roles[-1] = WordRole(roles[-1].first, at, name)
        else:
            roles.append(WordRole(at, at, name))
    return roles


def _counts(span: SpanWords, at: int) -> bool:
    """Whether a small word is part of a number: a hundred and three, one hundredth."""
    word = span.folded(at)
    if word in ("hundred", "hundredth"):
        return True
    near = [span.folded(place) for place in (at - 1, at + 1) if 0 <= place < len(span.words)]
    return word in ("a", "and", "one") and not {"hundred", "hundredth"}.isdisjoint(near)


_READERS: Final[dict[str, Callable[[SpanWords], list[WordRole]]]] = {
    "PERSON": _person,
    "ORGANIZATION": _organisation,
    "LOCATION": _place,
    "ADDRESS": _address,
    "NRP": _people,
    "AGE": _age,
}
