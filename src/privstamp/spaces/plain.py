"""The space of the default: text as it is written, without a table.

Units are cut as those of a word space. Every one may be released as written or replaced; none can
be moved to another word, for there are no outputs. What is sensitive is for the detectors alone.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.errors import Incompatible
from privstamp.spaces.splitter import VERSION, split
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import UNKNOWN, Ids, Kind, Table, Units

_FUNCTION, _OTHER = 0, 1
_INVISIBLE: Final = (Kind.SPACE, Kind.CONTROL)


class _Words:
    """Any run of letters is a word; what else there is, is cut as finely as it can be."""

    def get(self, word: str, default: int, /) -> int:
        if word in FUNCTION_WORDS:
            return _FUNCTION
        return _OTHER if word.isalpha() else default


class Plain:
    """Two rows stand for all units: function words, and anything else that can be seen."""

    name: Final = "plain"
    source: Final = "text as it is written; no table"
    classes: tuple[str, ...] = ("function", "other")

    def __init__(self) -> None:
        self.unit: Table = np.eye(2, dtype=np.float32)
        self.radius: npt.NDArray[np.float32] = np.ones(2, dtype=np.float32)
        self.class_of: npt.NDArray[np.uint8] = np.array([_FUNCTION, _OTHER], dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.empty(0, np.int32), np.empty(0, np.int32))
        self.prior: npt.NDArray[np.float64] = np.full(2, 0.5)
        facts = [self.name, VERSION, sorted(FUNCTION_WORDS)]
        self.fingerprint = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        self._words = _Words()

    def __repr__(self) -> str:
        return "Plain()"

    def split(self, text: str) -> Units:
        """Cut a text into units; between them lie PASSING characters only."""
        units = split(text, self._words)
        rows = np.where(units.rows == UNKNOWN, np.int32(_OTHER), units.rows)
        rows[np.isin(units.kinds, _INVISIBLE)] = UNKNOWN
        return Units(text, units.starts, units.ends, rows, units.kinds, units.labels)

    def words(self, rows: Ids) -> list[str]:
        """The plain names of rows, for reports."""
        return [self.classes[row] for row in rows.tolist()]

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        """There is nothing to write: no row of this space is ever an output."""
        if len(rows) != len(labels):
            raise Incompatible("a label for every row")
        return [""] * len(rows)
