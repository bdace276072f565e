"""Who may come in: keys of a gateway, known by their hash alone, and whom each is charged to."""

from __future__ import annotations

import json
import re
import secrets
import time
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, NamedTuple

from privstamp.errors import InputError
from privstamp.sessions.vault import Vault

LOCAL: Final = "local"
"""Who comes in where there are no keys: this machine alone can."""
PREFIX: Final = "privstamp-"
"""How every key of a gateway begins."""
_SPACE: Final = "gateway key"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_FRESH: Final = 1.0
"""Seconds after which keys are read again: a revoked one is refused by then."""


class Pass(NamedTuple):
    """A key by its number, never the key itself."""

    number: str
    principal: str
    added: str


class Keyring:
    """The keys in a store."""

    def __init__(self, vault: Vault, *, required: bool = False) -> None:
        """`required`: nobody comes in without a key; so it is as soon as there was one."""
        self._vault, self._required = vault, required
        self._read_at = float("-inf")
        self._known: dict[bytes, str] = {}

    def __repr__(self) -> str:
        return "Keyring(private)"

    def add(self, principal: str) -> str:
        """A new key; it is shown this once."""
        check_principal(principal)
        key = PREFIX + secrets.token_urlsafe(32)
        name = _hash(key)
        today = datetime.now(UTC).date().isoformat()
        sealed = self._vault.seal(name, json.dumps([principal, today]))
        with self._vault.store.writing() as entries:
            entries.put(_SPACE, name, sealed)
        return key

    def passes(self) -> list[Pass]:
        with self._vault.store.reading() as entries:
            items = entries.items(_SPACE)
        rows = [(name, json.loads(self._vault.label(name, sealed))) for name, sealed in items]
        return sorted(Pass(name.hex()[:12], *row) for name, row in rows)

    def revoke(self, number: str) -> bool:
        """Whether there was such a key."""
        with self._vault.store.writing() as entries:
            names = [name for name, _ in entries.items(_SPACE) if name.hex()[:12] == number]
            return sum(entries.delete(_SPACE, name) for name in names) > 0

    def refresh(self) -> None:
        """Read the keys again; a second ago is soon enough."""
        now = time.monotonic()
        if now - self._read_at < _FRESH:
            return
        with self._vault.store.reading() as entries:
            items = entries.items(_SPACE)
        self._known = {
            name: json.loads(self._vault.label(name, sealed))[0] for name, sealed in items
        }
        self._required = self._required or bool(self._known)
        self._read_at = now

    @property
    def stale(self) -> bool:
        return time.monotonic() - self._read_at >= _FRESH

    def principal(self, key: str | None) -> str | None:
        """Whose key it is; where none is required everybody is LOCAL."""
        if not self._required:
            return LOCAL
        return None if key is None else self._known.get(_hash(key))


def check_principal(name: str) -> None:
    """Names without the sign that stands between a principal and its sessions."""
    if _NAME.fullmatch(name) is None:
        raise InputError("a principal is named with letters, digits, dots, dashes and @")


def _hash(key: str) -> bytes:
    """Keys are drawn from 2^256: a plain hash tells nothing, and finding one tells no timing."""
    return sha256(key.encode("utf-8", "surrogatepass")).digest()
