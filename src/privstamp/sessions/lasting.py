"""A session that outlives its process. Each turn is charged and sealed in a store before anything
of it is released; whoever opens the session again goes on from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar, Unpack

from privstamp.errors import UsageError
from privstamp.noise import KEY_BYTES
from privstamp.release.replaced import Pseudonyms
from privstamp.restore.map import SurrogateMap
from privstamp.sessions.ledger import shown
from privstamp.sessions.line import SessionLine
from privstamp.sessions.messages import Message
from privstamp.sessions.meter import amounts
from privstamp.sessions.session import Session
from privstamp.sessions.shelf import Overtaken, Shelf
from privstamp.sessions.state import knowledge
from privstamp.sessions.store import Store, Stored, open_store
from privstamp.sessions.stretches import Learned
from privstamp.sessions.turn import Kept, Sent, SessionRules, Turn
from privstamp.sessions.vault import master_key

T = TypeVar("T")
TRIES: Final = 20
"""Turns of other processes that one call waits for, before it is told."""
UNREAD: Final = -1


@dataclass(frozen=True, repr=False)
class Charged(Sent):
    """What a call gave, and what it was charged in millionths and counts; nothing for a repeat."""

    charges: dict[str, int] = field(default_factory=dict)


@dataclass(repr=False)
class _Place:
    """Where the session stands in its store."""

    shelf: Shelf
    store: Store
    owned: bool  # the store is closed with the session
    turn: int = UNREAD  # that memory is of
    charges: dict[str, int] = field(default_factory=dict)


class Lasting(Session):
    """PRIVATE. As `Session`; in several processes at once, one goes after the other."""

    def __init__(
        self,
        label: str,
        line: SessionLine,
        store: Stored,
        principal: str,
        *,
        key: bytes | None = None,
        **rules: Unpack[SessionRules],
    ) -> None:
        """`store`: an object, a file, or an address. `key`: the master key of the store, 32 bytes;
        else the one in the environment."""
        super().__init__(line, **rules)
        owned = isinstance(store, str | os.PathLike)
        master = master_key() if key is None else key
        opened = open_store(store) if isinstance(store, str | os.PathLike) else store
        self._at = _Place(Shelf(label, principal, opened, master), opened, owned)
        facts = (*line.facts, line.policy.fingerprint().encode())
        self._at.shelf.open(facts)

    def __enter__(self) -> Lasting:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise UsageError("a session is not pickled: open it by its id where it is wanted")

    @property
    def spent(self) -> dict[str, dict[str, int | float]]:
        """By the session and by its principal, so far."""
        return self._at.shelf.spent()

    @property
    def map(self) -> SurrogateMap:
        """PRIVATE. The surrogates of the conversation so far, in whatever process."""
        self._at_home()
        with self._lock:
            self._refresh()
        return super().map

    def close(self) -> None:
        """Let go of keys and texts; the session stays in its store."""
        with self._lock:
            self._at.shelf.close()
            self._begin(bytes(KEY_BYTES))
            if self._at.owned:
                self._at.store.close()

    def forget(self) -> None:
        """Delete the session and its keys, so that nobody can read it again, and close it."""
        with self._lock:
            self._at.shelf.forget()
        self.close()

    def remember(self, place: bytes, received: str, restored: str) -> None:
        self._at_home()

        def step() -> None:
            self._at.turn = self._at.shelf.add(self._at.turn, (place, received, restored))
            self._replies.remember(place, received, restored)

        with self._lock:
            self._tried(step)

    def _recalled(self, messages: Sequence[Message]) -> tuple[bytes, list[list[str | None]]]:
        self._refresh()
        return super()._recalled(messages)

    def _release(self, given: list[Message], task: str | None) -> Sent:
        sent = self._tried(lambda: super(Lasting, self)._release(given, task))
        charges, facts = self._at.charges, sent.certificate.session
        assert facts is not None
        numbers = {name: float(shown(name, amount)) for name, amount in charges.items()}
        update = {"session": facts.model_copy(update={"charges": numbers})}
        certificate = sent.certificate.model_copy(update=update)
        return Charged(sent.messages, certificate, sent.place, sent.entries, charges)

    def _take(self, turn: Turn, place: bytes) -> None:
        """All of a call has succeeded, and nothing was released yet."""
        learned, moved, new = self._stretches.learned, place != self._place, dict(turn.new)
        certificates = [kept.account.certificate for kept in new.values()]
        guesses = len(turn.foreign) - len(self._foreign)
        asked = amounts(learned.draws, certificates, guesses, self._stretches.draws_of)
        super()._take(turn, place)
        if new or moved:
            self._write(new, learned, asked)
        self._at.charges = {name: amount for name, amount in asked.items() if amount}

    def _tried(self, step: Callable[[], T]) -> T:
        """What `step` gives from the last turn on. If it fails, memory is read again before the
        next: what was learned meanwhile was not released."""
        for _ in range(TRIES):
            self._refresh()
            try:
                return step()
            except Overtaken:
                self._at.turn = UNREAD
            except BaseException:
                self._at.turn = UNREAD
                raise
        raise Overtaken("other processes keep going on with this session; try again")

    def _write(self, new: dict[bytes, Kept], learned: Learned, asked: dict[str, int]) -> None:
        addresses = sorted(draw.address.to_bytes(8, "little") for draw in learned.draws)
        charge = [*sorted(new), *addresses]
        state = knowledge(self, Session)
        self._at.turn = self._at.shelf.write(self._at.turn, state, learned, new, charge, asked)

    def _refresh(self) -> None:
        """See that memory is of the last turn."""
        if self._at.turn == self._at.shelf.turn():
            return
        self._at.turn = UNREAD
        book = self._at.shelf.read()
        self._begin(self._at.shelf.noise)
        for name, value in (book.state or {}).items():
            setattr(self, name, value)
        for learned in book.learned:
            self._stretches.take(learned)
        self._keep(dict(book.messages))
        for reply in book.replies:
            self._replies.remember(*reply)
        self._at.turn = book.turn

    def _begin(self, key: bytes) -> None:
        """As before the first turn, under the session's key."""
        line, lock, at = self._line, self._lock, self._at
        vars(self).update(vars(Session(line, **self._rules)))
        self._lock, self._at, at.turn = lock, at, UNREAD
        self._pseudonyms = Pseudonyms(key, carried=True)
        self._stretches = self._addresses(key)
