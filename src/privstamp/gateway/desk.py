"""PRIVATE. What a process of the gateway does: find the session, privatise, charge; and learn the
reply before the client has it."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from secrets import token_bytes
from typing import Final

from privstamp.errors import PrivstampError, UsageError
from privstamp.gateway.answer import Answer, Remembered, Trail
from privstamp.gateway.cabinet import Cabinet, StoredCabinet
from privstamp.gateway.choke import Incoming, hints, learn, prepared, read
from privstamp.gateway.refused import Refused
from privstamp.gateway.rules import Allowed, Api
from privstamp.pipeline import Privatizer
from privstamp.policy import GatewayTable, Policy
from privstamp.sessions.store import open_store
from privstamp.sessions.vault import Vault

_SESSION: Final = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True, repr=False)
class Question:
    """A request as it came in."""

    endpoint: Api
    body: bytes
    principal: str
    session: str | None = None  # that the client named


@dataclass(frozen=True, repr=False)
class Ready:
    """All of it is privatised and charged: `body` may leave."""

    body: bytes
    answer: Answer
    label: str
    certificate: str | None  # its id; none where it held no text


@dataclass(frozen=True, repr=False)
class WholeReply:
    """A reply in one piece, to be restored and learned."""

    principal: str
    label: str
    answer: Answer
    body: bytes


@dataclass(frozen=True, repr=False)
class StreamLearned:
    """What was received in a stream."""

    principal: str
    label: str
    remembered: list[Remembered]


@dataclass(frozen=True, repr=False)
class Lookup:
    """A certificate that its owner asks for."""

    principal: str
    number: str


class Desk:
    """Answers jobs, one after the other."""

    def __init__(self, cabinet: Cabinet, rules: Allowed) -> None:
        self._cabinet, self._rules = cabinet, rules

    def __repr__(self) -> str:
        return "Desk(private)"

    def __call__(self, job: object) -> object:
        """The answer, or the error in its place."""
        try:
            match job:
                case Question():
                    return self.prepare(job)
                case WholeReply():
                    return self.restore(job)
                case StreamLearned():
                    return self.learn(job)
                case Lookup():
                    return self._cabinet.certificate(job.principal, job.number)
                case None:
                    return None
        except PrivstampError as error:
            failure = error.with_traceback(None)
            failure.__context__ = failure.__cause__ = None
            return failure
        raise UsageError(f"no desk answers {type(job).__name__}")

    def prepare(self, question: Question) -> Ready:
        """Find the session, then privatise and charge everything, or nothing leaves."""
        incoming = read(question.endpoint, question.body, self._rules)
        label, trail = self._found(question, incoming)
        request = prepared(incoming, self._cabinet.open(question.principal, label))
        request.answer.trail = trail
        number = None
        if request.certificate is not None:
            number = self._cabinet.keep(question.principal, request.certificate.to_json())
        return Ready(request.body, request.answer, label, number)

    def restore(self, whole: WholeReply) -> tuple[bytes, dict[str, str], bool]:
        """The reply as the client gets it, what headers tell of it, and whether it is learned."""
        body = whole.answer.whole(whole.body)
        learned = self.learn(StreamLearned(whole.principal, whole.label, whole.answer.remembered))
        return body, whole.answer.headers, learned

    def learn(self, learned: StreamLearned) -> bool:
        """Whether the session will know the reply again. If not it is text like any other."""
        try:
            session = self._cabinet.open(learned.principal, learned.label)
            learn(session, learned.remembered)
            keys = dict.fromkeys(key for each in learned.remembered for key in each.keys)
            self._cabinet.index(learned.principal, learned.label, keys)
            return True
        except PrivstampError:
            return False

    def _found(self, question: Question, incoming: Incoming) -> tuple[str, Trail | None]:
        """The session of the header, else of the client's conversation, else of what the history
        began as, else a new one; the last two are found by it again."""
        name = partial(self._cabinet.label, question.principal)
        if question.session is not None:
            if _SESSION.fullmatch(question.session) is None:
                why = "x-privstamp-session has 1 to 200 printable characters"
                raise Refused("session", "", why)
            return name("header", question.session), None
        told = hints(incoming)
        if told.conversation is not None:
            return name("conversation", told.conversation), None
        holder = self._cabinet.holder(question.principal, told.keys)
        return holder or name("first", told.trail.first), told.trail


@dataclass(frozen=True, repr=False)
class DeskRecipe:
    """What a process of the staff is told: it builds the line, and opens the store."""

    policy: Policy
    rules: Allowed
    store: str  # its file or address
    master: bytes = field(repr=False)

    def __call__(self) -> Callable[[object], object]:
        line = Privatizer(self.policy)
        line.session().privatize("Thank you, that is all.")  # what is made when it is first needed
        desk = Desk(StoredCabinet(line, open_store(self.store), self.master), self.rules)
        gc.collect()
        gc.freeze()  # what was loaded stays: it is never looked through for garbage again
        return desk


def rules_of(policy: Policy, vault: Vault | None) -> Allowed:
    """What the policy's table lets pass; ids of users are replaced under a key of the store, or
    without one under a fresh key."""
    table = policy.gateway or GatewayTable()
    return Allowed(
        allow=frozenset(table.allow),
        restore=table.restore,
        kinds=frozenset(table.kinds),
        restore_arguments=frozenset(table.restore_arguments),
        public=frozenset(table.public),
        id_key=token_bytes(16) if vault is None else vault.name("gateway ids", ""),
    )
