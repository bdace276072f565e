"""A conversation in the memory of one process. The promise: docs/concepts/sessions.md"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NoReturn, Unpack

from privstamp.crew.threads import Lock
from privstamp.errors import InputError, UsageError
from privstamp.release.certificate import SessionFacts
from privstamp.release.document import Document, Labelled
from privstamp.release.roster import Roster
from privstamp.release.total import Account, Total
from privstamp.release.writer import hidden_keys
from privstamp.restore.entry import MapEntry
from privstamp.restore.map import Entries, Growing, SurrogateMap
from privstamp.restore.outcome import Choice, Restored
from privstamp.result import Failure
from privstamp.sessions.line import SessionLine, naming
from privstamp.sessions.messages import (
    ASSISTANT,
    OWN,
    Message,
    Text,
    check_lengths,
    read_messages,
)
from privstamp.sessions.replies import START, Replies, ReplyStream, place_after
from privstamp.sessions.stretches import Learned, Stretches
from privstamp.sessions.turn import (
    REOPEN,
    Kept,
    Options,
    Prefix,
    Sent,
    SessionRules,
    Turn,
    checked,
    guesses,
    late,
    names_of,
)

_HOME: Final = "a session stays in the process that it began in"
CONDITION: Final = (
    " Over a session: also the same origins and the same pattern of repeats, which shows; summed "
    "over distinct addresses of noise, so that a repeat costs nothing."
)


class Session:
    """PRIVATE. One conversation; threads may share it, one goes after the other."""

    def __init__(self, line: SessionLine, **rules: Unpack[SessionRules]) -> None:
        self._line, self._rules = line, checked(rules)
        self._pseudonyms = line.pseudonyms()
        self._stretches = self._addresses(self._pseudonyms.key)
        self._roster = Roster()
        self._kept: dict[bytes, Kept] = {}
        self._account: Account | None = None  # the first: others share what they say alike
        self._foreign: set[str] = set()
        self._participants: dict[str, str] = {}
        self._growing = Growing()
        self._replies = Replies()
        self._place = START
        self._prefix: Prefix | None = None
        self._late = 0
        self._process = os.getpid()
        self._lock = Lock()

    def _addresses(self, key: bytes) -> Stretches:
        line, rules = self._line, self._rules
        return Stretches(
            key,
            line.facts,
            line.parts,
            line.policy.budget,
            redraws=rules["redraws"],
            reopen=rules["on_new_task"] == REOPEN,
        )

    def __repr__(self) -> str:
        return f"Session(private, {len(self._kept)} messages released)"

    def __reduce__(self) -> NoReturn:
        raise UsageError(_HOME)

    def _at_home(self) -> None:
        """What a forked child sent, its parent could not restore."""
        if os.getpid() != self._process:
            raise UsageError(_HOME)

    def privatize(
        self, messages: str | Sequence[Mapping[str, Any]], *, task: str | None = None
    ) -> Sent:
        """Release a conversation as it stands; what was released before leaves as it left then.

        `task` judges what is important, where the policy asks for that, and is not released; else
        the last message of one's own does. Whatever fails, nothing is released and the error holds
        no text.
        """
        return self.release(read_messages(messages), task=task)

    def release(self, messages: list[Message], *, task: str | None = None) -> Sent:
        """The same for messages that were read and checked by whoever calls, of any protocol."""
        if not (task is None or isinstance(task, str)):
            raise InputError(f"the task is not a string but {type(task).__name__}")
        check_lengths(messages)
        self._at_home()
        with self._lock:
            return self._release(messages, task)

    def recall(self, messages: Sequence[Message]) -> tuple[bytes, list[list[str | None]]]:
        """Where a conversation stands after these messages, and each text of an assistant as it
        was received, where it is a reply of this session."""
        self._at_home()
        with self._lock:
            return self._recalled(messages)

    def naming(self, texts: Sequence[str]) -> list[int]:
        """Which of these texts, that would leave as they are, name somebody or something."""
        return naming(self._line, texts)

    def _recalled(self, messages: Sequence[Message]) -> tuple[bytes, list[list[str | None]]]:
        place, received = START, []
        for message in messages:
            theirs = message.origin == ASSISTANT
            received.append(
                [self._replies.received(place, text) if theirs else None for text in message.texts]
            )
            place = place_after(place, message)
        return place, received

    def restore(self, reply: str, **options: Unpack[Options]) -> str:
        """Put back what surrogates of the conversation stood for, as `Result.restore` does, and
        remember the reply: in the next turn's history it is sent back exactly as it was received.
        """
        return self.restored(reply, **options).text

    def restored(
        self, reply: str, *, to: Sent | None = None, **options: Unpack[Choice]
    ) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        restored = self.map.restored(reply, **options)
        self.remember(self._answered(to), reply, restored.text)
        return restored

    def restore_arguments(
        self,
        arguments: str,
        schema: Mapping[str, Any] | None = None,
        *,
        to: Sent | None = None,
        allow: Iterable[str] = (),
    ) -> str:
        """Arguments of a tool call, as `Result.restore_arguments` has it; remembered as a reply."""
        restored = self.map.restore_arguments(arguments, schema, allow=allow)
        self.remember(self._answered(to), arguments, restored)
        return restored

    def reply_stream(
        self, *, to: Sent | None = None, kinds: Iterable[str] = (), allow: Iterable[str] = ()
    ) -> ReplyStream:
        """`restore` for a reply that comes in pieces."""
        remember = partial(self.remember, self._answered(to))
        return ReplyStream(self.map.stream(kinds=kinds, allow=allow), remember)

    async def aprivatize(
        self, messages: str | Sequence[Mapping[str, Any]], *, task: str | None = None
    ) -> Sent:
        """`privatize` in a thread, for code that must not wait. If it is cancelled the turn goes on
        to its end: sent again, it costs nothing."""
        from asyncio import to_thread  # not at the start of every command

        return await to_thread(partial(self.privatize, messages, task=task))

    async def arestore(self, reply: str, **options: Unpack[Options]) -> str:
        """`restore` in a thread."""
        from asyncio import to_thread

        return await to_thread(partial(self.restore, reply, **options))

    @property
    def map(self) -> SurrogateMap:
        """PRIVATE. The surrogates of the conversation so far."""
        self._at_home()
        with self._lock:
            return self._growing.map

    def map_of(self, sent: Sent | None, replies: Iterable[tuple[str, str]]) -> SurrogateMap:
        """PRIVATE. The surrogates of one call alone, for several conversations that share a
        session: of what was sent, and of replies, as they are held and were received, those that
        are held with their values."""
        known = () if sent is None else sent.entries
        pairs = list(replies)
        others = self.map.entries if pairs else ()
        held = [entry for entry in others if any(_holds(entry, *pair) for pair in pairs)]
        return SurrogateMap(tuple(Entries((*known, *held))))

    def remember(self, place: bytes, received: str, restored: str) -> None:
        """Keep a reply that was received at a place of the conversation."""
        self._at_home()
        with self._lock:
            self._replies.remember(place, received, restored)

    def _answered(self, sent: Sent | None) -> bytes:
        """Where the conversation stood when it was sent; else where it stands now."""
        return self._place if sent is None else sent.place

    def _release(self, given: list[Message], task: str | None) -> Sent:
        turn = Turn(self._pseudonyms.branch(), set(self._foreign), dict(self._participants))
        if self._stretches.freezes:
            turn.asked = _question(given) if task is None else task
        reopens = turn.asked if self._rules["on_new_task"] == REOPEN else None
        place, replies, apart = START, 0, 0
        out: list[dict[str, Any]] = []
        total = Total(self._line.fingerprint_key)
        every: list[Kept] = []
        skipped: list[Kept] = []  # may be in the total of an earlier call
        for message in given:
            leaving: list[str] = []
            for text in message.texts:
                reply = message.origin == ASSISTANT and self._replies.received(place, text)
                if reply:
                    leaving.append(reply)
                    replies += 1
                else:
                    kept = self._kept_or_new(message.origin, text, turn, reopens)
                    leaving.append(kept.text)
                    every.append(kept)
                    skipped.append(kept)
                    apart += kept.apart
            out.append(message.released(leaving, turn.called(message.participant)))
            place = place_after(place, message)
            if self._prefix is not None and (place, reopens) == self._prefix.at:
                total, replies, apart = self._prefix.total.branch(), *self._prefix.counts
                skipped.clear()
        for kept in skipped:
            total.add(kept.account)
        if not total.parts:
            raise InputError("there is no message but replies of this session: send a new one")
        self._take(turn, place)
        self._prefix = Prefix((place, reopens), total.branch(), (replies, apart))
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
        entries = dict.fromkeys(entry for kept in every for entry in kept.entries)
        return Sent(out, whole.model_copy(update=update), place, tuple(entries))

    def _take(self, turn: Turn, place: bytes) -> None:
        """All of a call has succeeded."""
        self._pseudonyms, self._foreign = turn.pseudonyms, turn.foreign
        self._participants = turn.participants
        self._keep(turn.new)
        self._late += turn.late
        self._place = place
        self._stretches.learned = Learned()

    def _keep(self, messages: dict[bytes, Kept]) -> None:
        self._kept.update(messages)
        for kept in messages.values():
            self._growing.add(kept.entries, kept.releases)

    def _kept_or_new(self, origin: str, text: Text, turn: Turn, reopens: str | None) -> Kept:
        digest = text.digest(origin)
        if reopens is not None:
            digest = Text(reopens).digest(digest.hex())  # another task, another release
        kept = self._kept.get(digest) or turn.new.get(digest)
        if kept is None:
            kept = turn.new[digest] = self._released(origin, text, turn)
        return kept

    def _released(self, origin: str, text: Text, turn: Turn) -> Kept:
        """One text that has not left before."""
        own = origin == OWN

        addresses, (most, in_all) = self._stretches.of(origin), self._rules["foreign_names"]

        def settle(document: Labelled) -> Labelled:
            document = addresses.frozen(document)
            pseudonyms = turn.pseudonyms
            if own:
                turn.late += sum(late(name, pseudonyms) for name in names_of(document))
                return replace(document, pseudonyms=pseudonyms)
            strings = guesses(document, pseudonyms, self._line)
            every = turn.foreign | strings
            if len(strings) > most or len(every) > in_all:
                pseudonyms = self._line.pseudonyms()
                pseudonyms.taken.update(turn.pseudonyms.taken)
            else:
                turn.foreign = every
            return replace(document, pseudonyms=pseudonyms)

        form = "json" if text.is_json else self._line.policy.format
        given = Document(
            0,
            text.content,
            None,
            format=form,
            roster=self._roster if own else None,
            asked=turn.asked,
            address=addresses,
            settle=settle,
        )
        [document] = self._line.run([given])
        if isinstance(document, Failure):
            raise document.error
        if own:
            keys = hidden_keys(document, self._line.parts, self._line.policy)
            self._roster.learn(document.text, document.findings, keys)
        result = document.result
        used = document.pseudonyms
        apart = used is not None and used is not turn.pseudonyms
        if used is not None and apart:
            turn.pseudonyms.taken.update(used.taken)  # or a surrogate would mean two things
        account = Account.of(document, self._line.parts)
        self._account = self._account or account
        account = account.sharing(self._account)
        return Kept(result.text, account, result.map.entries, result.map.releases, apart)


def _holds(entry: MapEntry, held: str, received: str) -> bool:
    """Whether a reply has a surrogate as it was received, and its value as it is held."""
    pairs = (entry.surrogate, received), (entry.original, held)
    return all(words in text for words, text in pairs) and all(
        re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) for words, text in pairs
    )


def _question(given: list[Message]) -> str | None:
    """The last message of one's own."""
    own = (message.texts for message in reversed(given) if message.origin == OWN)
    return "\n\n".join(text.content for text in next(own, ())) or None
