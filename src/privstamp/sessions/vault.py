"""Keys of sessions: drawn at random, kept wrapped by a master key that is not in the store.

They are not derived from the master key, or forgetting a session would be undone by whoever has it.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from privstamp.crew.processes import no_core
from privstamp.errors import MissingExtra, StoreError, VaultError, trouble_of
from privstamp.noise import KEY_BYTES
from privstamp.sessions.store import Store, Transaction

ENVIRONMENT: Final = "PRIVSTAMP_MASTER_KEY"
MAKE: Final = "openssl rand -hex 32"
KEYRING: Final = "keyring"
"""In the environment instead of a key: it is kept in the keyring of this machine."""
_ENTRY: Final = "privstamp", "master-key"
_NONCE: Final = 12
_NAMES: Final = b"names"
_HEX: Final = re.compile(rf"[0-9a-fA-F]{{{2 * KEY_BYTES}}}")


def master_key(file: str | os.PathLike[str] | None = None) -> bytes:
    """The key in a file that its owner alone may read, or in the environment: 64 hex digits, or the
    word keyring, which says where it is."""
    if file is not None:
        return _of_hex(read_private(Path(file)), f"the key file {file}")
    given = os.environ.get(ENVIRONMENT)
    if given is None:
        raise VaultError(
            f"sessions that last need a master key: in {ENVIRONMENT}, or in a file of mode 0600. "
            f"Make one, and keep it: (umask 077; {MAKE} > master.key); then --key-file master.key"
        )
    if given.strip() == KEYRING:
        return _of_hex(_of_keyring(), "the keyring of this machine")
    return _of_hex(given, ENVIRONMENT)


def _of_keyring() -> str:
    """What is kept there under privstamp, master-key."""
    try:
        keyring: Any = import_module("keyring")
    except ImportError:
        keyring = None
    if keyring is None:
        raise MissingExtra("keyring", "a master key in the keyring of this machine")
    try:
        given = keyring.get_password(*_ENTRY)
        trouble = None
    except Exception as error:  # of whatever keeps it: it may hold what was kept
        trouble = type(error).__name__
    if trouble is not None:
        raise VaultError(f"the keyring of this machine does not open ({trouble})")
    if given is None:
        raise VaultError(
            "the keyring of this machine has no master key. Put one there with: "
            f"{MAKE} | keyring set {' '.join(_ENTRY)}"
        )
    return str(given)


def read_private(path: Path) -> str:
    """A file that its owner alone may read."""
    content, trouble = b"", None
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(1024)
    except (OSError, ValueError) as error:
        trouble = trouble_of(error)
    if trouble is not None:
        raise VaultError(f"cannot read the key file {path}: {trouble}")
    if os.name == "posix" and stat.S_IMODE(mode) & ~0o600:
        raise VaultError(f"the key file {path} is open to others. Try: chmod 600 {path}")
    return content.decode("ascii", "replace")


def _of_hex(given: str, where: str) -> bytes:
    if _HEX.fullmatch(given.strip()) is None:
        raise VaultError(f"{where} has no key: {2 * KEY_BYTES} hex digits. Make one with: {MAKE}")
    return bytes.fromhex(given.strip())


@dataclass(frozen=True, repr=False)
class Keys:
    """PRIVATE. Of one session: `data` seals its records, `noise` is what its releases are drawn
    from."""

    session: bytes
    data: bytes
    noise: bytes

    def __repr__(self) -> str:
        return "Keys(private)"

    def seal(self, record: bytes, content: bytes) -> bytes:
        """Closed to all who have not the key; it opens as this record of this session alone."""
        return _seal(self.data, content, self.session + record)

    def open(self, record: bytes, sealed: bytes) -> bytes:
        content = _open(self.data, sealed, self.session + record)
        if content is None:
            raise StoreError("a record of the session is damaged; nothing was released")
        return content

    def name(self, *parts: bytes) -> bytes:
        """A name for a record, or a charge, that tells nothing of what is in it."""
        return _name(self.data, *parts)


class Vault:
    """The keys of all sessions in a store, opened by its master key."""

    def __init__(self, store: Store, master: bytes) -> None:
        """The first who comes makes the key of names; a store of another master key is refused."""
        if len(master) != KEY_BYTES:
            raise VaultError(f"a master key has {KEY_BYTES} bytes")
        no_core()
        self.store, self._master = store, master
        with store.writing() as entries:
            wrapped = entries.get("vault", _NAMES)
            if wrapped is None:
                if entries.items("keys"):
                    raise StoreError("the store is damaged: its key of names is gone")
                wrapped = _seal(master, token_bytes(KEY_BYTES), _NAMES)
                entries.put("vault", _NAMES, wrapped)
        self._names = self._unwrapped(wrapped, _NAMES)

    def __repr__(self) -> str:
        return "Vault(private)"

    def name(self, kind: str, label: str) -> bytes:
        """How a session or an account is called in the store; its label shows nowhere."""
        return _name(self._names, kind.encode(), label.encode("utf-8", "surrogatepass"))

    def seal(self, name: bytes, label: str) -> bytes:
        """The label itself, to be listed by whoever has the master key."""
        return _seal(self._names, label.encode("utf-8", "surrogatepass"), name)

    def label(self, name: bytes, sealed: bytes) -> str:
        content = _open(self._names, sealed, name)
        if content is None:
            raise StoreError("a label in the store is damaged")
        return content.decode("utf-8", "surrogatepass")

    def keys(self, entries: Transaction, session: bytes) -> Keys | None:
        """Of a session that is there."""
        wrapped = entries.get("keys", session)
        if wrapped is None:
            return None
        both = self._unwrapped(wrapped, session)
        return Keys(session, both[:KEY_BYTES], both[KEY_BYTES:])

    def fresh(self, entries: Transaction, session: bytes) -> Keys:
        """For a session that begins."""
        both = token_bytes(2 * KEY_BYTES)
        entries.put("keys", session, _seal(self._master, both, session))
        return Keys(session, both[:KEY_BYTES], both[KEY_BYTES:])

    def rotate(self, master: bytes) -> int:
        """Wrap all keys anew under another master key, all of them or none; how many sessions."""
        if len(master) != KEY_BYTES:
            raise VaultError(f"a master key has {KEY_BYTES} bytes")
        with self.store.writing() as entries:
            sessions = entries.items("keys")
            names = entries.items("vault", _NAMES)
            for space, wrapped in [("keys", sessions), ("vault", names)]:
                for name, sealed in wrapped:
                    entries.put(space, name, _seal(master, self._unwrapped(sealed, name), name))
        self._master = master
        self.store.scrub()
        return len(sessions)

    def _unwrapped(self, wrapped: bytes, about: bytes) -> bytes:
        content = _open(self._master, wrapped, about)
        if content is None:
            raise VaultError(
                "the master key is not the one of this store; nothing was released. Give the key "
                "that the store was made with, or name another store: --store, store=..."
            )
        return content


def _name(key: bytes, *parts: bytes) -> bytes:
    state = blake2b(key=key, digest_size=16, person=b"privstamp name")
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


def _seal(key: bytes, content: bytes, about: bytes) -> bytes:
    nonce = token_bytes(_NONCE)
    return nonce + AESGCM(key).encrypt(nonce, content, about)


def _open(key: bytes, sealed: bytes, about: bytes) -> bytes | None:
    """What was sealed; nothing where key, content or place is another."""
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], about)
    except (InvalidTag, ValueError):
        return None
