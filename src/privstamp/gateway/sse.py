"""Server-sent events, in and out: bytes may break anywhere."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from privstamp.gateway.refused import bad_reply

LARGEST: Final = 32 << 20
"""Characters of one event."""
_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, repr=False)
class Event:
    """PRIVATE. One event, or a comment."""

    data: str = ""
    name: str = ""
    comment: str | None = None

    def __repr__(self) -> str:
        return "Event(private)"

    def written(self) -> str:
        if self.comment is not None:
            return f":{self.comment}\n\n"
        head = f"event: {self.name}\n" if self.name else ""
        return head + "".join(f"data: {line}\n" for line in self.data.split("\n")) + "\n"


class EventLines:
    """Takes bytes, gives events."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._rest: list[str] = []
        self._length = 0
        self._data: list[str] = []
        self._name = ""
        self._begun = False

    @property
    def open(self) -> bool:
        """Whether half an event is there."""
        return bool(self._data or self._name or "".join(self._rest).strip())

    def feed(self, piece: bytes, *, last: bool = False) -> Iterator[Event]:
        try:
            text = self._decoder.decode(piece, last)
        except UnicodeDecodeError:
            text = None
        if text is None:
            raise bad_reply("the upstream's stream is not UTF-8")
        if text and not self._begun:
            self._begun, text = True, text.removeprefix("\ufeff")
        self._length += len(text)
        if self._length > LARGEST:
            raise bad_reply("the upstream sent too large an event")
        self._rest.append(text)
        if "\n" not in text and "\r" not in text and not last:
            return
        buffer = "".join(self._rest)
        at = 0
        for end in _END.finditer(buffer):
            if end[0] == "\r" and end.end() == len(buffer) and not last:
                break  # a \n may follow
            yield from self._line(buffer[at : end.start()])
            at = end.end()
        self._rest = [buffer[at:]]
        self._length = len(buffer) - at + sum(map(len, self._data))

    def _line(self, line: str) -> Iterator[Event]:
        if not line:
            if self._data:
                yield Event("\n".join(self._data), self._name)
            self._data, self._name = [], ""
        elif line.startswith(":"):
            yield Event(comment=line[1:])
        else:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                self._data.append(value)
            elif field == "event":
                self._name = value
