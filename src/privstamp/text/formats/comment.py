"""Comments of programs, line by line: the signs that make them comments pass."""

from __future__ import annotations

import re
from typing import Final

from privstamp.text.formats.literal import COMMENT
from privstamp.text.formats.template import Sheet

_LINE: Final = re.compile(
    r"^[ \t]*(?:(?://+|\#+|/\*+|--+|\*+(?!/)|;+|%+|<!--+|\{-|\(\*|'(?=[ \t])|=begin|=end)!?[ \t]*)?"
    r"(?P<text>[^\r\n]*?)[ \t]*(?:\*+/|--+>|-\}|\*\))?[ \t]*\r?$",
    re.MULTILINE,
)


def read_comment(sheet: Sheet, start: int, end: int) -> None:
    """Each line of a comment is a field."""
    for line in _LINE.finditer(sheet.raw[start:end]):
        first, last = line.span("text")
        sheet.prose(start + first, start + last, COMMENT)
