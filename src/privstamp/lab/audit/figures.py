"""A number with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from privstamp.channels import wilson


@dataclass(frozen=True)
class Figure:
    """A number with its 95 % interval; both ends equal it where it is exact.

    Without a value, `note` says why there is none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""

    @classmethod
    def exact(cls, value: float, note: str = "") -> Figure:
        return cls(value, value, value, note)

    @classmethod
    def share(cls, hits: int, trials: int, note: str = "") -> Figure:
        """A share of trials, with Wilson's interval."""
        if not trials:
            return cls.missing(note or "there was nothing to count")
        found = wilson(np.array([hits], dtype=np.float64), trials)
        return cls(float(found.estimate[0]), float(found.low[0]), float(found.high[0]), note)

    @classmethod
    def mean(cls, values: npt.ArrayLike, note: str = "") -> Figure:
        """A mean of independent values, with the normal interval."""
        found = np.asarray(values, dtype=np.float64)
        if not len(found):
            return cls.missing(note or "there was nothing to count")
        half = 1.96 * float(found.std(ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else 0.0
        centre = float(found.mean())
        return cls(centre, centre - half, centre + half, note)

    @classmethod
    def missing(cls, note: str) -> Figure:
        return cls(None, note=note)

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Figure:
        return cls(data["value"], data["low"], data["high"], data.get("note", ""))

    def as_json(self) -> dict[str, Any]:
        data = {"value": plain(self.value), "low": plain(self.low), "high": plain(self.high)}
        return data | ({"note": self.note} if self.note else {})


def plain(value: Any) -> Any:
    """Numbers as JSON has them: no NaN, no infinity, no more digits than are known."""
    if isinstance(value, Figure):
        return value.as_json()
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
