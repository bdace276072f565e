"""vCards and calendars: NAME;PARAMETER=VALUE:VALUE, line by line. Names pass, values are read."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.codec import Codec, Malformed
from privstamp.text.formats.names import context, passes
from privstamp.text.formats.template import FieldSheet

_LINE: Final = re.compile(
    r"(?:(?P<group>[\w-]+)\.)?(?P<name>[A-Za-z][A-Za-z0-9-]*)"
    r"(?P<parameters>(?:;[A-Za-z-]+(?:=(?:\"[^\"\r\n]*\"|[^\";:,\r\n]*)"
    r"(?:,(?:\"[^\"\r\n]*\"|[^\";:,\r\n]*))*)?)*):(?P<value>[^\r\n]*)"
)
_PARAMETER: Final = re.compile(r";(?P<name>[A-Za-z-]+)=(?P<value>[^;\"]+|\"[^\"]*\")")
_WORD: Final = re.compile(r"[^\W_]+")
_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")
_PIECE: Final = re.compile(r"(?:[^;\\]|\\.)+")
_KINDS: Final = {
    "FN": ("PERSON",),
    "N": ("PERSON", "PERSON", "PERSON"),
    "NICKNAME": ("PERSON",),
    "RELATED": ("PERSON",),
    "CN": ("PERSON",),
    "ORG": ("ORGANIZATION",),
    "CONTACT": ("PERSON",),
}
"""What the parts of a value are, one after the other."""
_TOLD: Final = frozenset({"TEL", "UID", "GEO", "VERSION", "SEQUENCE", "PRIORITY"})
"""Names that stand before their value where it is read."""


class Escaped:
    """A value in which signs and line ends have a backslash before them."""

    def decode(self, raw: str) -> str:
        return re.sub(r"\\(.)", lambda sign: "\n" if sign[1] in "nN" else sign[1], raw)

    def encode(self, text: str, raw: str) -> str:
        del raw
        return re.sub(r"[\\,;]", r"\\\g<0>", text).replace("\r", "").replace("\n", "\\n")


class Parameter:
    """The value of a parameter, which may have no signs of the format in it."""

    def decode(self, raw: str) -> str:
        return raw

    def encode(self, text: str, raw: str) -> str:
        del raw
        return re.sub(r"[\";:,\s]+", " ", text)


_VALUE, _PARAMETER_VALUE = Escaped(), Parameter()


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Line by line; a line that begins with a blank goes on with the one before it."""
    position = start
    for line in _LINES.findall(sheet.raw[start:end]):
        bare = line.rstrip("\r\n")
        match = _LINE.fullmatch(bare)
        if match is not None:
            _property(sheet, position, match)
        elif bare[:1] in (" ", "\t") and position > start:
            sheet.prose(position + 1, position + len(bare), _VALUE, "")
        elif bare.strip():
            raise Malformed(sheet.raw.count("\n", 0, position) + 1, 1)
        position += len(line)


def _property(sheet: FieldSheet, start: int, line: re.Match[str]) -> None:
    if line["group"]:
        sheet.key(start, start + line.end("group"))
    name = line["name"].upper()
    if not _is_syntax(name):
        sheet.key(start + line.start("name"), start + line.end("name"))
    for parameter in _PARAMETER.finditer(line[0], *line.span("parameters")):
        _read(sheet, start, parameter, parameter["name"].upper(), _PARAMETER_VALUE)
    _read(sheet, start, line, name, _VALUE)


def _read(sheet: FieldSheet, start: int, match: re.Match[str], name: str, codec: Codec) -> None:
    """A value, part by part; one of the format's own words passes."""
    first, last = match.span("value")
    value = match["value"]
    if value.startswith('"'):
        first, last = first + 1, last - 1
    elif value.lower().startswith("mailto:"):
        first += len("mailto:")
    if _is_syntax(value) or last <= first:
        return
    kinds = _KINDS.get(name, ())
    before = context(name) if name in _TOLD else "\n"
    text = match.string[first:last]
    for piece in _PIECE.finditer(text):
        number = text.count(";", 0, piece.start())
        kind = kinds[number] if number < len(kinds) else ""
        if not _is_syntax(piece[0]):
            span = start + first + piece.start(), start + first + piece.end()
            sheet.prose(*span, codec, before, kind)
            before = ", "


def _is_syntax(text: str) -> bool:
    return all(map(passes, _WORD.findall(text)))


def is_content(text: str) -> bool:
    """Whether it begins as a card or a calendar does."""
    head = text[:40].lstrip("\ufeff \t\r\n").upper()
    return head.startswith(("BEGIN:VCARD", "BEGIN:VCALENDAR"))
