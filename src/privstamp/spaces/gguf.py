"""GGUF files: metadata and the token table. Every count is checked against the bytes there are."""

from __future__ import annotations

import hashlib
import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import AssetError, suggest
from privstamp.types import Table

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

BLOCK_ELEMENTS: Final = 1 << 20


@dataclass(frozen=True)
class Encoding:
    """How a run of `elements` numbers lies in `size` bytes, and how to read whole runs."""

    elements: int
    size: int
    widen: Callable[[Bytes], Floats]

    def bytes_of(self, rows: int, columns: int) -> int | None:
        """Bytes of a table, or None if its rows are not whole runs."""
        return None if columns % self.elements else rows * columns // self.elements * self.size


def _f32(data: Bytes) -> Floats:
    return data.view("<f4").astype(np.float32)


def _f16(data: Bytes) -> Floats:
    return data.view("<f2").astype(np.float32)


def _bf16(data: Bytes) -> Floats:
    return (data.view("<u2").astype(np.uint32) << 16).view(np.float32)


def _q8_0(data: Bytes) -> Floats:
    runs = data.view([("scale", "<f2"), ("steps", "i1", (32,))])
    wide: Floats = runs["scale"].astype(np.float32)[:, None] * runs["steps"]
    return wide.reshape(-1)


ENCODINGS: Final = {
    "F32": Encoding(1, 4, _f32),
    "F16": Encoding(1, 2, _f16),
    "BF16": Encoding(1, 2, _bf16),
    "Q8_0": Encoding(32, 34, _q8_0),
}


def widened(data: Bytes, encoding: Encoding, rows: int, columns: int) -> Table:
    """The table in float32; `data` may be memory-mapped and is read in blocks."""
    out = np.empty((rows, columns), dtype=np.float32)
    step = max(1, BLOCK_ELEMENTS // columns)
    row_bytes = columns // encoding.elements * encoding.size
    for start in range(0, rows, step):
        stop = min(start + step, rows)
        block = np.ascontiguousarray(data[start * row_bytes : stop * row_bytes])
        out[start:stop] = encoding.widen(block).reshape(-1, columns)
    return out


TABLE: Final = "token_embd.weight"
STRING: Final = 8
ARRAY: Final = 9
SCALARS: Final = {
    kind: struct.Struct("<" + code)
    for kind, code in {
        0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
    }.items()
}  # fmt: skip
U32: Final = SCALARS[4]
U64: Final = SCALARS[10]
TENSOR_TYPES: Final = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1",
    10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 30: "BF16",
}  # fmt: skip


@dataclass(frozen=True)
class _Tensor:
    shape: tuple[int, ...]
    kind: int
    offset: int


