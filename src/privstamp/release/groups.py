"""Sensitivity x importance -> one group per unit, with spans kept whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.form import Person
from privstamp.mechanisms.kept import CALLED_BY, TITLES, PersonMention, sides
from privstamp.mechanisms.numeric import Values
from privstamp.mechanisms.roles import KEPT, SpanWords, WordRole, roles
from privstamp.protocols import Replacement, Space
from privstamp.sensitivity.spans import SECRETS, is_identifier
from privstamp.text.dates import read_date
from privstamp.text.wordforms import compared
from privstamp.types import UNKNOWN, Finding, Groups, Ids, Kind, Label, Scores, Units, among

NUMBER_KINDS = among((Kind.NUMBER, Kind.ORDINAL, Kind.CODE))
_CAPITAL = np.uint8(Label.TITLE | Label.UPPER)
NO_SPAN = -1
NAMED = ("PERSON", "LOCATION")
WORD_BY_WORD = "lexicon"
"""The part whose findings are single words; others say themselves where a name ends."""
LONGEST = 5
"""Words of one name; more in a row are a list."""


@dataclass(frozen=True, repr=False, eq=False)
class Grouping:
    """Group of each unit, and the span it belongs to."""

    groups: Groups
    spans: npt.NDArray[np.int32]  # index into findings, NO_SPAN outside of all
    findings: tuple[Finding, ...]
    by_rule: npt.NDArray[np.bool_]  # known units that are replaced whatever their budget
    identifiers: frozenset[int] = frozenset()  # findings that stand for one thing by their signs

    def __repr__(self) -> str:
        return f"Grouping({len(self.groups)} units, {len(self.findings)} spans)"


def group(
    units: Units,
    findings: Sequence[Finding],
    scores: Scores,
    *,
    replace_numbers: bool,
    small: npt.NDArray[np.bool_] | None = None,
    public: bool = False,
) -> Grouping:
    """Paper, section 3: 1 sensitive and important, 2 sensitive, 3 important, 4 neither.

    Every unit that touches a sensitive span is sensitive; a span is important by the mean of its
    units. Unknown units and, unless the policy says otherwise, numbers are sensitive.

    Numbers are then replaced whatever their budget. So are units of identifiers, since another
    word says nothing in a postcode; and capitalised `small` words inside a span (US, May, Will):
    their class is so small that noise alone would often keep them.

    Where the map is `public`, a span is one unit: a group may not depend on its neighbours.
    """
    spans = np.full(len(units), NO_SPAN, dtype=np.int32)
    important = scores.important.copy()
    by_rule = NUMBER_KINDS[units.kinds] & replace_numbers
    identifiers = frozenset(
        number for number, finding in enumerate(findings) if is_identifier(finding, units.text)
    )
    if findings and len(units):
        first = np.searchsorted(units.ends, [f.start for f in findings], side="right")
        last = np.searchsorted(units.starts, [f.end for f in findings], side="left")
        for index, (low, high) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if low < high:
                if public and high - low > 1:
                    raise ValueError("a public map was given a span of several units")
                spans[low:high] = index
                important[low:high] = scores.important_span(low, high)
                by_rule[low:high] |= index in identifiers
    by_rule &= units.rows != UNKNOWN
    if small is not None:
        capital = units.labels & _CAPITAL != 0
        by_rule |= small & capital & (spans != NO_SPAN)
    sensitive = (spans != NO_SPAN) | (units.rows == UNKNOWN) | by_rule
    groups = np.where(sensitive, np.where(important, 1, 2), np.where(important, 3, 4))
    return Grouping(groups.astype(np.int8), spans, tuple(findings), by_rule, identifiers)


def join_names(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Parts of one name or place that a word list found one by one, as one span.

    `findings` are in order and do not overlap. Neighbours of one kind are joined across a blank or
    hyphen, and a person's name takes in a capitalised rare word beside it.
    """
    joined: list[Finding] = []
    for finding in findings:
        before = joined[-1] if joined else None
        kind = None if before is None else _common_kind(text, before, finding)
        if before is None or kind is None:
            joined.append(finding)
            continue
        joined[-1] = Finding(
            before.start,
            finding.end,
            kind,
            max(before.score, finding.score),
            _both(before.source, finding.source, " + "),
            _both(before.rule, finding.rule, "; "),
        )
    return joined


def _common_kind(text: str, before: Finding, after: Finding) -> str | None:
    """The kind of two neighbours as one name; None if they are two things."""
    if text[before.end : after.start] not in (" ", "-"):
        return None
    if WORD_BY_WORD not in before.source + after.source:
        return None
    if text.count(" ", before.start, after.end) >= LONGEST:
        return None
    kinds = {before.kind, after.kind}
    if kinds == {"PERSON", "RARE"}:
        rare = before if before.kind == "RARE" else after
        return "PERSON" if text[rare.start].isupper() else None
    return before.kind if len(kinds) == 1 and before.kind in NAMED else None


def _both(first: str, second: str, link: str) -> str:
    """Two reasons as one, without repeating either."""
    return link.join(dict.fromkeys([*first.split(link), *second.split(link)]))


def small_words(space: Space, rows: Ids) -> npt.NDArray[np.bool_]:
    """Which units are function words, where the space has a class of them."""
    if "function" not in space.classes:
        return np.zeros(len(rows), dtype=bool)
    number = space.classes.index("function")
    small: npt.NDArray[np.bool_] = (rows != UNKNOWN) & (space.class_of[rows] == number)
    return small


