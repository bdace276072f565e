"""What was replaced in one release and why, in places of the original and of the release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from privstamp.release.document import Document
from privstamp.release.groups import NO_SPAN
from privstamp.result import Change
from privstamp.text.invisible import Edits
from privstamp.types import UNKNOWN, Units

_NAME = ("IDENTIFIER", "a key, tag or identifier that is not public", "format")
_NUMBER = ("NUMBER", 'numbers = "all"', "policy")
_UNKNOWN = ("UNKNOWN", "not in the space", "space")
_HIDDEN = ("INVISIBLE", "a character that nobody sees", "text")


def changes_of(
    document: Document, kept: Sequence[int], slots: Units, words: Sequence[str], edits: Edits
) -> tuple[Change, ...]:
    """Of the text alone. `slots` are its units after whole spans became one, `kept` their numbers,
    `words` what they became; `edits` undo the release."""
    if document.template is not None:
        return tuple(_fields(document, edits))
    return tuple(_slots(document, kept, slots, words))


def _slots(
    document: Document, kept: Sequence[int], slots: Units, words: Sequence[str]
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


def _fields(document: Document, edits: Edits) -> Iterator[Change]:
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
        told = ["; ".join(dict.fromkeys(each)) for each in zip(*reasons, strict=True)]
        yield Change(*span, *(told or _HIDDEN))


def _reason(document: Document, unit: int) -> tuple[str, str, str]:
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
