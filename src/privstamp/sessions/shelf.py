"""The place of one session in a store: its keys, its sealed records and its accounts.

Messages, replies and what turns learned are added and never change; what the session knows besides
is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import itemgetter
from time import time
from typing import Any, Final, NamedTuple

from privstamp import __version__
from privstamp.errors import StoreError, UsageError
from privstamp.sessions.ledger import Ledger, Payer, shown
from privstamp.sessions.messages import digest
from privstamp.sessions.state import pack, unpack
from privstamp.sessions.store import Store, Transaction
from privstamp.sessions.vault import Keys, Vault

_ADDED: Final = ("message", "reply", "learned")
_ABOUT: Final = b"about"
_STATE: Final = b"state"
_TURN: Final = b"turn"
_SPACES: Final = ("keys", "turn", "used", "record", *_ADDED)
DAY: Final = 86_400
LONGEST: Final = 1000
"""Characters of an id, and of a principal's name."""


class Book(NamedTuple):
    """PRIVATE. What the store has of a session: its last turn, what it knew then (nothing before
    the first), its messages with their digests, its replies, and what each turn learned."""

    turn: int
    state: Any
    messages: list[Any]
    replies: list[Any]
    learned: list[Any]


class Overtaken(StoreError):
    """Another process went on with the session meanwhile."""


class Shelf:
    """Turns are counted: who writes says which turn he comes from, and is told if it was not the
    last."""

    def __init__(self, label: str, principal: str, store: Store, master: bytes) -> None:
        for what, given in (("an id", label), ("a principal", principal)):
            if not isinstance(given, str) or not 0 < len(given) <= LONGEST:
                raise UsageError(f"{what} is a string of at most {LONGEST} characters, not empty")
        self._store, self._vault = store, Vault(store, master)
        self._ledger = Ledger(self._vault)
        self._payers = Payer("session", label), Payer("principal", principal)
        self._name = self._vault.name("session", label)
        self._keys: Keys | None = None

    def __repr__(self) -> str:
        return "Shelf(private)"

    @property
    def noise(self) -> bytes:
        return self._opened.noise

    @property
    def _opened(self) -> Keys:
        if self._keys is None:
            raise UsageError("the session is closed")
        return self._keys

    def open(self, facts: tuple[bytes, ...]) -> None:
        """Begin the session, or go on with it if it is of the same principal, policy, parts and
        version."""
        about = [*self._payers[1], __version__, digest(*facts)]
        with self._store.writing() as entries:
            self._keys = self._vault.keys(entries, self._name)
            if self._keys is None:
                self._keys = self._vault.fresh(entries, self._name)
                self._put(entries, "record", _ABOUT, pack([self._payers[0].label, *about]))
                entries.put("turn", self._record(_TURN), b"0 0")
                _note_use(entries, self._name)
                self._ledger.note(entries, self._payers)
                return
            _, *known = unpack(self._get(entries, _ABOUT))
        kinds = "", "principal", "version of privstamp", "policy, or other parts of it"
        for kind, now, then in zip(kinds, about, known, strict=True):
            if now != then:
                self._keys = None
                raise UsageError(
                    f"the session was begun under another {kind}; go on under that one, or begin "
                    "another session. Nothing was released"
                )

    def turn(self) -> int:
        with self._store.reading() as entries:
            return self._turns(entries)[0]

    def read(self) -> Book:
        with self._store.reading() as entries:
            turn, written = self._turns(entries)
            state = unpack(self._get(entries, _STATE, written)) if written else None
            items = [entries.items(space, self._name) for space in _ADDED]
        messages, replies, learned = map(self._all, items)
        in_order = [facts for _, facts in sorted(learned, key=itemgetter(0))]
        as_sent = [message[2:] for message in sorted(messages, key=itemgetter(0, 1))]
        return Book(turn, state, as_sent, replies, in_order)

    def write(
        self,
        turn: int,
        state: object,
        learned: object,
        messages: Mapping[bytes, object],
        charge: list[bytes],
        amounts: Mapping[str, int],
    ) -> int:
        """The next turn and its charge, together and durably, or nothing of them."""
        content = pack(state)
        with self._next(turn) as (entries, number):
            if charge:
                name = self._opened.name(b"charge", *charge)
                self._ledger.charge(entries, name, self._payers, amounts)
            self._put(entries, "record", _STATE, content, number)
            self._put(entries, "learned", b"learned %d" % number, pack([number, learned]))
            for place, (key, message) in enumerate(messages.items()):
                self._put(entries, "message", key, pack([number, place, key, message]))
            entries.put("turn", self._record(_TURN), b"%d %d" % (number, number))
        return number

    def add(self, turn: int, reply: tuple[bytes, str, str]) -> int:
        """A turn that is a reply: nothing is released, and nothing else changes."""
        with self._next(turn) as (entries, number):
            written = self._turns(entries)[1]
            self._put(entries, "reply", b"reply %d" % number, pack(list(reply)))
            entries.put("turn", self._record(_TURN), b"%d %d" % (number, written))
        return number

    def spent(self) -> dict[str, dict[str, int | float]]:
        with self._store.reading() as entries:
            return {
                payer.kind: {
                    quantity: shown(quantity, amount)
                    for quantity, amount in self._ledger.spent(entries, payer).items()
                }
                for payer in self._payers
            }

    def close(self) -> None:
        self._keys = None

    def forget(self) -> None:
        """Keys, records and accounts of the session; what its principal has spent stays spent."""
        forget(self._vault, self._ledger, self._payers[0].label)
        self._keys = None

    @contextmanager
    def _next(self, turn: int) -> Iterator[tuple[Transaction, int]]:
        """Write what follows this turn, unless somebody else did."""
        with self._store.writing() as entries:
            if self._turns(entries)[0] != turn:
                raise Overtaken("other processes are in this session; try again")
            yield entries, turn + 1
            _note_use(entries, self._name)

    def _turns(self, entries: Transaction) -> tuple[int, int]:
        """The last turn, and the last one that changed what the session knows; nothing where it
        was forgotten, also if another one of its id was begun since: that has other keys."""
        turns = (entries.get("turn", self._record(_TURN)) or b"").split()
        if len(turns) != 2 or not all(turn.isdigit() for turn in turns):
            raise StoreError("the session was forgotten; nothing was released")
        return int(turns[0]), int(turns[1])

    def _all(self, items: list[tuple[bytes, bytes]]) -> list[Any]:
        return [unpack(self._opened.open(key, value)) for key, value in items]

    def _record(self, key: bytes) -> bytes:
        return self._name + self._opened.name(key)

    def _put(
        self, entries: Transaction, space: str, key: bytes, content: bytes, turn: int = 0
    ) -> None:
        record = self._record(key)
        about = record + turn.to_bytes(8, "little") if turn else record
        entries.put(space, record, self._opened.seal(about, content))

    def _get(self, entries: Transaction, key: bytes, turn: int = 0) -> bytes:
        record = self._record(key)
        sealed = entries.get("record", record)
        if sealed is None:
            raise StoreError("a record of the session is gone; nothing was released")
        return self._opened.open(record + turn.to_bytes(8, "little") if turn else record, sealed)


