"""Characters that nobody sees: they are taken out before anything else, counted, and kept apart.

A watermark is a leak: format, control, private-use and unassigned characters, and whatever Unicode
tells programs not to draw, carry bits past every reader. Spaces and line ends of other widths
become plain ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

import regex

_ASCII: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BREAKS: Final = "\x0b\x0c\x85\u2028\u2029"
_ANY: Final = regex.compile(
    r"[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ \t\n\r]]",
    regex.V1,
)
_SPACES: Final = regex.compile(r"[\p{Z}\u2800]", regex.V1)


Edits: TypeAlias = tuple[tuple[int, int, str], ...]
"""Where in a text something was taken out or made plain, from start to end, and what it was."""


@dataclass(frozen=True, repr=False)
class Visible:
    """A text without what nobody sees, and what was there. Private."""

    text: str
    edits: Edits = ()

    def __repr__(self) -> str:
        return f"Visible({len(self.text)} characters, {len(self.edits)} taken out)"

    def original(self) -> str:
        """The text as it came."""
        pieces: list[str] = []
        position = 0
        for start, end, was in self.edits:
            pieces += (self.text[position:start], was)
            position = end
        return "".join([*pieces, self.text[position:]])


def visible(text: str) -> Visible:
    """The text as a reader sees it.

    >>> visible("pass\\u200bword\\u00a01").text
    'password 1'
    """
    pattern = _ASCII if text.isascii() else _ANY
    pieces: list[str] = []
    edits: list[tuple[int, int, str]] = []
    copied = length = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        plain = _plain(match[0])
        pieces += (text[copied:start], plain)
        length += start - copied
        edits.append((length, length + len(plain), match[0]))
        length += len(plain)
        copied = end
    if not edits:
        return Visible(text)
    return Visible("".join([*pieces, text[copied:]]), tuple(edits))


def _plain(character: str) -> str:
    """A line end for a line end, a blank for a blank, nothing for the rest."""
    if character in _BREAKS:
        return "\n"
    return " " if _SPACES.match(character) else ""


# Letters that look like those of another script: a name written with them is still that name.
#
# Only for finding what is sensitive. A word is never ordinary by its looks.


_CYRILLIC: Final = ("авеѕіјкмнорԛстуԝхһԁӏьёї", "abesijkmhopqctywxhdlbei")
_GREEK: Final = ("αβγεζηικνορτυχωϲ", "abyezniknoptuxwc")
_LATIN: Final = ("ıɑɡ\u0261\u0131ſ", "iaggis")
_LOOKS: Final = str.maketrans(
    "".join(seen for seen, _ in (_CYRILLIC, _GREEK, _LATIN)),
    "".join(plain for _, plain in (_CYRILLIC, _GREEK, _LATIN)),
)


def as_latin(word: str) -> str:
    """A lower-case word as a reader of Latin letters sees it; unchanged if some look different.

    >>> as_latin("ра\u0443ра\u0406".lower()), as_latin("мир"), as_latin("paypal")
    ('paypai', 'мир', 'paypal')
    """
    if word.isascii():
        return word
    seen = word.translate(_LOOKS)
    return seen if seen.isascii() else word
