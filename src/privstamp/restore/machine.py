"""What a reader of a hostile reply keeps track of: small machines that follow it side by side.

Each knows one construct that programs act on, and none of them trusts another to have read the
text rightly: what is a comment to one program is a link to the next. A place is plain only where
every machine says so.
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


class Template:
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
