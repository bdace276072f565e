"""Labels of Markdown references: whoever writes both a label and its definition can ask what a
name is, since the right guess alone becomes a link or an image."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.machine import AHEAD, BEHIND

_EVENT: Final = re.compile(
    r"(?P<end>\n(?=[ \t]{0,40}\n))|(?P<open>\[)|(?P<close>(?<!\\)\])"
    r"|^(?P<html>[ ]{0,3}<)"
    r"|^(?P<indent>[ ]{0,3})(?P<fence>`{3,40}|~{3,40})(?P<info>[^`\n]{0,60}$)?",
    re.MULTILINE,
)
_TEXT: Final = r"[^\[\]<>`\\!\n]"
_OPENED: Final = re.compile(rf"(?<![\]!\\])(?<!\]\s)\[{_TEXT}*\Z")
_TARGET: Final = re.compile(rf"{_TEXT}*\]\(https?://[A-Za-z0-9][\w./?=&#%-]*\)", re.ASCII)
_DEFINED: Final = re.compile(r"^[ \t>]*\[[^\[\]]*\Z", re.MULTILINE)
_DEFINES: Final = re.compile(r"[^\[\]]*\]:")


class Labels:
    """Whatever stands in square brackets, as any of it may be a label that is defined later.

    The text of a link that is followed by its target is none, nor is what stands in a block of
    code that every program takes for one.
    """

    opened: str | None = None

    def __init__(self) -> None:
        self._depth = 0
        self._fence = ""  # what closes the block of code that is open
        self._doubt = False  # HTML or an odd fence came before: the next may be a part of it
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            event = _EVENT.search(text, at, stop + AHEAD)
            if event is None or event.start() >= stop:
                at = stop
                break
            at = event.end()
            if event["open"]:
                self._depth += 1
            elif event["close"]:
                self._depth = max(0, self._depth - 1)
            elif event["end"]:
                self._depth = 0
            elif event["html"]:
                self._doubt = True
            else:
                self._fenced(event)
        self._over = at - stop

    def _fenced(self, event: re.Match[str]) -> None:
        info = event["info"]
        if not self._fence:
            self._doubt |= info is None or bool(event["indent"])
            self._fence = "" if self._doubt else event["fence"]
        elif event["fence"].startswith(self._fence) and info is not None:
            self._fence = self._fence if info.strip(" \t\r~") else ""

    def place(self, text: str, at: int) -> str | None:
        if not self._depth:
            return None
        before = text[max(0, at - BEHIND // 2) : at]
        if self._fence:
            defined = _DEFINED.search(before) and _DEFINES.match(text, at, at + AHEAD)
            return "link" if defined else None
        linked = _OPENED.search(before) and _TARGET.match(text, at, at + AHEAD)
        return None if linked and self._depth == 1 else "link"
