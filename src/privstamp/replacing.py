"""The release at epsilon 0: every replaced unit gets a string that owes nothing to the input.

One string per distinct thing and document, drawn again only when it collides with something
already released, so that an answer can be mapped back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from privstamp.assignment import Assigner, Assignment
from privstamp.grouping import NO_SPAN, NUMBER_KINDS, Grouping
from privstamp.mechanisms import mail
from privstamp.mechanisms._closed import SMALL, class_of, in_figures
from privstamp.mechanisms._dates import Days
from privstamp.mechanisms._organisations import POOLS as ORGANISATIONS
from privstamp.mechanisms._places import POOLS as PLACES
from privstamp.mechanisms._wordlists import CONNECTING as CONNECTING_WORDS
from privstamp.mechanisms.form import form_of, span_form
from privstamp.mechanisms.roles import SPELT
from privstamp.noise import Noise
from privstamp.protocols import Replacement
from privstamp.restore.map import Entry, short
from privstamp.restore.substitution import Beside, words_beside
from privstamp.sensitivity.kinds import is_identifier
from privstamp.types import Finding, Kind, Label, Units

ATTEMPTS = 32
CASED = (Kind.WORD, Kind.FOREIGN)
TYPED = (Kind.WORD, Kind.FOREIGN, Kind.PIECE)
"""Kinds whose replacement follows the entity's type; numbers and symbols follow their form."""
AROUND = Label.POSSESSIVE | Label.SPLIT
_POSSESSIVE, _SPLIT = int(Label.POSSESSIVE), int(Label.SPLIT)  # flags are slow in a loop
CAPITAL = int(Label.TITLE | Label.UPPER)
DATE = "DATE"
DATED = (DATE, "DATE_TIME", "TIME", "YEAR")
COUNTING = frozenset(
    {*DATED, "NUMBER", "CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "PERCENT", "AGE", "COUNT"}
    | {"SECTION", "VERSION"}
)
"""Entities written with words of closed classes: months, days, number words."""
CONNECTING = "CONNECTING"
SMALL_CLASSES = SMALL | {CONNECTING}
CLASSES = frozenset({*PLACES, *ORGANISATIONS})
"""Types whose surrogates have a case of their own."""
NAMED = 10
"""Words of a name whose parts are noted."""
NOTED = 64
"""Occurrences of a short number whose neighbours are noted."""
_FULL = [0] * NOTED
UNIT_TYPES = {Kind.EMAIL: "EMAIL_ADDRESS"}


@dataclass(repr=False)
class Replaced:
    """What replacing one document gave: units after merging whole spans, and what they became."""

    units: Units
    kept: npt.NDArray[np.intp]  # which of the original units remain as slots
    surfaces: list[str]  # of all original units; those that were replaced are changed
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)  # as written
    stay: frozenset[int] = frozenset()  # units of names that stay as they are written


def written(word: str, label: int, *, cased: bool) -> str:
    """A replacement under the labels of the unit it stands for."""
    if cased:
        if label & Label.UPPER:
            word = word.upper()
        elif not label & Label.TITLE:
            word = word.lower()
    lead = " " if label & Label.SPLIT else ""
    tail = "'s" if label & Label.POSSESSIVE else ""
    return lead + word + tail


def bare(surface: str, label: int) -> str:
    """A unit's surface without what its labels add."""
    if label & _POSSESSIVE:
        surface = surface[:-2]
    return surface[1:] if label & _SPLIT and surface.startswith(" ") else surface


def folded(surface: str, label: int) -> str:
    """A released unit as it is compared: without its labels, in any case."""
    return bare(surface, label).strip().casefold()


def _beside(done: Replaced, slot: int) -> Beside:
    """The words around a slot in what is released."""
    units, reach = done.units, 4
    before = after = ""
    for one in range(max(0, slot - reach), slot):
        gap = units.text[units.ends[one] : units.starts[one + 1]]
        before += done.surfaces[done.kept[one]] + gap
    for one in range(slot + 1, min(len(units), slot + 1 + reach)):
        gap = units.text[units.ends[one - 1] : units.starts[one]]
        after += gap + done.surfaces[done.kept[one]]
    return words_beside(before + after, len(before), len(before))


def _add_compounds(done: Replaced, replaced: npt.NDArray[np.bool_]) -> None:
    """Words of several units, as VideoGuard, 4B or C++, are put back as one."""
    units, text = done.units, done.units.text
    glued = np.flatnonzero(
        (units.starts[1:] == units.ends[:-1]) & (replaced[1:] | replaced[:-1])
    ).tolist()
    inside = [
        slot
        for slot in glued
        if units.kinds[slot + 1] == Kind.SYMBOL
        or (text[units.ends[slot] - 1].isalnum() and text[units.starts[slot + 1]].isalnum())
    ]
    runs: list[list[int]] = []
    for slot in inside:
        if runs and runs[-1][-1] == slot:
            runs[-1].append(slot + 1)
        else:
            runs.append([slot, slot + 1])
    for first, *_, last in runs:
        joined, original = _together(done, first, last)
        if original and not any(map(str.isspace, joined)):
            done.entries.setdefault((joined, original), Entry(joined, original, "WORD"))


