"""The release at epsilon 0: every replaced unit gets a string that owes nothing to the input.

One string per distinct thing, in one document or in all that share their pseudonyms, drawn again
only when it collides with something already released, so that an answer can be mapped back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms import form as forms
from privstamp.mechanisms.dates import Chronology
from privstamp.mechanisms.form import Wanted, form_of, is_taken, span_form, strings
from privstamp.mechanisms.kept import ORGANISATIONS, PLACES
from privstamp.mechanisms.numeric import Values
from privstamp.mechanisms.roles import SPELT
from privstamp.noise import Noise
from privstamp.protocols import Replacement
from privstamp.release.groups import INITIAL, NO_SPAN, NUMBER_KINDS, Assigner, Assignment, Grouping
from privstamp.release.replaced import (
    Drawn,
    Pseudonyms,
    Replaced,
    add_entries,
    add_spans,
    articles,
    bare,
    one_writing,
    paragraphs,
    written,
)
from privstamp.sensitivity.spans import SECRETS
from privstamp.text.closed import class_of
from privstamp.text.wordforms import compared
from privstamp.types import Kind, Label, Units

CASED = (Kind.WORD, Kind.FOREIGN)
TYPED = (Kind.WORD, Kind.FOREIGN, Kind.PIECE)
"""Kinds whose replacement follows the entity's type; numbers and symbols follow their form."""
AROUND, CAPITAL = int(Label.POSSESSIVE | Label.SPLIT), int(Label.TITLE | Label.UPPER)
_POSSESSIVE, _SPLIT = np.uint8(Label.POSSESSIVE), np.uint8(Label.SPLIT)
_PIECE = int(Kind.PIECE)
DATE, HANDLE, PERSON = "DATE", "HANDLE", "PERSON"
NAMES = ("PERSON_GIVEN", "PERSON_GIVEN_HE", "PERSON_GIVEN_SHE", "PERSON_FAMILY")
"""Roles of a name that one row tells and the next may not: one pool where names hold."""
DATED = (DATE, "DATE_TIME", "DATE_ELEMENT", "RELATIVE_DATE", "TIME", "YEAR")
COUNTING = frozenset(
    {*DATED, "NUMBER", "CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "PERCENT", "AGE", "COUNT"}
    | {"SECTION", "VERSION"}
)
"""Entities written with words of closed classes: months, days, number words."""
CLASSES = frozenset({*PLACES, *ORGANISATIONS})
"""Types whose surrogates have a case of their own."""
TOWNS = ("LOCATION", "COUNTRY", "COUNTRY_WITH_THE", "STATE", "REGION")
"""Parts of an address that come back by themselves."""
NEVER_ALONE = ("HOUSE_NUMBER", "STATE_CODE", SPELT)
"""Parts of an address that come back with all of it."""
NOTED = 64
"""Occurrences of a short number whose neighbours are noted."""
KINDS = tuple(Kind)


class _Mention(NamedTuple):
    """PRIVATE. A slot, and what stands there."""

    slot: int
    unit: int  # its first
    label: int
    kind: Kind
    whole: str | None  # the type of a span that is one slot
    original: str
    thing: tuple[int | None, str]  # as things are compared; a paragraph where it lasts no longer


class Thing(NamedTuple):
    """PRIVATE. How a thing without a surrogate gets one."""

    mention: _Mention
    replacement: Replacement
    name: str
    pool: str
    form: str
    here: int
    position: int  # of its noise, which other mentions may share


def _runs(units: Units, mask: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of pieces, or of digits, that make up one word or number: replaced as one.

    Replaced one by one, equal pieces would show as equal, and a number as a cipher of its digits.
    """
    numbers = NUMBER_KINDS[units.kinds]
    pieces = units.kinds == _PIECE
    alike = pieces[1:] & pieces[:-1]
    alike |= numbers[1:] & numbers[:-1]
    glued = (units.starts[1:] == units.ends[:-1]) & (units.labels[1:] & _SPLIT == 0)
    on = np.append(False, alike & glued & mask[1:] & mask[:-1]) if len(mask) else mask
    heads = np.flatnonzero(~on & np.append(on[1:], False)) if len(mask) else mask
    lasts = np.flatnonzero(on & ~np.append(on[1:], False)) if len(mask) else mask
    return list(zip(heads.tolist(), lasts.tolist(), strict=True))


class Replacer:
    """Draws for one document."""

    def __init__(
        self,
        replacements: Mapping[int, Replacement],
        pseudonyms: Pseudonyms,
        released: Iterable[str],
        values: Values | None = None,
    ) -> None:
        self._replacements, self._values = replacements, values
        self._known = pseudonyms
        self._known.taken.update(released)
        self._noise = Noise.of_document(pseudonyms.key, [])
        self._positions: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._paragraphs: npt.NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._chronology = Chronology(self._noise, forgets=pseudonyms.holds)
        self._small: dict[tuple[int, str], Drawn] = {}  # of one paragraph, by original
        self._written: dict[str, str] = {}  # equal surfaces are one object
        self._assigned = Assignment({})
        self._articles: dict[int, str] = {}  # before the first unit of a name
        self._types: dict[tuple[str, str], str] = {}  # by surrogate and original
        self._slots: dict[tuple[str, str], list[int]] = {}  # where the first of them stand

    def document(
        self,
        units: Units,
        grouping: Grouping,
        mask: npt.NDArray[np.bool_],
        surfaces: list[str],
        as_written: npt.NDArray[np.bool_] | None = None,
        positions: npt.NDArray[np.int64] | None = None,
    ) -> Replaced:
        """Replace in `surfaces` the units under `mask`; of those `as_written`, which leave as they
        are, pronouns and titles tell what a given name may be. `positions` are the addresses of
        the units' noise."""
        self._positions = np.arange(len(units)) if positions is None else positions
        self._paragraphs = paragraphs(units)
        if as_written is not None and self._known.row is None:
            self._articles = articles(units, mask, as_written)
        self._assigned = Assigner(
            units, grouping, mask, self._replacements, as_written, self._values, self._known.people
        ).assign()
        self._known.people.update(dict.fromkeys(self._assigned.people))
        self._known.taken.update(units.surface(index).casefold() for index in self._assigned.stay)
        keep = np.ones(len(units), dtype=bool)
        ends = units.ends.copy()
        labels = units.labels.copy()
        for first, last in self._assigned.joined.items():
            keep[first + 1 : last + 1] = False
            ends[first] = units.ends[last] + (first in self._assigned.dotted)
            tail = units.labels[last] & _POSSESSIVE
            labels[first] = (units.labels[first] & ~_POSSESSIVE) | tail
        for first, end in self._assigned.tails.items():
            ends[first] = end
        alone = mask & keep
        alone[list(self._assigned.names) + list(self._assigned.whole)] = False
        for first, last in _runs(units, alone):
            keep[first + 1 : last + 1] = False
            ends[first] = units.ends[last]
            labels[first] |= units.labels[last] & _POSSESSIVE
        kept = np.flatnonzero(keep)
        slots = replace(
            units,
            starts=units.starts[kept],
            ends=ends[kept],
            rows=units.rows[kept],
            kinds=units.kinds[kept],
            labels=labels[kept],
        )
        done = Replaced(slots, kept, surfaces, stay=frozenset(self._assigned.stay))
        identified = self._identified(done, grouping)
        self._replace(done, np.flatnonzero(mask[kept]).tolist(), grouping, identified)
        add_entries(done, self._types, self._slots, mask[kept], identified)
        add_spans(done, self._assigned.spans, grouping.findings, mask, self._assigned.names)
        return done

    def _identified(self, done: Replaced, grouping: Grouping) -> dict[int, tuple[int, int, str]]:
        """For each slot of an identifier: its first and last slot, and of what kind it is."""
        slots: dict[int, tuple[int, int, str]] = {}
        for number, ends in self._assigned.spans.items():
            if number in grouping.identifiers:
                start, end = (np.searchsorted(done.kept, ends, side="right") - 1).tolist()
                kind = grouping.findings[number].kind
                slots |= dict.fromkeys(range(start, end + 1), (start, end, kind))
        return slots

    def _replace(
        self,
        done: Replaced,
        slots: Iterable[int],
        grouping: Grouping,
        identified: Mapping[int, tuple[int, int, str]],
    ) -> None:
        """Draw what has no surrogate yet, all of it at once but what follows names; then write."""
        mentions = [self._mention(done, slot) for slot in slots if done.kept[slot] not in done.stay]
        self._known.days.learn(mention.original for mention in mentions if mention.whole == DATE)
        following = [mention for mention in mentions if self._follows(mention)]
        first = [mention for mention in mentions if not self._follows(mention)]
        for together_drawn in (first, *([mention] for mention in following)):
            new: dict[tuple[int | None, str], _Mention] = {}
            for mention in together_drawn:
                if self._surrogate(mention) is None:
                    new.setdefault(mention.thing, mention)
            self._draw(self._things(list(new.values()), grouping))
            for mention in together_drawn:
                self._write(done, mention, identified.get(mention.slot))

    def _mention(self, done: Replaced, slot: int) -> _Mention:
        units, index = done.units, int(done.kept[slot])
        label, kind = int(units.labels[slot]), KINDS[units.kinds[slot]]
        whole, name = self._assigned.whole.get(index), self._assigned.names.get(index)
        surface = units.surface(slot)
        original = one_writing(bare(surface, label)) or surface
        if index in self._assigned.dotted:
            original = original.removesuffix(".")
        folded = compared(original)
        small = self._known.small(original, named=whole is not None or name is not None)
        if self._values is not None and self._values.taking(whole, original):
            folded, small = f"{whole} {folded}", False  # drawn once: many draws tell the value
        elif folded.isdecimal() and name is not None:
            folded = f"{name} {folded}"  # a house, and a digit of a code
        paragraph = int(self._paragraphs[index]) if small else None
        return _Mention(slot, index, label, kind, whole, original, (paragraph, folded))

    def _follows(self, mention: _Mention) -> bool:
        """Whether it may be made of a name, which is drawn before it."""
        initial = mention.unit in self._assigned.initials
        return mention.kind is Kind.EMAIL or initial or mention.whole == HANDLE

    def _surrogate(self, mention: _Mention) -> Drawn | None:
        """What stands for a thing already."""
        given = self._known.drawn.get(self._assigned.initials.get(mention.unit, ""))
        if given is not None and given.shaped:
            return Drawn(INITIAL, given.string[:1].upper(), True)
        paragraph, folded = mention.thing
        known = self._known.surrogate(folded)
        return known if paragraph is None else self._small.get((paragraph, folded))

    def _write(
        self, done: Replaced, mention: _Mention, identified: tuple[int, int, str] | None
    ) -> None:
        drawn = self._surrogate(mention)
        assert drawn is not None
        name, string, shaped = drawn
        whole, label = mention.whole, mention.label
        cased = shaped and mention.kind in CASED and not (whole or name in (DATE, SPELT))
        cased &= not (name in CLASSES and label & CAPITAL)
        plain = written(string, label & ~AROUND, cased=cased)
        town = identified is not None and identified[2] == "ADDRESS" and name in TOWNS
        identified = None if town else identified
        alone = identified is None or identified[0] == identified[1]
        alone &= whole is not None or name not in NEVER_ALONE
        if alone:
            pair = plain, mention.original
            kind = identified[2] if identified else name
            self._types[pair] = kind if kind in SECRETS else self._types.get(pair, kind)
            where = self._slots.setdefault(pair, [])
            if len(where) < NOTED:
                where.append(mention.slot)
        surface = written(string, label, cased=cased)
        done.surfaces[mention.unit] = self._written.setdefault(surface, surface)

    def _things(self, mentions: Sequence[_Mention], grouping: Grouping) -> list[Thing]:
        """How each is drawn, of those that have no surrogate yet."""
        kinds = [self._replacement_and_kind(mention, grouping) for mention in mentions]
        shapes = [
            (
                (span_form(original, whole), replacement.whole(whole))
                if whole and replacement.shaped and kind is not Kind.PIECE
                else (form_of(original, Kind.CODE if name == SPELT else kind, label), True),
                self._known.days.name(original) if whole == DATE else "",
            )
            for (_, _, label, kind, whole, original, _), (replacement, name) in zip(
                mentions, kinds, strict=True
            )
        ]
        return [
            self._thing(mention, replacement, name, *shape, day)
            for mention, (replacement, name), (shape, day) in zip(
                mentions, kinds, shapes, strict=True
            )
        ]

    def _thing(
        self,
        mention: _Mention,
        replacement: Replacement,
        name: str,
        form: str,
        typed: bool,
        day: str,
    ) -> Thing:
        """`typed`: drawn as its type says, not as letters and digits of its form."""
        paragraph, folded = mention.thing
        pool = PERSON if self._known.holds and name in NAMES else name
        here = self._known.place(int(self._positions[mention.unit]), "")
        position = here if paragraph is not None else self._known.place(here, f"{pool} {folded}")
        if mention.whole == DATE and replacement.shaped:
            place = self._known.place(here, day)
            chronology = self._chronology.within(getattr(replacement, "window", None))
            form, position = self._known.days.of(mention.original, place, chronology)
        elif not typed:
            pool = SPELT
        return Thing(mention, replacement, name, pool, form, here, position)

    def _draw(self, things: Sequence[Thing]) -> None:
        """Draw for things that have no surrogate yet."""
        strings = [self._made(thing) for thing in things]
        blind = [thing for thing, string in zip(things, strings, strict=True) if string is None]
        drawn = iter(self._strings(blind))
        for thing, string in zip(things, strings, strict=True):
            paragraph, folded = thing.mention.thing
            surrogate = Drawn(
                thing.name, next(drawn) if string is None else string, thing.replacement.shaped
            )
            if paragraph is None:
                self._known.drawn[folded] = surrogate
            else:
                self._small[paragraph, folded] = surrogate

    def _strings(self, things: Sequence[Thing]) -> list[str]:
        """One for each, blindly."""
        before = [self._articles.get(thing.mention.unit, "") for thing in things]
        wanted = [
            Wanted(
                thing.replacement, thing.pool, thing.form, self._noise.at(thing.position), article
            )
            for thing, article in zip(things, before, strict=True)
        ]
        known = self._known
        return strings(wanted, known.taken, known.entities, distinct=not known.holds)

    def _made(self, thing: Thing) -> str | None:
        """A string by the value of a thing, or of the surrogate of the name that it is made of."""
        mention, shaped = thing.mention, thing.replacement.shaped
        string = None
        if self._values is not None:
            string = self._values.release(mention.whole, mention.original, thing.here)
        if shaped and mention.kind is Kind.EMAIL:
            string = self._address(thing.replacement, mention.original, thing.position)
        if shaped and mention.whole == HANDLE:
            string = self._handle(mention.thing[1])
        return string

    def _replacement_and_kind(
        self, mention: _Mention, grouping: Grouping
    ) -> tuple[Replacement, str]:
        replacement = self._replacements[int(grouping.groups[mention.unit])]
        return replacement, mention.whole or self._kind_name(mention, grouping, replacement.shaped)

    def _kind_name(self, mention: _Mention, grouping: Grouping, shaped: bool) -> str:
        """The type that decides the pool: the entity's where it is known and matters."""
        kind, index = mention.kind, mention.unit
        span = grouping.spans[index]
        plain = "EMAIL_ADDRESS" if kind is Kind.EMAIL else kind.name
        if span == NO_SPAN:
            return plain
        if index in self._assigned.names:
            return self._assigned.names[index]
        entity = grouping.findings[int(span)].kind
        if shaped and kind not in TYPED:
            if entity == "AGE" and kind is Kind.NUMBER:
                return "AGE_NUMBER"
            dated = entity in DATED and kind in (Kind.NUMBER, Kind.ORDINAL)
            return f"DATE_{plain}" if dated else plain
        if shaped and entity in COUNTING:
            return class_of(mention.original) or ("DATE_TIME" if entity in DATED else plain)
        return entity

    def _handle(self, folded: str) -> str | None:
        """The surrogate of a name behind an @, where the name stands elsewhere by itself."""
        name, drawn, shaped = self._known.drawn.get(folded.removeprefix("@"), ("", "", False))
        person = shaped and name.startswith("PERSON") and folded.startswith("@")
        return f"@{forms.plain(drawn)}" if person else None

    def _address(self, replacement: Replacement, address: str, position: int) -> str | None:
        """An address that is made of a name as this one is; None if it is made of none."""
        known = self._known.drawn
        pieces = forms.pieces(address, self._known.people)
        if pieces is None or any(part.name and part.name not in known for part in pieces):
            return None
        local = ""
        noise = self._noise.at(position)
        for number, part in enumerate(pieces):
            name = forms.plain(known[part.name].string) if part.name else ""
            digits = part.form and replacement.draw(SPELT, 1, part.form, noise, number)
            local += name[:1] if part.initial else name or digits
        for domain in forms.DOMAINS:
            if not is_taken(drawn := f"{local}@{domain}", self._known.taken):
                self._known.taken.add(drawn)
                return drawn
        return None
