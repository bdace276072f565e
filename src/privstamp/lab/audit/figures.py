"""What a check reports: figures with intervals, lines of a table, and remarks. Never a text."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
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
        data = {"value": _plain(self.value), "low": _plain(self.low), "high": _plain(self.high)}
        return data | ({"note": self.note} if self.note else {})


@dataclass(frozen=True)
class Section:
    """The outcome of one check."""

    name: str
    title: str
    figures: dict[str, Figure] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    sound: bool = True  # False: the promise itself is refuted
    private: tuple[str, ...] = field(default=(), repr=False)  # with words of the sample: never kept
    broken: tuple[str, ...] = ()  # which promises, and by how much

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "sound": self.sound,
            "figures": {key: figure.as_json() for key, figure in self.figures.items()},
            "rows": [{key: _plain(value) for key, value in row.items()} for row in self.rows],
            "remarks": list(self.remarks),
            "broken": list(self.broken),
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Section:
        """Read back what an interrupted audit had found."""
        figures = {key: Figure.of_json(one) for key, one in data["figures"].items()}
        rows = [
            {key: Figure.of_json(one) if isinstance(one, dict) else one for key, one in row.items()}
            for row in data["rows"]
        ]
        remarks = tuple(data["remarks"])
        broken = tuple(data.get("broken", ()))
        return cls(
            data["name"], data["title"], figures, rows, remarks, data["sound"], broken=broken
        )


def _plain(value: Any) -> Any:
    """Numbers as JSON has them: no NaN, no infinity, no more digits than are known."""
    if isinstance(value, Figure):
        return value.as_json()
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
