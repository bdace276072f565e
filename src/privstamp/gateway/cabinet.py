"""PRIVATE. Where a gateway finds the session that a request belongs to, and keeps certificates.

An index says which session a history belongs to. It is made of names under the store's key: whoever
reads the store learns neither histories nor sessions from it.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, Final, Protocol

from privstamp import __version__
from privstamp.pipeline import Privatizer
from privstamp.sessions.lasting import Lasting
from privstamp.sessions.session import Session
from privstamp.sessions.store import Store
from privstamp.sessions.vault import Vault

OPEN_SESSIONS: Final = 64
"""Sessions that a process keeps open; others are read from the store again."""
CERTIFICATES: Final = 1 << 14
"""Certificates kept; the oldest makes room."""
_COUNT: Final = b"count"


class Cabinet(Protocol):
    """Sessions of principals; a label belongs to one principal alone."""

    def label(self, principal: str, kind: str, given: str) -> str:
        """The session's name for what a client gave."""

    def open(self, principal: str, label: str) -> Session: ...

    def holder(self, principal: str, keys: Iterable[str]) -> str | None:
        """The session of the first key that has one."""

    def index(self, principal: str, label: str, keys: Iterable[str]) -> None:
        """Note the session of these keys, unless they have another."""

    def keep(self, principal: str, certificate: str) -> str:
        """The id that a certificate is found by again."""

    def certificate(self, principal: str, number: str) -> str | None: ...


class StoredCabinet:
    """In a store that processes share."""

    def __init__(self, line: Privatizer, store: Store, master: bytes) -> None:
        self._line, self._store, self._master = line, store, master
        self._vault = Vault(store, master)
        facts = (*line.facts, line.policy.fingerprint().encode(), __version__.encode())
        self._facts = blake2b(b"\0".join(facts), digest_size=16).hexdigest()
        self._open: OrderedDict[str, Lasting] = OrderedDict()

    def __repr__(self) -> str:
        return "StoredCabinet(private)"

    def label(self, principal: str, kind: str, given: str) -> str:
        if kind == "header":
            return f"{principal}/{given}"
        # A changed policy begins other sessions: none goes on under another one.
        return f"{principal}/{self._name(kind, principal, given).hex()}"

    def open(self, principal: str, label: str) -> Session:
        session = self._open.pop(label, None)
        if session is None:
            session = self._line.open_session(
                label, store=self._store, principal=principal, key=self._master
            )
        self._open[label] = session
        if len(self._open) > OPEN_SESSIONS:
            self._open.popitem(last=False)[1].close()
        return session

    def holder(self, principal: str, keys: Iterable[str]) -> str | None:
        with self._store.reading() as entries:
            for name in (self._name("history", principal, key) for key in keys):
                sealed = entries.get("gateway history", name)
                if sealed is not None:
                    return self._vault.label(name, sealed)
        return None

    def index(self, principal: str, label: str, keys: Iterable[str]) -> None:
        names = [self._name("history", principal, key) for key in keys]
        if not names:
            return
        with self._store.writing() as entries:
            for name in names:
                if entries.get("gateway history", name) is None:
                    entries.put("gateway history", name, self._vault.seal(name, label))

    def keep(self, principal: str, certificate: str) -> str:
        secret = secrets.token_hex(12)
        with self._store.writing() as entries:
            number = int(entries.get("gateway", _COUNT) or 0)
            entries.put("gateway", _COUNT, str(number + 1).encode())
            place = (number % CERTIFICATES).to_bytes(2, "big")
            content = json.dumps([secret, principal, certificate])
            entries.put("gateway certificate", place, self._vault.seal(place, content))
        return f"{place.hex()}{secret}"

    def certificate(self, principal: str, number: str) -> str | None:
        try:
            place, secret = bytes.fromhex(number[:4]), number[4:]
        except ValueError:
            return None
        with self._store.reading() as entries:
            sealed = entries.get("gateway certificate", place)
        if sealed is None:
            return None
        known, owner, certificate = json.loads(self._vault.label(place, sealed))
        same = compare_digest(f"{known} {owner}".encode(), f"{secret} {principal}".encode())
        return str(certificate) if same else None

    def _name(self, kind: str, principal: str, given: str) -> bytes:
        return self._vault.name(f"gateway {kind}", "\0".join((principal, self._facts, given)))


class MemoryCabinet:
    """In one process, and gone with it; only the last sessions stay."""

    def __init__(self, line: Privatizer) -> None:
        self._line, self._key = line, secrets.token_bytes(32)
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._holders: OrderedDict[str, str] = OrderedDict()
        self._certificates: OrderedDict[str, str] = OrderedDict()

    def __repr__(self) -> str:
        return "MemoryCabinet(private)"

    def label(self, principal: str, kind: str, given: str) -> str:
        return f"{principal}/{kind}/{self._name(given)}"

    def open(self, principal: str, label: str) -> Session:
        del principal
        session = self._open.pop(label, None) or self._line.session()
        self._open[label] = session
        _bound(self._open, OPEN_SESSIONS)
        return session

    def holder(self, principal: str, keys: Iterable[str]) -> str | None:
        labels = (self._holders.get(f"{principal}/{key}", "") for key in keys)
        return next((label for label in labels if label in self._open), None)

    def index(self, principal: str, label: str, keys: Iterable[str]) -> None:
        for key in keys:
            known = self._holders.pop(f"{principal}/{key}", label)
            self._holders[f"{principal}/{key}"] = known if known in self._open else label
        _bound(self._holders, CERTIFICATES)

    def keep(self, principal: str, certificate: str) -> str:
        number = secrets.token_hex(14)
        self._certificates[f"{principal}/{number}"] = certificate
        _bound(self._certificates, OPEN_SESSIONS)
        return number

    def certificate(self, principal: str, number: str) -> str | None:
        return self._certificates.get(f"{principal}/{number}")

    def _name(self, given: str) -> str:
        content = given.encode("utf-8", "surrogatepass")
        return blake2b(content, key=self._key, digest_size=16).hexdigest()


def _bound(kept: OrderedDict[str, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
