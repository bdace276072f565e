"""A document after replacing, and under which writings its strings are put back."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.dates import Days
from privstamp.mechanisms.form import Person
from privstamp.mechanisms.invented import Renamed
from privstamp.mechanisms.wordlists import CONNECTING as CONNECTING_WORDS
from privstamp.restore.entry import MapEntry, short
from privstamp.restore.substitution import Beside, words_beside
from privstamp.sensitivity.spans import SECRETS
from privstamp.text.closed import SMALL, class_of, in_figures
from privstamp.types import Finding, Kind, Label, Units

_POSSESSIVE, _SPLIT = int(Label.POSSESSIVE), int(Label.SPLIT)  # flags are slow in a loop
_TITLE, _UPPER = int(Label.TITLE), int(Label.UPPER)
NAMED = 10
"""Words of a name whose parts are noted."""


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_ARTICLES = ("a", "an")


def paragraphs(units: Units) -> npt.NDArray[np.intp]:
    """The number of each unit's paragraph; blank lines are between them."""
    breaks = [match.start() for match in _BLANK_LINE.finditer(units.text)]
    return np.searchsorted(breaks, units.starts)


def articles(
    units: Units, mask: npt.NDArray[np.bool_], as_written: npt.NDArray[np.bool_]
) -> dict[int, str]:
    """The article before each unit under `mask` that has one which leaves as it is written."""
    before: dict[int, str] = {}
    for index in (np.flatnonzero(mask[1:] & as_written[:-1]) + 1).tolist():
        word = units.surface(index - 1).lower()
        if word in _ARTICLES and units.starts[index] == units.ends[index - 1] + 1:
            before[index] = word
    return before


@dataclass(repr=False)
class Replaced:
    """What replacing one document gave: units after merging whole spans, and what they became."""

    units: Units
    kept: npt.NDArray[np.intp]  # which of the original units remain as slots
    surfaces: list[str]  # of all original units; those that were replaced are changed
    entries: dict[tuple[str, str], MapEntry] = field(default_factory=dict)  # as written
    stay: frozenset[int] = frozenset()  # units of names that stay as they are written

    def forget(self, words: Set[str]) -> None:
        """Surrogates that something else became as well are not put back."""
        self.entries = {
            pair: entry for pair, entry in self.entries.items() if pair[0].casefold() not in words
        }


def written(word: str, label: int, *, cased: bool) -> str:
    """A replacement under the labels of the unit it stands for."""
    if cased:
        if label & _UPPER:
            word = word.upper()
        elif not label & _TITLE:
            word = word.lower()
    lead = " " if label & _SPLIT else ""
    tail = "'s" if label & _POSSESSIVE else ""
    return lead + word + tail


def bare(surface: str, label: int) -> str:
    """A unit's surface without what its labels add."""
    if label & _POSSESSIVE:
        surface = surface[:-2]
    return surface[1:] if label & _SPLIT and surface.startswith(" ") else surface