def _together(done: Replaced, first: int, last: int) -> tuple[str, str]:
    """Several slots as they are released and as they were, without a possessive at their end."""
    units, words = done.units, []
    for slot in range(first, last + 1):
        gap = units.text[units.ends[slot] : units.starts[slot + 1]] if slot < last else ""
        words += [done.surfaces[done.kept[slot]], gap]
    joined = "".join(words).lstrip()
    original = units.text[units.starts[first] : units.ends[last]].lstrip()
    if units.labels[last] & _POSSESSIVE:
        joined, original = bare(joined, _POSSESSIVE), original[:-2]
    return joined, original


def _variants(joined: str) -> set[str]:
    """As a model may write a span: it mends "Ann' house", and writes 15 days for some fifteen."""
    first, _, rest = joined.partition(" ")
    bare_of_article = rest if rest and class_of(first) in SMALL else joined
    return {
        joined,
        joined.replace("' ", "'s "),
        in_figures(joined),
        bare_of_article,
        in_figures(bare_of_article),
    }


def _folded_slot(done: Replaced, slot: int) -> str:
    return folded(done.surfaces[done.kept[slot]], int(done.units.labels[slot]))


def _parts(
    done: Replaced, first: int, last: int, times: int, used: Mapping[str, int]
) -> Iterator[str]:
    """Runs of a span's words that stand nowhere else, the whole of it aside."""
    if last - first >= NAMED:
        return
    own = [
        used[word] == times
        and len(word) > 2
        and word not in CONNECTING_WORDS
        and done.kept[slot] not in done.stay
        for slot, word in ((slot, _folded_slot(done, slot)) for slot in range(first, last + 1))
    ]
    for start in range(first, last + 1):
        for end in range(start, last + 1):
            if end - start < last - first and own[start - first] and own[end - first]:
                yield _together(done, start, end)[0]


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


