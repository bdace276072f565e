"""A decoder that counts its seconds: noise and the search for words are one stage to the line."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.noise import Float64, Vectors
from privstamp.protocols import Neighbours
from privstamp.types import Ids

Classes = npt.NDArray[np.uint8]


class TimedDecoder:
    """Does what another does."""

    def __init__(self, decoder: Neighbours) -> None:
        self._decoder = decoder
        self.seconds = 0.0

    def decode(self, queries: Vectors, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode, queries, classes)

    def decode_two(self, queries: Vectors, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode_two, queries, classes)

    def decode_points(self, points: Float64, classes: Classes) -> Ids:
        return self._timed(self._decoder.decode_points, points, classes)

    def _timed(
        self, search: Callable[[Any, Classes], Ids], queries: Vectors, classes: Classes
    ) -> Ids:
        since = time.perf_counter()
        try:
            return search(queries, classes)
        finally:
            self.seconds += time.perf_counter() - since
