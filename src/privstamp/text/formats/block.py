"""Stretches of a text that came in code: read opened, and encoded again when they are written."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Sequence
from dataclasses import dataclass

from privstamp.text.invisible import Edits

Edit = tuple[int, int, str]


@dataclass(frozen=True, repr=False)
class Block:
    """A stretch of the opened text that is written in code; `was` is the code as it came."""

    start: int
    end: int
    was: str
    encoding: str  # "" of what was dropped
    charset: str

    def encode(self, text: str) -> str:
        """The same code for another text, in lines as long."""
        if not self.encoding:
            return ""
        feed = "\r\n" if "\r\n" in self.was else "\n"
        content = text.encode(self.charset, "replace")
        if self.encoding == "quoted-printable":
            lines = quopri.encodestring(content.replace(b"\r\n", b"\n")).decode("ascii")
            return lines.removesuffix("=\n").replace("\n", feed)
        code = base64.b64encode(content).decode("ascii")
        width = max(map(len, self.was.split())) if self.was.split() else 76
        return feed.join(code[at : at + width] for at in range(0, len(code), width))


class WrittenBlocks:
    """Follows where the blocks of a text come to stand in what is written, and encodes them."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._stops = sorted({edge for block in blocks for edge in (block.start, block.end)})
        self._places: dict[int, int] = {}
        self._next = 0

    def stops(self, last: int) -> list[int]:
        """Edges of blocks up to a place, but for those that were asked for before."""
        begun = self._next
        while self._next < len(self._stops) and self._stops[self._next] <= last:
            self._next += 1
        return self._stops[begun : self._next]

    def reached(self, stop: int, length: int) -> None:
        self._places[stop] = length

    def closed(self, text: str, edits: list[Edit]) -> tuple[str, Edits]:
        """The text with its blocks in code, and what undoes it: of a block, all at once."""
        if not self._blocks:
            return text, tuple(edits)
        pieces: list[str] = []
        undone: list[Edit] = []
        position = length = 0
        rest = iter([*edits, (len(text) + 1, len(text) + 1, "")])
        edit = next(rest)
        for block in self._blocks:
            first, last = self._places[block.start], self._places[block.end]
            while edit[1] <= first and edit[0] < first:
                undone.append((edit[0] + length - position, edit[1] + length - position, edit[2]))
                edit = next(rest)
            changed = not block.encoding
            while edit[1] <= last:
                changed, edit = True, next(rest)
            code = block.encode(text[first:last]) if changed else block.was
            pieces += (text[position:first], code)
            length += first - position
            if code != block.was:
                undone.append((length, length + len(code), block.was))
            length += len(code)
            position = last
        shift = length - position
        while edit[0] <= len(text):
            undone.append((edit[0] + shift, edit[1] + shift, edit[2]))
            edit = next(rest)
        return "".join([*pieces, text[position:]]), tuple(undone)
