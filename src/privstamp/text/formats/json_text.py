"""JSON, and JSON by the line. Keys are names; strings and numbers are read, each for itself."""

from __future__ import annotations

import json
import re
from typing import Final

from privstamp.text.formats.codec import JSON_STRING, NUMBER, Malformed
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.template import FieldSheet

_TOKEN: Final = re.compile(
    r'"(?P<string>[^"\\]*+(?:\\.[^"\\]*+)*+)"(?P<colon>[ \t\r\n]*+:)?'
    r"|(?P<number>-?[0-9][0-9.eE+-]*+)|(?P<open>[\[{])|(?P<close>[\]}])",
    re.DOTALL,
)
SEAM: Final = "\n"


def check(text: str) -> None:
    """Refuse what is not JSON, by line and column."""
    trouble: tuple[int, int] | None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        trouble = error.lineno, error.colno
    except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
        trouble = 1, 1
    else:
        return
    raise Malformed(*trouble)


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """One value, whatever it is."""
    check(sheet.raw[start:end])
    name = ""
    before = SEAM
    lists: list[str] = []  # the names that the values of open lists go by
    for token in _TOKEN.finditer(sheet.raw, start, end):
        group = token.lastgroup
        if group == "colon":
            first, last = token.span("string")
            sheet.key(first, last, JSON_STRING)
            name = JSON_STRING.decode(sheet.raw[first:last])
            before = context(name)
            continue
        if group == "open":
            lists.append(name)
            continue
        if group == "close":
            lists.pop()
        else:
            first, last = token.span(group or 0)
            codec = JSON_STRING if group == "string" else NUMBER
            kind = kind_of(name, sheet.raw[first:last]) if name else ""
            sheet.prose(first, last, codec, before, kind)
        before = SEAM
        name = lists[-1] if lists else ""


def read_lines(sheet: FieldSheet, start: int, end: int) -> None:
    """A value on every line that is not blank."""
    position = start
    for number, line in enumerate(sheet.raw[start:end].split("\n"), start=1):
        if line.strip():
            trouble = None
            try:
                read(sheet, position, position + len(line))
            except Malformed as error:
                trouble = error.column
            if trouble is not None:
                raise Malformed(number, trouble)
        position += len(line) + 1


def is_lines(text: str) -> bool:
    """Whether a text looks like objects or lists, two at least, each on a line of its own."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(line.lstrip()[0] in "[{" for line in lines)
