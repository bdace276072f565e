"""PRIVATE. What the reply to one request needs: it goes to whoever waits for the reply."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

from privstamp.gateway.body import compact, read_object
from privstamp.gateway.refused import Dialect, Refused, error_body, upstream_error
from privstamp.gateway.reply import Telling
from privstamp.gateway.rules import Allowed, Api
from privstamp.gateway.stream_chat import ChatStream
from privstamp.gateway.stream_messages import MessagesStream
from privstamp.gateway.stream_responses import ResponsesStream
from privstamp.gateway.streams import Events, Protocolled
from privstamp.gateway.table import table
from privstamp.gateway.voices import Voices
from privstamp.restore.entry import MapEntry
from privstamp.restore.map import SurrogateMap
from privstamp.sessions.messages import digest, settled


@dataclass(frozen=True, repr=False)
class Remembered:
    """PRIVATE. A text of a reply as it was received and as the client has it."""

    place: bytes
    received: str
    restored: str
    trail: Trail | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """By which `Hints.keys` finds the session again, in whatever form the client keeps it."""
        if self.trail is None:
            return ()
        forms = (reply_key(self.trail.prefix, form) for form in (self.received, self.restored))
        return self.trail.first, *forms


class Trail(NamedTuple):
    """By what a conversation is known: its first request, and all of it so far. Digests."""

    first: str
    prefix: bytes


def reply_key(prefix: bytes, text: str) -> str:
    """Of a reply with all that came before it, as the client holds them."""
    return digest(prefix, settled(text)).hex()


PORTION: Final = 200
"""Entries of a map that are read in one go."""


@dataclass(repr=False)
class Answer:
    """PRIVATE. Of one request; it may be pickled to where the reply comes in. There its map is read
    when it is first needed, in portions: a thread that reads them lets others go on between."""

    endpoint: Api
    rules: Allowed
    portions: Sequence[bytes] = field(repr=False)
    place: bytes
    given: dict[str, Any]
    """Fields of the client's request that replies show again."""
    tools: dict[str, Any]
    schema: Any = None
    structured: bool = False
    lead: tuple[str, str] = ("", "")
    documents: Sequence[str] = ()
    trail: Trail | None = None
    """None: who asked names the conversation."""

    def __repr__(self) -> str:
        return f"Answer(private, {self.endpoint.value})"

    @property
    def large(self) -> bool:
        """Whether its map takes a while to be read."""
        return len(self.portions) > 1

    @cached_property
    def map(self) -> SurrogateMap:
        portions: Iterable[Sequence[MapEntry]] = map(pickle.loads, self.portions)
        return SurrogateMap(tuple(chain.from_iterable(portions)))

    @cached_property
    def telling(self) -> Telling:
        """The reader of the reply; made at once with all that it needs."""
        self.map.stream()
        voices = Voices(self.map, self.rules, self.tools)
        voices.structured, voices.schema, voices.lead = self.structured, self.schema, self.lead
        types = table(self.endpoint.table, "reply")
        return Telling(types, voices, self.given, self.documents)

    def whole(self, body: bytes) -> bytes:
        """A reply in one piece."""
        trouble = None
        try:
            value = read_object(body)
        except Refused:
            trouble = "the upstream's reply is not valid JSON"
        if trouble is not None:
            raise Refused("bad_reply", "", trouble, status=502, retry=True)
        return compact(self.telling.root(value)).encode()

    @property
    def streams(self) -> bool:
        """Whether the reply may come in events."""
        return self.endpoint in _STREAMS

    def events(self) -> Events:
        """A reply in events."""
        protocol = _STREAMS[self.endpoint](self.telling)
        return Events(self.endpoint, protocol, lambda: self.headers)

    @property
    def remembered(self) -> list[Remembered]:
        """What the session must keep, once the reply has ended."""
        return [Remembered(self.place, *each, self.trail) for each in self.telling.remembered]

    @property
    def headers(self) -> dict[str, str]:
        """Counts, once the reply has ended."""
        voices = self.telling.voices
        headers = {}
        if voices.withheld:
            headers["x-privstamp-withheld"] = ", ".join(
                f"{reason}={count}" for reason, count in sorted(voices.withheld.items())
            )
        if voices.left:
            headers["x-privstamp-tools-with-surrogates"] = ", ".join(sorted(voices.left))
        if self.telling.dropped:
            headers["x-privstamp-dropped"] = str(self.telling.dropped)
        return headers


def failed(dialect: Dialect, status: int, body: bytes) -> bytes:
    """An error of the upstream, as its status and code alone: its words may quote."""
    try:
        error = read_object(body).get("error")
    except Refused:
        error = None
    message = f"the upstream answered with status {status}"
    return error_body(dialect, status, upstream_error(error).code, message)


def portioned(entries: Sequence[MapEntry]) -> list[bytes]:
    """Entries of a map as an answer takes them along."""
    starts = range(0, len(entries), PORTION)
    return [pickle.dumps(entries[start : start + PORTION]) for start in starts]


_STREAMS: Final[dict[Api, Callable[[Telling], Protocolled]]] = {
    Api.CHAT: ChatStream,
    Api.COMPLETIONS: ChatStream,
    Api.MESSAGES: MessagesStream,
    Api.RESPONSES: ResponsesStream,
}
