"""YAML: keys and anchors are names; scalars, lines of blocks and remarks are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from yaml.resolver import Resolver
from yaml.tokens import AliasToken, AnchorToken, KeyToken, ScalarToken, ValueToken

from privstamp.text.formats.codec import NUMBER, Codec, Malformed
from privstamp.text.formats.literal import DOUBLED
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.settings import LINE
from privstamp.text.formats.template import FieldSheet

_REMARK: Final = re.compile(r"(?:^|(?<=\s))\#+[ \t]*(?P<text>[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_BLOCK_LINE: Final = re.compile(r"^[ \t]*(?P<text>\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_PLAIN: Final = re.compile(r"[^\W_][\w @.+()/=-]*(?<! )")
_MARKER: Final = re.compile(r"^(?:---|\.\.\.)")
_NESTED: Final = re.compile(
    r"^(?P<indent>[ ]*)(?:- )*[\w.-]+:[ \t]*\r?\n(?:[ ]*\#.*\n)*(?P=indent)[ ]*(?:- |[ ][\w.\"'-])",
    re.MULTILINE,
)
_LINE: Final = re.compile(
    r"[ ]*(?:(?:- )*(?:[\w./-]+|\"[^\"]*\"|'[^']*'):(?:[ \t].*)?|-(?:[ ].*)?|\#.*|---.*|\.\.\.)\r?"
)
_SHARE, _FEWEST = 0.5, 3
"""Of lines that may be parts of a block, and lines at all."""
_FIRST: Final = "2001-01-01"
_TEXT, _NUMBERS = "tag:yaml.org,2002:str", ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_DATE: Final = "tag:yaml.org,2002:timestamp"
_CONSTANTS: Final = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:null")
_RESOLVER: Final[Any] = Resolver()


def _tag(text: str) -> str:
    """What a scalar without quotes is: a string, a number, a date, a constant."""
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))


class PlainScalar:
    """A scalar without quotes: quotes are put around what needs them, a number or date stays."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        tag = _tag(raw)
        if tag in _NUMBERS:
            number = NUMBER.encode(text, raw)
            return number if _tag(number) in _NUMBERS else raw[:1].strip("0") + "1"
        if tag == _DATE:
            return text if _tag(text) == _DATE else _FIRST
        line = " ".join(text.split())
        if _PLAIN.fullmatch(line) and _tag(line) == _TEXT:
            return line
        return f'"{DOUBLE.encode(line, raw)}"'


class Double:
    """Between double quotes."""

    def decode(self, raw: str) -> str:
        if "\\" not in raw and "\n" not in raw:
            return raw
        return str(yaml.safe_load(f'"{raw}"'))

    def encode(self, text: str, raw: str) -> str:
        del raw
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
        return text.replace("\r", "\\r").replace("\n", "\\n")


class Single:
    """Between single quotes, where nothing is escaped and no line may end."""

    def decode(self, raw: str) -> str:
        return DOUBLED["'"].decode(raw)

    def encode(self, text: str, raw: str) -> str:
        del raw
        return " ".join(text.split()).replace("'", "''")


class BlockLine:
    """A line of a block, behind its indent."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return _MARKER.sub("\u2013", " ".join(text.split())) or "-"


PLAIN, DOUBLE, SINGLE, BLOCK_LINE = PlainScalar(), Double(), Single(), BlockLine()
_QUOTED: Final[dict[str, Codec]] = {'"': DOUBLE, "'": SINGLE}


def check(text: str) -> None:
    """Refuse what is not YAML, by line and column."""
    trouble: tuple[int, int] | None
    try:
        for _ in yaml.parse(text, Loader=yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        trouble = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        trouble = before.count("\n") + 1, len(before) - before.rfind("\n")
    except (yaml.YAMLError, RecursionError, ValueError):
        trouble = 1, 1
    else:
        return
    raise Malformed(*trouble)


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Scalars in order, and the remarks between them."""
    text = sheet.raw[start:end]
    check(text)
    position, name, is_key = 0, "", False
    for token in _tokens(text):
        first, last = token.start_mark.index, token.end_mark.index
        if isinstance(token, KeyToken):
            is_key = True
        elif isinstance(token, ValueToken):
            is_key = False
        elif isinstance(token, AnchorToken | AliasToken):
            _remarks(sheet, start, position, first)
            sheet.key(start + first + 1, start + last)
            position = last
        elif isinstance(token, ScalarToken):
            _remarks(sheet, start, position, first)
            if is_key:
                _key(sheet, start + first, start + last, token.style)
                name = str(token.value)
            else:
                _value(sheet, start + first, start + last, token.style, name)
            position, is_key = last, False
    _remarks(sheet, start, position, len(text))


def _tokens(text: str) -> Iterator[Any]:
    yield from yaml.scan(text, Loader=yaml.SafeLoader)


def _key(sheet: FieldSheet, start: int, end: int, style: str | None) -> None:
    if style in _QUOTED:
        sheet.key(start + 1, end - 1, _QUOTED[style])
    elif style is None:
        sheet.key(start, end, PLAIN)
    else:
        _block(sheet, start, end, "")


def _value(sheet: FieldSheet, start: int, end: int, style: str | None, name: str) -> None:
    raw = sheet.raw[start:end]
    if style in ("|", ">"):
        _block(sheet, start, end, name)
    elif style in _QUOTED:
        kind = kind_of(name, raw[1:-1])
        sheet.prose(start + 1, end - 1, _QUOTED[style], context(name), kind)
    elif _tag(raw) not in _CONSTANTS:
        sheet.prose(start, end, PLAIN, context(name), kind_of(name, raw))


def _block(sheet: FieldSheet, start: int, end: int, name: str) -> None:
    """Each line is a field; the header has a remark at most."""
    body = sheet.raw.find("\n", start, end) + 1 or end
    _remarks(sheet, 0, start, body)
    before = context(name)
    for line in _BLOCK_LINE.finditer(sheet.raw, body, end):
        sheet.prose(*line.span("text"), BLOCK_LINE, before)
        before = "\n"


def _remarks(sheet: FieldSheet, start: int, first: int, last: int) -> None:
    for remark in _REMARK.finditer(sheet.raw[start + first : start + last]):
        low, high = remark.span("text")
        sheet.prose(start + first + low, start + first + high, LINE)


def is_yaml(text: str) -> bool:
    """Whether all lines at the margin are those of a mapping or a list, most others too, and some
    are nested."""
    head = text[:20_000]
    lines = [line for line in head.split("\n") if line.strip()]
    others = [line for line in lines if not _LINE.fullmatch(line)]
    if len(lines) < _FEWEST or len(others) > _SHARE * len(lines):
        return False
    nested = head.startswith("---") or _NESTED.search(head) is not None
    return nested and all(line[0].isspace() for line in others)
