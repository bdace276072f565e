"""Stack traces: paths, modules and functions are names, messages are read."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.codec import Malformed
from privstamp.text.formats.template import FieldSheet

_FRAME: Final = re.compile(
    r'^[ \t]*(?:File "(?P<path>[^"\n]+)", line \d+(?:, in (?P<name>\S+))?'
    r"|at (?P<call>[^\s(][^(\n]*?)?[ \t]*\((?P<place>[^()\n]*)\)"
    r"|at (?P<bare>[^\s()]+:\d+(?::\d+)?)"
    r"|(?P<source>/?\S+\.go:\d+)(?: \+0x[0-9a-f]+)?|(?P<function>[\w./]+\.[\w.()*]+)\([^()\n]*\)"
    r"|(?:created by (?P<maker>\S+)(?: in goroutine \d+)?"
    r"|goroutine \d+ \[[^\]]*\]:|Traceback \(most recent call last\):|\.\.\. \d+ more"
    r"|During handling of the above exception, another exception occurred:"
    r"|The above exception was the direct cause of the following exception:))[ \t]*\r?$"
)
_RAISED: Final = re.compile(
    r"^(?:Caused by: |Exception in thread \"[^\"\n]*\" |Uncaught )?"
    r"(?P<type>[\w.$]*(?:Error|Exception|Warning|Fault|Interrupt|Exit|Panic|panic)\w*)"
    r"(?::[ \t]*(?P<text>.*?))?[ \t]*\r?$"
)
_FEWEST: Final = 2


def frame(sheet: FieldSheet, start: int, line: str) -> bool:
    """Take one line of a trace; whether it is one."""
    match = _FRAME.match(line)
    if match is not None:
        for group in ("path", "name", "call", "place", "bare", "source", "function", "maker"):
            if match[group]:
                first, last = match.span(group)
                sheet.key(start + first, start + last)
        return True
    raised = _RAISED.match(line)
    if raised is None:
        return False
    first, last = raised.span("type")
    sheet.key(start + first, start + last)
    if raised["text"]:
        first, last = raised.span("text")
        sheet.prose(start + first, start + last)
    return True


def is_frame(line: str) -> bool:
    """Whether a line is one of a trace."""
    return bool(_FRAME.match(line) or _RAISED.match(line))


def read(sheet: FieldSheet, start: int, end: int) -> None:
    """Frames and messages; other lines are text."""
    position = frames = 0
    for line in sheet.raw[start:end].split("\n"):
        if frame(sheet, start + position, line):
            frames += 1
        elif line.strip():
            first = start + position + len(line) - len(line.lstrip())
            sheet.prose(first, start + position + len(line.rstrip()))
        position += len(line) + 1
    if frames < _FEWEST:
        raise Malformed(1, 1)


def is_trace(text: str) -> bool:
    """Whether half of the lines are frames, or nearly so."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    frames = sum(1 for line in lines if _FRAME.match(line))
    return frames >= _FEWEST and frames * 3 >= len(lines)
