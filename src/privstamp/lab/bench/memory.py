"""Memory of a release: the most that is held while units are drawn and decoded."""

from __future__ import annotations

import tracemalloc
from typing import Final

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.bench.synthetic import Synthetic, some_noise, some_rows
from privstamp.mechanisms.polar import Polar

REPEATS: Final = 5
"""Few units may all fall to one thread; the most is held when every thread has some."""


def peak_bytes(space: Synthetic, units: tuple[int, ...]) -> dict[int, int]:
    """Peak of the memory that polar allocates for so many units, without the table itself."""
    polar = Polar(space, decoder=Exact(space))
    peaks = {}
    for count in (units[0], *units):  # the first time fills what is kept for good
        ids, epsilon = some_rows(space, count), np.full(count, space.cliff())
        noise, peaks[count] = some_noise(count), 0
        for _ in range(REPEATS):
            tracemalloc.start()
            polar.privatize(ids, epsilon, noise)
            peaks[count] = max(peaks[count], tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    return peaks
