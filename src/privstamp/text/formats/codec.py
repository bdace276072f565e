"""How a field is written in its format: from raw characters to text, and from new text back.

`encode` is given the field as it was written, so that what is put in its place is written alike.
Whatever text it is given, what it returns is one whole field of the format.
"""

from __future__ import annotations

import json
import re
import string
from itertools import cycle
from typing import Final, Protocol

from privstamp.errors import InputError

_LONE: Final = re.compile("[\ud800-\udfff]")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_DIGIT: Final = re.compile(r"[0-9]")
_HEX, _TEN = 16, 10
_FIGURES: Final = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[-+]?[0-9_.]+(?:[eE][-+]?[0-9_]+)?"
)
_BASES: Final = {"0x": _HEX, "0b": 2, "0o": 8}
_BREAKS: Final = re.compile(r"[\r\n]+")


def whole(text: str) -> str:
    """With pairs of surrogates as one character; a lone one becomes NUL, which does not leave."""
    if not _LONE.search(text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _LONE.sub("\0", paired)


class Codec(Protocol):
    """Reads and writes one kind of field."""

    def decode(self, raw: str) -> str: ...

    def encode(self, text: str, raw: str) -> str: ...


class AsWritten:
    """Text of one line: nothing is escaped, and no new line may come in."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        if "\n" in raw or "\r" in raw:
            return text
        return _BREAKS.sub(" ", text)


class JsonString:
    """What stands between the quotes of a JSON string."""

    def decode(self, raw: str) -> str:
        if "\\" not in raw:
            return raw
        return whole(json.loads(f'"{raw}"', strict=False))

    def encode(self, text: str, raw: str) -> str:
        return json.dumps(text, ensure_ascii=raw.isascii())[1:-1]


class NumberCodec:
    """A number stays one: what was drawn for it, or else its digits in the form that was there."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        if _NUMBER.fullmatch(text) and _NUMBER.fullmatch(raw):
            return text
        figures = _FIGURES.match(raw)
        body, tail = (raw, "") if figures is None else (figures[0], raw[figures.end() :])
        base = _BASES.get(body[:2].lower(), _TEN)
        digits = cycle([int(digit) % base for digit in _DIGIT.findall(text)] or [1])
        filled = body[:2] if base != _TEN else ""
        for sign in body[len(filled) :]:
            digit = sign.isdigit() or (base == _HEX and sign in string.hexdigits)
            filled += str(next(digits)) if digit else sign
        if base == _TEN:
            lead = "0" if body.lstrip("-+")[:1] == "0" else "1"
            filled = re.sub(r"^([-+]?)0", rf"\g<1>{lead}", filled)
            filled = re.sub(r"^([-+]?)[1-9]", r"\g<1>0", filled) if lead == "0" else filled
        return filled + tail


AS_WRITTEN: Final = AsWritten()
JSON_STRING: Final = JsonString()
NUMBER: Final = NumberCodec()


# What a reader raises: where a text leaves its format, and nothing of the text.


class Malformed(InputError):
    """The text is not in the format that it should be in."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}")
        self.line, self.column = line, column


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column of a character, counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
