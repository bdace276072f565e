"""Settings by the line, INI and .env: sections and keys are names, values and remarks are read."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.codec import Codec, Malformed
from privstamp.text.formats.literal import literal
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.template import FieldSheet

_SECTION: Final = re.compile(r"\[(?P<name>[^\]\r\n]+)\][ \t]*(?:[#;].*)?\r?\Z")
_REMARK: Final = re.compile(r"[ \t]*[#;]+[ \t]*(?P<text>.*?)[ \t]*\r?\Z")
_OPTION: Final = re.compile(
    r"(?P<name>[^\s=:\[#;][^\r\n=:]*?)[ \t]*(?:[=:][ \t]*(?P<value>[^\r\n]*?))?[ \t]*\r?\Z"
)
_INDENTED: Final = re.compile(r"[ \t]+(?P<text>\S[^\r\n]*?)[ \t]*\r?\Z")
_VARIABLE: Final = re.compile(
    r"[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*"
    r"(?:\"(?P<double>[^\"\\\r\n]*(?:\\.[^\"\\\r\n]*)*)\"|'(?P<single>[^'\r\n]*)'"
    r"|(?P<bare>[^\s\"'#][^\r\n]*?)?)(?:[ \t]+\#+[ \t]*(?P<remark>[^\r\n]*?))?[ \t]*\r?\Z"
)
_MANY: Final = 2
_SIGNS: Final = re.compile(r"[\"'`\\$#;&|<>(){}\s]+")
_LEADING: Final = re.compile(r"^[\s#;\[]+")


class LineEnd:
    """What stands to the end of its line; it may not begin as a remark or a section does."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return _LEADING.sub("", " ".join(text.split())) or "-"


class Unquoted:
    """A value of a shell without quotes: quotes are put around what needs them."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        line = " ".join(text.split())
        return f'"{_SIGNS.sub(" ", line).strip()}"' if _SIGNS.search(line) else line or "-"


LINE: Final = LineEnd()
_BARE: Final = Unquoted()
_QUOTED: Final[dict[str, Codec]] = {"double": literal('"'), "single": literal("'", raw=True)}


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """INI: sections, options with `=` or `:`, and values that go on in indented lines."""
    position, name, sections = start, "", 0
    for number, line in enumerate(sheet.raw[start:end].split("\n"), start=1):
        if section := _SECTION.match(line):
            _key(sheet, position, section)
            sections += 1
            name = ""
        elif remark := _REMARK.match(line):
            _text(sheet, position, remark, "text")
        elif name and (more := _INDENTED.match(line)):
            _text(sheet, position, more, "text", before=context(name))
        elif (option := _OPTION.match(line)) and sections:
            name = option["name"]
            _key(sheet, position, option)
            _text(sheet, position, option, "value", name=name)
        elif line.strip():
            raise Malformed(number, 1)
        position += len(line) + 1
    if not sections:
        raise Malformed(1, 1)


def read_variables(sheet: FieldSheet, start: int, end: int) -> None:
    """A file of variables: NAME=value, with or without quotes."""
    position = start
    for number, line in enumerate(sheet.raw[start:end].split("\n"), start=1):
        variable = _VARIABLE.match(line)
        if variable:
            _key(sheet, position, variable)
            for group in ("double", "single", "bare"):
                codec = _QUOTED.get(group, _BARE)
                _text(sheet, position, variable, group, codec, name=variable["name"])
            _text(sheet, position, variable, "remark")
        elif remark := _REMARK.match(line):
            _text(sheet, position, remark, "text")
        elif line.strip():
            raise Malformed(number, 1)
        position += len(line) + 1


def _key(sheet: FieldSheet, position: int, match: re.Match[str]) -> None:
    first, last = match.span("name")
    sheet.key(position + first, position + last, LINE)


def _text(
    sheet: FieldSheet,
    position: int,
    match: re.Match[str],
    group: str,
    codec: Codec = LINE,
    *,
    name: str = "",
    before: str = "\n",
) -> None:
    """A group of a line as a field, after its name if it has one."""
    if not match[group]:
        return
    first, last = match.span(group)
    kind = kind_of(name, match[group]) if name else ""
    before = context(name) if name else before
    sheet.prose(position + first, position + last, codec, before, kind)


def is_settings(text: str) -> bool:
    """Whether it has sections, and every other line is an option or a remark."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    options = sum(1 for line in lines if "=" in line and _OPTION.match(line))
    first = next((line for line in lines if not _REMARK.match(line)), "")
    return options >= _MANY and _SECTION.match(first) is not None


def is_variables(text: str) -> bool:
    """Whether every line sets a variable in capitals, two at least, or is a remark."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    named = [match["name"] for line in lines if (match := _VARIABLE.match(line))]
    remarks = sum(1 for line in lines if line.lstrip().startswith("#"))
    complete = len(named) + remarks == len(lines)
    return complete and len(named) >= _MANY and all(map(str.isupper, named))
