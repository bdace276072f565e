"""A number with its 95 % interval: the one record for whatever the laboratory measures.

    Estimate.exact(0.2)                 known for certain
    Estimate.share(hits, trials)        a share of trials, Wilson's interval; `hits` of flags
    Estimate.mean(values)               a mean of independent values, the normal interval
    Estimate.ratio(parts, wholes)       a sum over a sum, items being what was sampled
    Estimate.missing("why")             no number, and the reason
    clopper_pearson(hits, trials, e)    exact ends, for claims that are to be refuted
    read_off(across, up, level)         between two measurements, in a straight line

The functions `mean`, `pooled`, `difference` and `ratio` take examples that come in clusters, and
`plain` makes JSON of any of it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.errors import UsageError
from privstamp.lab.progress import special
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
    def exact(cls, value: float) -> Estimate:
        return cls(value, value, value)

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
    def hits(cls, hits: npt.ArrayLike, note: str = "") -> Estimate:
        """The share of true ones; `note` says why there are none to count."""
        right = np.asarray(hits, dtype=bool)
        return cls.share(int(right.sum()), len(right), "" if len(right) else note)

    @classmethod
    def mean(cls, values: npt.ArrayLike) -> Estimate:
        """A mean of independent values, with the normal interval."""
        sample = np.asarray(values, dtype=np.float64)
        count = len(sample)
        if not count:
            return cls.missing(NOTHING)
        half = Z * float(sample.std(ddof=1)) / math.sqrt(count) if count > 1 else 0.0
        centre = float(sample.mean())
        return cls(centre, centre - half, centre + half, count)

    @classmethod
    def ratio(cls, parts: Float64, wholes: Float64) -> Estimate:
        """A sum of parts over the sum of wholes, a share; items are what was sampled."""
        total = float(wholes.sum())
        if total <= 1e-9:
            return cls.missing(NOTHING)
        value = float(parts.sum()) / total
        # Linearised: each item moves the ratio by (part - ratio * whole) / total.
        half = Z * float(np.sqrt(np.square(parts - value * wholes).sum())) / total
        return cls(value, max(value - half, 0.0), min(value + half, 1.0), len(parts))

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
    lines, heights = (np.take_along_axis(values, order, axis=1) for values in (lines, heights))
    crossings = np.full(len(lines), np.nan)
    levels = np.broadcast_to(level, len(lines))
    told = (lines[:, 0] <= levels) & (levels <= lines[:, -1])
    tied = (np.diff(lines, axis=1) == 0).any(axis=1)
    for number in np.flatnonzero(told).tolist():
        xs, ys = lines[number], heights[number]
        if tied[number]:
            xs, which = np.unique(xs, return_inverse=True)
            ys = np.bincount(which, weights=ys) / np.bincount(which)
        crossings[number] = np.interp(levels[number], xs, ys)
    return crossings if across.ndim > 1 else crossings[0]


def plain(value: Any) -> Any:
    """As JSON has it: no more digits than are known, null for what is no number."""
    if isinstance(value, Estimate):
        return value.as_json()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float | np.floating):
        short = float(f"{value:.5g}")  # the largest there is would round to infinity
        return short if math.isfinite(short) else None
    return int(value) if isinstance(value, np.integer) else value


# Estimates over clustered examples: 95 % intervals by drawing whole clusters again.
#
# mean(rows) pooled(parts) difference(first, second) ratio(first, second) joint(several, f)
#
# Examples of one text are not independent, so clusters are what is drawn. Seeds of one example are
# averaged first: they tell about noise, not about other texts. The percentiles are widened as
# Student's t is wider than a normal (Hesterberg, 2015), without which few clusters cover too
# little.

LEVEL: Final = 0.95
DRAWS: Final = 5_000
_CHUNK: Final = 500
"""Draws at a time, so that many clusters stay within memory."""

Row: TypeAlias = tuple[str, str, float]
"""Example, cluster and one value of it; an example has a row for each seed."""
Part: TypeAlias = tuple[str, str, float, float]
"""Example, cluster, a part and the whole that it is of."""
Values: TypeAlias = npt.NDArray[np.float64]


def mean(rows: Iterable[Row]) -> Estimate:
    """The mean over examples."""
    return pooled((example, cluster, value, 1.0) for example, cluster, value in rows)


def pooled(parts: Iterable[Part]) -> Estimate:
    """Sum of the parts over sum of the wholes, such as kept units of all units."""
    return joint([((example, cluster, sums) for example, cluster, *sums in parts)], _quotient)


def difference(first: Iterable[Row], second: Iterable[Row]) -> Estimate:
    """Mean of first less second, over the examples that both have."""
    counted = ((example, cluster, (value, 1.0)) for example, cluster, value in first)
    others = ((example, cluster, (value,)) for example, cluster, value in second)
    return joint([counted, others], lambda sums: (sums[..., 0] - sums[..., 2]) / sums[..., 1])


def ratio(first: Iterable[Row], second: Iterable[Row]) -> Estimate:
    """Mean of first over mean of second, over the examples that both have."""
    both = (((example, cluster, (value,)) for example, cluster, value in rows)
            for rows in (first, second))  # fmt: skip
    return joint([*both], _quotient)


def joint(
    several: Sequence[Iterable[tuple[str, str, Sequence[float]]]],
    statistic: Callable[[Values], Values],
) -> Estimate:
    """A statistic of several settings' sums, side by side, over the examples that all have.

    It is nan where it cannot be told; bounds are those of the draws in which it can, if it can in
    nearly all.
    """
    averaged = [_averaged(rows) for rows in several]
    joined = {
        example: (cluster, tuple(value for rows in averaged for value in rows[example][1]))
        for example, (cluster, _) in averaged[0].items()
        if all(example in rows for rows in averaged)
    }
    return _drawn(joined, statistic)


_Averaged: TypeAlias = dict[str, tuple[str, tuple[float, ...]]]


def _averaged(rows: Iterable[tuple[str, str, Sequence[float]]]) -> _Averaged:
    """Cluster and columns of each example, averaged over its seeds."""
    seen: dict[str, list[Sequence[float]]] = defaultdict(list)
    cluster_of: dict[str, str] = {}
    for example, cluster, columns in rows:
        if cluster_of.setdefault(example, cluster) != cluster:
            raise UsageError("an example is in two clusters; these are no results of one task")
        seen[example].append(columns)
    return {
        example: (
            cluster_of[example],
            tuple(sum(column) / len(seeds) for column in zip(*seeds, strict=True)),
        )
        for example, seeds in seen.items()
    }


def _drawn(averaged: _Averaged, statistic: Callable[[Values], Values]) -> Estimate:
    """The statistic of the column sums, of all clusters and of clusters drawn with return.

    There are no bounds from under two clusters, nor where draws too often have no statistic.
    """
    values = np.array([columns for _, columns in averaged.values()])
    names, which = np.unique([cluster for cluster, _ in averaged.values()], return_inverse=True)
    count, examples = len(names), len(values)
    if not examples:
        return Estimate(None, clusters=0)
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, which, values)
    value = float(statistic(sums.sum(axis=0)))
    if not np.isfinite(value):
        return Estimate(None, n=examples, clusters=count)
    ends: tuple[float | None, float | None] = None, None
    if count > 1:
        draws = [statistic(times.astype(np.float64) @ sums) for times in _drawn_times(count)]
        drawn = np.concatenate(draws)
        if np.isnan(drawn).mean() <= 1 - LEVEL:
            low, high = np.nanquantile(drawn, _tails(count)).tolist()
            if np.isfinite([low, high]).all():
                ends = low, high
    return Estimate(value, *ends, examples, clusters=count)


@lru_cache(maxsize=4)  # a report asks for hundreds of intervals over the same clusters
def _drawn_times(count: int) -> list[npt.NDArray[np.uint8]]:
    """How often each cluster is in each draw, a chunk of draws at a time."""
    random = np.random.default_rng(0)
    rows = np.arange(_CHUNK)[:, None] * count
    chunks = []
    for _ in range(DRAWS // _CHUNK):
        places = random.integers(0, count, (_CHUNK, count)) + rows
        times = np.bincount(places.ravel(), minlength=_CHUNK * count)
        chunks.append(times.reshape(_CHUNK, count).astype(np.uint8))
    return chunks


def _tails(clusters: int) -> tuple[float, float]:
    """Which percentiles of the draws bound a 95 % interval."""
    reach = -special().stdtrit(clusters - 1, (1 - LEVEL) / 2) * np.sqrt(clusters / (clusters - 1))
    return float(special().ndtr(-reach)), float(special().ndtr(reach))


def _quotient(sums: Values) -> Values:
    totals = sums[..., 1]
    shares: Values = np.divide(
        sums[..., 0], totals, out=np.full_like(totals, np.nan), where=totals > 0
    )
    return shares