class Replacer:
    """Draws for one document."""

    def __init__(
        self, replacements: Mapping[int, Replacement], key: bytes, released: Iterable[str]
    ) -> None:
        self._replacements = replacements
        self._key = key
        self._noise = Noise.of_document(key, [])
        self._taken = set(released)
        self._drawn: dict[str, tuple[str, str, bool]] = {}  # type, string, shaped: by original
        self._entities: dict[str, int] = {}
        self._written: dict[str, str] = {}  # equal surfaces are one object
        self._days = Days()
        self._assigned = Assignment({})
        self._short: dict[tuple[str, str], list[int]] = {}  # slots of what its neighbours tell

    def document(
        self,
        units: Units,
        grouping: Grouping,
        mask: npt.NDArray[np.bool_],
        surfaces: list[str],
        as_written: npt.NDArray[np.bool_] | None = None,
    ) -> Replaced:
        """Replace in `surfaces` the units under `mask`; of those `as_written`, which leave as they
        are, pronouns and titles tell what a given name may be."""
        self._noise = Noise.of_document(self._key, np.arange(len(units)))
        self._assigned = Assigner(units, grouping, mask, self._replacements, as_written).assign()
        self._taken |= {units.surface(index).casefold() for index in self._assigned.stay}
        keep = np.ones(len(units), dtype=bool)
        ends = units.ends.copy()
        labels = units.labels.copy()
        for first, last in self._assigned.joined.items():
            keep[first + 1 : last + 1] = False
            ends[first] = units.ends[last]
            tail = units.labels[last] & Label.POSSESSIVE
            labels[first] = (units.labels[first] & ~Label.POSSESSIVE) | tail
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
        drawn = [
            slot for slot in np.flatnonzero(mask[kept]).tolist() if kept[slot] not in done.stay
        ]
        drawn.sort(key=lambda slot: slots.kinds[slot] == Kind.EMAIL)  # they follow names
        for slot in drawn:
            self._slot(done, slot, int(kept[slot]), grouping)
        _add_compounds(done, mask[kept])
        for pair, where in self._short.items():
            around = tuple(dict.fromkeys(_beside(done, slot) for slot in where))
            done.entries[pair] = entry = replace(done.entries[pair], beside=around)
            figures = in_figures(entry.surrogate)  # models write 15 for fifteen
            done.entries.setdefault((figures, entry.original), replace(entry, surrogate=figures))
        self._add_spans(done, mask, grouping)
        return done

    def _add_spans(self, done: Replaced, mask: npt.NDArray[np.bool_], grouping: Grouping) -> None:
        """Spans of several words are put back as one where they stand as one: P-51, six weeks.

        Of a place, an organisation or an identifier any part will do that stands nowhere else: as
        parts were drawn one by one, one of them means nothing by itself.
        """
        spans: dict[tuple[str, str], list[tuple[int, int, Finding]]] = {}
        for number, (first, last) in self._assigned.spans.items():
            if not mask[first : last + 1].all():
                continue
            start, end = (np.searchsorted(done.kept, (first, last), side="right") - 1).tolist()
            if start != end:
                alike = spans.setdefault(_together(done, start, end), [])
                alike.append((start, end, grouping.findings[number]))
        used = Counter(_folded_slot(done, slot) for slot in range(len(done.kept))) if spans else {}
        words: dict[str, list[tuple[str, str]]] = {}
        for pair in done.entries:
            words.setdefault(pair[0], []).append(pair)
        for (joined, original), places in spans.items():
            start, end, found = places[0]
            for string in _variants(joined):
                if not short(string):
                    done.entries.setdefault((string, original), Entry(string, original, found.kind))
            if found.kind in ("LOCATION", "ORGANIZATION") or is_identifier(found, done.units.text):
                for string in _parts(done, start, end, len(places), used):
                    for pair in words.pop(string, ()):
                        done.entries.pop(pair, None)
                    done.entries[string, original] = Entry(string, original, found.kind)

    def _slot(self, done: Replaced, slot: int, index: int, grouping: Grouping) -> None:
        units = done.units
        label, kind = int(units.labels[slot]), Kind(units.kinds[slot])
        replacement = self._replacements[int(grouping.groups[index])]
        whole = self._assigned.whole.get(index)
        original = " ".join(bare(units.surface(slot), label).split()) or units.surface(slot)
        folded = original.casefold()
        if folded not in self._drawn:
            name = whole or self._kind_name(kind, original, index, grouping, replacement.shaped)
            pool, position = name, index
            if name == DATE and whole and replacement.shaped:
                form, position = self._days.of(original, index)
            elif whole and replacement.shaped and kind is not Kind.PIECE:
                form = span_form(original, whole)
                pool = name if replacement.whole(whole) else SPELT
            else:
                form = form_of(original, Kind.CODE if name == SPELT else kind, label)
            string = None
            if replacement.shaped and kind is Kind.EMAIL:
                string = self._address(replacement, original, index)
            if string is None:
                string = self._draw(replacement, pool, form, position)
            self._drawn[folded] = name, string, replacement.shaped
        name, drawn, shaped = self._drawn[folded]
        cased = shaped and kind in CASED and not (whole or name in (DATE, SPELT))
        cased &= not (name in CLASSES and label & CAPITAL)
        plain = written(drawn, label & ~AROUND, cased=cased)
        if (plain, original) not in done.entries:
            done.entries[plain, original] = Entry(plain, original, name)
            if short(plain):
                self._short[plain, original] = []
        if len(where := self._short.get((plain, original), _FULL)) < NOTED:
            where.append(slot)
        surface = written(drawn, label, cased=cased)
        done.surfaces[index] = self._written.setdefault(surface, surface)

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

    def _address(self, replacement: Replacement, address: str, position: int) -> str | None:
        """An address that is made of a name as this one is; None if it is made of none."""
        made = mail.pieces(address, self._assigned.people)
        if made is None or any(part.name and part.name not in self._drawn for part in made):
            return None
        local = ""
        for number, part in enumerate(made):
            name = mail.plain(self._drawn[part.name][1]) if part.name else ""
            noise = self._noise.take(slice(position, position + 1))
            digits = part.form and replacement.draw(SPELT, 1, part.form, noise, number)
            local += name[:1] if part.initial else name or digits
        for domain in mail.DOMAINS:
            if not self._collides(drawn := f"{local}@{domain}"):
                self._taken.add(drawn)
                return drawn
        return None

    def _draw(self, replacement: Replacement, kind: str, form: str, position: int) -> str:
        entity = self._entities[kind] = self._entities.get(kind, 0) + 1
        noise = self._noise.take(slice(position, position + 1))
        previous = None
        for attempt in range(ATTEMPTS):
            drawn = replacement.draw(kind, entity, form, noise, attempt)
            if kind in SMALL_CLASSES or drawn == previous or not self._collides(drawn):
                break
            previous = drawn
        self._taken.update(drawn.casefold().split())
        return drawn

    def _collides(self, drawn: str) -> bool:
        """Whether every word of it stands somewhere in what is released already."""
        words = drawn.casefold().split()
        return bool(words) and all(word in self._taken for word in words)