class GgufFile:
    """One file, its header walked once; values are decoded when asked for."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._data = self._mapped(path)
        self._view = self._data.data
        self._at = 0
        self._fields: dict[str, tuple[int, int]] = {}
        self._tensors: dict[str, _Tensor] = {}
        self._walk()
        self.rows, self.columns = self._shape()

    def value(self, key: str, default: Any = None) -> Any:
        """A metadata value: number, string, or list of them."""
        if key not in self._fields:
            return default
        kind, self._at = self._fields[key]
        return self._value(kind)

    def table(self) -> Table:
        """The token table in float32."""
        return widened(self._table_bytes(), self._encoding(), self.rows, self.columns)

    def digest(self) -> str:
        """SHA-256 over the header and the token table: all that is ever read."""
        digest = hashlib.sha256(self._view[: self._end_of_header])
        digest.update(self._table_bytes().data)
        return digest.hexdigest()

    def _fail(self, trouble: str) -> AssetError:
        return AssetError(f"{self._name} cannot be read as GGUF: {trouble}")

    def _mapped(self, path: Path) -> Bytes:
        try:
            with path.open("rb") as file:
                return np.frombuffer(
                    mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8
                )
        except (OSError, ValueError) as error:  # ValueError: an empty file
            trouble = getattr(error, "strerror", None) or "the file is empty"
        raise self._fail(trouble)

    def _take(self, layout: struct.Struct) -> Any:
        end = self._at + layout.size
        if end > len(self._data):
            raise self._fail("it ends too early")
        (value,) = layout.unpack_from(self._view, self._at)
        self._at = end
        return value

    def _skip(self, count: int, size: int = 1) -> int:
        """Step over `count` things of at least `size` bytes; the position before them."""
        before = self._at
        if count * size > len(self._data) - before:
            raise self._fail("it ends too early")
        self._at += count * size
        return before

    def _string(self) -> str:
        length = self._take(U64)
        start = self._skip(length)
        try:
            return self._data[start : start + length].tobytes().decode("utf-8")
        except UnicodeDecodeError:
            pass
        raise self._fail("a string is not UTF-8")

    def _array_head(self) -> tuple[int, int]:
        kind, count = self._take(U32), self._take(U64)
        if kind != STRING and kind not in SCALARS:
            raise self._fail(f"it holds an array of type {kind}, which is not read here")
        at = self._at
        self._skip(count, 8 if kind == STRING else SCALARS[kind].size)  # plausible at all?
        self._at = at
        return kind, count

    def _value(self, kind: int) -> Any:
        if kind == STRING:
            return self._string()
        if kind == ARRAY:
            kind, count = self._array_head()
            if kind == STRING:
                return [self._string() for _ in range(count)]
            start = self._skip(count, SCALARS[kind].size)
            layout = SCALARS[kind].format
            return np.frombuffer(self._data, layout, count, start).tolist()
        return self._take(SCALARS[kind])

    def _skip_value(self, kind: int) -> None:
        if kind == STRING:
            self._skip(self._take(U64))
        elif kind == ARRAY:
            kind, count = self._array_head()
            if kind != STRING:
                self._skip(count, SCALARS[kind].size)
                return
            for _ in range(count):
                self._skip(self._take(U64))
        elif kind in SCALARS:
            self._skip(SCALARS[kind].size)
        else:
            raise self._fail(f"it holds a value of unknown type {kind}")

    def _walk(self) -> None:
        if self._data[:4].tobytes() != b"GGUF":
            raise self._fail("it does not begin with GGUF")
        self._at = 4
        version = self._take(U32)
        if version not in (2, 3):
            raise self._fail(f"version {version} is not known; versions 2 and 3 are")
        tensors, fields = self._take(U64), self._take(U64)
        for _ in range(fields):
            key, kind = self._string(), self._take(U32)
            self._fields[key] = (kind, self._at)
            self._skip_value(kind)
        for _ in range(tensors):
            name, dimensions = self._string(), self._take(U32)
            if dimensions > 4:
                raise self._fail(f"a tensor has {dimensions} dimensions")
            shape = tuple(self._take(U64) for _ in range(dimensions))
            self._tensors[name] = _Tensor(shape, self._take(U32), self._take(U64))
        self._end_of_header = self._at
        alignment = self.value("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1:
            raise self._fail("its alignment is not a positive number")
        self._start_of_data = -(-self._end_of_header // alignment) * alignment

    def _shape(self) -> tuple[int, int]:
        if TABLE not in self._tensors:
            raise self._fail(f"it has no tensor {TABLE}")
        shape = self._tensors[TABLE].shape
        if len(shape) != 2 or 0 in shape:
            raise self._fail(f"{TABLE} is not a table")
        return shape[1], shape[0]  # GGUF names the fastest dimension first

    def _encoding(self) -> Encoding:
        kind = self._tensors[TABLE].kind
        name = TENSOR_TYPES.get(kind, f"number {kind}")
        if name not in ENCODINGS:
            raise self._fail(f"{TABLE} is of type {name}.{suggest(name, ENCODINGS)}")
        return ENCODINGS[name]

    def _table_bytes(self) -> Bytes:
        size = self._encoding().bytes_of(self.rows, self.columns)
        start = self._start_of_data + self._tensors[TABLE].offset
        if size is None or start + size > len(self._data):
            raise self._fail(f"{TABLE} goes beyond its end")
        return self._data[start : start + size]
