"""What a reader of a hostile reply keeps track of: small machines that follow it side by side.

Each knows one construct that programs act on, and none of them trusts another to have read the
text rightly: what is a comment to one program is a link to the next. A place is plain only where
every machine says so. Here: stretches, tags of HTML and XML as a browser reads them, and elements
whose content is no running text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Protocol

AHEAD: Final = 120
"""Characters ahead of a place that may decide about it: a stream waits for no more."""
BEHIND: Final = 256
"""Characters before a place that are looked at again; machines remember what matters beyond."""
BLANK_LINE: Final = r"\n[ \t]*\n"


class Machine(Protocol):
    """Reads a text in order, in pieces of any size, and tells of the place where it stands."""

    opened: str | None
    """The kind of place that was entered anywhere before, if it may act on text elsewhere."""

    def read(self, text: str, start: int, stop: int) -> None:
        """Go on from `start` to `stop`, looking at most AHEAD characters further."""

    def place(self, text: str, at: int, /) -> str | None:
        """What kind of place `at` is, where reading stopped; nothing if it is plain text."""


class Stretch:
    """From an opening to what closes it, whatever is between; unclosed it goes on to the end."""

    def __init__(
        self,
        name: str,
        opener: str,
        closer: str | Callable[[re.Match[str]], str],
        flags: int = 0,
    ) -> None:
        self._name = name
        self._flags = flags
        self._opener = re.compile(opener, flags)
        self._closing = closer
        self._closer: re.Pattern[str] | None = None
        self._over = 0  # characters read beyond the last stop
        self.opened: str | None = None  # its name, once it was

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            awaited = self._opener if self._closer is None else self._closer
            match = awaited.search(text, at, stop + AHEAD)
            if match is None or match.start() >= stop:
                at = stop
            else:
                at = match.end()
                self._closer = self._next(match) if self._closer is None else None
                self.opened = self._name
        self._over = at - stop

    def _next(self, opening: re.Match[str]) -> re.Pattern[str]:
        closer = self._closing if isinstance(self._closing, str) else self._closing(opening)
        return re.compile(closer, self._flags)

    def place(self, _text: str, _at: int) -> str | None:
        return self._name if self._closer is not None or self._over else None


class ProgramTemplate:
    """What a program fills or runs, from an opening to its closing outside of strings."""

    opened: str | None = None

    def __init__(self, opener: str, closer: str) -> None:
        self._opener = re.compile(opener)
        self._events = re.compile(rf"\\.|(?P<quote>[\"'`])|(?P<end>{closer})")
        self._open = False
        self._quote = ""
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            awaited = self._events if self._open else self._opener
            event = awaited.search(text, at, stop + AHEAD)
            if event is None or event.start() >= stop:
                at = stop
                break
            at = event.end()
            if not self._open:
                self._open, self._quote = True, ""
            elif event["quote"]:
                kept = self._quote or event["quote"]
                self._quote = "" if self._quote == event["quote"] else kept
            elif event["end"] and not self._quote:
                self._open = False
        self._over = at - stop

    def place(self, _text: str, _at: int) -> str | None:
        return "markup" if self._open else None


# Tags of HTML and XML, read as a browser reads them.


_OPENING: Final = re.compile(r"</?(?=[A-Za-z])")
_SIGN: Final = re.compile(r"[<>\"'=/\s]|[^<>\"'=/\s]+")
_AHEAD: Final = 16
_BLANKS: Final = " \t\n\f\r"
"""What HTML takes for a blank; other programs take more."""

# What a tag is waiting for, by the names of the HTML standard: tag name, before and in and after
# an attribute's name, before its value, in one of three kinds of value.
_NAME, _BEFORE, _ATTRIBUTE, _AFTER, _EQUALS, _DOUBLE, _SINGLE, _BARE = range(8)


def _step(state: int, sign: str, blank: bool) -> int | None:
    """The next state of a tag, or none where it ends."""
    if state == _DOUBLE:
        return _BEFORE if sign == '"' else state
    if state == _SINGLE:
        return _BEFORE if sign == "'" else state
    if sign == ">":
        return None
    if state == _EQUALS:
        if blank:
            return state
        return {'"': _DOUBLE, "'": _SINGLE}.get(sign, _BARE)
    if blank:
        return {_ATTRIBUTE: _AFTER, _AFTER: _AFTER}.get(state, _BEFORE)
    if state == _BARE:
        return state
    if sign == "/":
        return _BEFORE
    if state == _NAME:
        return state
    if sign == "=" and state in (_ATTRIBUTE, _AFTER):
        return _EQUALS
    return _ATTRIBUTE


def _steps(states: set[int], sign: str) -> set[int]:
    """The next states; where programs differ about what is a blank, those of either."""
    readings = {sign in _BLANKS, sign.isspace()}
    following = {_step(state, sign, blank) for state in states for blank in readings}
    return {state for state in following if state is not None}


class Tags:
    """Every opening that may start a tag is followed, also inside of another one.

    A program may take the first for text and the second for a tag, so both count until they end.
    """

    opened: str | None = None

    def __init__(self) -> None:
        self._states: set[int] = set()
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            if not self._states:
                opening = _OPENING.search(text, at, stop + _AHEAD)
                if opening is None or opening.start() >= stop:
                    at = stop
                    break
                self._states = {_NAME}
                at = opening.end()
                continue
            sign = _SIGN.match(text, at, stop)
            if sign is None:  # nothing but what cannot be: end of the text
                break
            self._states = _steps(self._states, sign[0])
            if sign[0] == "<" and _OPENING.match(text, at):
                self._states.add(_NAME)
            at = sign.end()
        self._over = max(0, at - stop)

    def place(self, _text: str, _at: int) -> str | None:
        return "markup" if self._states else None


# Elements whose content is no running text: scripts, styles, forms, calls of tools in tags.


_NAMES: Final = (
    "script|style|textarea|iframe|noscript|object|template|form|svg|math|xmp|plaintext|applet|"
    "noembed|noframes|select|button|audio|video|canvas|"
    r"(?:tool|function|execut)\w{0,30}|invoke|parameters?|arguments?|action|action_?input|api_?call|"
    r"bash|shell|cmd|command|search|(?:write|read|run|send|call|use|ask|search|browse|fetch|create|"
    r"replace|edit|attempt|open|list|delete|post|get|web|new)_\w{1,30}"
)
_PREFIX: Final = r"(?:[A-Za-z][\w.\-]{0,30}:)?"
_ELEMENT: Final = rf"<({_PREFIX}(?:{_NAMES}))(?=[\s/>=|:])"
_CLOSING: Final = rf"</({_PREFIX}(?:{_NAMES}))(?=[ \t\n\f\r/>])"
_EDGE: Final = re.compile(rf"{_ELEMENT}|(?a:{_CLOSING})", re.IGNORECASE)
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
