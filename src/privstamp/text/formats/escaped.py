"""Running text whose line ends and accents are written out: `Fine.\\n\\nThe d\\u00e9cor`.

Exports and logs hold such text without the quotes that would make it a string of JSON. Its lines
are read as lines, its accents as letters, and it leaves written as it came.
"""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.codec import Malformed, whole
from privstamp.text.formats.template import FieldSheet

_ANY: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.|\Z)", re.DOTALL)
_BREAK: Final = re.compile(r"(?:\\[nrt])+")
_KNOWN: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt\"'/\\])")
_SURE: Final = re.compile(r"(?:[\s.!?,;)\"*-]|\\[nr])\\[nr]|\\n(?=[\s\"-]|\Z)|\\u00[0-9a-f]{2}")
"""A line end where no folder of a path could begin, or a letter with an accent."""
_QUOTES: Final = re.compile(r"(?<!\\)\\\"[^\"\n]{1,200}\\\"")
_PATH: Final = re.compile(r"(?<![^\W\d_])[A-Za-z]:\\|\\\\[\w.-]+\\\w")
_SIGN: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"'/\\]))")


class EscapedLine:
    """A line in which accents, quotes and backslashes are written out."""

    def decode(self, raw: str) -> str:
        return whole(_SIGN.sub(_shown, raw)) if "\\" in raw else raw

    def encode(self, text: str, raw: str) -> str:
        text = text.replace("\\", "\\\\")
        for quote in "\"'":
            if f"\\{quote}" in raw:
                text = text.replace(quote, f"\\{quote}")
        if "\n" not in raw and "\r" not in raw:
            text = text.replace("\r", "\\r").replace("\n", "\\n")
        if raw.isascii() and not text.isascii():
            text = "".join(sign if sign.isascii() else _coded(sign) for sign in text)
        return text


WRITTEN: Final = EscapedLine()


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Every line between two line ends, written out or not."""
    if not _ANY.search(sheet.raw, start, end):
        raise Malformed(1, 1)
    position = start
    for gap in _BREAK.finditer(sheet.raw, start, end):
        if _backslashes(sheet.raw, gap.start()) % 2:
            continue  # behind a backslash that is itself written out
        sheet.prose(position, gap.start(), WRITTEN)
        position = gap.end()
    sheet.prose(position, end, WRITTEN)


def is_escaped(text: str) -> bool:
    """Whether every backslash begins an escape, and one of them at least cannot be a path's."""
    if "\\" not in text or _PATH.search(text):
        return False
    if not all(_KNOWN.fullmatch(match[0]) for match in _ANY.finditer(text)):
        return False
    return _SURE.search(text) is not None or _QUOTES.search(text) is not None


def _backslashes(text: str, end: int) -> int:
    """How many stand in a row before a place."""
    start = end
    while start and text[start - 1] == "\\":
        start -= 1
    return end - start


def _shown(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else match[3]


def _coded(sign: str) -> str:
    """A character by its number, or by the two of a pair."""
    unit = sign.encode("utf-16-be")
    return "".join(f"\\u{unit[i] << 8 | unit[i + 1]:04x}" for i in range(0, len(unit), 2))
