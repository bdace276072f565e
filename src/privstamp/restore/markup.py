"""Tags of HTML and XML, read as a browser reads them."""

from __future__ import annotations

import re
from typing import Final

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
