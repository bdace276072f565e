"""Memory for one block of scores, kept between blocks; every thread has its own."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from privstamp.types import Table


class Scratch(threading.local):
    """Room for a block of scores of four bytes, one line per query, one column per row."""

    def __init__(self) -> None:
        self._room = np.empty(0, dtype=np.float32)
        self._flags = np.empty(0, dtype=np.bool_)

    def floats(self, queries: int, rows: int) -> Table:
        if rows * queries > len(self._room):
            self._room = np.empty(rows * queries, dtype=np.float32)
        return self._room[: rows * queries].reshape(queries, rows)

    def integers(self, queries: int, rows: int) -> npt.NDArray[np.int32]:
        """The same room, for whole numbers."""
        return self.floats(queries, rows).view(np.int32)

    def flags(self, queries: int, rows: int) -> npt.NDArray[np.bool_]:
        """Room for what has been found out about each score."""
        if rows * queries > len(self._flags):
            self._flags = np.empty(rows * queries, dtype=np.bool_)
        return self._flags[: rows * queries].reshape(queries, rows)
