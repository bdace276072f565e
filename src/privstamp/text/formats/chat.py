"""Transcripts: marks of speakers pass if they name a role, and no finding leaves its turn."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.codec import Malformed
from privstamp.text.formats.names import SPEAKERS
from privstamp.text.formats.template import FieldSheet

_TURN: Final = re.compile(
    r"^(?P<stamp>[ \t]*(?:\[[^\]\n]{1,30}\]|\(?\d{1,2}:\d\d(?::\d\d)?(?:[ \t]?[AaPp][Mm])?\)?))?"
    r"[ \t]*(?:[-*#>]+[ \t]*)?\**(?P<mark>[^\W\d_][^\n:*]{0,39}?)\**[ \t]*:\**(?=[ \t\r\n]|$)",
    re.MULTILINE,
)
_WORDS: Final = re.compile(r"[^\W\d_]+")
_FEWEST: Final = 2
_LONGEST_MARK: Final = 4  # words


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Turns, and what stands before the first one."""
    turns = list(_TURN.finditer(sheet.raw, start, end))
    if len(turns) < _FEWEST:
        raise Malformed(1, 1)
    _prose(sheet, start, turns[0].start())
    for turn, stop in zip(turns, [*(after.start() for after in turns[1:]), end], strict=True):
        if turn["stamp"]:
            sheet.prose(*turn.span("stamp"), before="\n")
        if not is_role(turn["mark"]):
            sheet.prose(*turn.span("mark"), before="\n")
        _prose(sheet, turn.end(), stop)


def _prose(sheet: FieldSheet, start: int, end: int) -> None:
    text = sheet.raw[start:end]
    first = start + len(text) - len(text.lstrip())
    sheet.prose(first, start + len(text.rstrip()), before="\n")


def is_role(mark: str) -> bool:
    """Whether a mark says what somebody is, and not who."""
    return all(word.lower() in SPEAKERS for word in _WORDS.findall(mark))


def is_chat(text: str) -> bool:
    """Two turns at least on most lines, by few speakers who come back, or by roles alone."""
    turns = list(_TURN.finditer(text))
    if len(turns) < _FEWEST:
        return False
    marks = [turn["mark"].strip().lower() for turn in turns]
    if any(len(mark.split()) > _LONGEST_MARK for mark in marks):
        return False
    lines = sum(1 for line in text.split("\n") if line.strip())
    distinct = set(marks)
    if all(map(is_role, distinct)) and len(distinct) <= len(marks):
        return len(distinct) > 1 or len(marks) > _FEWEST
    return len(marks) * 2 >= lines and 1 < len(distinct) < len(marks)
