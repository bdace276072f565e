"""Long texts in pieces that overlap, and equally long views of them that a model reads better."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

SIZE: Final = 8_000
OVERLAP: Final = 300
_BREAKS: Final = ("\n\n", "\n", " ")
_RUN: Final = re.compile(r"(\S{100,199})[^\w\s]|(\S{199})\S")
_AROUND: Final = 100
_SHOUTED: Final = re.compile(
    r"(?<![^\W\d_])[A-Z\u00c0-\u00d6\u00d8-\u00de]{2,}"
    r"(?:[ .,'\u2019-]{1,2}[A-Z\u00c0-\u00d6\u00d8-\u00de]+)+(?![^\W\d_])"
)


@dataclass(frozen=True, repr=False)
class Chunk:
    """A piece of one document's text, and where it begins."""

    document: int
    start: int
    text: str

    def __repr__(self) -> str:
        return f"Chunk({len(self.text)} characters)"


def chunked(text: str, document: int = 0) -> Iterator[Chunk]:
    """The whole text; what one border cuts lies whole in a neighbour, up to OVERLAP characters."""
    start = 0
    while len(text) - start > SIZE:
        end = _break(text, start + SIZE - OVERLAP, start + SIZE)
        yield Chunk(document, start, text[start:end])
        start = _break(text, end - 2 * OVERLAP, end - OVERLAP)
    yield Chunk(document, start, text[start:])


def _break(text: str, low: int, high: int) -> int:
    """The best place to cut in a window: after a blank line, a line, a word, or anywhere."""
    for mark in _BREAKS:
        place = text.rfind(mark, low, high)
        if place >= 0:
            return place + len(mark)
    return high


_ESCAPED: Final = re.compile(r"\\n(?=[A-Z\\\s]|\Z)")


def broken_up(text: str) -> str:
    """The text, equally long, with a blank at least every 200 characters.

    spaCy's tokenizer takes time quadratic in the length of a run without blanks. Line ends that are
    written as backslash and n before a capital are line ends: spans go across them else.
    """
    return _RUN.sub(lambda match: f"{match[1] or match[2]} ", _ESCAPED.sub("\n ", text))


def calmed(text: str) -> Iterator[tuple[int, str]]:
    """Start and view of each stretch with words in capitals, there written As Names Are.

    Models trained on edited text miss most of the names in such runs. Views keep their length.
    """
    low = high = 0
    for match in _SHOUTED.finditer(text):
        start = match.start() - _AROUND
        if start > high:
            if high:
                yield low, _SHOUTED.sub(_titled, text[low:high])
            low = max(start - _AROUND, text.rfind(" ", 0, start) + 1)
        high = min(len(text), match.end() + _AROUND)
    if high:
        yield low, _SHOUTED.sub(_titled, text[low:high])


def _titled(match: re.Match[str]) -> str:
    return match[0].title()
