"""The only place random numbers come from.

Noise is addressed, not streamed: the bits for (document, position, lane, attempt) are the AES-256
encryption of that address under the document's key. So block size, batch composition, order,
threads and forks cannot change or repeat a release, and there is no state to share or lose.

One address is one 16-byte block, little-endian on every machine: position (8 bytes), number of
the block (4), attempt (3), lane (1).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from privstamp.errors import UsageError

Mode = Literal["fresh", "secret", "seed"]
Uint64 = npt.NDArray[np.uint64]
Float64 = npt.NDArray[np.float64]

KEY_BYTES = 32
_BLOCK_BYTES = 16
_MOST_BLOCKS = 1 << 32
_MOST_ATTEMPTS = 1 << 24
_LITTLE = np.dtype("<u8")


class Lane(IntEnum):
    """What the bits are for. Two purposes never read the same bits."""

    COSINE = 0  # proposals for the vMF cosine
    ACCEPT = 1  # their acceptance
    TANGENT = 2  # normals for a direction
    RADIUS = 3
    COORDINATES = 4  # one draw per dimension
    CHOICE = 5  # one draw from a list or a channel row
    REPLACEMENT = 6  # surrogates


@dataclass(frozen=True, repr=False)
class Randomness:
    """Where a document's key comes from.

    fresh: the operating system, anew for every release. secret: derived from a secret and all
    that the release depends on, so that a repeat is the same release. seed: the same from a
    public number; reproducible and insecure.
    """

    mode: Mode
    root: bytes = b""

    def __repr__(self) -> str:
        return f"Randomness({self.mode})"

    @classmethod
    def make(cls, *, seed: int | None = None, secret: bytes | None = None) -> Randomness:
        if seed is not None and secret is not None:
            raise UsageError("give a seed or a secret, not both")
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int):
                raise UsageError("a seed is a whole number")
            return cls("seed", blake2b(b"privstamp seed %d" % seed, digest_size=32).digest())
        if secret is not None:
            if not isinstance(secret, bytes) or len(secret) < 16:
                raise UsageError("a secret is bytes, at least 16 of them")
            return cls("secret", blake2b(secret, digest_size=32, person=b"privstamp").digest())
        return cls("fresh")

    def key(self, *parts: bytes) -> bytes:
        """The key of one release, which depends on every part unless it is fresh."""
        if self.mode == "fresh":
            return secrets.token_bytes(KEY_BYTES)
        digest = blake2b(key=self.root, digest_size=KEY_BYTES)
        for part in parts:
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.digest()


class Noise:
    """Randomness for a row of addresses: one (document, position) per unit.

    Holds keys and addresses and nothing that changes, so it may be shared by threads.
    """

    def __init__(
        self,
        keys: Sequence[bytes],
        documents: npt.NDArray[np.int64],
        positions: npt.NDArray[np.int64],
    ) -> None:
        if any(len(key) != KEY_BYTES for key in keys):
            raise ValueError(f"a document's key has {KEY_BYTES} bytes")
        if documents.shape != positions.shape or documents.ndim != 1:
            raise ValueError("one document and one position per unit")
        if len(documents) and not 0 <= documents.min() <= documents.max() < len(keys):
            raise ValueError("a document without a key")
        if len(positions) and positions.min() < 0:
            raise ValueError("positions count from 0")
        self._keys = keys
        self._documents = documents
        self._positions = positions

    @classmethod
    def of_document(cls, key: bytes, positions: npt.ArrayLike) -> Noise:
        where = np.asarray(positions, dtype=np.int64).reshape(-1)
        return cls([key], np.zeros(len(where), dtype=np.int64), where)

    def __len__(self) -> int:
        return len(self._positions)

    def __repr__(self) -> str:
        return f"Noise({len(self)} addresses)"

    def take(self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_] | slice) -> Noise:
        """The same addresses, fewer or in another order."""
        return Noise(self._keys, self._documents[index], self._positions[index])

    def words(self, count: int, lane: Lane, attempt: int = 0) -> Uint64:
        """`count` 64-bit words per address."""
        blocks = (count + 1) // 2
        if count < 0 or blocks >= _MOST_BLOCKS or not 0 <= attempt < _MOST_ATTEMPTS:
            raise ValueError("no such address: count or attempt out of range")
        documents, positions = self._documents, self._positions
        order = None
        if np.any(documents[1:] < documents[:-1]):
            order = np.argsort(documents, kind="stable")
            documents, positions = documents[order], positions[order]
        address = np.empty((len(self), blocks, 2), dtype=_LITTLE)
        address[:, :, 0] = positions[:, None]
        purpose = (int(Lane(lane)) << 56) | (attempt << 32)
        address[:, :, 1] = np.arange(purpose, purpose + blocks, dtype=np.uint64)
        stream = self._encrypt(documents, address).reshape(len(self), 2 * blocks)
        if order is not None:
            stream[order] = stream.copy()
        return stream[:, :count]

    def _encrypt(self, documents: npt.NDArray[np.int64], address: Uint64) -> Uint64:
        """AES of each address under its document's key; documents arrive in runs."""
        # `update_into` wants room for one more block than it writes.
        room = np.empty(address.size + 2, dtype=_LITTLE)
        plain, coded = address.reshape(-1).view(np.uint8).data, room.view(np.uint8).data
        edges = [*np.flatnonzero(np.diff(documents, prepend=-1)).tolist(), len(documents)]
        width = address.shape[1] * _BLOCK_BYTES
        for start, end in pairwise(edges):
            # ECB over distinct counters is a keystream; no message is ever encrypted.
            aes = Cipher(algorithms.AES(self._keys[documents[start]]), modes.ECB())  # noqa: S305
            aes.encryptor().update_into(plain[start * width : end * width], coded[start * width :])
        return room[: address.size].astype(np.uint64, copy=False)

    def uniform(self, count: int, lane: Lane, attempt: int = 0) -> Float64:
        """Uniform on (0, 1), both ends open, 52 random bits."""
        words = self.words(count, lane, attempt)
        return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52

    def normal(self, count: int, lane: Lane, attempt: int = 0) -> Float64:
        """Standard normals in float64, by Box and Muller."""
        pairs = (count + 1) // 2
        u = self.uniform(2 * pairs, lane, attempt)
        # Contiguous copies: every element then takes the same vector code, whatever the block.
        radius = np.sqrt(-2.0 * np.log(np.ascontiguousarray(u[:, :pairs])))
        angle = (2.0 * np.pi) * u[:, pairs:]
        both = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        return both[:, :count]
