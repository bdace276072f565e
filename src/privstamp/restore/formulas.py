"""What a spreadsheet or a typesetter computes: formulas in cells, and commands of LaTeX."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import AHEAD, BLANK_LINE, Machine, Stretch

_LEAD: Final = (
    r"(?:^|[|,;\t\r\n])[ \u00a0\t\"'\u200b-\u200f\u2060\ufeff]{0,9}"
    r"(?:(?:[-*+>]|\d{1,3}[.)])[ \t]{1,4}[\"']{0,3}){0,3}"
)
"""Where a cell starts: a line, perhaps quoted or in a list, or what divides cells."""
_SIGNED: Final = re.compile(rf"{_LEAD}[-+@＋－＠]{{1,3}}(?=[^\s\-+@|])", re.MULTILINE)
_WORKS: Final = r"[A-Za-z]\(|\|\s{0,3}['\"]|![A-Za-z$]|&[\"'(]|[\"')]&"
"""Calls a function, joins strings, asks another program or another sheet."""
_EVENT: Final = re.compile(rf"\n|{_WORKS}")
_WORKING: Final = re.compile(_WORKS)
_COMMAND: Final = re.compile(r"\\([A-Za-z@]+)\*?")
_PLAIN: Final = frozenset(
    {
        *("textbf", "textit", "emph", "texttt", "textsc", "textrm", "textsf", "underline", "text"),
        *("section", "subsection", "subsubsection", "paragraph", "chapter", "part", "title"),
        *("author", "date", "item", "caption", "footnote", "centering", "large", "Large", "small"),
        *("maketitle", "noindent", "newline", "hline", "toprule", "midrule", "bottomrule"),
        *("multicolumn", "multirow", "begin", "end", "opening", "closing", "signature", "address"),
        *("name", "cc", "ps", "quote", "bf", "it"),
    }
)
"""Commands whose arguments are shown as they are."""


def formulas() -> list[Machine]:
    """Fresh machines."""
    lines = re.MULTILINE
    return [
        Stretch("formula", rf"{_LEAD}[=＝](?![=>~])", r"\n", lines),
        Stretch("formula", rf'{_LEAD}(?<=")[=＝](?![=>~])', r'(?<!")"(?!")', lines),
        Stretch(
            "latex",
            r"\\(?:input|include|includegraphics|write|openin|openout|immediate|special|catcode|"
            r"csname|read|url|href|path|nolinkurl|verb)(?![A-Za-z])",
            r"\n",
        ),
        Signed(),
        Commands(),
    ]


class Signed:
    """A cell that starts with + - or @ is a formula where it calls or joins: no list, no +44."""

    opened: str | None = None

    def __init__(self) -> None:
        self._open = self._works = False
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            awaited = _EVENT if self._open else _SIGNED
            event = awaited.search(text, at, stop + AHEAD)
            if event is None or event.start() >= stop:
                at = stop
            elif self._open and event[0] != "\n":
                self._works, at = True, event.end()
                self.opened = "formula"
            else:
                self._open, self._works, at = not self._open, False, event.end()
        self._over = at - stop

    def place(self, text: str, at: int) -> str | None:
        if not self._open:
            return None
        line = text[at : at + AHEAD].partition("\n")[0]
        return "formula" if self._works or _WORKING.search(line) else None


class Commands:
    """Arguments of every command that is not known to be shown as it is."""

    opened: str | None = None

    def __init__(self) -> None:
        self._awaits = False  # an argument may follow
        self._brackets = ""  # of the argument that is open
        self._depth = 0
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            if not self._awaits and not self._depth:
                command = _COMMAND.search(text, at, stop + AHEAD)
                if command is None or command.start() >= stop:
                    at = stop
                    break
                self._awaits = command[1] not in _PLAIN
                at = command.end()
            elif self._depth:
                at = self._inside(text, at)
            else:
                at = self._between(text, at)
        self._over = max(0, at - stop)

    def _between(self, text: str, at: int) -> int:
        sign = text[at]
        if sign in "[{(" or (sign == "<" and text[at - 1 : at] != " "):
            self._brackets = sign + {"[": "]", "{": "}", "(": ")", "<": ">"}[sign]
            self._depth, self._awaits = 1, False
        elif sign not in " \t\r\n" or _BLANK.match(text, at):
            self._awaits = False
            return at  # it may be the next command
        return at + 1

    def _inside(self, text: str, at: int) -> int:
        sign = text[at]
        if sign == "\\":
            return at + 2
        if _BLANK.match(text, at):
            self._depth = 0
        elif sign in self._brackets:
            self._depth += 1 if sign == self._brackets[0] else -1
            self._awaits = self._depth == 0
        return at + 1

    def place(self, _text: str, _at: int) -> str | None:
        return "latex" if self._depth else None


_BLANK: Final = re.compile(BLANK_LINE)
