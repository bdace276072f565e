"""A conversation in the memory of one process. The promise: docs/concepts/sessions.md"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from privstamp.crew.threads import Lock
from privstamp.errors import InputError, UsageError
from privstamp.release.certificate import Certificate, SessionFacts
from privstamp.release.document import Document
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.roster import Roster
from privstamp.release.total import Account, Total
from privstamp.restore.exact import Chain, Exact
from privstamp.restore.map import Format, SurrogateMap
from privstamp.restore.outcome import Restored
from privstamp.restore.scan import Scan
from privstamp.restore.union import Entries
from privstamp.sessions.line import Line
from privstamp.sessions.messages import ASSISTANT, OWN, Message, Text, read_messages
from privstamp.sessions.replies import START, Replies, place_after
from privstamp.sessions.stretches import Stretches

FOREIGN_NAMES: Final = (50, 200)
"""Distinct names that a message, and all messages, of others may bring and still share surrogates:
each is a guess that whoever wrote them may test."""
_HOME: Final = "a session stays in the process that it began in"
CONDITION: Final = (
    " Over a session: also the same origins and the same pattern of repeats, which shows; summed "
    "over distinct addresses of noise, so that a repeat costs nothing."
)


@dataclass(frozen=True, repr=False)
class Sent:
    """What a call of `privatize` gave: `messages` are safe to send, `certificate` safe to keep."""

    messages: list[dict[str, Any]]
    certificate: Certificate

    def __repr__(self) -> str:
        return f"Sent({len(self.messages)} messages)"

    @property
    def text(self) -> str:
        """The last message."""
        content = self.messages[-1].get("content")
        parts = [{"text": content}] if isinstance(content, str) else content or []
        return "\n\n".join(part["text"] for part in parts)


@dataclass(frozen=True, repr=False)
class _Kept:
    """A message that has left."""

    text: str
    account: Account
    releases: tuple[Exact | Chain, ...]
    apart: bool  # with surrogates of its own


@dataclass(frozen=True, repr=False)
class _Prefix:
    """What a conversation adds up to at one place: the next call goes on from there."""

    place: bytes
    total: Total
    counts: tuple[int, int]  # of replies, and of messages with surrogates of their own


@dataclass(repr=False)
class _Turn:
    """One call, which becomes a part of the session only if all of it succeeds."""

    pseudonyms: Pseudonyms
    foreign: set[str]
    participants: dict[str, str]  # by name, what they are called outside
    new: dict[bytes, _Kept] = field(default_factory=dict)
    entries: Entries = field(default_factory=Entries)
    late: int = 0

    def called(self, name: str | None) -> str:
        """What somebody who writes is called outside: by number, as names are drawn blind."""
        if name is None:
            return ""
        return self.participants.setdefault(name, f"participant_{len(self.participants) + 1}")


class Session:
    """PRIVATE. One conversation; threads may share it, one goes after the other."""

    def __init__(self, line: Line, *, foreign_names: tuple[int, int] = FOREIGN_NAMES) -> None:
        """`foreign_names`: how many names of tools and edited replies share surrogates with the
        user's, in a message and in all."""
        if len(foreign_names) != 2 or not all(isinstance(n, int) and n >= 0 for n in foreign_names):
            raise UsageError("foreign_names is two whole numbers: a message's and the session's")
        self._line, self._limits = line, foreign_names
        self._pseudonyms = line.pseudonyms()
        self._stretches = Stretches(
            self._pseudonyms.key, line.facts, line.parts, line.policy.budget
        )
        self._roster = Roster()
        self._kept: dict[bytes, _Kept] = {}
        self._account: Account | None = None  # the first: others share what they say alike
        self._foreign: set[str] = set()
        self._participants: dict[str, str] = {}
        self._entries = Entries()
        self._map: SurrogateMap | None = None
        self._replies = Replies()
        self._place = START
        self._prefix: _Prefix | None = None
        self._late = 0
        self._process = os.getpid()
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Session(private, {len(self._kept)} messages released)"

    def __reduce__(self) -> NoReturn:
        raise UsageError(_HOME)

    def _at_home(self) -> None:
        """What a forked child sent, its parent could not restore."""
        if os.getpid() != self._process:
            raise UsageError(_HOME)

    def privatize(self, messages: str | Sequence[Mapping[str, Any]]) -> Sent:
        """Release a conversation as it stands; what was released before leaves as it left then.

        Whatever fails, nothing is released and the error holds no text.
        """
        given = read_messages(messages)
        self._at_home()
        with self._lock:
            return self._release(given)

    def restore(
        self,
        reply: str,
        *,
        trusted: bool = False,
        kinds: Iterable[str] = (),
        allow: Iterable[str] = (),
        format: Format | None = None,  # noqa: A002
    ) -> str:
        """Put back what surrogates of the conversation stood for, as `Result.restore` does, and
        remember the reply: in the next turn's history it is sent back exactly as it was received.
        """
        return self.restored(reply, trusted=trusted, kinds=kinds, allow=allow, format=format).text

    def restored(
        self,
        reply: str,
        *,
        trusted: bool = False,
        kinds: Iterable[str] = (),
        allow: Iterable[str] = (),
        format: Format | None = None,  # noqa: A002
    ) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        restored = self.map.restored(
            reply, trusted=trusted, kinds=kinds, allow=allow, format=format
        )
        self.remember(self._place, reply, restored.text)
        return restored

    def restore_arguments(
        self,
        arguments: str,
        schema: Mapping[str, Any] | None = None,
        *,
        allow: Iterable[str] = (),
    ) -> str:
        """Arguments of a tool call, as `Result.restore_arguments` has it; remembered as a reply."""
        restored = self.map.restore_arguments(arguments, schema, allow=allow)
        self.remember(self._place, arguments, restored)
        return restored

    def reply(self, received: str, *, kinds: Iterable[str] = (), allow: Iterable[str] = ()) -> str:
        """The same as `restore`, by another name."""
        return self.restore(received, kinds=kinds, allow=allow)

    def reply_stream(self, *, kinds: Iterable[str] = (), allow: Iterable[str] = ()) -> ReplyStream:
        """`restore` for a reply that comes in pieces."""
        return ReplyStream(self, self.map.stream(kinds=kinds, allow=allow), self._place)

    @property
    def map(self) -> SurrogateMap:
        """PRIVATE. The surrogates of the conversation so far."""
        self._at_home()
        with self._lock:
            if self._map is None:
                releases = [one for kept in self._kept.values() for one in kept.releases]
                self._map = SurrogateMap(tuple(self._entries), tuple(releases))
            return self._map

    def remember(self, place: bytes, received: str, restored: str) -> None:
        """Keep a reply that was received at a place of the conversation."""
        self._at_home()
        with self._lock:
            self._replies.remember(place, received, restored)

    def _release(self, given: list[Message]) -> Sent:
        turn = _Turn(self._pseudonyms.branch(), set(self._foreign), dict(self._participants))
        place, replies, apart = START, 0, 0
        out: list[dict[str, Any]] = []
        total = Total(self._line.fingerprint_key)
        skipped: list[_Kept] = []  # may be in the total of an earlier call
        for message in given:
            leaving: list[str] = []
            for text in message.texts:
                reply = message.origin == ASSISTANT and self._replies.received(place, text)
                if reply:
                    leaving.append(reply)
                    replies += 1
                else:
                    kept = self._kept_or_new(message.origin, text, turn)
                    leaving.append(kept.text)
                    skipped.append(kept)
                    apart += kept.apart
            out.append(message.released(leaving, turn.called(message.participant)))
            place = place_after(place, message)
            if self._prefix is not None and place == self._prefix.place:
                total, replies, apart = self._prefix.total.branch(), *self._prefix.counts
                skipped.clear()
        for kept in skipped:
            total.add(kept.account)
        if not total.parts:
            raise InputError("there is no message but replies of this session: send a new one")
        self._take(turn, place)
        self._prefix = _Prefix(place, total.branch(), (replies, apart))
        facts = SessionFacts(
            messages=len(given),
            new=len(turn.new),
            replies=replies,
            addresses=len(self._stretches.addresses),
            held=self._stretches.held,
            foreign_names=len(self._foreign),
            apart=apart,
            late=self._late,
        )
        whole = total.certificate()
        update = {"session": facts, "scope": whole.scope + CONDITION}
        if whole.randomness == "fresh":
            update["randomness"] = "session"
        return Sent(out, whole.model_copy(update=update))

    def _take(self, turn: _Turn, place: bytes) -> None:
        """All of a call has succeeded."""
        self._pseudonyms, self._foreign = turn.pseudonyms, turn.foreign
        self._participants = turn.participants
        self._kept.update(turn.new)
        self._late += turn.late
        self._place = place
        if turn.new:
            self._entries.add(turn.entries.all())
            self._map = None

    def _kept_or_new(self, origin: str, text: Text, turn: _Turn) -> _Kept:
        digest = text.digest(origin)
        kept = self._kept.get(digest) or turn.new.get(digest)
        if kept is None:
            kept = turn.new[digest] = self._released(origin, text, turn)
        return kept

    def _released(self, origin: str, text: Text, turn: _Turn) -> _Kept:
        """One text that has not left before."""
        own = origin == OWN

        def settle(document: Document) -> None:
            self._stretches.freeze(document, origin)
            document.pseudonyms = turn.pseudonyms
            strings = {
                " ".join(document.units.text[found.start : found.end].casefold().split())
                for found in document.findings
            }
            if own:
                turn.late += sum(_late(words, turn.pseudonyms) for words in strings)
                return
            every = turn.foreign | strings
            if len(strings) > self._limits[0] or len(every) > self._limits[1]:
                document.pseudonyms = self._line.pseudonyms()
                document.pseudonyms.taken.update(turn.pseudonyms.taken)
            else:
                turn.foreign = every

        form = "json" if text.is_json else self._line.policy.format
        document = Document(0, text.content, None, format=form)
        document.settle, document.address = settle, self._stretches.of(origin)
        document.roster = self._roster if own else None
        self._line.run([document])
        if document.error is not None:
            raise document.error
        if own:
            self._roster.learn(document.text, document.findings)
        result = document.result
        turn.entries.add(result.map.entries)
        used = document.pseudonyms
        apart = used is not None and used is not turn.pseudonyms
        if used is not None and apart:
            turn.pseudonyms.taken.update(used.taken)  # or a surrogate would mean two things
        account = Account.of(document, self._line.parts)
        self._account = self._account or account
        account = account.sharing(self._account)
        return _Kept(result.text, account, result.map.releases, apart)


class ReplyStream:
    """A reply in pieces: what may be shown comes back as soon as it is clear."""

    def __init__(self, session: Session, scan: Scan, place: bytes) -> None:
        self._session, self._scan, self._place = session, scan, place
        self._received: list[str] = []
        self._restored: list[str] = []

    def __repr__(self) -> str:
        return "ReplyStream(private)"

    def feed(self, piece: str) -> str:
        """Take the next piece."""
        if not isinstance(piece, str):
            raise InputError(f"a reply is a string, not {type(piece).__name__}")
        restored = self._scan.feed(piece)
        self._received.append(piece)
        self._restored.append(restored)
        return restored

    def finish(self) -> str:
        """The rest; the reply is remembered now."""
        rest = self._scan.finish()
        whole = "".join([*self._restored, rest])
        self._session.remember(self._place, "".join(self._received), whole)
        return rest


def _late(words: str, pseudonyms: Pseudonyms) -> bool:
    """Whether a name that has no surrogate yet was released before as it is."""
    parts = words.split()
    known = any(part in pseudonyms.drawn for part in (words, *parts))
    return not known and all(part in pseudonyms.taken for part in parts)
