"""From drawn rows to a Result: words are written, replaced, mapped, joined and certified."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from privstamp.mechanisms.values import Values
from privstamp.noise import Mode
from privstamp.policy import Policy
from privstamp.release.changes import changes_of
from privstamp.release.document import Document, cut
from privstamp.release.groups import small_words
from privstamp.release.issuer import certify
from privstamp.release.parts import Parts
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.replaced import Replaced, bare, folded
from privstamp.release.structure import filled, name_entries, renamed
from privstamp.release.surrogates import Replacer
from privstamp.restore.entry import Entry
from privstamp.restore.exact import Exact, changes
from privstamp.restore.map import SurrogateMap
from privstamp.result import Result, Trace
from privstamp.text.invisible import Edits
from privstamp.types import UNKNOWN, Label, Units, join_lines, join_surfaces

_Page: TypeAlias = tuple[Units, list[str]]

BRACKETED = re.compile(r"\[[^\[\]\s]{1,60}\]")


def release(
    document: Document,
    parts: Parts,
    policy: Policy,
    *,
    mode: Mode,
    key: bytes,
    policy_fingerprint: str,
    trace: bool,
) -> Result:
    """All that a caller gets; `mode`, `key` and `policy_fingerprint` are the certificate's."""
    units = document.units
    where = np.flatnonzero(document.perturbed)
    surfaces = units.surfaces()
    rendered = parts.space.render(document.outputs, units.labels[where])
    for index, word in zip(where.tolist(), rendered, strict=True):
        surfaces[index] = word
    replaced = _replace(document, parts, surfaces)
    pages = _pages(document, replaced, surfaces)
    names = renamed(document, parts, policy, replaced.entries.values())
    written, exact = zip(*_written(document, pages, names), strict=True)
    return Result(
        text=written[0],
        task=written[1] if pages[1:] else document.task,
        certificate=certify(
            document,
            replaced.units,
            names,
            written[0],
            parts,
            policy,
            mode=mode,
            key=key,
            policy_fingerprint=policy_fingerprint,
        ),
        map=SurrogateMap(
            _entries(document, parts, replaced, surfaces, once=policy.draws == "once")
            + name_entries(names),
            exact,
        ),
        changes=changes_of(document, replaced.kept.tolist(), *pages[0], _edits(exact[0])),
        trace=_trace(document, replaced, surfaces, pages[1:]) if trace else None,
    )


def _written(
    document: Document, pages: Sequence[_Page], names: Mapping[str, str]
) -> Iterator[tuple[str, Exact]]:
    """The text, and the task, as released, and how each is undone."""
    for number, (page, unseen) in enumerate(zip(pages, document.unseen, strict=False)):
        if number == 0 and document.template is not None:
            text, edits = filled(document.template, *page, names)
            yield text, Exact.of(text, edits)
        else:
            text = join_surfaces(*page)
            yield text, Exact.of(text, changes(*page), unseen)


def _edits(exact: Exact) -> Edits:
    """What undoes the text itself, if anything does."""
    return exact.layers[0] if exact.layers else ()


def _replace(document: Document, parts: Parts, surfaces: list[str]) -> Replaced:
    """Draw what replaces units at epsilon 0, and write it into `surfaces`."""
    mask = document.epsilon == 0
    released = {surfaces[i].strip().casefold() for i in np.flatnonzero(~mask).tolist()}
    if not all(one.shaped for one in parts.replacements.values()):
        shown = ["" if hide else word for hide, word in zip(mask, surfaces, strict=True)]
        skeleton = join_surfaces(document.units, shown)
        released |= {found.casefold() for found in BRACKETED.findall(skeleton)}
    known = document.pseudonyms or Pseudonyms(document.key)
    replacer = Replacer(parts.replacements, known, released, Values(parts.values))
    as_written = np.isinf(document.epsilon)
    return replacer.document(
        document.units, document.grouping, mask, surfaces, as_written, document.positions
    )


def _entries(
    document: Document, parts: Parts, replaced: Replaced, surfaces: list[str], *, once: bool
) -> tuple[Entry, ...]:
    """Surrogates, and once-drawn capitalised words that nothing else in the text became."""
    units, drawn = document.units, document.drawn
    entries = list(replaced.entries.values())
    capital = units.labels[drawn] & (Label.TITLE | Label.UPPER) != 0
    wanted = once & (document.grouping.groups[drawn] <= 2) & capital
    wanted &= ~small_words(parts.space, units.rows[drawn])
    found: dict[str, tuple[int, str]] = {}
    for index in drawn[wanted].tolist():
        label = int(units.labels[index])
        found[folded(surfaces[index], label)] = index, bare(surfaces[index], label)
    labels = units.labels.tolist()
    for index, surface in enumerate(surfaces if found else []):
        key = folded(surface, labels[index])
        if key in found and units.rows[index] != units.rows[found[key][0]]:
            del found[key]
    for index, written in found.values():
        original = bare(units.surface(index), int(units.labels[index]))
        if original.casefold() != written.casefold():
            entries.append(Entry(written, original, "WORD"))
    return tuple(entries)


def _pages(document: Document, replaced: Replaced, surfaces: list[str]) -> list[_Page]:
    """The text, and the task to send beside it if there is one: units and what they became."""
    slots = replaced.units
    words = [surfaces[index] for index in replaced.kept.tolist()]
    if not document.task:
        return [(slots, words)]
    split = int(np.searchsorted(slots.starts, len(document.text)))
    front, back = cut(slots, split, len(document.text))
    return [(front, words[:split]), (back, words[split:])]


def labels(document: Document) -> Trace:
    """What is known of the text's units before anything is drawn."""
    units = document.pages[0]
    here = slice(0, len(units))
    grouping = document.grouping
    return Trace(
        units=units,
        grouping=replace(
            grouping,
            groups=grouping.groups[here],
            spans=grouping.spans[here],
            by_rule=grouping.by_rule[here],
        ),
        scores=replace(document.scores, values=document.scores.values[here]),
        epsilon=document.epsilon[here],
        rows=np.full(len(units), UNKNOWN, dtype=np.int32),
        surfaces=[""] * len(units),
    )


def _trace(
    document: Document, replaced: Replaced, surfaces: list[str], asked: Sequence[_Page]
) -> Trace:
    """What happened to the units of the text, and to the lines of the task."""
    rows = np.full(len(document.units), UNKNOWN, dtype=np.int32)
    rows[np.flatnonzero(document.perturbed)] = document.outputs
    kept = set(replaced.kept.tolist())
    here = slice(0, len(document.pages[0]))
    known = labels(document)
    lasts = np.append(replaced.kept, len(document.units))[1:] - 1  # of each slot
    ends = document.units.ends.copy()
    ends[lasts] = np.maximum(ends[lasts], replaced.units.ends)  # U.S. took in its point
    return replace(
        known,
        units=replace(known.units, ends=ends[here]),
        rows=rows[here],
        surfaces=[word if i in kept else "" for i, word in enumerate(surfaces[here])],
        task=[line for page in asked for line in join_lines(*page)],
    )
