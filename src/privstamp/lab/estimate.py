"""A number with its 95 % interval: the one record for whatever the laboratory measures.

    Estimate.exact(0.2)                 known for certain
    Estimate.share(hits, trials)        a share of trials, Wilson's interval
    Estimate.mean(values)               a mean of independent values, the normal interval
    Estimate.ratio(parts, wholes)       a sum over a sum, items being what was sampled
    Estimate.missing("why")             no number, and the reason
    clopper_pearson(hits, trials, e)    exact ends, for claims that are to be refuted
    read_off(across, up, level)         between two measurements, in a straight line

`privstamp.lab.bootstrap` has those of clustered examples. `plain` makes JSON of any of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.extras import special
from privstamp.noise import Float64

Z: Final = 1.959963984540054  # 95 %
NOTHING: Final = "there was nothing to count"


@dataclass(frozen=True)
class Estimate:
    """A number and the ends of its interval; both equal it where it is exact.

    `n` is how many trials or examples it was counted on, `clusters` how many of them are
    independent where that is fewer. Without a value, `note` may say why there is none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: str = ""
    clusters: int | None = None

    @classmethod
    def exact(cls, value: float, note: str = "") -> Estimate:
        return cls(value, value, value, note=note)

    @classmethod
    def missing(cls, note: str = "") -> Estimate:
        return cls(None, note=note)

    @classmethod
    def share(cls, hits: int, trials: int, note: str = "") -> Estimate:
        """A share of trials, with Wilson's interval."""
        if not trials:
            return cls.missing(note or NOTHING)
        share, spread = hits / trials, Z * Z / trials
        centre = (share + spread / 2) / (1 + spread)
        half = math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) * Z / (1 + spread)
        # The ends never leave the share on the wrong side, nor what a share can be.
        low, high = max(min(centre - half, share), 0.0), min(max(centre + half, share), 1.0)
        return cls(share, low, high, trials, note)

    @classmethod
    def mean(cls, values: npt.ArrayLike, note: str = "") -> Estimate:
        """A mean of independent values, with the normal interval."""
        sample = np.asarray(values, dtype=np.float64)
        count = len(sample)
        if not count:
            return cls.missing(note or NOTHING)
        half = Z * float(sample.std(ddof=1)) / math.sqrt(count) if count > 1 else 0.0
        centre = float(sample.mean())
        return cls(centre, centre - half, centre + half, count, note)

    @classmethod
    def ratio(cls, parts: Float64, wholes: Float64, note: str = "") -> Estimate:
        """A sum of parts over the sum of wholes, a share; items are what was sampled."""
        total = float(wholes.sum())
        if total <= 1e-9:
            return cls.missing(note or NOTHING)
        value = float(parts.sum()) / total
        # Linearised: each item moves the ratio by (part - ratio * whole) / total.
        half = Z * float(np.sqrt(np.square(parts - value * wholes).sum())) / total
        return cls(value, max(value - half, 0.0), min(value + half, 1.0), len(parts), note)

    @property
    def number(self) -> float:
        """The value for arithmetic: not a number where there is none."""
        return math.nan if self.value is None else self.value

    @property
    def lower(self) -> float:
        """The low end of a share; nothing where it is unknown."""
        return 0.0 if self.low is None else self.low

    @property
    def upper(self) -> float:
        """The high end of a share; everything where it is unknown."""
        return 1.0 if self.high is None else self.high

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, where they are known and say more than the value."""
        if self.low is None or self.high is None or (self.low == self.high and not self.n):
            return None
        return self.low, self.high

    def written(self, form: str = ".3f", missing: str = "") -> str:
        """For people: the value and, in brackets, its interval."""
        if self.value is None:
            return missing
        ends = self.interval
        between = "" if ends is None else f" [{ends[0]:{form}}, {ends[1]:{form}}]"
        return f"{self.value:{form}}{between}"

    def short(self, form: str = ".3f", missing: str = "") -> str:
        """The value alone."""
        return missing if self.value is None else f"{self.value:{form}}"

    def as_json(self) -> dict[str, Any]:
        data = {"value": plain(self.value), "low": plain(self.low), "high": plain(self.high)}
        if self.clusters is not None:
            data |= {"clusters": self.clusters, "examples": self.n}
        return data | ({"note": self.note} if self.note else {})

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Estimate:
        """Read back what `as_json` wrote, five digits of it."""
        return cls(
            data["value"],
            data["low"],
            data["high"],
            n=data.get("examples", 0),
            note=data.get("note", ""),
            clusters=data.get("clusters"),
        )


def clopper_pearson(hits: npt.ArrayLike, trials: int, error: float) -> tuple[Float64, Float64]:
    """Ends that the true share lies between, whatever it is; each fails with chance error / 2."""
    counts = np.asarray(hits, dtype=np.float64)
    inverse = special().betaincinv
    low = np.where(counts > 0, inverse(np.maximum(counts, 1), trials - counts + 1, error / 2), 0.0)
    others = np.maximum(trials - counts, 1)
    high = np.where(counts < trials, inverse(counts + 1, others, 1 - error / 2), 1.0)
    return low, high


def read_off(across: Float64, up: Float64, level: Float64) -> Float64:
    """Where a line through points stands at a level; nan before the first and after the last.

    For one line of points, or many lines and a level for each. Points at one place count as their
    mean.
    """
    lines, heights = np.atleast_2d(across), np.atleast_2d(up)
    order = np.argsort(lines, axis=1, kind="stable")
    lines, heights = (np.take_along_axis(one, order, axis=1) for one in (lines, heights))
    found = np.full(len(lines), np.nan)
    levels = np.broadcast_to(level, len(lines))
    told = (lines[:, 0] <= levels) & (levels <= lines[:, -1])
    tied = (np.diff(lines, axis=1) == 0).any(axis=1)
    for number in np.flatnonzero(told).tolist():
        xs, ys = lines[number], heights[number]
        if tied[number]:
            xs, which = np.unique(xs, return_inverse=True)
            ys = np.bincount(which, weights=ys) / np.bincount(which)
        found[number] = np.interp(levels[number], xs, ys)
    return found if across.ndim > 1 else found[0]


def plain(value: Any) -> Any:
    """As JSON has it: no more digits than are known, null for what is no number."""
    if isinstance(value, Estimate):
        return value.as_json()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
