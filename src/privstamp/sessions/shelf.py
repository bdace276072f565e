"""The place of one session in a store: its keys, its sealed records and its accounts.

Messages and replies are added and never change; what the session knows besides is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from privstamp import __version__
from privstamp.errors import StoreError, UsageError
from privstamp.sessions.ledger import Ledger, Payer, shown
from privstamp.sessions.messages import digest
from privstamp.sessions.state import pack, unpack
from privstamp.sessions.store import Store, Transaction
from privstamp.sessions.vault import Keys, Vault

_ADDED: Final = ("message", "reply")
_ABOUT: Final = b"about"
_STATE: Final = b"state"
_SPACES: Final = ("keys", "turn", "record", *_ADDED)
LONGEST: Final = 1000
"""Characters of an id, and of a principal's name."""


class Book(NamedTuple):
    """PRIVATE. What the store has of a session: its last turn, what it knew then (nothing before
    the first), its messages with their digests, and its replies."""

    turn: int
    state: Any
    messages: list[Any]
    replies: list[Any]


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
                entries.put("turn", self._name, b"0 0")
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
            messages, replies = (entries.items(space, self._name) for space in _ADDED)
        return Book(turn, state, self._all(messages), self._all(replies))

    def write(
        self,
        turn: int,
        state: object,
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
            for key, message in messages.items():
                self._put(entries, "message", key, pack([key, message]))
            entries.put("turn", self._name, b"%d %d" % (number, number))
        return number

    def add(self, turn: int, reply: tuple[bytes, str, str]) -> int:
        """A turn that is a reply: nothing is released, and nothing else changes."""
        with self._next(turn) as (entries, number):
            written = self._turns(entries)[1]
            self._put(entries, "reply", b"reply %d" % number, pack(list(reply)))
            entries.put("turn", self._name, b"%d %d" % (number, written))
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

    def _turns(self, entries: Transaction) -> tuple[int, int]:
        """The last turn, and the last one that changed what the session knows."""
        turns = (entries.get("turn", self._name) or b"").split()
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
    name = vault.name("session", label)
    with vault.store.writing() as entries:
        known = entries.get("keys", name) is not None
        for space in _SPACES:
            entries.delete(space, name)
        ledger.forget(entries, Payer("session", label))
    vault.store.scrub()
    return known


def sessions(vault: Vault, entries: Transaction) -> list[tuple[str, str, int]]:
    """Id, principal and turns of each session."""
    rows = []
    for name, _ in entries.items("keys"):
        keys = vault.keys(entries, name)
        assert keys is not None
        record = name + keys.name(_ABOUT)
        label, _, principal, *_ = unpack(keys.open(record, entries.get("record", record) or b""))
        turns = (entries.get("turn", name) or b"0").split()
        rows.append((label, principal, int(turns[0])))
    return sorted(rows)
