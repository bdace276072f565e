"""Words with a letter of another script among Latin ones: sensitive as a whole, by their looks.

Splitters cut such a word at the odd letter, and its halves look harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from privstamp.text.confusables import as_latin
from privstamp.types import Finding

SOURCE: Final = "scripts"
_WORD: Final = re.compile(r"[^\W\d_]+")
_GREEK: Final = re.compile(r"[\u0370-\u03ff]")
_LATIN: Final = re.compile(r"[A-Za-z]")


def mixed(text: str) -> Iterator[Finding]:
    """Every such word. A Greek letter at an end (TNF-alpha as one word) is a sign, no disguise."""
    if text.isascii():
        return
    for match in _WORD.finditer(text):
        word = match[0]
        inner = word if not _GREEK.search(word) else _GREEK.sub("", word[0]) + word[1:-1]
        if word.isascii() or inner.isascii() or not _LATIN.search(word):
            continue
        if as_latin(word.lower()).isascii():
            yield Finding(match.start(), match.end(), "RARE", 0.5, SOURCE, "letters of two scripts")
