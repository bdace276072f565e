"""TOML: keys and headers are names; strings, numbers, dates and remarks are read."""

from __future__ import annotations

import re
import tomllib
from typing import Final

from privstamp.text.formats.codec import NUMBER, Codec, Malformed
from privstamp.text.formats.literal import literal
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.settings import LINE
from privstamp.text.formats.template import FieldSheet

_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)\Z")
_TOKEN: Final = re.compile(
    r'"""(?P<blocks>\n?(?:[^"\\]|\\.|"(?!""(?!")))*?)"""(?!")'
    r"|'''(?P<raws>\n?(?:[^']|'(?!''(?!')))*?)'''(?!')"
    r'|"(?P<double>[^"\\\n]*(?:\\.[^"\\\n]*)*)"'
    r"|'(?P<single>[^'\n]*)'"
    r"|\#+[ \t]*(?P<remark>[^\r\n]*)"
    r"|(?P<sign>[=,\[\]{}\n])"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:[Zz]|[+-]\d\d:\d\d)?)"
    r"|(?P<bare>[^\s=,\[\]{}#\"'.]+(?:\.[^\s=,\[\]{}#\"'.]+)*)",
    re.DOTALL,
)
_PARTS: Final = re.compile(r"[^.]+")
_CONSTANTS: Final = frozenset({"true", "false", "inf", "nan"})
_LONE_DATE: Final = "2001-01-01"


class Key:
    """A key without quotes, or between them."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        return re.sub(r"[^\w-]+", "_", text, flags=re.ASCII) if raw.isascii() else text


class Day:
    """A date stays one; what is none becomes the first of a century, with the same time."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        try:
            known = tomllib.loads(f"x = {text}")["x"], tomllib.loads(f"x = {raw}")["x"]
        except (ValueError, KeyError):  # a TOMLDecodeError is a ValueError
            return _LONE_DATE + raw[len(_LONE_DATE) :]
        same = type(known[0]) is type(known[1])
        return text if same else _LONE_DATE + raw[len(_LONE_DATE) :]


class Block:
    """A string over several lines, in which line ends stand for themselves."""

    def __init__(self, inner: Codec) -> None:
        self._inner = inner

    def decode(self, raw: str) -> str:
        return self._inner.decode(raw)

    def encode(self, text: str, raw: str) -> str:
        return self._inner.encode(text.replace("\r", ""), raw)


_KEY, _DAY = Key(), Day()
_CODECS: Final[dict[str, Codec]] = {
    "blocks": Block(literal('"""')),
    "raws": Block(literal("'''", raw=True)),
    "double": literal('"'),
    "single": literal("'", raw=True),
    "date": _DAY,
    "bare": NUMBER,
}


def check(text: str) -> None:
    """Refuse what is not TOML, by line and column."""
    trouble: tuple[int, int] | None
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = _PLACE.search(str(error))
        trouble = (int(where[1]), int(where[2])) if where else (text.count("\n") + 1, 1)
    except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
        trouble = 1, 1
    else:
        return
    raise Malformed(*trouble)


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Keys up to `=` and in headers, values behind it."""
    check(sheet.raw[start:end])
    position, name = start, ""
    named = True  # whether a key comes next, or a header
    depth: list[str] = []
    while (token := _TOKEN.search(sheet.raw, position, end)) is not None:
        position = token.end()
        group = token.lastgroup or ""
        if group == "sign":
            sign = token[group]
            if sign == "=":
                named = False
            elif sign in "[{":
                depth.append("[" if named else f"value {sign}")
                named = named or sign == "{"
            elif sign in "]}":
                depth.pop()
                named = False
            else:
                named = depth[-1] == "value {" if depth else sign == "\n"
        elif group == "remark":
            sheet.prose(*token.span(group), LINE)
        elif named and group in ("bare", "date"):
            for part in _PARTS.finditer(token[group]):
                first, last = (token.start() + place for place in part.span())
                sheet.key(first, last, _KEY)
            name = token[group].rpartition(".")[2]
        elif named:
            sheet.key(*token.span(group), _CODECS[group])
            name = token[group]
        elif token[group].lstrip("+-") not in _CONSTANTS:
            sheet.prose(
                *token.span(group), _CODECS[group], context(name), kind_of(name, token[group])
            )


def is_toml(text: str) -> bool:
    """Whether a text that may be settings is TOML."""
    try:
        return bool(tomllib.loads(text))
    except (ValueError, RecursionError):
        return False
