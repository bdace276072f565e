"""Tags of HTML and XML, read as a browser reads them, and elements whose content is no text."""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(r"</?(?=[A-Za-z])")
_SIGN: Final = re.compile(r"[<>\"'=/\s]|[^<>\"'=/\s]+")
_RAW: Final = (
    "script|style|textarea|iframe|noscript|object|template|form|svg|math|xmp|plaintext|applet|"
    "noembed|noframes|select|button|audio|video|canvas|"
    "tool|tool_calls?|tool_use|tool_code|function_calls?|invoke|(?:antml:)?(?:invoke|function_calls)"
)
_EDGE: Final = re.compile(rf"<(/?)({_RAW})(?=[\s/>]|\Z)", re.IGNORECASE)
_AHEAD: Final = 16

# What a tag is waiting for, by the names of the HTML standard: tag name, before and in and after
# an attribute's name, before its value, in one of three kinds of value.
_NAME, _BEFORE, _ATTRIBUTE, _AFTER, _EQUALS, _DOUBLE, _SINGLE, _BARE = range(8)


def _step(state: int, sign: str) -> int | None:
    """The next state of a tag, or none where it ends."""
    if state == _DOUBLE:
        return _BEFORE if sign == '"' else state
    if state == _SINGLE:
        return _BEFORE if sign == "'" else state
    if sign == ">":
        return None
    if state == _EQUALS:
        if sign.isspace():
            return state
        return {'"': _DOUBLE, "'": _SINGLE}.get(sign, _BARE)
    if sign.isspace():
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


class Tags:
    """Every opening that may start a tag is followed, also inside of another one.

    A program may take the first for text and the second for a tag, so both count until they end.
    """

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
            states = {_step(state, sign[0]) for state in self._states} - {None}
            self._states = {state for state in states if state is not None}
            if sign[0] == "<" and _OPENING.match(text, at):
                self._states.add(_NAME)
            at = sign.end()
        self._over = max(0, at - stop)

    def place(self, _text: str, _at: int) -> str | None:
        return "markup" if self._states else None


class Contents:
    """Inside of scripts, styles, forms and other elements that hold no running text."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            edge = _EDGE.search(text, at, stop + _AHEAD)
            if edge is None or edge.start() >= stop:
                at = stop
                break
            closes, name = edge[1], edge[2].lower()
            if closes:
                self._open.discard(name)
            else:
                self._open.add(name)
            at = edge.end()
        self._over = at - stop

    def place(self, _text: str, _at: int) -> str | None:
        if not self._open:
            return None
        return "style" if self._open == {"style"} else "script"