# Which units of a document are drawn as one, and as what: all of it PUBLIC labels of the release.
#
# A span that is one thing (an e-mail address, a telephone number, a secret) is one slot. Names and
# addresses have roles (see `mechanisms.roles`), and given names follow released pronouns.


GIVEN, FAMILY, SINGLE = "PERSON_GIVEN", "PERSON_FAMILY", "PERSON"
INITIAL = "PERSON_INITIAL"
_FIRMS = ("ORGANIZATION", "ORGANIZATION_NAME", "ORGANIZATION_PART")
_NAMED = (GIVEN, FAMILY, SINGLE)
_WORDS, _PIECE = frozenset({int(Kind.WORD), int(Kind.FOREIGN)}), int(Kind.PIECE)
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
        self._starts, self._ends = units.starts.tolist(), units.ends.tolist()  # arrays are slow
        self._kinds: list[int] = units.kinds.tolist()  # in a loop
        self._replacements, self._values = replacements, values
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
        findings = self._grouping.findings
        kinds = {(int(self._grouping.groups[first]), findings[number].kind)
                 for number, (first, _) in result.spans.items()}  # fmt: skip
        whole = {(group, kind) for group, kind in kinds if self._replacements[group].whole(kind)}
        alone = [number for number in result.spans if not self._as_one(result, number, whole)]
        words = [self._words(*result.spans[number]) for number in alone]
        parts = [roles(findings[n].kind, span) for n, span in zip(alone, words, strict=True)]
        for number, of_span in zip(alone, parts, strict=True):
            self._span(result, number, of_span)
        self._name_people(result)
        return result

    def _as_one(self, result: Assignment, number: int, whole: Set[tuple[int, str]]) -> bool:
        """Whether a span is one slot, or goes word by word: its words have no roles."""
        finding, (first, last) = self._grouping.findings[number], result.spans[number]
        group = int(self._grouping.groups[first])
        shaped = self._replacements[group].shaped
        finding_text = self._units.text[self._starts[first] : self._ends[last]]
        pieces = _PIECE in self._kinds[first : last + 1]
        if finding.kind == "DATE" and shaped and read_date(finding_text) is None:
            return True
        valued = self._values is not None and self._values.taking(finding.kind, finding_text)
        if valued or (group, finding.kind) in whole or pieces:
            if self._mask[first : last + 1].all():
                result.whole[first] = finding.kind
                result.join(first, last)
                self._take_tail(result, number, first, last)
            return True
        return not shaped or last - first >= _MOST

    def _span(self, result: Assignment, number: int, parts: Sequence[WordRole]) -> None:
        finding, (first, last) = self._grouping.findings[number], result.spans[number]
        masked = bool(self._mask[first : last + 1].all())
        if not parts and masked and number in self._grouping.identifiers:
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
        if letters and after[:2] in (".,", ".;", ".)"):
            return True
        return letters and after[:2] == ". " and (follower.islower() or bool(inside))

    def _words(self, first: int, last: int) -> SpanWords:
        text, inside = self._units.text, slice(first, last + 1)
        starts, ends = self._starts[inside], self._ends[inside]
        return SpanWords(
            [text[start:end] for start, end in zip(starts, ends, strict=True)],
            [text[end:start] for end, start in zip(ends, starts[1:], strict=False)] + [""],
            [kind not in _WORDS for kind in self._kinds[inside]],
        )

    def _folded(self, at: int, result: Assignment) -> str:
        end = self._ends[result.joined.get(at, at)]
        text = compared(unicodedata.normalize("NFC", self._units.text[self._starts[at] : end]))
        return text.removesuffix("'s")

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
                    people[at] = known.get(self._folded(at, result), self._by_title(first))
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

    def _by_title(self, first: int) -> str:
        """What a single name is by the word before it: Mr Rowe, my sister Ida."""
        if not first or not self._as_written[first - 1]:
            return SINGLE
        gap = self._units.text[self._units.ends[first - 1] : self._units.starts[first]]
        title = self._units.surface(first - 1).casefold()
        if title in CALLED_BY and gap == " ":
            return GIVEN
        return FAMILY if title in TITLES and gap in (" ", ". ") else SINGLE

    def _is_titled(self, first: int) -> bool:
        """Whether a title or kin stands before a name in small letters, or is its first word:
        without one it is hardly a name."""
        near = [at for at in (first - 1, first) if at >= 0]
        return any(self._units.surface(at).casefold() in TITLES | CALLED_BY for at in near)

    def _sides(self, result: Assignment) -> dict[str, str]:
        """He or she for given names, where a replacement asks for it and the release tells it."""
        if not any(
            getattr(replacement, "gender", "none") == "pronouns"
            for replacement in self._replacements.values()
        ):
            return {}
        numbers: dict[str, int] = {}
        mentions = []
        for (first, last, _), person in zip(self._people, result.people, strict=True):
            given, family = (
                tuple(numbers.setdefault(name, len(numbers)) for name in part)
                for part in (person.given, person.family)
            )
            if self._units.labels[first] & _CAPITAL or self._is_titled(first):
                mentions.append(PersonMention(first, last, given, family))
        if not mentions:
            return {}
        shown = set(np.flatnonzero(self._as_written).tolist()) | result.stay
        surfaces = self._units.surfaces()
        told = sides(mentions, {at: surfaces[at].casefold() for at in shown})
        return {word: told[number] for word, number in numbers.items() if number in told}