def forget(vault: Vault, ledger: Ledger, label: str) -> bool:
    """Whether there was such a session; without its keys nothing of it can be read again."""
    with vault.store.writing() as entries:
        known = _delete(entries, vault, ledger, label)
    vault.store.scrub()
    return known


def purge(vault: Vault, ledger: Ledger, days: float) -> int:
    """Forget all sessions that were not used for so many days; how many there were. Their
    principals' accounts stay. By a clock that is behind nothing is purged too early."""
    with vault.store.writing() as entries:
        before = time() - days * DAY
        old = [row.label for row in sessions(vault, entries) if row.used < before]
        for label in old:
            _delete(entries, vault, ledger, label)
    if old:
        vault.store.scrub()
    return len(old)


def _delete(entries: Transaction, vault: Vault, ledger: Ledger, label: str) -> bool:
    name = vault.name("session", label)
    known = entries.get("keys", name) is not None
    for space in _SPACES:
        entries.delete(space, name)
    ledger.forget(entries, Payer("session", label))
    return known


def _note_use(entries: Transaction, name: bytes) -> None:
    """When a session was used last; never earlier than it was. Turns are ordered by their numbers,
    whatever the clock says."""
    entries.put("used", name, b"%d" % max(int(time()), _used(entries, name)))


def _used(entries: Transaction, name: bytes) -> int:
    noted = entries.get("used", name) or b"0"
    if not noted.isdigit():
        raise StoreError("a number in the store is damaged; nothing was released")
    return int(noted)


class SessionRow(NamedTuple):
    """A session as it is listed; `used` in seconds since 1970."""

    label: str
    principal: str
    turns: int
    used: int


def sessions(vault: Vault, entries: Transaction) -> list[SessionRow]:
    """All of a store."""
    rows = []
    for name, _ in entries.items("keys"):
        keys = vault.keys(entries, name)
        assert keys is not None
        record = name + keys.name(_ABOUT)
        label, _, principal, *_ = unpack(keys.open(record, entries.get("record", record) or b""))
        turns = (entries.get("turn", name + keys.name(_TURN)) or b"0").split()
        rows.append(SessionRow(label, principal, int(turns[0]), _used(entries, name)))
    return sorted(rows)
