"""The one way out and back. Privatise and charge all of a request, or refuse it; restore the
reply. No network here: whoever sends what comes out of this is in `service` and `transport`."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from privstamp.gateway.answer import Answer, Remembered, Trail, reply_key
from privstamp.gateway.body import compact, read_object
from privstamp.gateway.context import answer_to
from privstamp.gateway.draft import Draft
from privstamp.gateway.refused import Dialect as Dialect
from privstamp.gateway.refused import Refused as Refused
from privstamp.gateway.refused import refusal as refusal
from privstamp.gateway.request import Reading
from privstamp.gateway.rules import Allowed, Api
from privstamp.release.certificate import Certificate
from privstamp.sessions.messages import ASSISTANT
from privstamp.sessions.replies import START, place_after
from privstamp.sessions.session import Session
from privstamp.sessions.turn import Sent

MOST_PARTS: Final = 10_000
"""Messages, tools and whatever else has texts, in one request."""


@dataclass(frozen=True, repr=False)
class Prepared:
    """A request that may leave, and what its reply will need."""

    body: bytes
    answer: Answer
    certificate: Certificate | None
    """None: it held no text."""

    def __repr__(self) -> str:
        return f"Prepared({len(self.body)} bytes)"


@dataclass(frozen=True)
class Hints:
    """By what the session of a request can be found. Digests: none holds text."""

    conversation: str | None
    """Of the client's own field for it."""
    trail: Trail
    replies: tuple[str, ...]
    """Of each reply in the history with all that came before it, the last first."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The same first request is the same conversation; if words of the system or of tools have
        changed since, the longest history that is known."""
        return self.trail.first, *self.replies


@dataclass(frozen=True, repr=False)
class Incoming:
    """PRIVATE. A request that was read by the table of fields, all of it still to be privatised."""

    given: dict[str, Any]
    reading: Reading

    @property
    def draft(self) -> Draft:
        return self.reading.draft


def read(endpoint: Api, body: bytes, rules: Allowed) -> Incoming:
    """A request, or its refusal: nothing of it was touched yet."""
    given = read_object(body)
    reading = Reading(endpoint, rules)
    if len(reading.read(given).parts) > MOST_PARTS:
        why = f"it has more than {MOST_PARTS:,} messages"
        raise Refused("too_many_messages", "", why, status=413)
    return Incoming(given, reading)


def prepare(endpoint: Api, body: bytes, session: Session, rules: Allowed) -> Prepared:
    """Privatise and charge all of a request, or raise."""
    return prepared(read(endpoint, body, rules), session)


def prepared(incoming: Incoming, session: Session) -> Prepared:
    """The same for one that was read."""
    given, reading, draft = incoming.given, incoming.reading, incoming.draft
    _check(reading, session)
    place, replies = _recall(draft, session)
    sent = _release(draft, session)
    surrogates = session.map_of(sent, replies)
    answer = answer_to(surrogates, place, given, reading)
    return Prepared(
        compact(draft.filled()).encode(),
        answer,
        None if sent is None else sent.certificate,
    )


def _check(reading: Reading, session: Session) -> None:
    """Refuse what may leave only as it is, and names somebody."""
    for number in session.naming([value for _, value in reading.checks]):
        path, _ = reading.checks[number]
        raise Refused("names_somebody", path, "names somebody: declare it public, or leave it out")


def _recall(draft: Draft, session: Session) -> tuple[bytes, list[tuple[str, str]]]:
    """Fill what the session knows as a reply of its own: as held, and as it was received."""
    replies: list[tuple[str, str]] = []
    place, recalled = session.recall([part.asked() for part in draft.parts])
    for part, received in zip(draft.parts, recalled, strict=True):
        for slot, text in zip(part.slots, received, strict=True):
            if text is not None:
                slot.out = slot.received(text)
                slot.texts = ()
                replies.append((slot.held, text))
            elif slot.sealed:
                why = "is signed or encrypted, and no part of a reply that this session knows"
                raise Refused("unknown_sealed", slot.sealed, why)
    return place, replies


def _release(draft: Draft, session: Session) -> Sent | None:
    """Fill all others."""
    pending = [(part, [s for s in part.slots if s.out is None]) for part in draft.parts]
    messages = [(part, slots, part.message(slots)) for part, slots in pending]
    asked = [message for _, _, message in messages if message is not None]
    released: list[dict[str, Any]] = []
    sent = None
    if any(message.texts for message in asked):
        sent = session.release(asked)
        released = sent.messages
    elif asked:
        raise Refused("no_text", "", "there is nothing new to send")
    out = iter(released)
    for part, slots, message in messages:
        texts: list[str] = []
        if message is not None:
            whole = next(out)
            texts, part.name = whole["texts"], whole["name"]
        for slot in slots:
            slot.out = slot.write(texts[: len(slot.texts)])
            texts = texts[len(slot.texts) :]
    return sent


def hints(incoming: Incoming) -> Hints:
    """By what the session of a request can be found."""
    draft = incoming.draft
    own = [part for part in draft.parts if part.origin != ASSISTANT]
    first = [slot.held for part in own[: _first(draft)] for slot in part.slots]
    prefix, replies = START, list[str]()
    for part in draft.parts:
        if part.origin == ASSISTANT and prefix != START:
            replies += [reply_key(prefix, slot.held) for slot in part.slots]
        if part.role not in _SYSTEM:
            prefix = place_after(prefix, part.asked())
    trail = Trail(_digest("first", incoming.reading.endpoint.value, *first), prefix)
    return Hints(_conversation(incoming.given), trail, tuple(reversed(replies)))


def _first(draft: Draft) -> int:
    """How many parts came before the first reply."""
    origins = [part.origin for part in draft.parts]
    return origins.index(ASSISTANT) if ASSISTANT in origins else len(origins)


def _conversation(given: dict[str, Any]) -> str | None:
    """The client's own field: an id in its metadata."""
    metadata = given.get("metadata")
    fields = metadata if isinstance(metadata, dict) else {}
    for name in ("conversation_id", "session_id", "thread_id"):
        if isinstance(fields.get(name), str):
            return _digest("conversation", fields[name])
    return None


def _digest(*parts: str) -> str:
    return blake2b(compact(parts).encode(), digest_size=16).hexdigest()


def learn(session: Session, remembered: list[Remembered]) -> None:
    """Keep what a reply was, so that it is sent back as it was received."""
    for each in remembered:
        session.remember(each.place, each.received, each.restored)


_SYSTEM = ("system", "developer")
"""Roles whose words may change in the midst of a conversation, as a date does."""
