"""The only place random numbers come from.

Noise is addressed, not streamed: the bits for (document, position, lane, attempt) are the AES-256
encryption of that address under the document's key. So block size, batch composition, order,
threads and forks cannot change or repeat a release, and there is no state to share or lose.

One address is one 16-byte block, little-endian on every machine: position (8 bytes), number of
the block (4), attempt (3), lane (1).
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from itertools import pairwise
from math import prod
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from privstamp.errors import UsageError

Mode = Literal["fresh", "secret", "seed"]
Uint64 = npt.NDArray[np.uint64]
Float64 = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]
Vectors: TypeAlias = Float32 | Float64

KEY_BYTES = 32
_BLOCK_BYTES = 16
_MOST_BLOCKS = 1 << 32
_MOST_ATTEMPTS = 1 << 24
_MOST_CIPHERS = 1024
_FAR = np.float32(2.0**-20)
"""Of a uniform number of 32 bits that is smaller, too few are left: 8 more are read."""
_MORE = np.uint32(0xFF)
_MOST_KEPT = 1 << 20  # words, 8 MB: larger memory is not kept
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
    NAME = 7  # keys, tags and identifiers
    VALUE = 8  # steps of a number, weeks of a date


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


class _Ciphers(threading.local):
    """Ciphers ready to use, by key; making one takes as long as a page of noise. One per thread.

    ECB over whole blocks has no state: over distinct counters it is a keystream, and no message is
    ever encrypted.
    """

    def __init__(self) -> None:
        self._made: dict[bytes, CipherContext] = {}

    def of(self, key: bytes) -> CipherContext:
        if key not in self._made:
            if len(self._made) >= _MOST_CIPHERS:
                self._made.clear()
            self._made[key] = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305
        return self._made[key]


class Noise:
    """Randomness for a row of addresses: one (document, position) per unit.

    Holds keys and addresses and nothing that decides a draw but them, so threads may share it.
    """

    def __init__(
        self,
        keys: Sequence[bytes],
        documents: npt.NDArray[np.int64],
        positions: npt.NDArray[np.int64],
        ciphers: _Ciphers | None = None,
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
        self._ciphers = _Ciphers() if ciphers is None else ciphers

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
        part = Noise.__new__(Noise)  # what was checked once is not checked again
        part._keys, part._ciphers = self._keys, self._ciphers
        part._documents, part._positions = self._documents[index], self._positions[index]
        return part

    def at(self, position: int) -> Noise:
        """One other address of the same document."""
        if position < 0:
            raise ValueError("positions count from 0")
        other = Noise.__new__(Noise)
        other._keys, other._ciphers = self._keys[:1], self._ciphers
        other._documents, other._positions = _FIRST, np.array([position], dtype=np.int64)
        return other

    def words(self, count: int, lane: Lane, attempt: int = 0) -> Uint64:
        """`count` 64-bit words per address."""
        if len(self) == 1:
            return self._alone(count, lane, attempt)
        return self._words(count, lane, attempt).astype(np.uint64)

    def _alone(self, count: int, lane: Lane, attempt: int) -> Uint64:
        """The words of the only address: surrogates are drawn one by one."""
        blocks, purpose = _blocks(count, lane, attempt)
        position = int(self._positions[0]).to_bytes(8, "little")
        address = b"".join(
            position + block.to_bytes(8, "little") for block in range(purpose, purpose + blocks)
        )
        stream = self._ciphers.of(self._keys[self._documents[0]]).update(address)
        return np.frombuffer(stream, dtype=_LITTLE).astype(np.uint64)[None, :count]

    def _words(self, count: int, lane: Lane, attempt: int) -> Uint64:
        """The words of all addresses, in memory that the next call overwrites."""
        blocks, purpose = _blocks(count, lane, attempt)
        documents, positions = self._documents, self._positions
        order, changes = None, _changes(documents) if len(self._keys) > 1 else _NONE
        if len(changes) and np.any(documents[changes] < documents[changes - 1]):
            order = np.argsort(documents, kind="stable")
            documents, positions = documents[order], positions[order]
            changes = _changes(documents)
        address = room.of("address", 2 * blocks * len(self)).reshape(len(self), blocks, 2)
        address[:, :, 0] = positions[:, None]
        address[:, :, 1] = np.arange(purpose, purpose + blocks, dtype=np.uint64)
        edges = [0, *changes.tolist(), len(self)] if len(self) else []
        stream = self._encrypt(documents, edges, address).reshape(len(self), 2 * blocks)
        if order is not None:
            stream[order] = stream.copy()
        return stream[:, :count]

    def _encrypt(
        self, documents: npt.NDArray[np.int64], edges: list[int], address: Uint64
    ) -> Uint64:
        """AES of each address under its document's key; documents arrive in runs."""
        # `update_into` wants room for one more block than it writes.
        stream = room.of("words", address.size + 2)
        plain, coded = address.reshape(-1).view(np.uint8).data, stream.view(np.uint8).data
        width = address.shape[1] * _BLOCK_BYTES
        for start, end in pairwise(edges):
            aes = self._ciphers.of(self._keys[documents[start]])
            aes.update_into(plain[start * width : end * width], coded[start * width :])
        return stream[: address.size]

    def uniform(self, count: int, lane: Lane, attempt: int = 0) -> Float64:
        """Uniform on (0, 1), both ends open, 52 random bits."""
        words = self._words(count, lane, attempt)
        return _uniform(words, np.empty(words.shape, dtype=np.uint64))

    def normal(
        self, count: int, lane: Lane, attempt: int = 0, out: Vectors | None = None
    ) -> Vectors:
        """Standard normals by Box and Muller, in float32.

        Half of the bits are radii, half are angles, 32 each. Where that leaves few digits, which
        is far out, 8 bits go from the angle to the radius; normals end at 7.5 deviations.
        """
        pairs = (count + 1) // 2
        bits = self._words(pairs, lane, attempt).view("<u4")
        # Addresses, and then words, have been read: their memory, which is near, is used again.
        radius, angle = room.floats("address", (2, len(self), pairs))
        np.copyto(radius, bits[:, :pairs], casting="same_kind")
        radius += np.float32(0.5)
        radius *= np.float32(2.0**-32)
        if len(self) and radius.min() < _FAR:
            _go_far(radius, bits)
        np.log(radius, out=radius)
        radius *= np.float32(-2.0)
        np.sqrt(radius, out=radius)
        np.copyto(angle, bits[:, pairs:].view("<i4"), casting="same_kind")  # from -pi to pi
        angle *= np.float32(np.pi / 2**31)
        drawn = np.empty((len(self), count)) if out is None else out
        spare, rest = room.floats("words", angle.shape), count - pairs
        np.multiply(np.cos(angle, out=spare), radius, out=drawn[:, :pairs])
        np.sin(angle, out=spare)
        np.multiply(spare[:, :rest], radius[:, :rest], out=drawn[:, pairs:])
        return drawn


