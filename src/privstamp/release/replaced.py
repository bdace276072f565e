"""A document after replacing, and under which writings its strings are put back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.closed import SMALL, class_of, in_figures
from privstamp.mechanisms.wordlists import CONNECTING as CONNECTING_WORDS
from privstamp.restore.entry import Entry
from privstamp.restore.substitution import Beside, words_beside
from privstamp.sensitivity.kinds import SECRETS
from privstamp.types import Kind, Label, Units

_POSSESSIVE, _SPLIT = int(Label.POSSESSIVE), int(Label.SPLIT)  # flags are slow in a loop
NAMED = 10
"""Words of a name whose parts are noted."""


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


def beside(done: Replaced, slot: int) -> Beside:
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


def add_compounds(
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
            done.entries.setdefault((joined, original), Entry(joined, original, kind))


def together(done: Replaced, first: int, last: int) -> tuple[str, str]:
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
    own = [
        used[word] == times
        and len(word) > 2
        and word not in CONNECTING_WORDS
        and done.kept[slot] not in done.stay
        for slot, word in ((slot, folded_slot(done, slot)) for slot in range(first, last + 1))
    ]
    for start in range(first, last + 1):
        for end in range(start, last + 1):
            here = slice(start - first, end + 1 - first)
            edges = all(own[at] or stays[at] for at in (start - first, end - first))
            if end - start < last - first and edges and any(own[here]):
                yield together(done, start, end)[0]
