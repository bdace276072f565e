"""Cuts a released text into the stretches of prose that are repaired, each on its own.

Line ends, indentation, list marks, tables, headings and whatever is no prose lie outside of all
windows: a repair cannot touch them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from privstamp.importance.sentences import sentence_starts

Span: TypeAlias = tuple[int, int]

MOST: Final = 240
"""Characters of a window, in whole sentences; a longer sentence is a window of its own."""
LONGEST: Final = 2 * MOST
"""Characters of a sentence; a longer one is cut between words."""
FEWEST: Final = 4
"""Words of a window: anything shorter is a heading or a label."""
LETTERS: Final = 0.6
"""Share of letters in what is prose."""

_LINE: Final = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARK: Final = re.compile(r"\s*(?:(?:[-*+>#\u2022]+|[0-9]{1,3}[.)])\s+)*")
_TABLE: Final = re.compile(r"\t|\||\S {3,}\S")


def windows(text: str, kept: Sequence[Span]) -> list[Span]:
    """Where the windows of a text begin and end; none cuts through a span of `kept`."""
    found: list[Span] = []
    for line in _LINE.finditer(text):
        mark = _MARK.match(text, line.start(), line.end())
        start = line.start() if mark is None else mark.end()
        found += _packed(text, _sentences(text, (start, line.end()), kept))
    return [span for span in found if _prose(text[slice(*span)])]


def _sentences(text: str, line: Span, kept: Sequence[Span]) -> list[Span]:
    start, end = line
    marks = [start + at for at in sentence_starts(text[start:end])]
    cuts = [at for at in marks if start < at < end and _whole(at, kept)]
    found: list[Span] = []
    for stop in [*cuts, end]:
        while stop - start > LONGEST and (at := _blank(text, start, kept)):
            found.append((start, at))
            start = at
        found.append((start, stop))
        start = stop
    return [trimmed for span in found if (trimmed := _trimmed(text, span))[0] < trimmed[1]]


def _blank(text: str, start: int, kept: Sequence[Span]) -> int | None:
    """The last blank of the next window at which it may be cut."""
    places = range(start + MOST, start, -1)
    return next((at for at in places if text[at].isspace() and _whole(at, kept)), None)


def _packed(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Neighbouring sentences together, up to the size of a window."""
    found: list[Span] = []
    for start, end in sentences:
        if found and end - found[-1][0] <= MOST and "\t" not in text[found[-1][1] : start]:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _whole(at: int, kept: Sequence[Span]) -> bool:
    return not any(start < at < end for start, end in kept)


def _trimmed(text: str, span: Span) -> Span:
    part = text[slice(*span)]
    return span[0] + len(part) - len(part.lstrip()), span[0] + len(part.rstrip())


def _prose(window: str) -> bool:
    visible = [sign for sign in window if not sign.isspace()]
    letters = sum(map(str.isalpha, visible))
    return (
        len(window.split()) >= FEWEST
        and letters >= LETTERS * len(visible)
        and _TABLE.search(window) is None
    )
