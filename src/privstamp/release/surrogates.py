"""The release at epsilon 0: every replaced unit gets a string that owes nothing to the input.

One string per distinct thing, in one document or in all that share their pseudonyms, drawn again
only when it collides with something already released, so that an answer can be mapped back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms import mail
from privstamp.mechanisms.closed import SMALL, class_of, in_figures
from privstamp.mechanisms.form import form_of, span_form
from privstamp.mechanisms.organisations import POOLS as ORGANISATIONS
from privstamp.mechanisms.places import POOLS as PLACES
from privstamp.mechanisms.roles import SPELT
from privstamp.mechanisms.values import Values
from privstamp.noise import Noise
from privstamp.protocols import Replacement
from privstamp.release.assignment import INITIAL, Assigner, Assignment
from privstamp.release.groups import NO_SPAN, NUMBER_KINDS, Grouping
from privstamp.release.pseudonyms import Drawn, Pseudonyms
from privstamp.release.replaced import (
    Replaced,
    add_compounds,
    bare,
    beside,
    folded_slot,
    parts,
    together,
    variants,
    written,
)
from privstamp.restore.entry import Entry, short
from privstamp.sensitivity.kinds import is_identifier
from privstamp.types import Finding, Kind, Label, Units

ATTEMPTS = 32
CASED = (Kind.WORD, Kind.FOREIGN)
TYPED = (Kind.WORD, Kind.FOREIGN, Kind.PIECE)
"""Kinds whose replacement follows the entity's type; numbers and symbols follow their form."""
AROUND = Label.POSSESSIVE | Label.SPLIT
CAPITAL = int(Label.TITLE | Label.UPPER)
DATE = "DATE"
HANDLE = "HANDLE"
DATED = (DATE, "DATE_TIME", "DATE_ELEMENT", "RELATIVE_DATE", "TIME", "YEAR")
COUNTING = frozenset(
    {*DATED, "NUMBER", "CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "PERCENT", "AGE", "COUNT"}
    | {"SECTION", "VERSION"}
)
"""Entities written with words of closed classes: months, days, number words."""
CONNECTING = "CONNECTING"
SMALL_CLASSES = SMALL | {CONNECTING}
CLASSES = frozenset({*PLACES, *ORGANISATIONS})
"""Types whose surrogates have a case of their own."""
TOWNS = ("LOCATION", "COUNTRY", "COUNTRY_WITH_THE", "STATE", "REGION")
"""Parts of an address that come back by themselves."""
NEVER_ALONE = ("HOUSE_NUMBER", "STATE_CODE", SPELT)
"""Parts of an address that come back with all of it."""
NOTED = 64
"""Occurrences of a short number whose neighbours are noted."""
_FULL = [0] * NOTED
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
UNIT_TYPES = {Kind.EMAIL: "EMAIL_ADDRESS"}


def _runs(units: Units, mask: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of pieces, or of digits, that make up one word or number: replaced as one.

    Replaced one by one, equal pieces would show as equal, and a number as a cipher of its digits.
    """
    numbers = np.isin(units.kinds, NUMBER_KINDS)
    alike = (units.kinds[1:] == Kind.PIECE) & (units.kinds[:-1] == Kind.PIECE)
    alike |= numbers[1:] & numbers[:-1]
    glued = (units.starts[1:] == units.ends[:-1]) & (units.labels[1:] & Label.SPLIT == 0)
    on = np.append(False, alike & glued & mask[1:] & mask[:-1]) if len(mask) else mask
    heads = np.flatnonzero(~on & np.append(on[1:], False)) if len(mask) else mask
    lasts = np.flatnonzero(on & ~np.append(on[1:], False)) if len(mask) else mask
    return list(zip(heads.tolist(), lasts.tolist(), strict=True))


def paragraphs(units: Units) -> npt.NDArray[np.intp]:
    """The number of each unit's paragraph; blank lines are between them."""
    breaks = [found.start() for found in BLANK_LINE.finditer(units.text)]
    return np.searchsorted(breaks, units.starts)


class Replacer:
    """Draws for one document."""

    def __init__(
        self,
        replacements: Mapping[int, Replacement],
        pseudonyms: Pseudonyms,
        released: Iterable[str],
        values: Values | None = None,
    ) -> None:
        self._replacements, self._values = replacements, values or Values()
        self._known = pseudonyms
        self._known.taken.update(released)
        self._noise = Noise.of_document(pseudonyms.key, [])
        self._positions: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._paragraphs: npt.NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._small: dict[tuple[int, str], Drawn] = {}  # of one paragraph, by original
        self._written: dict[str, str] = {}  # equal surfaces are one object
        self._assigned = Assignment({})
        self._short: dict[tuple[str, str], list[int]] = {}  # slots of what its neighbours tell

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
            tail = units.labels[last] & Label.POSSESSIVE
            labels[first] = (units.labels[first] & ~Label.POSSESSIVE) | tail
        for first, end in self._assigned.tails.items():
            ends[first] = end
        alone = mask & keep
        alone[list(self._assigned.names) + list(self._assigned.whole)] = False
        for first, last in _runs(units, alone):
            keep[first + 1 : last + 1] = False
            ends[first] = units.ends[last]
            labels[first] |= units.labels[last] & Label.POSSESSIVE
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
        drawn = [
            slot for slot in np.flatnonzero(mask[kept]).tolist() if kept[slot] not in done.stay
        ]
        drawn.sort(key=lambda slot: self._follows(slots, slot, int(kept[slot])))
        for slot in drawn:
            self._slot(done, slot, grouping, identified.get(slot))
        add_compounds(done, mask[kept], identified)
        for pair, where in self._short.items():
            around = tuple(dict.fromkeys(beside(done, slot) for slot in where))
            done.entries[pair] = entry = replace(done.entries[pair], beside=around)
            figures = in_figures(entry.surrogate)  # models write 15 for fifteen
            done.entries.setdefault((figures, entry.original), replace(entry, surrogate=figures))
        self._add_spans(done, mask, grouping)
        return done

    def _follows(self, slots: Units, slot: int, index: int) -> bool:
        """Whether a slot may be made of a name, which is drawn before it."""
        if slots.kinds[slot] == Kind.EMAIL or index in self._assigned.initials:
            return True
        return self._assigned.whole.get(index) == HANDLE

    def _identified(self, done: Replaced, grouping: Grouping) -> dict[int, tuple[int, int, str]]:
        """For each slot of an identifier: its first and last slot, and of what kind it is."""
        slots: dict[int, tuple[int, int, str]] = {}
        for number, ends in self._assigned.spans.items():
            finding = grouping.findings[number]
            if is_identifier(finding, done.units.text):
                start, end = (np.searchsorted(done.kept, ends, side="right") - 1).tolist()
                slots |= dict.fromkeys(range(start, end + 1), (start, end, finding.kind))
        return slots

    def _add_spans(self, done: Replaced, mask: npt.NDArray[np.bool_], grouping: Grouping) -> None:
        """Spans of several words are put back as one where they stand as one: P-51, six weeks.

        Of a place or an organisation any part will do that stands nowhere else: as parts were drawn
        one by one, one of them means nothing by itself. Where words of it stay as written, parts
        come back as those parts. An identifier comes back whole or not.
        """
        spans: dict[tuple[str, str], list[tuple[int, int, Finding]]] = {}
        for number, (first, last) in self._assigned.spans.items():
            if not mask[first : last + 1].all():
                continue
            start, end = (np.searchsorted(done.kept, (first, last), side="right") - 1).tolist()
            if start != end:
                alike = spans.setdefault(together(done, start, end), [])
                alike.append((start, end, grouping.findings[number]))
        used = Counter(folded_slot(done, slot) for slot in range(len(done.kept))) if spans else {}
        words: dict[str, list[tuple[str, str]]] = {}
        for pair in done.entries:
            words.setdefault(pair[0], []).append(pair)
        for (joined, original), places in spans.items():
            start, end, found = places[0]
            for string in variants(joined):
                if not short(string):
                    done.entries.setdefault((string, original), Entry(string, original, found.kind))
            if found.kind in ("LOCATION", "ORGANIZATION") and not self._telling(done, start, end):
                for string in parts(done, start, end, len(places), used):
                    for pair in words.pop(string, ()):
                        done.entries.pop(pair, None)
                    done.entries[string, original] = Entry(string, original, found.kind)

    def _telling(self, done: Replaced, start: int, end: int) -> bool:
        """Whether words of a name stay as written, and none became a word that replies use."""
        units = [int(done.kept[slot]) for slot in range(start, end + 1)]
        drawn = [self._assigned.names.get(unit) for unit in units]
        return any(unit in done.stay for unit in units) and "ORGANIZATION" not in drawn

    def _slot(
        self,
        done: Replaced,
        slot: int,
        grouping: Grouping,
        identified: tuple[int, int, str] | None,
    ) -> None:
        units, index = done.units, int(done.kept[slot])
        label, kind = int(units.labels[slot]), Kind(units.kinds[slot])
        whole = self._assigned.whole.get(index)
        original = " ".join(bare(units.surface(slot), label).split()) or units.surface(slot)
        if index in self._assigned.dotted:
            original = original.removesuffix(".")
        folded = original.casefold()
        if self._values.taking(whole, original):
            folded = f"{whole} {folded}"  # the same figures may mean something else
        elif folded.isdecimal() and index in self._assigned.names:
            folded = f"{self._assigned.names[index]} {folded}"  # a house, and a digit of a code
        given = self._known.drawn.get(self._assigned.initials.get(index, ""))
        if given is not None and given.shaped:
            drawn = Drawn(INITIAL, given.string[:1].upper(), True)
        elif self._known.small(original, named=whole is not None or index in self._assigned.names):
            thing = int(self._paragraphs[index]), folded
            drawn = self._small.get(thing) or self._new(slot, original, folded, done, grouping)
            self._small[thing] = drawn
        else:
            drawn = self._known.drawn.get(folded) or self._new(
                slot, original, folded, done, grouping
            )
            self._known.drawn[folded] = drawn
        name, string, shaped = drawn
        cased = shaped and kind in CASED and not (whole or name in (DATE, SPELT))
        cased &= not (name in CLASSES and label & CAPITAL)
        plain = written(string, label & ~AROUND, cased=cased)
        town = identified is not None and identified[2] == "ADDRESS" and name in TOWNS
        identified = None if town else identified
        alone = identified is None or identified[0] == identified[1]
        alone &= whole is not None or name not in NEVER_ALONE
        if alone and (plain, original) not in done.entries:
            type_name = name if identified is None else identified[2]
            done.entries[plain, original] = Entry(plain, original, type_name)
            if short(plain):
                self._short[plain, original] = []
        if alone and len(where := self._short.get((plain, original), _FULL)) < NOTED:
            where.append(slot)
        surface = written(string, label, cased=cased)
        done.surfaces[index] = self._written.setdefault(surface, surface)

    def _new(
        self, slot: int, original: str, folded: str, done: Replaced, grouping: Grouping
    ) -> Drawn:
        """A surrogate for what has none yet."""
        index = int(done.kept[slot])
        label, kind = int(done.units.labels[slot]), Kind(done.units.kinds[slot])
        replacement = self._replacements[int(grouping.groups[index])]
        whole = self._assigned.whole.get(index)
        name = whole or self._kind_name(kind, original, index, grouping, replacement.shaped)
        pool, position = name, int(self._positions[index])
        if name == DATE and whole and replacement.shaped:
            form, position = self._known.days.of(original, position)
        elif whole and replacement.shaped and kind is not Kind.PIECE:
            form = span_form(original, whole)
            pool = name if replacement.whole(whole) else SPELT
        else:
            form = form_of(original, Kind.CODE if name == SPELT else kind, label)
        string = self._values.release(whole, original, self._noise, int(self._positions[index]))
        if replacement.shaped and kind is Kind.EMAIL:
            string = self._address(replacement, original, int(self._positions[index]))
        if replacement.shaped and whole == HANDLE:
            string = self._handle(folded)
        if string is None:
            string = self._draw(replacement, pool, form, position)
        return Drawn(name, string, replacement.shaped)

    def _kind_name(
        self, kind: Kind, word: str, index: int, grouping: Grouping, shaped: bool
    ) -> str:
        """The type that decides the pool: the entity's where it is known and matters."""
        span = grouping.spans[index]
        own = UNIT_TYPES.get(kind, kind.name)
        if span == NO_SPAN:
            return own
        if index in self._assigned.names:
            return self._assigned.names[index]
        found = grouping.findings[int(span)].kind
        if shaped and kind not in TYPED:
            if found == "AGE" and kind is Kind.NUMBER:
                return "AGE_NUMBER"
            dated = found in DATED and kind in (Kind.NUMBER, Kind.ORDINAL)
            return f"DATE_{own}" if dated else own
        if shaped and found in COUNTING:
            return class_of(word) or ("DATE_TIME" if found in DATED else own)
        return found

    def _handle(self, folded: str) -> str | None:
        """The surrogate of a name behind an @, where the name stands elsewhere by itself."""
        name, drawn, shaped = self._known.drawn.get(folded.removeprefix("@"), ("", "", False))
        person = shaped and name.startswith("PERSON") and folded.startswith("@")
        return f"@{mail.plain(drawn)}" if person else None

    def _address(self, replacement: Replacement, address: str, position: int) -> str | None:
        """An address that is made of a name as this one is; None if it is made of none."""
        known = self._known.drawn
        pieces = mail.pieces(address, self._known.people)
        if pieces is None or any(part.name and part.name not in known for part in pieces):
            return None
        local = ""
        noise = self._noise.at(position)
        for number, part in enumerate(pieces):
            name = mail.plain(known[part.name].string) if part.name else ""
            digits = part.form and replacement.draw(SPELT, 1, part.form, noise, number)
            local += name[:1] if part.initial else name or digits
        for domain in mail.DOMAINS:
            if not self._collides(drawn := f"{local}@{domain}"):
                self._known.taken.add(drawn)
                return drawn
        return None

    def _draw(self, replacement: Replacement, kind: str, form: str, position: int) -> str:
        entity = self._known.entities[kind] = self._known.entities.get(kind, 0) + 1
        noise = self._noise.at(position)
        previous = None
        for attempt in range(ATTEMPTS):
            drawn = replacement.draw(kind, entity, form, noise, attempt)
            if kind in SMALL_CLASSES or drawn == previous or not self._collides(drawn):
                break
            previous = drawn
        self._known.taken.update(drawn.casefold().split())
        return drawn

    def _collides(self, drawn: str) -> bool:
        """Whether every word of it stands somewhere in what is released already."""
        words = drawn.casefold().split()
        return bool(words) and all(word in self._known.taken for word in words)
