"""Logs: a time, a level and what happened, line by line; key=value and JSON are read as such."""

from __future__ import annotations

import json
import re
from typing import Final

from privstamp.text.formats import json_text, trace
from privstamp.text.formats.codec import Malformed
from privstamp.text.formats.names import context, kind_of
from privstamp.text.formats.template import FieldSheet

_TIME: Final = (
    r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[ ]?[+-]\d\d:?\d\d)?"
    r"|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d+)?"
)
_LEVEL: Final = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRIT|CRITICAL|FATAL|SEVERE|ALERT)\b"
    r"|(?:trace|debug|info|notice|warn|warning|error|critical|fatal)(?=[\]: |])"
)
_LINE: Final = re.compile(
    r"^[ \t]*(?:(?P<client>\S+ \S+ \S+) (?=\[\d))?"
    rf"(?:[\[(]?(?P<time>{_TIME})[\])]?|(?P<only>\[?(?:{_LEVEL})))"
    rf"(?:[ \t|:-]*[\[(]?(?P<level>{_LEVEL})[\])]?:?)?"
    r"(?:[ \t]+[\[(]?(?P<logger>[A-Za-z_][\w./$-]*[\w])(?:\[\d+\])?[\])]?:?(?=[ \t|-]))?"
)
_PAIR: Final = re.compile(
    r"(?P<key>[A-Za-z_][\w.-]*)=(?:\"(?P<quoted>[^\"\\]*(?:\\.[^\"\\]*)*)\"|(?P<value>[^\s,;|\]\)]+))"
)
_SHARE: Final = 0.6
_LOOKED_AT: Final = 20_000


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Line by line; lines without a time or a level go on with what was said before."""
    position, entries = start, 0
    for line in sheet.raw[start:end].split("\n"):
        opening = _LINE.match(line)
        if opening is not None:
            entries += 1
            _entry(sheet, position, line, opening)
        elif line.strip() and not trace.frame(sheet, position, line):
            _message(sheet, position, position + len(line.rstrip()), "\n")
        position += len(line) + 1
    if not entries:
        raise Malformed(1, 1)


def _entry(sheet: FieldSheet, start: int, line: str, opening: re.Match[str]) -> None:
    for word in re.finditer(r"[^\s-]\S*", opening["client"] or ""):
        first = start + opening.start("client")
        sheet.prose(first + word.start(), first + word.end(), before="\n")
    if opening["time"]:
        first, last = opening.span("time")
        sheet.prose(start + first, start + last, before="\n")
    message = opening.end()
    if opening["logger"]:
        first, last = opening.span("logger")
        if line[first:last].islower() or not line[first:last].isalpha():
            sheet.key(start + first, start + last)
        else:
            message = first  # the first word of a sentence
    _message(sheet, start + message, start + len(line.rstrip()), "\n")


def _message(sheet: FieldSheet, start: int, end: int, before: str) -> None:
    """Text between pairs of a key and its value; an object at the end is JSON."""
    stop = _object(sheet.raw, start, end)
    position = start
    for pair in _PAIR.finditer(sheet.raw, start, stop):
        before = _text(sheet, position, pair.start(), before)
        sheet.key(*pair.span("key"))
        group = "value" if pair["quoted"] is None else "quoted"
        kind = kind_of(pair["key"], pair[group])
        sheet.prose(*pair.span(group), before=context(pair["key"]), kind=kind)
        position = pair.end()
    _text(sheet, position, stop, before)
    if stop < end:
        json_text.read(sheet, stop, end)
        sheet.part("json")


def _text(sheet: FieldSheet, start: int, end: int, before: str) -> str:
    text = sheet.raw[start:end]
    if not any(map(str.isalnum, text)):
        return before
    sheet.prose(start + len(text) - len(text.lstrip()), start + len(text.rstrip()), before=before)
    return "\n"


def _object(text: str, start: int, end: int) -> int:
    """Where a JSON object begins with which the line ends; its end, if there is none."""
    if text[end - 1 : end] != "}":
        return end
    position = text.find("{", start, end)
    try:
        json.loads(text[position:end] if position >= 0 else "")
    except (ValueError, RecursionError):
        return end
    return position


def begins(text: str, at: int) -> bool:
    """Whether an entry begins there."""
    end = text.find("\n", at)
    return _LINE.match(text[at : end if end >= 0 else len(text)]) is not None


def is_log(text: str) -> bool:
    """Whether most lines begin with a time or a level, and one at least has both."""
    head = text[:_LOOKED_AT].split("\n")
    lines = [line for line in head if line.strip() and not line[0].isspace()]
    lines = [line for line in lines if not trace.is_frame(line)]
    matches = [match for match in map(_LINE.match, lines) if match is not None]
    groups = ("level", "logger", "client")
    full = any(line["time"] and any(map(line.group, groups)) for line in matches)
    return full and len(matches) >= len(lines) * _SHARE
