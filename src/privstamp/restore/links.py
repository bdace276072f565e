"""Markdown: targets and titles of links, images, definitions of references and their labels."""

from __future__ import annotations

import re
from typing import Final

from privstamp.restore.markup import AHEAD, BEHIND

# Markdown: targets and titles of links, what describes an image, definitions of references.
#
# Read so that a place is left no sooner than by any program: parentheses are balanced, titles and
# pointed brackets end where they were opened, and a backslash keeps what follows from ending it.


_SPACE: Final = " \t\r\n\f\v"
_TARGET: Final = re.compile(r"\]\(")
_IMAGE: Final = re.compile(r"!\[")
_DEFINITION: Final = re.compile(r"\]:")
_ENDS: Final = {'"': '"', "'": "'", "(": ")", "<": ">"}
_FOOTNOTE: Final = re.compile(r"\[\^[^\]\n]{0,60}\]:\Z")
_SENTENCE: Final = re.compile(r"[ \t]*[\"'“(*_]{0,3}\w\S*[ \t]+(?![\"'(])\S")
MANY: Final = 16
"""Targets open at once; beyond, all that follows is one."""


class _Target:
    """From `](` to the parenthesis that ends it."""

    __slots__ = ("breaks", "depth", "end", "escaped", "spaced")

    def __init__(self) -> None:
        self.depth = 0
        self.end: str | None = None  # of the title, or of pointed brackets
        self.spaced = True  # a title or bracket may start here
        self.escaped = False
        self.breaks = 0  # line ends with nothing but blanks between

    def over(self, sign: str) -> bool:
        """Take one character; whether it ends the target."""
        if self.escaped:
            self.escaped = self.spaced = False
            return False
        self.breaks = self.breaks + (sign == "\n") if sign in _SPACE else 0
        if self.breaks > 1:  # no program reads a title or brackets across a blank line
            self.end, self.depth = None, 0
        if sign == "\\":
            self.escaped = True
        elif self.end is not None:
            self.end = None if sign == self.end else self.end
        elif self.spaced and sign in "\"'<":
            self.end = _ENDS[sign]
        elif sign == "(":
            self.depth += 1
        elif sign == ")":
            self.depth -= 1
            return self.depth < 0
        self.spaced = sign.isspace()
        return False

    @property
    def key(self) -> tuple[object, ...]:
        return self.depth, self.end, self.spaced, self.escaped, self.breaks


class LinkTargets:
    """Targets and titles of inline links and images; one may seem to open within another."""

    opened: str | None = None

    def __init__(self) -> None:
        self._open: list[_Target] = []
        self._full = False

    def read(self, text: str, start: int, stop: int) -> None:
        at = start
        while at < stop:
            if not self._open:
                opening = _TARGET.search(text, max(0, at - 1), stop)
                if opening is None:
                    return
                at = opening.end()
                self._open = [_Target()]
                continue
            sign = text[at]
            self._open = [target for target in self._open if not target.over(sign)]
            if sign == "(" and at and text[at - 1] == "]":
                self._open.append(_Target())
            if len(self._open) > MANY:
                self._open = list({target.key: target for target in self._open}.values())
                self._full |= len(self._open) > MANY
                del self._open[MANY:]
            at += 1

    def place(self, _text: str, _at: int) -> str | None:
        return "link" if self._open or self._full else None


class Images:
    """What stands for an image that is not shown: an attribute once it is a page."""

    opened: str | None = None

    def __init__(self) -> None:
        self._depth = 0
        self._sure = True  # its brackets can be counted: no code or markup between them
        self._breaks = 0
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            if not self._depth:
                opening = _IMAGE.search(text, at, stop + 1)
                if opening is None or opening.start() >= stop:
                    at = stop
                    break
                at = opening.end()
                self._depth, self._sure, self._breaks = 1, True, 0
                continue
            self._take(text[at], text[at - 1])
            at += 1
        self._over = max(0, at - stop)

    def _take(self, sign: str, before: str) -> None:
        self._breaks = self._breaks + (sign == "\n") if sign in _SPACE else 0
        if self._breaks > 1:
            self._depth = 0
        elif sign in "`<\\":
            self._sure = False
        elif sign == "[" and before != "\\":
            self._depth += 1
        elif sign == "]" and before != "\\":
            self._depth = max(self._depth - 1, 0 if self._sure else 1)

    def place(self, _text: str, _at: int) -> str | None:
        return "link" if self._depth else None


class Definitions:
    """`[label]: target "title"`, also over several lines. A footnote that is a sentence is text."""

    opened: str | None = None

    def __init__(self) -> None:
        self._state = ""  # "", target, line, next, title
        self._end = ""
        self._breaks = 0
        self._escaped = False
        self._over = 0

    def read(self, text: str, start: int, stop: int) -> None:
        at = start + self._over
        while at < stop:
            opening = _DEFINITION.match(text, at)
            if opening is None and not self._state:
                opening = _DEFINITION.search(text, at, stop + 1)
                if opening is None or opening.start() >= stop:
                    at = stop
                    break
            if opening is not None:
                at = opening.end()
                noted = _FOOTNOTE.search(text, max(0, at - 70), at)
                sentence = noted and _SENTENCE.match(text, at, at + 100)
                self._state, self._breaks = "" if sentence else "target", 0
                continue
            self._take(text[at])
            at += 1
        self._over = max(0, at - stop)

    def _take(self, sign: str) -> None:
        self._breaks = self._breaks + (sign == "\n") if sign in _SPACE else 0
        if self._breaks > 1:
            self._state = ""
        elif self._escaped:
            self._escaped = False
        elif sign == "\\" and self._state in ("angle", "title"):
            self._escaped = True
        elif self._state == "target" and sign not in _SPACE:
            self._state, self._end = ("angle", ">") if sign == "<" else ("line", "")
        elif self._state in ("angle", "title"):
            if sign == self._end:
                self._state = "line"
        elif self._state == "line" and sign == "\n":
            self._state = "next"
        elif self._state == "line" and sign in "\"'(":
            self._state, self._end = "title", _ENDS[sign]
        elif self._state == "next" and sign not in _SPACE + ">":
            self._state, self._end = ("title", _ENDS[sign]) if sign in "\"'(" else ("", "")

    def place(self, text: str, at: int) -> str | None:
        if self._state == "next":
            return "link" if text[at : at + 1] in ("'", '"', "(") else None
        return "link" if self._state else None


# Labels of Markdown references: whoever writes both a label and its definition can ask what a
# name is, since the right guess alone becomes a link or an image.


_EVENT: Final = re.compile(
    r"(?P<end>\n(?=[ \t]{0,40}\n))|(?P<open>\[)|(?P<close>(?<!\\)\])"
    r"|^(?P<html>[ ]{0,3}<)"
    r"|^(?P<indent>[ ]{0,3})(?P<fence>`{3,40}|~{3,40})(?P<info>[^`\n]{0,60}$)?",
    re.MULTILINE,
)
_TEXT: Final = r"[^\[\]<>`\\!\n]"
_OPENED: Final = re.compile(rf"(?<![\]!\\])(?<!\]\s)\[{_TEXT}*\Z")
_LABEL_TARGET: Final = re.compile(rf"{_TEXT}*\]\(https?://[A-Za-z0-9][\w./?=&#%-]*\)", re.ASCII)
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
        linked = _OPENED.search(before) and _LABEL_TARGET.match(text, at, at + AHEAD)
        return None if linked and self._depth == 1 else "link"
