"""From drawn rows to a Result: words are written, replaced, mapped, joined and certified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

import numpy as np

from privstamp.mechanisms.invented import Identifiers, Renamed
from privstamp.policy import Policy
from privstamp.protocols import PublicWords
from privstamp.release.document import Labelled, Sampled, Written, cut, grown
from privstamp.release.groups import NO_SPAN
from privstamp.release.issuer import Issuer
from privstamp.release.parts import Parts
from privstamp.release.replaced import bare, folded
from privstamp.restore.entry import MapEntry, Undo, changes
from privstamp.restore.map import SurrogateMap
from privstamp.result import Change, Result, Trace
from privstamp.sensitivity.lexicon import Lexicon
from privstamp.text.formats.names import passes, words_of
from privstamp.text.formats.template import Template
from privstamp.text.invisible import Edits
from privstamp.text.vocabulary import default
from privstamp.types import UNKNOWN, Label, Units, join_lines, join_surfaces

# What was replaced in one release and why, in places of the original and of the release.


_NAME = ("IDENTIFIER", "a key, tag or identifier that is not public", "format")
_NUMBER = ("NUMBER", 'numbers = "all"', "policy")
_UNKNOWN = ("UNKNOWN", "not in the space", "space")
_HIDDEN = ("INVISIBLE", "a character that nobody sees", "text")


def changes_of(
    document: Sampled, kept: Sequence[int], slots: Units, words: Sequence[str], edits: Edits
) -> tuple[Change, ...]:
    """Of the text alone. `slots` are its units after whole spans became one, `kept` their numbers,
    `words` what they became; `edits` undo the release."""
    if document.template is not None:
        return tuple(_fields(document, edits))
    return tuple(_slots(document, kept, slots, words))


def _slots(
    document: Sampled, kept: Sequence[int], slots: Units, words: Sequence[str]
) -> Iterator[Change]:
    shifts = _Shifts(document.unseen[0])
    length = position = 0
    places = zip(kept, slots.starts.tolist(), slots.ends.tolist(), words, strict=False)
    for unit, start, end, word in places:
        length += max(0, start - position)
        if document.epsilon[unit] == 0:
            kind, rule, source = _reason(document, unit)
            span = shifts.back(start), shifts.back(end, after=True)
            yield Change(*span, length, length + len(word), kind, rule, source)
        length += len(word)
        position = end


def _fields(document: Sampled, edits: Edits) -> Iterator[Change]:
    """Of a structured text, field by field: escapes leave no place for single words."""
    form = document.template
    assert form is not None
    numbers = np.cumsum(~form.named) - 1  # of a field among those that are read
    grown = 0
    for start, end, was in edits:
        first = start + grown
        grown += len(was) - (end - start)
        span = first, first + len(was), start, end
        reasons: list[tuple[str, str, str]] = []
        fields = form.fields_at(first)
        for field in fields:
            if form.named[field]:
                reasons += [_NAME] if len(fields) == 1 else []
                continue
            low, high = np.searchsorted(
                document.units.starts,
                [form.firsts[numbers[field]], form.lasts[numbers[field]]],
            ).tolist()
            hidden = [unit for unit in range(low, high) if document.epsilon[unit] == 0]
            reasons += [_reason(document, unit) for unit in hidden]
        told = ["; ".join(dict.fromkeys(column)) for column in zip(*reasons, strict=True)]
        yield Change(*span, *(told or _HIDDEN))


def _reason(document: Sampled, unit: int) -> tuple[str, str, str]:
    """Kind, rule and source of what made a unit sensitive."""
    span = int(document.grouping.spans[unit])
    if span != NO_SPAN:
        finding = document.grouping.findings[span]
        return finding.kind, finding.rule, finding.source
    if document.units.rows[unit] == UNKNOWN:
        return _UNKNOWN
    return _NUMBER


@dataclass(frozen=True, repr=False)
class _Shifts:
    """From places in a text to places in the one that it was made of."""

    edits: Edits

    def back(self, place: int, *, after: bool = False) -> int:
        """Where a place was; `after`: the end of a span, so not before what was taken out there."""
        moved = place
        for start, end, was in self.edits:
            if end < place or (end == place and not (after and start == end)):
                moved += len(was) - (end - start)
            elif start >= place:
                break
        return moved


# A structured text on the line: its names are drawn, its fields written, its syntax passes.


_LONG = 3
_SMALL = frozenset(
    {"as", "at", "by", "db", "id", "in", "io", "is", "na", "of", "on", "or", "to", "up"}
)
"""Short words that are written in one with others."""
NAME = "IDENTIFIER"
"""Kind of a key, tag or identifier in the private map."""


def renamed(
    document: Sampled, parts: Parts, policy: Policy, replaced: Iterable[MapEntry]
) -> dict[str, str]:
    """New names for the keys, tags and identifiers that are not public."""
    if document.template is None:
        return {}
    carried = document.pseudonyms
    so_far = Renamed(document.key) if carried is None else carried.named(document.key)
    for entry in replaced:
        if entry.surrogate.isascii() and _alike(entry.surrogate, entry.original):
            so_far.known.setdefault(entry.original.casefold(), entry.surrogate.casefold())
    return Identifiers(public_words(parts, policy), so_far).replaced(document.template.keys())


def hidden_keys(document: Labelled, parts: Parts, policy: Policy) -> set[str]:
    """What is not public of each key, tag and identifier: its words, as they are compared."""
    if document.template is None:
        return set()
    identifiers = Identifiers(public_words(parts, policy), Renamed(b""))
    hidden = map(identifiers.hidden, document.template.keys())
    return {" ".join(words).casefold() for words in hidden if words}


def _alike(surrogate: str, original: str) -> bool:
    """Whether both are words, or both numbers: one may stand in a name for the other."""
    if surrogate.isdigit() and original.isdigit():
        return surrogate[0] != "0"
    return surrogate.isalpha() and original.isalpha()


def name_entries(names: Mapping[str, str]) -> tuple[MapEntry, ...]:
    """The same for the private map."""
    return tuple(MapEntry(new, name, NAME) for name, new in names.items())


def filled(
    template: Template, units: Units, surfaces: Sequence[str], names: Mapping[str, str]
) -> tuple[str, Edits]:
    """The released text, and where it differs from the one that came."""
    return template.write(list(_filled_fields(template, units, surfaces)), names)


def _filled_fields(template: Template, units: Units, surfaces: Sequence[str]) -> Iterator[str]:
    """What each field became."""
    text = units.text
    lows = np.searchsorted(units.starts, template.firsts).tolist()
    highs = np.searchsorted(units.starts, template.lasts).tolist()
    bounds = zip(template.firsts.tolist(), template.lasts.tolist(), lows, highs, strict=True)
    for position, last, low, high in bounds:
        pieces: list[str] = []
        for index in range(low, high):
            pieces += (text[position : units.starts[index]], surfaces[index])
            position = int(units.ends[index])
        if position > last:
            raise ValueError("a unit lies across two fields")
        pieces.append(text[position:last])
        yield "".join(pieces)


@cache
def _lexicon() -> Lexicon:
    return Lexicon()


def public_words(parts: Parts, policy: Policy) -> Callable[[str], bool]:
    """Whether a word in lower case names nobody: by lists and the policy, never by its context."""
    sensitivity = parts.sensitivity
    asked = sensitivity.is_public if isinstance(sensitivity, PublicWords) else _lexicon().is_public
    allowed, denied = _words(policy.allow), _words(policy.deny)

    @cache
    def is_public(word: str) -> bool:
        if word in denied:
            return False
        return word in allowed or passes(word) or asked(word) or _compound(word, asked)

    return is_public


def _words(terms: Sequence[str]) -> frozenset[str]:
    return frozenset(word.lower() for term in terms for word in words_of(term))


def _compound(word: str, asked: Callable[[str], bool]) -> bool:
    """Whether it is two public words written as one, as programmers do: groupby, isnan."""
    if not word.isascii() or not word.isalpha() or _lexicon().is_listed(word):
        return False
    cuts = ((word[:cut], word[cut:]) for cut in range(2, len(word) - 1))
    return any(all(_piece(half, asked) for half in halves) for halves in cuts)


def _piece(word: str, asked: Callable[[str], bool]) -> bool:
    if len(word) < _LONG:
        return word in _SMALL
    return passes(word) or (asked(word) and default().has(word))


_Page: TypeAlias = tuple[Units, list[str]]


def release(document: Sampled, issuer: Issuer, *, trace: bool) -> Written:
    """With all that a caller gets."""
    replaced, policy = document.replaced, issuer.policy
    pages = _pages(document)
    names = renamed(document, issuer.parts, policy, replaced.entries.values())
    texts, exact = zip(*_written(document, pages, names), strict=True)
    entries = _entries(document, once=policy.draws == "once") + name_entries(names)
    result = Result(
        text=texts[0],
        task=texts[1] if pages[1:] else document.task,
        certificate=issuer.certify(document, replaced.units, names, texts[0]),
        map=SurrogateMap(entries, exact),
        changes=changes_of(document, replaced.kept.tolist(), *pages[0], _edits(exact[0])),
        trace=_trace(document, pages[1:]) if trace else None,
    )
    return grown(Written, document, result=result)


def _written(
    document: Sampled, pages: Sequence[_Page], names: Mapping[str, str]
) -> Iterator[tuple[str, Undo]]:
    """The text, and the task, as released, and how each is undone."""
    for number, (page, unseen) in enumerate(zip(pages, document.unseen, strict=False)):
        if number == 0 and document.template is not None:
            text, edits = filled(document.template, *page, names)
            yield text, Undo.of(text, edits)
        else:
            text = join_surfaces(*page)
            yield text, Undo.of(text, changes(*page), unseen)


def _edits(exact: Undo) -> Edits:
    """What undoes the text itself, if anything does."""
    return exact.layers[0] if exact.layers else ()


def _entries(document: Sampled, *, once: bool) -> tuple[MapEntry, ...]:
    """Surrogates, and once-drawn capitalised words that nothing else in the text became."""
    units, drawn, surfaces = document.units, document.drawn, document.replaced.surfaces
    entries = list(document.replaced.entries.values())
    capital = units.labels[drawn] & (Label.TITLE | Label.UPPER) != 0
    wanted = once & (document.grouping.groups[drawn] <= 2) & capital & ~document.small[drawn]
    words: dict[str, tuple[int, str]] = {}
    for index in drawn[wanted].tolist():
        label = int(units.labels[index])
        words[folded(surfaces[index], label)] = index, bare(surfaces[index], label)
    labels = units.labels.tolist()
    for index, surface in enumerate(surfaces if words else []):
        key = folded(surface, labels[index])
        if key in words and units.rows[index] != units.rows[words[key][0]]:
            del words[key]
    for index, word in words.values():
        original = bare(units.surface(index), int(units.labels[index]))
        if original.casefold() != word.casefold():
            entries.append(MapEntry(word, original, "WORD"))
    return tuple(entries)


def _pages(document: Sampled) -> list[_Page]:
    """The text, and the task to send beside it if there is one: units and what they became."""
    slots, surfaces = document.replaced.units, document.replaced.surfaces
    words = [surfaces[index] for index in document.replaced.kept.tolist()]
    if not document.task:
        return [(slots, words)]
    split = int(np.searchsorted(slots.starts, len(document.text)))
    front, back = cut(slots, split, len(document.text))
    return [(front, words[:split]), (back, words[split:])]


def labels(document: Labelled) -> Trace:
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


def _trace(document: Sampled, asked: Sequence[_Page]) -> Trace:
    """What happened to the units of the text, and to the lines of the task."""
    replaced = document.replaced
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
        surfaces=[word if i in kept else "" for i, word in enumerate(replaced.surfaces[here])],
        task=[line for page in asked for line in join_lines(*page)],
    )
