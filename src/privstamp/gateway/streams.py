"""A reply in events: each is read, its piece restored, and what is held goes out before its text
ends. One way for all protocols; `stream_chat`, `stream_messages` and `stream_responses` know what
their events mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from privstamp.errors import PrivstampError
from privstamp.gateway.body import compact, parsed
from privstamp.gateway.refused import Dialect, Refused, as_refused, bad_reply, error_body
from privstamp.gateway.rules import Api
from privstamp.gateway.sse import Event, EventLines

DONE = "[DONE]"
_LAST: Final = frozenset(
    {"message_stop", "response.completed", "response.failed", "response.incomplete"}
)
"""Types of events behind which clients read no further."""


class Protocolled(Protocol):
    """What knows a protocol's events."""

    over: bool
    """Whether the reply is whole."""

    def event(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What goes out for an event that came in."""
        ...

    def end(self) -> Iterator[dict[str, Any]]:
        """What goes out when no more comes."""
        ...


class Events:
    """PRIVATE. Bytes in, bytes out. After trouble an event says so, and `ended` is true: nothing
    more is to be read."""

    def __init__(
        self, endpoint: Api, protocol: Protocolled, counts: Callable[[], dict[str, str]]
    ) -> None:
        """`counts`: what headers tell of a whole reply; here comments do, before its last event."""
        self._endpoint, self._protocol, self._counts = endpoint, protocol, counts
        self._lines = EventLines()
        self._named = endpoint in (Api.MESSAGES, Api.RESPONSES)
        self.ended = False
        self.failed = False
        """Whether it ended with an error."""

    def __repr__(self) -> str:
        return "Events(private)"

    def feed(self, piece: bytes) -> bytes:
        """The next bytes of the upstream; what may go to the client by now."""
        return self._guarded(lambda: self._fed(piece))

    def finish(self) -> bytes:
        """No more comes. A reply that is not whole ends with an error."""
        return self._guarded(self._finished)

    def error(self, status: int, code: str, message: str) -> bytes:
        """An error in the middle of a stream, as the client's SDK raises it."""
        self.ended = self.failed = True
        body = error_body(self._endpoint.dialect, status, code, message).decode()
        if self._endpoint is Api.RESPONSES:
            fields = {"type": "error", "code": code, "message": message, "param": None}
            return (
                Event(compact(fields | {"sequence_number": self._number}), "error")
                .written()
                .encode()
            )
        name = "error" if self._endpoint.dialect is Dialect.ANTHROPIC else ""
        return Event(body, name).written().encode()

    @property
    def _number(self) -> int:
        return int(getattr(self._protocol, "number", 0))

    def _guarded(self, step: Any) -> bytes:
        if self.ended:
            return b""
        out: list[str] = []
        trouble: Refused | None = None
        try:
            for event in step():
                out.append(event.written())  # noqa: PERF401 - kept when a later one fails
        except PrivstampError as error:
            trouble = as_refused(error)
        except Exception as error:
            why = f"an event of the upstream cannot be read ({type(error).__name__})"
            trouble = bad_reply(why)
        written = "".join(out).encode()
        if trouble is None:
            return written
        return written + self.error(trouble.status, trouble.code, str(trouble))

    def _fed(self, piece: bytes) -> Iterator[Event]:
        for event in self._lines.feed(piece):
            yield from self._event(event)

    def _event(self, event: Event) -> Iterator[Event]:
        if event.comment is not None:
            yield Event(comment="")  # it keeps the connection: what it says is nobody's text
        elif event.data.strip() == DONE:
            if self._named:  # their last event is another one
                self._check(over=self._protocol.over)
                return
            yield from map(self._out, self._protocol.end())
            self._protocol.over = True
            yield from self._told()
            yield event
        else:
            for value in self._protocol.event(_object(event.data)):
                if value.get("type") in _LAST:
                    yield from self._told()
                yield self._out(value)

    def _told(self) -> Iterator[Event]:
        return (Event(comment=f" {name}: {value}") for name, value in self._counts().items())

    def _finished(self) -> Iterator[Event]:
        for event in self._lines.feed(b"", last=True):
            yield from self._event(event)
        self._check(over=self._protocol.over and not self._lines.open)
        self.ended = True

    def _check(self, *, over: bool) -> None:
        if not over:
            raise Refused("cut_off", "", "the upstream's stream ended before its reply", status=502)

    def _out(self, value: dict[str, Any]) -> Event:
        name = value.get("type") if self._named else ""
        return Event(compact(value), name if isinstance(name, str) else "")


def _object(data: str) -> dict[str, Any]:
    try:
        value = parsed(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise bad_reply("an event of the upstream is not a JSON object")
    return value
