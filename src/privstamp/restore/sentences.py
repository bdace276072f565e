"""Sentences: where a value stands in one, the word after it decides, and no command further on.

Text that comes later can take a value along only if what stands before the value begins something:
a command, a cell, a quotation, an assignment. In a reply that so far has no sign of code, in a
paragraph of plain words, on a line that begins as sentences do, nothing has begun.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.spaces.wordlists import FUNCTION_WORDS

_CODE: Final = re.compile(r"[`$|<>={}\\~&^\x00-\x08\x0e-\x1f\x7f-\x9f]")
"""Signs after which no more of a reply counts as sentences."""
_SIGN: Final = re.compile(r"[^\w\s,.!?'’…–—-]|_|(?<!\w)['’!-]|(?<=['’!-])\W|(?<=[.,])\w")
"""Signs after which no more of a paragraph does: whatever is not a word or between words."""
_HEAD: Final = 64
_OPENING: Final = re.compile(r" {0,3}([A-Z][a-z]{0,11})[ ,]")
_PROGRAMS: Final = ("at", "less", "more", "time", "what", "where", "which", "who", "yes")
"""Small words that some shell, which does not tell capitals, would run with what follows."""
_OPENERS: Final = FUNCTION_WORDS.difference(_PROGRAMS) | {
    *("dear", "hello", "hi", "thanks", "thank", "sorry", "please", "yours", "best", "kind"),
}
_WITHIN: Final = re.compile(r"(?:['’]s)?[,.!?]? (?=[^\W\d_])")
_FIRST: Final = re.compile(r"(?:['’]s)?,? (?=[a-z])")


class Sentences:
    """Reads a reply in order, in pieces of any size, and never looks ahead."""

    def __init__(self) -> None:
        self._line = ""  # its beginning
        self._last = ""  # character of the line
        self._signed = self._coded = False

    def read(self, piece: str) -> None:
        self._coded = self._coded or _CODE.search(piece) is not None
        for number, line in enumerate(piece.split("\n")):
            if number:
                self._signed = self._signed and bool(self._line.strip())
                self._line = self._last = ""
            seen = self._last + line
            self._signed = self._signed or _SIGN.search(seen, len(self._last)) is not None
            self._line = (self._line + line)[:_HEAD]
            self._last = seen[-1:]

    def horizon(self, text: str, end: int) -> int | None:
        """Up to where text decides about a value that starts where reading stopped and ends at
        `end`; nothing where it is no part of a sentence, or this cannot be seen yet."""
        if self._coded or self._signed or self._last not in ("", " "):
            return None
        opening = _OPENING.match(self._line)
        if opening is not None and opening[1].lower() in _OPENERS:
            after = _WITHIN.match(text, end)
        elif not self._line.strip(" "):
            after = _FIRST.match(text, end)
        else:
            after = None
        return None if after is None else after.end() + 1
