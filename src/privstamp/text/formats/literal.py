"""String literals and comments of programs: text in, text out, and the program stays one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from privstamp.text.formats.codec import Codec, whole
from privstamp.text.formats.template import FieldSheet

_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})"
    r"|([0-7]{1,3})|(\r?\n)|N\{([A-Za-z0-9 -]+)\}|(.))",
    re.DOTALL,
)
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Escaped:
    """A literal with escapes by backslash, between quotes; `braces` are doubled, as in f"{x}"."""

    def __init__(self, quote: str, *, braces: bool = False, ascii_only: bool = False) -> None:
        self._quote, self._braces, self._ascii = quote, braces, ascii_only

    def decode(self, raw: str) -> str:
        text = whole(_ESCAPE.sub(_sign, raw)) if "\\" in raw else raw
        return text.replace("{{", "{").replace("}}", "}") if self._braces else text

    def encode(self, text: str, raw: str) -> str:
        sign = self._quote[:1]
        text = text.replace("\\", "\\\\").replace(sign, f"\\{sign}")
        if len(self._quote) < 3 and sign != "`" and "\n" not in raw:
            text = text.replace("\r", "\\r").replace("\n", "\\n")
        if sign == "`":
            text = text.replace("${", "$\\{")
        if self._braces:
            text = text.replace("{", "{{").replace("}", "}}")
        if self._ascii or (raw.isascii() and not text.isascii() and "\\" in raw):
            text = "".join(
                character if character.isascii() else _coded(character, self._ascii)
                for character in text
            )
        return text


class Doubled:
    """A literal in which a quote is written twice, as in SQL."""

    def __init__(self, quote: str) -> None:
        self._quote = quote

    def decode(self, raw: str) -> str:
        return raw.replace(self._quote * 2, self._quote)

    def encode(self, text: str, raw: str) -> str:
        del raw
        text = text.replace("\\", "/")  # some dialects read it as an escape
        return text.replace(self._quote, self._quote * 2)


class Raw:
    """A literal without escapes: what would end it becomes something that looks like it."""

    def __init__(self, quote: str, *, braces: bool = False, ascii_only: bool = False) -> None:
        self._quote, self._braces, self._ascii = quote, braces, ascii_only

    def decode(self, raw: str) -> str:
        return raw.replace("{{", "{").replace("}}", "}") if self._braces else raw

    def encode(self, text: str, raw: str) -> str:
        text = text.replace(self._quote[:1], "\u2019" if not self._ascii else "_")
        if _trailing(text) % 2 and not _trailing(raw) % 2:
            text = f"{text[:-1]}/"  # it would take the quote with it
        if len(self._quote) < 3:
            text = " ".join(text.split("\n")).replace("\r", " ")
        if self._braces:
            text = text.replace("{", "{{").replace("}", "}}")
        return text.encode("ascii", "replace").decode() if self._ascii else text


class Pattern:
    """A regular expression between slashes."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        text = " ".join(text.splitlines())
        text = text if _trailing(text) % 2 == _trailing(raw) % 2 else text.rstrip("\\")
        return re.sub(r"(?<!\\)/", r"\\/", text)


class Nested(Escaped):
    """A literal inside of another one's placeholder, where neither quotes nor escapes may stand."""

    def encode(self, text: str, raw: str) -> str:
        quote = "_" if self._ascii else "\u2019"
        text = re.sub(r"[\\/#!:\r\n]+", " ", re.sub(r"['\"`]", quote, text))
        text = text.replace("{", "(").replace("}", ")")
        del raw
        return text.encode("ascii", "replace").decode() if self._ascii else text


class Bare:
    """A word of a program that stands without quotes."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        word = re.sub(r"[^\w./:@%+,=-]+", "_", text)
        return word if word[:1].isalpha() or not raw[:1].isalpha() else f"w{word}"


class Comment:
    """A line of a comment: no new line, and nothing that ends it."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        text = " ".join(text.splitlines()).replace("\\", "/")
        for sign in ("*/", "-->", "?>", "/*", "]]", "=end"):
            while sign in text:
                text = text.replace(sign, " ".join(sign))
        return text


def _trailing(text: str) -> int:
    return len(text) - len(text.rstrip("\\"))


def _sign(match: re.Match[str]) -> str:
    """What an escape stands for. What stands for nothing is NUL, which does not leave."""
    short, four, braced, eight, octal, broken, named, plain = match.groups()
    code = short or four or braced or eight
    if code:
        point = int(code, 16)
        return chr(point) if point < 0x110000 else "\0"
    if octal:
        return chr(int(octal, 8))
    if named:
        try:
            return unicodedata.lookup(named)
        except KeyError:
            return match[0]
    return "" if broken else _SIGNS.get(plain, plain)


def _coded(sign: str, as_bytes: bool) -> str:
    if as_bytes:
        return "".join(f"\\x{byte:02x}" for byte in sign.encode())
    point = ord(sign)
    return f"\\u{point:04x}" if point < 0x10000 else sign


COMMENT: Final = Comment()
BARE: Final = Bare()
PATTERN: Final = Pattern()
NESTED: Final = (Nested("'"), Nested("'", ascii_only=True))


@cache
def literal(
    quote: str, *, raw: bool = False, braces: bool = False, as_bytes: bool = False
) -> Codec:
    """The codec of literals between such quotes; one object for all of them."""
    kind = Raw if raw else Escaped
    return kind(quote, braces=braces, ascii_only=as_bytes)


DOUBLED: Final[dict[str, Codec]] = {sign: Doubled(sign) for sign in "'\"`"}


# Comments of programs, line by line: the signs that make them comments pass.


_LINE: Final = re.compile(
    r"^[ \t]*(?:(?://+|\#+|/\*+|--+|\*+(?!/)|;+|%+|<!--+|\{-|\(\*|'(?=[ \t])|=begin|=end)!?[ \t]*)?"
    r"(?P<text>[^\r\n]*?)[ \t]*(?:\*+/|--+>|-\}|\*\))?[ \t]*\r?$",
    re.MULTILINE,
)


def read_comment(sheet: FieldSheet, start: int, end: int) -> None:
    """Each line of a comment is a field."""
    for line in _LINE.finditer(sheet.raw[start:end]):
        first, last = line.span("text")
        sheet.prose(start + first, start + last, COMMENT)
