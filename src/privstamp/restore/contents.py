"""Elements whose content is no running text: scripts, styles, forms, calls of tools in tags."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import AHEAD, BEHIND

_NAMES: Final = (
    "script|style|textarea|iframe|noscript|object|template|form|svg|math|xmp|plaintext|applet|"
    "noembed|noframes|select|button|audio|video|canvas|"
    r"(?:tool|function|execut)\w{0,30}|invoke|parameters?|arguments?|action|action_?input|api_?call|"
    r"bash|shell|cmd|command|search|(?:write|read|run|send|call|use|ask|search|browse|fetch|create|"
    r"replace|edit|attempt|open|list|delete|post|get|web|new)_\w{1,30}"
)
_PREFIX: Final = r"(?:[A-Za-z][\w.\-]{0,30}:)?"
_OPENING: Final = rf"<({_PREFIX}(?:{_NAMES}))(?=[\s/>=|:])"
_CLOSING: Final = rf"</({_PREFIX}(?:{_NAMES}))(?=[ \t\n\f\r/>])"
_EDGE: Final = re.compile(rf"{_OPENING}|(?a:{_CLOSING})", re.IGNORECASE)
_CODE: Final = re.compile(r"`|~{3}")
_PARAGRAPH: Final = re.compile(r"\n[ \t>]{0,40}\n")
_INDENTED: Final = re.compile(r"[\W\d]*(?: {4}|\t)[ \t]*")
_LISTED: Final = re.compile(r"[-*+.)]")


class Contents:
    """Elements that are open, in order.

    An opening counts wherever it stands. A closing counts for the innermost one, and only where
    every program would take it for a tag: in plain text, neither escaped nor in code.
    """

    opened: str | None = None

    def __init__(self) -> None:
        self._open: list[str] = []
        self._doubt = False  # code began since the first was opened
        self._paragraph = False  # or a paragraph did

    def edge(self, text: str, start: int, stop: int) -> re.Match[str] | None:
        """The next tag that may open or close an element."""
        edge = _EDGE.search(text, start, stop + AHEAD)
        return None if edge is None or edge.start() >= stop else edge

    def read(self, text: str, start: int, stop: int) -> None:
        """What stands between two edges."""
        if self._open:
            self._doubt = self._doubt or _CODE.search(text, start, stop + 2) is not None
            broken = _PARAGRAPH.search(text, start, stop + AHEAD)
            self._paragraph |= broken is not None and broken.start() < stop

    def closes(self, edge: re.Match[str]) -> bool:
        """Whether it would close the innermost element, if it is a tag."""
        return edge[2] is not None and self._open[-1:] == [edge[2].lower()] and not self._doubt

    def take(self, edge: re.Match[str], *, plain: bool) -> None:
        """Go over an edge; `plain` tells whether it stands in plain text."""
        if edge[1] is not None:
            if not self._open:
                self._doubt = self._paragraph = False
            self._open.append(edge[1].casefold())
            self.opened = "script"
        elif plain and self.closes(edge) and not self._quoted(edge):
            self._open.pop()

    def _quoted(self, edge: re.Match[str]) -> bool:
        """Whether Markdown may show the tag as it is written: escaped, or in an indented block."""
        start = edge.start()
        line = edge.string[max(0, start - BEHIND) : start].rpartition("\n")[2]
        if line.endswith("\\"):
            return True
        indented = _INDENTED.fullmatch(line) is not None
        return indented and (self._paragraph or _LISTED.search(line) is not None)

    def place(self, _text: str, _at: int) -> str | None:
        if not self._open:
            return None
        return "style" if set(self._open) == {"style"} else "script"
