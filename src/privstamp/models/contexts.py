"""What a model sees of a long text: a public rule, the same for every backend.

A text is cut into chunks before each single blank between two other characters, and each chunk
into pieces by itself. A context is the start marker and the last 257 to 512 pieces, beginning at
a multiple of 256: so it grows by one piece at a time for long, and the cached part stays useful.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from privstamp.errors import Incompatible

WINDOW: Final = 512
STRIDE: Final = 256
RULE: Final = f"chunks at blanks; start marker and the last {WINDOW} pieces, stride {STRIDE}"
_BOUNDARY: Final = re.compile(r"(?<=\S) (?=\S)")


def context_start(pieces: int) -> int:
    """The first piece of the context that a text of so many pieces leaves."""
    return max(0, -(-(pieces - WINDOW) // STRIDE) * STRIDE)


def require_room(name: str, positions: int | None) -> None:
    """Refuse a model that was made for shorter texts than the window. None: it has no limit."""
    if positions is not None and positions < 1 + WINDOW:
        raise Incompatible(
            f"{name} reads {positions} pieces at a time; a language model needs {1 + WINDOW} here"
        )


def common_length(first: Sequence[object], second: Sequence[object]) -> int:
    """How many pieces two sequences have in common before they part."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))


class Chunks:
    """Pieces of texts, chunk by chunk. The last text is remembered, so that growing it is cheap."""

    def __init__(self, encode: Callable[[str], list[int]]) -> None:
        self._encode = encode
        self._settled = ""  # whole chunks of the last text, and their pieces
        self._pieces: list[int] = []

    def pieces(self, text: str) -> list[int]:
        """The pieces of a text; depends on nothing but the text."""
        at = len(self._settled)
        if not text.startswith(self._settled) or not _BOUNDARY.match(text, at):
            self._settled, self._pieces, at = "", [], 0
        for found in _BOUNDARY.finditer(text, at + 1 if at else 0):
            self._pieces += self._encode(text[at : found.start()])
            at = found.start()
        self._settled = text[:at]
        return [*self._pieces, *self._encode(text[at:])]
