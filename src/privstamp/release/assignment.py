"""Which units of a document are drawn as one, and as what: all of it PUBLIC labels of the release.

A span that is one thing (an e-mail address, a telephone number, a secret) is one slot. Names and
addresses have roles (see `mechanisms.roles`), and given names follow released pronouns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.gender import Mention, sides
from privstamp.mechanisms.kept import TITLES
from privstamp.mechanisms.mail import Person
from privstamp.mechanisms.roles import KEPT, Span, roles
from privstamp.mechanisms.values import Values
from privstamp.protocols import Replacement
from privstamp.release.groups import NO_SPAN, Grouping
from privstamp.sensitivity.kinds import SECRETS, is_identifier
from privstamp.text.dates import read_date
from privstamp.types import Kind, Label, Units

GIVEN, FAMILY, SINGLE = "PERSON_GIVEN", "PERSON_FAMILY", "PERSON"
INITIAL = "PERSON_INITIAL"
_FIRMS = ("ORGANIZATION", "ORGANIZATION_NAME", "ORGANIZATION_PART")
_NAMED = (GIVEN, FAMILY, SINGLE)
_WORDS = (Kind.WORD, Kind.FOREIGN)
_MOST = 64
"""Words of a span that roles are looked for in: a longer one is no name."""


@dataclass(repr=False)
class Assignment:
    """By unit: how slots are cut, and the type that decides each one's pool."""

    spans: dict[int, tuple[int, int]]  # first and last unit of each finding
    joined: dict[int, int] = field(default_factory=dict)  # first unit of a slot to its last
    whole: dict[int, str] = field(default_factory=dict)  # first unit of a span that is one slot
    names: dict[int, str] = field(default_factory=dict)  # what a unit is drawn as
    stay: set[int] = field(default_factory=set)  # units that leave as they are written
    dotted: set[int] = field(default_factory=set)  # slots that take in the point after them
    tails: dict[int, int] = field(default_factory=dict)  # where secrets end in signs: hunter2!
    people: list[Person] = field(default_factory=list)
    initials: dict[int, str] = field(default_factory=dict)  # the given name whose letter a unit is

    def join(self, first: int, last: int) -> None:
        if last > first:
            self.joined[first] = last


