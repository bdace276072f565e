"""Numbers as model files store them, widened to float32 a block at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

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
