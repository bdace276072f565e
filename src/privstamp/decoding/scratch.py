"""Memory for one block of scores, kept between blocks; every thread has its own."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from privstamp.types import Table


class Scratch(threading.local):
    """Room for `queries` by `columns` scores of four bytes."""

    def __init__(self, queries: int, columns: int) -> None:
        self._numbers = queries * columns
        self._room = np.empty(0, dtype=np.float32)

    def columns(self, queries: int) -> int:
        """How many rows of a table fit beside this many queries."""
        return max(1, self._numbers // max(1, queries))

    def floats(self, rows: int, queries: int) -> Table:
        """Room for a block of scores, one line per row of the table, one column per query."""
        if rows * queries > len(self._room):
            self._room = np.empty(max(rows * queries, self._numbers), dtype=np.float32)
        return self._room[: rows * queries].reshape(rows, queries)

    def integers(self, rows: int, queries: int) -> npt.NDArray[np.int32]:
        """The same room, for whole numbers."""
        return self.floats(rows, queries).view(np.int32)