class Assigner:
    """Reads one document."""

    def __init__(
        self,
        units: Units,
        grouping: Grouping,
        mask: npt.NDArray[np.bool_],
        replacements: Mapping[int, Replacement],
        as_written: npt.NDArray[np.bool_] | None = None,
        values: Values | None = None,
        people: Iterable[Person] = (),
    ) -> None:
        """`people` of earlier texts: initials may be theirs."""
        self._earlier = people
        self._units, self._grouping, self._mask = units, grouping, mask
        self._replacements, self._values = replacements, values or Values()
        self._as_written = np.zeros(len(units), bool) if as_written is None else as_written
        self._people: list[tuple[int, int, dict[int, str]]] = []
        self._initials: list[tuple[int, list[int]]] = []  # of which person, and where they stand

    def assign(self) -> Assignment:
        numbers, firsts, sizes = np.unique(
            self._grouping.spans, return_index=True, return_counts=True
        )
        result = Assignment(
            {
                int(number): (int(first), int(first + size - 1))
                for number, first, size in zip(numbers, firsts, sizes, strict=True)
                if number != NO_SPAN
            }
        )
        for number, (first, last) in result.spans.items():
            self._span(result, number, first, last)
        self._name_people(result)
        return result

    def _span(self, result: Assignment, number: int, first: int, last: int) -> None:
        finding = self._grouping.findings[number]
        replacement = self._replacements[int(self._grouping.groups[first])]
        masked = bool(self._mask[first : last + 1].all())
        finding_text = self._units.text[self._units.starts[first] : self._units.ends[last]]
        pieces = bool((self._units.kinds[first : last + 1] == Kind.PIECE).any())
        if finding.kind == "DATE" and replacement.shaped and read_date(finding_text) is None:
            return  # goes word by word
        valued = self._values.taking(finding.kind, finding_text)
        if valued or replacement.whole(finding.kind) or pieces:
            if masked:
                result.whole[first] = finding.kind
                result.join(first, last)
                self._take_tail(result, number, first, last)
            return
        if not replacement.shaped or last - first >= _MOST:
            return
        parts = roles(finding.kind, self._words(first, last))
        if not parts and masked and is_identifier(finding, self._units.text):
            result.whole[first] = finding.kind
            result.join(first, last)
        for part in parts:
            start, end = first + part.first, first + part.last
            if part.kind == KEPT:
                result.stay.update(range(start, end + 1))
                continue
            if self._mask[start : end + 1].all():
                result.join(start, end)
                if end > start and self._swallows(start, end):
                    result.dotted.add(start)
            result.names.update(dict.fromkeys(range(start, end + 1), part.kind))
        if finding.kind == "PERSON":
            people = {first + part.first: part.kind for part in parts if part.kind in _NAMED}
            letters = [first + part.first for part in parts if part.kind == INITIAL]
            if letters:
                self._initials.append((len(self._people), letters))
            self._people.append((first, last, people))

    def _take_tail(self, result: Assignment, number: int, first: int, last: int) -> None:
        """Signs at the end of a secret are a part of it, though no unit has them."""
        units, finding = self._units, self._grouping.findings[number]
        stop = int(units.starts[last + 1]) if last + 1 < len(units) else len(units.text)
        if finding.kind in SECRETS and int(units.ends[last]) < finding.end <= stop:
            result.tails[first] = finding.end

    def _swallows(self, first: int, last: int) -> bool:
        """Whether a point after single letters belongs to them, as in "the U.S. said"."""
        units = self._units
        letters = all(units.ends[at] - units.starts[at] == 1 for at in range(first, last + 1))
        after = units.text[units.ends[last] : units.ends[last] + 3]
        follower = units.text[units.starts[last + 1]] if last + 1 < len(units) else "A"
        named = last + 1 < len(units) and units.labels[last + 1] & Label.TITLE
        inside = named and self._grouping.spans[last + 1] == self._grouping.spans[last]
        return letters and after[:2] == ". " and (follower.islower() or bool(inside))

    def _words(self, first: int, last: int) -> Span:
        units = self._units
        inside = range(first, last + 1)
        return Span(
            [units.surface(at) for at in inside],
            [units.text[units.ends[at] : units.starts[at + 1]] for at in inside[:-1]] + [""],
            [units.kinds[at] not in _WORDS for at in inside],
        )

    def _folded(self, at: int, result: Assignment) -> str:
        end = int(self._units.ends[result.joined.get(at, at)])
        text = self._units.text[self._units.starts[at] : end].casefold()
        return text.removesuffix("'s").removesuffix("\u2019s")

    def _name_people(self, result: Assignment) -> None:
        """A word that is a family name here is one everywhere; given names follow pronouns."""
        known: dict[str, str] = {}
        for _, _, people in self._people:
            for at, kind in people.items():
                if kind != SINGLE:
                    known.setdefault(self._folded(at, result), kind)
        for first, _, people in self._people:
            for at, kind in people.items():
                if kind == SINGLE:
                    after_title = FAMILY if self._after_title(first) else SINGLE
                    people[at] = known.get(self._folded(at, result), after_title)
        for _, _, people in self._people:
            given, family = (
                tuple(self._folded(at, result) for at, k in people.items() if (k == FAMILY) == last)
                for last in (False, True)
            )
            result.people.append(Person(given, family))
        told = self._sides(result)
        for _, _, people in self._people:
            for at, kind in people.items():
                side = told.get(self._folded(at, result)) if kind in (GIVEN, SINGLE) else None
                result.names[at] = f"{GIVEN}_{side}" if side else kind
        families = {name for name, kind in known.items() if kind == FAMILY}
        for at, kind in result.names.items():
            if families and kind in _FIRMS and self._folded(at, result) in families:
                result.names[at] = FAMILY
        self._name_initials(result)

    def _name_initials(self, result: Assignment) -> None:
        """Initials before a family name are those of who has it and a given name so begun."""
        by_family: dict[tuple[str, ...], list[str]] = {}
        for person in (*self._earlier, *result.people) if self._initials else ():
            by_family.setdefault(person.family, []).extend(person.given)
        for number, letters in self._initials:
            family = result.people[number].family
            names = list(dict.fromkeys(by_family.get(family, ()))) if family else []
            for at in letters:
                letter = self._units.surface(at)[0].casefold()
                given = next((name for name in names if name.startswith(letter)), None)
                if given is not None:
                    result.initials[at] = given
                    names.remove(given)

    def _after_title(self, first: int) -> bool:
        if not first or not self._as_written[first - 1]:
            return False
        gap = self._units.text[self._units.ends[first - 1] : self._units.starts[first]]
        return gap in (" ", ". ") and self._units.surface(first - 1).casefold() in TITLES

    def _sides(self, result: Assignment) -> dict[str, str]:
        """He or she for given names, where a replacement asks for it and the release tells it."""
        if not any(
            getattr(one, "gender", "none") == "pronouns" for one in self._replacements.values()
        ):
            return {}
        numbers: dict[str, int] = {}
        mentions = []
        for (first, last, _), person in zip(self._people, result.people, strict=True):
            given, family = (
                tuple(numbers.setdefault(name, len(numbers)) for name in part)
                for part in (person.given, person.family)
            )
            if self._units.labels[first] & (Label.TITLE | Label.UPPER):  # else hardly a name
                mentions.append(Mention(first, last, given, family))
        if not mentions:
            return {}
        shown = set(np.flatnonzero(self._as_written).tolist()) | result.stay
        told = sides(mentions, {at: self._units.surface(at).casefold() for at in shown})
        return {word: told[number] for word, number in numbers.items() if number in told}