def one_writing(text: str) -> str:
    """One of the writings that are the same to a reader: accents composed, one blank for spacing,
    so that a name that is wrapped, or comes from another keyboard, stays one name."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def folded(surface: str, label: int) -> str:
    """A released unit as it is compared: without its labels, in any case."""
    return bare(surface, label).strip().casefold()


def beside(done: Replaced, slot: int) -> Beside:
    """The words around a slot in what is released."""
    units, reach = done.units, 4
    before = after = ""
    for near in range(max(0, slot - reach), slot):
        gap = units.text[units.ends[near] : units.starts[near + 1]]
        before += done.surfaces[done.kept[near]] + gap
    for near in range(slot + 1, min(len(units), slot + 1 + reach)):
        gap = units.text[units.ends[near - 1] : units.starts[near]]
        after += gap + done.surfaces[done.kept[near]]
    return words_beside(before + after, len(before), len(before))


def add_entries(
    done: Replaced,
    types: Mapping[tuple[str, str], str],
    slots: Mapping[tuple[str, str], list[int]],
    replaced: npt.NDArray[np.bool_],
    identified: Mapping[int, tuple[int, int, str]],
) -> None:
    """What slots by themselves became, of which type, and where such slots stand; then compounds
    of them. What is too short to be told from other text comes back by its neighbours."""
    done.entries = {pair: MapEntry(*pair, kind) for pair, kind in types.items()}
    _add_compounds(done, replaced, identified)
    for pair in [pair for pair in slots if short(pair[0])]:
        around = tuple(dict.fromkeys(beside(done, slot) for slot in slots[pair]))
        done.entries[pair] = entry = replace(done.entries[pair], beside=around)
        figures = in_figures(entry.surrogate)  # models write 15 for fifteen
        done.entries.setdefault((figures, entry.original), replace(entry, surrogate=figures))


def add_spans(
    done: Replaced,
    spans: Mapping[int, tuple[int, int]],
    findings: Sequence[Finding],
    mask: npt.NDArray[np.bool_],
    roles: Mapping[int, str],
) -> None:
    """Spans of several words are put back as one where they stand as one: P-51, six weeks.

    Of a place or an organisation any part will do that stands nowhere else: as parts were drawn
    one by one, one of them means nothing by itself. Where words of it stay as written, parts
    come back as those parts. An identifier comes back whole or not.
    """
    alike: dict[tuple[str, str], list[tuple[int, int, Finding]]] = {}
    for number, (first, last) in spans.items():
        if not mask[first : last + 1].all():
            continue
        start, end = (np.searchsorted(done.kept, (first, last), side="right") - 1).tolist()
        if start != end:
            places = alike.setdefault(together(done, start, end), [])
            places.append((start, end, findings[number]))
    if not alike:
        return
    used = Counter(all_folded(done))
    words: dict[str, list[tuple[str, str]]] = {}
    for pair in done.entries:
        words.setdefault(pair[0], []).append(pair)
    writings = [(pair, string) for pair in alike for string in variants(pair[0])]
    long: dict[tuple[str, str], list[str]] = {}
    for pair, string in writings:
        if not short(string):
            long.setdefault(pair, []).append(string)
    for (joined, original), places in alike.items():
        start, end, finding = places[0]
        kind = finding.kind
        for string in long.get((joined, original), ()):
            done.entries.setdefault((string, original), MapEntry(string, original, kind))
        if kind in ("LOCATION", "ORGANIZATION") and not _telling(done, start, end, roles):
            for string in parts(done, start, end, len(places), used):
                for part in words.pop(string, ()):
                    done.entries.pop(part, None)
                done.entries[string, original] = MapEntry(string, original, kind)


def _telling(done: Replaced, start: int, end: int, roles: Mapping[int, str]) -> bool:
    """Whether words of a name stay as written, and none became a word that replies use."""
    units = [int(done.kept[slot]) for slot in range(start, end + 1)]
    drawn = [roles.get(unit) for unit in units]
    return any(unit in done.stay for unit in units) and "ORGANIZATION" not in drawn


def _add_compounds(
    done: Replaced, replaced: npt.NDArray[np.bool_], identified: Mapping[int, tuple[int, int, str]]
) -> None:
    """Words of several units, as VideoGuard, 4B or C++, are put back as one; identifiers whole."""
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
        within = [identified[slot] for slot in range(first, last + 1) if slot in identified]
        if any(start < first or end > last for start, end, _ in within):
            continue
        joined, original = together(done, first, last)
        kind = min(
            (kind for *_, kind in within), default="WORD", key=lambda kind: kind not in SECRETS
        )
        if original and not any(map(str.isspace, joined)):
            done.entries.setdefault((joined, original), MapEntry(joined, original, kind))


def together(done: Replaced, first: int, last: int) -> tuple[str, str]:
    """Several slots as they are released and as they were, without a possessive at their end."""
    units, words = done.units, []
    for slot in range(first, last + 1):
        gap = units.text[units.ends[slot] : units.starts[slot + 1]] if slot < last else ""
        words += [done.surfaces[done.kept[slot]], gap]
    joined = one_writing("".join(words))
    original = one_writing(units.text[units.starts[first] : units.ends[last]])
    if units.labels[last] & _POSSESSIVE:
        joined, original = bare(joined, _POSSESSIVE), original[:-2]
    return joined, original


def variants(joined: str) -> list[str]:
    """As a model may write a span: it mends "Ann' house", and writes 15 days for some fifteen."""
    first, _, rest = joined.partition(" ")
    bare_of_article = rest if rest and class_of(first) in SMALL else joined
    writings = (
        joined,
        joined.replace("' ", "'s "),
        in_figures(joined),
        bare_of_article,
        in_figures(bare_of_article),
    )
    return list(dict.fromkeys(writings))


def all_folded(done: Replaced) -> list[str]:
    """Every slot as it is compared."""
    columns = done.kept.tolist(), done.units.labels.tolist()
    return [folded(done.surfaces[unit], label) for unit, label in zip(*columns, strict=True)]


def folded_slot(done: Replaced, slot: int) -> str:
    return folded(done.surfaces[done.kept[slot]], int(done.units.labels[slot]))


def parts(
    done: Replaced, first: int, last: int, times: int, used: Mapping[str, int]
) -> Iterator[str]:
    """Runs of a span's words that stand nowhere else, the whole of it aside.

    Words that stay as written count beside such a word, and never by themselves.
    """
    if last - first >= NAMED:
        return
    stays = [int(done.kept[slot]) in done.stay for slot in range(first, last + 1)]
    telling = [
        used[word] == times
        and len(word) > 2
        and word not in CONNECTING_WORDS
        and done.kept[slot] not in done.stay
        for slot, word in ((slot, folded_slot(done, slot)) for slot in range(first, last + 1))
    ]
    for start in range(first, last + 1):
        for end in range(start, last + 1):
            here = slice(start - first, end + 1 - first)
            edges = all(telling[at] or stays[at] for at in (start - first, end - first))
            if end - start < last - first and edges and any(telling[here]):
                yield together(done, start, end)[0]


# PRIVATE. Which surrogate stands for which thing: of one document, or carried through many.


class Drawn(NamedTuple):
    """A surrogate: what it was drawn as, the string, and whether it has the form of what it is
    for."""

    name: str
    string: str
    shaped: bool


@dataclass(repr=False)
class Pseudonyms:
    """What was drawn so far under one key. `carried` through many texts, things of small pools
    keep their surrogate for one paragraph only: over many, a table of ten digits is a cipher."""

    key: bytes
    carried: bool = False
    drawn: dict[str, Drawn] = field(default_factory=dict)  # by original, as it is compared
    taken: set[str] = field(default_factory=set)  # words that were released, or drawn
    entities: dict[str, int] = field(default_factory=dict)  # how many of each type
    people: dict[Person, None] = field(default_factory=dict)  # in order of their first mention
    days: Days = field(default_factory=Days)
    renamed: Renamed | None = None  # keys and tags of structured texts
    row: bytes | None = None  # of a table: a thing is drawn by what it is, not by where it stands
    holds: bool = False  # through all rows under the key, so nothing of one row may matter

    def __repr__(self) -> str:
        return f"Pseudonyms(private, {len(self.drawn)} things)"

    def branch(self) -> Pseudonyms:
        """A copy that goes its own way."""
        return Pseudonyms(
            self.key,
            self.carried,
            dict(self.drawn),
            set(self.taken),
            dict(self.entities),
            dict(self.people),
            self.days.branch(),
            self.renamed and self.renamed.branch(),
            self.row,
            self.holds,
        )

    def surrogate(self, thing: str) -> Drawn | None:
        """What stands for a thing already, in texts or in keys and tags of those before."""
        word = None if self.renamed is None else self.renamed.words.get(thing)
        drawn = self.drawn.get(thing)
        return Drawn("RARE", word.capitalize(), True) if word and drawn is None else drawn

    def named(self, key: bytes) -> Renamed:
        """What keys and tags became; of a table, under the key of the first text that has any."""
        if self.renamed is None:
            self.renamed = Renamed(self.key if self.row is None else key)
        return self.renamed

    def place(self, position: int, thing: str) -> int:
        """Where the noise of a thing is; of one without a name, that of its position in its row."""
        if self.row is None:
            return position
        what = b"thing" + thing.encode() if thing else b"place" + self.row + b"%d" % position
        return int.from_bytes(blake2b(what, key=self.key, digest_size=8).digest(), "little") >> 1

    def small(self, original: str, *, named: bool) -> bool:
        """Whether it is of a pool too small to be carried: a number of one or two digits, a month,
        a weekday, a number word. What is `named`, a person say, is none of the words."""
        return self.carried and (short(original) or not (named or class_of(original) is None))
