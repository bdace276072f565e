"""Estimates over clustered examples: 95 % intervals by drawing whole clusters again.

    mean(rows)  pooled(parts)  difference(first, second)  ratio(first, second)  joint(several, f)

Examples of one text are not independent, so clusters are what is drawn. Seeds of one example are
averaged first: they tell about noise, not about other texts. The percentiles are widened as
Student's t is wider than a normal (Hesterberg, 2015), without which few clusters cover too little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.errors import UsageError
from privstamp.lab.estimate import Estimate
from privstamp.lab.extras import special

LEVEL: Final = 0.95
DRAWS: Final = 5_000
_CHUNK: Final = 500
"""Draws at a time, so that many clusters stay within memory."""

Row: TypeAlias = tuple[str, str, float]
"""Example, cluster and one value of it; an example has a row for each seed."""
Part: TypeAlias = tuple[str, str, float, float]
"""Example, cluster, a part and the whole that it is of."""
Values: TypeAlias = npt.NDArray[np.float64]


def mean(rows: Iterable[Row], *, seed: int = 0) -> Estimate:
    """The mean over examples."""
    found = _averaged((example, cluster, (value, 1.0)) for example, cluster, value in rows)
    return _drawn(found, lambda sums: sums[..., 0] / sums[..., 1], seed)


def pooled(parts: Iterable[Part], *, seed: int = 0) -> Estimate:
    """Sum of the parts over sum of the wholes, such as kept units of all units."""
    found = _averaged((example, cluster, (part, whole)) for example, cluster, part, whole in parts)
    return _drawn(found, _quotient, seed)


def difference(first: Iterable[Row], second: Iterable[Row], *, seed: int = 0) -> Estimate:
    """Mean of first less second, over the examples that both have."""
    found = _paired(first, second)
    return _drawn(found, lambda sums: (sums[..., 0] - sums[..., 1]) / sums[..., 2], seed)


def ratio(first: Iterable[Row], second: Iterable[Row], *, seed: int = 0) -> Estimate:
    """Mean of first over mean of second, over the examples that both have."""
    return _drawn(_paired(first, second), _quotient, seed)


def joint(
    several: Sequence[Iterable[tuple[str, str, tuple[float, ...]]]],
    statistic: Callable[[Values], Values],
    *,
    seed: int = 0,
) -> Estimate:
    """A statistic of several settings' sums, side by side, over the examples that all have.

    It is nan where it cannot be told; bounds are those of the draws in which it can, if it can in
    nearly all.
    """
    averaged = [_averaged(rows) for rows in several]
    found = {
        example: (cluster, tuple(value for one in averaged for value in one[example][1]))
        for example, (cluster, _) in averaged[0].items()
        if all(example in one for one in averaged)
    }
    return _drawn(found, statistic, seed)


_Averaged: TypeAlias = dict[str, tuple[str, tuple[float, ...]]]


def _averaged(rows: Iterable[tuple[str, str, tuple[float, ...]]]) -> _Averaged:
    """Cluster and columns of each example, averaged over its seeds."""
    seen: dict[str, list[tuple[float, ...]]] = defaultdict(list)
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


def _paired(first: Iterable[Row], second: Iterable[Row]) -> _Averaged:
    one = _averaged((example, cluster, (value,)) for example, cluster, value in first)
    other = _averaged((example, cluster, (value,)) for example, cluster, value in second)
    return {
        example: (cluster, (*columns, *other[example][1], 1.0))
        for example, (cluster, columns) in one.items()
        if example in other
    }


def _drawn(found: _Averaged, statistic: Callable[[Values], Values], seed: int) -> Estimate:
    """The statistic of the column sums, of all clusters and of clusters drawn with return.

    There are no bounds from under two clusters, nor where draws too often have no statistic.
    """
    values = np.array([columns for _, columns in found.values()])
    names, which = np.unique([cluster for cluster, _ in found.values()], return_inverse=True)
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
        draws = [statistic(times.astype(np.float64) @ sums) for times in _drawn_times(count, seed)]
        drawn = np.concatenate(draws)
        if np.isnan(drawn).mean() <= 1 - LEVEL:
            low, high = np.nanquantile(drawn, _tails(count)).tolist()
            if np.isfinite([low, high]).all():
                ends = low, high
    return Estimate(value, *ends, examples, clusters=count)


@lru_cache(maxsize=4)  # a report asks for hundreds of intervals over the same clusters
def _drawn_times(count: int, seed: int) -> list[npt.NDArray[np.uint8]]:
    """How often each cluster is in each draw, a chunk of draws at a time."""
    random = np.random.default_rng(seed)
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
    whole = sums[..., 1]
    found: Values = np.divide(sums[..., 0], whole, out=np.full_like(whole, np.nan), where=whole > 0)
    return found