def _blocks(count: int, lane: Lane, attempt: int) -> tuple[int, int]:
    """How many blocks hold so many words, and the second half of the first one's address."""
    blocks = (count + 1) // 2
    if count < 0 or blocks >= _MOST_BLOCKS or not 0 <= attempt < _MOST_ATTEMPTS:
        raise ValueError("no such address: count or attempt out of range")
    return blocks, (int(Lane(lane)) << 56) | (attempt << 32)


def _go_far(radius: Float32, bits: npt.NDArray[np.uint32]) -> None:
    """Give the smallest numbers the bits that they lack, and take these from their angles."""
    pairs = radius.shape[1]
    row, pair = np.nonzero(radius < _FAR)
    upper, beside = bits[row, pair].astype(np.float64), bits[row, pairs + pair]
    radius[row, pair] = (upper * 2.0**8 + (beside & _MORE) + 0.5) * 2.0**-40
    bits[row, pairs + pair] = beside & ~_MORE


def _changes(documents: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Where another document begins."""
    return np.flatnonzero(documents[1:] != documents[:-1]) + 1


_NONE = np.empty(0, dtype=np.intp)
_FIRST = np.zeros(1, dtype=np.int64)


class _Room(threading.local):
    """Memory kept between draws: asking the system for it anew takes as long as the draws.

    Every thread has its own, by name; the next one who asks for a name overwrites it.
    """

    def __init__(self) -> None:
        self._made: dict[str, Uint64] = {}

    def of(self, name: str, size: int) -> Uint64:
        room = self._made.get(name)
        if room is None or len(room) < size:
            room = self._made[name] = np.empty(size, dtype=_LITTLE)
        return room[:size] if len(room) <= _MOST_KEPT else self._made.pop(name)[:size]

    def doubles(self, name: str, shape: tuple[int, int]) -> Float64:
        return self.of(name, shape[0] * shape[1]).view(np.float64).reshape(shape)

    def floats(self, name: str, shape: tuple[int, ...]) -> Float32:
        size = prod(shape)
        return self.of(name, (size + 1) // 2).view(np.float32)[:size].reshape(shape)

    def like(self, name: str, vectors: Vectors, rows: int) -> Vectors:
        """So many rows of the same kind and length."""
        make = self.floats if vectors.dtype == np.float32 else self.doubles
        return make(name, (rows, vectors.shape[1]))


room = _Room()


def _uniform(words: Uint64, out: Uint64) -> Float64:
    """(k + 1/2) / 2^52 for the upper 52 bits k: as the digits of a number from 1 to 2, less one."""
    np.right_shift(words, np.uint64(12), out=out)
    out |= np.uint64(0x3FF << 52)
    unit = out.view(np.float64)
    unit -= 1.0 - 2.0**-53
    return unit


def below(word: int, limit: int) -> int:
    """A whole number below `limit` from 64 random bits: floor(word * limit / 2^64), exactly.

    Each value has probability 1/limit within 2^-64 (surrogate.md, step 2).
    """
    return word * limit >> 64
