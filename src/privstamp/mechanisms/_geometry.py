"""Exact distances from some rows to others, in float64, without holding a float64 table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.assets.cache import derived
from privstamp.errors import Incompatible
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.spaces.graph import ClassGraph
from privstamp.spaces.hops import outputs_key
from privstamp.types import Ids, Table

Index: TypeAlias = npt.NDArray[np.intp]
Pairs: TypeAlias = tuple[Index, Index, Float64]
"""Row, other and their distance or cosine; rows and others by place."""
_BLOCK = 4096
_CLOSE = 1e-3
"""Squared lengths below this are worked out from differences: cosines would lose their digits."""
_FEW = 1.2
"""A chord below which a small part of a table lies: pairs that near are looked at one by one."""


def cosines(space: Space, rows: Ids, others: Ids) -> Float64:
    """u.v, a line for each row and a column for each of the others."""
    units = unit_rows(space, rows)
    out = np.empty((len(rows), len(others)))
    for start in range(0, len(others), _BLOCK):
        theirs = space.unit[others[start : start + _BLOCK]].astype(np.float64)
        length = np.sqrt(np.einsum("ij,ij->i", theirs, theirs))
        # Line by line: the rounding of one product of all would depend on how many there are.
        product = np.matmul(units[:, None], theirs.T)[:, 0]
        out[:, start : start + _BLOCK] = product / length
    return out


def chords(space: Space, rows: Ids, others: Ids) -> Float64:
    """|u - v|, exactly zero for equal vectors."""
    return _lengths(space, rows, others, cosines(space, rows, others), -1.0)


def angles(space: Space, rows: Ids, others: Ids) -> Float64:
    """The angle between u and v, 0 to pi."""
    cosine = cosines(space, rows, others)
    minus, plus = (_lengths(space, rows, others, cosine, sign) for sign in (-1.0, 1.0))
    angle: Float64 = 2.0 * np.arctan2(minus, plus)
    return angle


def _lengths(space: Space, rows: Ids, others: Ids, cosine: Float64, sign: float) -> Float64:
    """|u + sign v|."""
    squared = 2.0 + 2.0 * sign * cosine
    close = np.argwhere(squared < _CLOSE)
    for start in range(0, len(close), _BLOCK):
        line, column = close[start : start + _BLOCK].T
        difference = unit_rows(space, rows[line]) + sign * unit_rows(space, others[column])
        squared[line, column] = (difference * difference).sum(-1)
    length: Float64 = np.sqrt(squared)
    return length


def nearest(space: Space, rows: Ids, others: Ids) -> Index:
    """For each row the place of the one of the others with the largest cosine; ties by place.

    float32 proposes and float64 decides, pair by pair: what else is asked for changes nothing.
    """
    units = unit_rows(space, rows)
    floor = np.full(len(rows), -np.inf, dtype=np.float32)
    pairs: list[Pairs] = []
    for start, theirs, cosine in _proposed(units, space, others):
        np.maximum(floor, cosine.max(axis=1) - 2.0 * _off(theirs), out=floor)
        for line, column in _parts(cosine >= floor[:, None]):
            exact = (units[line] * _unit(theirs[column])).sum(-1)
            pairs.append((line, start + column, exact))
    line, column, exact = _joined(pairs)
    order = np.lexsort((column, -exact, line))
    first = np.searchsorted(line[order], np.arange(len(rows)))
    best: Index = column[order[first]]
    return best


def within(space: Space, rows: Ids, others: Ids, most: float) -> list[tuple[Index, Float64]]:
    """For each row the places of the others whose chord with it is below `most`, and the chords.

    Where few are so near, pair by pair as above. Which way, `most` alone decides.
    """
    pairs = _near_pairs if most <= _FEW else _all_pairs
    line, column, length = _joined(list(pairs(space, rows, others, most)))
    order = np.argsort(line, kind="stable")
    edges = np.searchsorted(line[order], np.arange(1, len(rows)))
    split = (np.split(part[order], edges) for part in (column, length))
    return list(zip(*split, strict=True))


def _near_pairs(space: Space, rows: Ids, others: Ids, most: float) -> Iterator[Pairs]:
    units = unit_rows(space, rows)
    for start, theirs, cosine in _proposed(units, space, others):
        least = np.float32(1.0 - most * most / 2.0) - _off(theirs)
        for line, column in _parts(cosine >= least):
            difference = units[line] - _unit(theirs[column])
            length = np.sqrt((difference * difference).sum(-1))
            near = length < most
            yield line[near], start + column[near], length[near]


def _all_pairs(space: Space, rows: Ids, others: Ids, most: float) -> Iterator[Pairs]:
    for start in range(0, len(others), _BLOCK):
        length = chords(space, rows, others[start : start + _BLOCK])
        line, column = np.nonzero(length < most)
        yield line, start + column, length[line, column]


def _proposed(units: Float64, space: Space, others: Ids) -> Iterator[tuple[int, Table, Table]]:
    """Where a block of the others starts, its rows, and float32 cosines, a line per unit row."""
    narrow = units.astype(np.float32)
    for start in range(0, len(others), _BLOCK):
        theirs = np.asarray(space.unit[others[start : start + _BLOCK]])
        cosine = narrow @ theirs.T
        cosine /= np.sqrt(np.vecdot(theirs, theirs))
        yield start, theirs, cosine


def _off(rows: Table) -> np.float32:
    """Most that a float32 cosine with these rows may be off: two sums of d products, in any order,
    and a few roundings more; rows are of length one to within 0.001 (C1)."""
    return np.float32(1.1 * 2.0**-24 * (2 * rows.shape[1] + 8))


def _parts(where: npt.NDArray[np.bool_]) -> Iterator[tuple[Index, Index]]:
    """Line and column of what is true, some pairs at a time: in all at least once."""
    line, column = np.divmod(np.flatnonzero(where), where.shape[1])
    for start in range(0, max(1, len(line)), _BLOCK):
        yield line[start : start + _BLOCK], column[start : start + _BLOCK]


def _joined(pairs: list[Pairs]) -> Pairs:
    line, column, value = zip(*pairs, strict=True)
    return np.concatenate(line), np.concatenate(column), np.concatenate(value)


def _unit(rows: Table) -> Float64:
    wide = rows.astype(np.float64)
    wide /= np.sqrt(np.vecdot(wide, wide))[:, None]
    return wide


# Tight constants: how large a score's multiplier may be for a proved epsilon, and of tables.


# Tight constants of tables: the normaliser's Lipschitz constant from all pairs of rows.
#
# Weights exp(s * score) lose at most s + L(s) per unit of distance. Here L is
# looked up at fixed scales s, found in one go for all of them and kept; between them nothing is
# claimed.

_DOUBLING: Final = 4
SCALES: Final = tuple(2.0 ** (step / _DOUBLING) for step in range(2, 22))
"""Scales at which L is found: 1.4 to 38, four to every doubling."""
MOST_ROWS: Final = 60_000
TABLE_SLACK: Final = 1e-6
"""What a score or a distance from a float64 cosine may be off by; see exponential.md."""
_SMALL: Final = 2000
_NUMBERS: Final = 1 << 20

FromCosine = Callable[[Float64], Float64]


class Constants:
    """L(s) of one class at every scale."""

    def __init__(self, values: Float64) -> None:
        self.values = values

    def scale(self, epsilon: float) -> float:
        """The largest scale that is proved for epsilon: one of the list, or epsilon / 2."""
        fit = [
            s for s, more in zip(SCALES, self.values.tolist(), strict=True) if s + more <= epsilon
        ]
        return float(max([epsilon / 2.0, *fit]))

    def proved(self, epsilon: float) -> float:
        """What is proved of that scale, per unit of distance: epsilon or a bit less."""
        scale = self.scale(epsilon)
        if scale not in SCALES:
            return 2.0 * scale
        return scale + min(scale, float(self.values[SCALES.index(scale)]))


def constants(
    space: Space, law: str, score: FromCosine, distance: FromCosine
) -> tuple[Constants, ...]:
    """For each class, from the score and the distance that a cosine stands for.

    `law` names them in the cache. A large table takes minutes, once.
    """
    most = int(np.bincount(space.class_of).max())
    if most > MOST_ROWS:
        raise Incompatible(
            f"{space.name}: {most} rows of a class are too many for a constant from all pairs "
            f'(at most {MOST_ROWS}). Set constant = "nominal"'
        )

    def compute() -> list[Float64]:
        classes = range(len(space.classes))
        return [lipschitz(space, number, score, distance) for number in classes]

    if most <= _SMALL:
        return tuple(map(Constants, compute()))
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs_key(space),
        "law": law,
        "scales": " ".join(f"{scale:.6g}" for scale in SCALES),
        "format": "1",
    }

    def build(folder: Path) -> None:
        np.save(folder / "constants.npy", np.array(compute()))

    folder = derived("constants", recipe, build, label="comparing all pairs of rows (once)")
    return tuple(map(Constants, np.load(folder / "constants.npy", allow_pickle=False)))


def lipschitz(space: Space, number: int, score: FromCosine, distance: FromCosine) -> Float64:
    """An upper bound of |log Z(w) - log Z(w')| / d(w, w') over all rows of a class, per scale."""
    scales = np.array(SCALES)
    mine = np.flatnonzero(space.class_of == number)
    rows = unit_rows(
        space, np.sort(mine[np.unique(space.unit[mine], axis=0, return_index=True)[1]])
    )
    log_z = _log_normalisers(rows, unit_rows(space, space.outputs[number]), score)
    # Equal rows were taken once: they have one law, and a distance of 0 that bounds nothing.
    # Slack goes against us on both sides: distances are taken shorter, differences larger.
    worst = np.zeros(len(scales))
    for start, stop in _blocks(len(rows), len(rows)):
        near = distance(_cosines(rows[start:stop], rows[start:])) - TABLE_SLACK
        near[np.arange(stop - start), np.arange(stop - start)] = np.inf  # a row and itself
        inverse = 1.0 / np.maximum(near, 1e-300)
        for place, scale in enumerate(scales.tolist()):
            gap = np.abs(log_z[place, start:stop, None] - log_z[place, None, start:])
            gap += 2.0 * TABLE_SLACK * scale
            gap *= inverse
            worst[place] = max(worst[place], float(gap.max()))
    # Scores are 1-Lipschitz, so log Z(w) at a scale moves by at most the scale per distance.
    bounded: Float64 = np.minimum(worst, scales)
    return bounded


def _log_normalisers(rows: Float64, outputs: Float64, score: FromCosine) -> Float64:
    log_z = np.empty((len(SCALES), len(rows)))
    for start, stop in _blocks(len(rows), len(outputs)):
        scores = score(_cosines(rows[start:stop], outputs))
        top = scores.max(axis=1, keepdims=True)
        scores -= top
        weights = [np.exp(scale * scores) for scale in SCALES[:_DOUBLING]]
        # Scales double every few: their weights are those of half the scale, squared.
        for place, scale in enumerate(SCALES):
            weight = weights[place % _DOUBLING]
            if place >= _DOUBLING:
                weight *= weight  # twice the scale
            log_z[place, start:stop] = scale * top[:, 0] + np.log(weight.sum(axis=1))
    return log_z


def _cosines(left: Float64, right: Float64) -> Float64:
    cosine: Float64 = np.clip(left @ right.T, -1.0, 1.0)
    return cosine


def _blocks(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    size = max(1, _NUMBERS // max(columns, 1))
    for start in range(0, rows, size):
        yield start, min(start + size, rows)


# Tight constants: how large a score's multiplier may be for a proved epsilon.
#
# With weights exp(-s * score) the loss of one step is at most s + L(s), where L is the largest
# difference of log-normalisers over one step. L(s) <= s always, so s = epsilon / 2 is safe without
# looking; on a given public graph L is a number that can be computed, and it is mostly far smaller.

CONSTANTS: Final = ("tight", "nominal")
SLACK: Final = 1e-9
"""Added to every computed L: float64 is off by less than 1e-12 here (neighbourhood.md)."""
_HALVINGS: Final = 14  # of the range from epsilon / 2 to epsilon: a scale is found to 0.01 %


def counted(graph: ClassGraph, reach: int | None = None) -> int:
    """Steps up to which a distance counts: no score moves by more than the reach."""
    return graph.diameter if reach is None else min(graph.diameter, reach)


def scores(graph: ClassGraph, plateau: int, reach: int | None = None) -> Float64:
    """What a row pays at each number of steps: nothing up to the plateau, then one per step of the
    reach, then no more."""
    paid: Float64 = np.maximum(np.arange(graph.diameter + 1.0) - plateau, 0.0)
    return paid if reach is None else np.minimum(paid, reach)


def log_normalisers(
    graph: ClassGraph, plateau: int, scale: float, reach: int | None = None
) -> Float64:
    """Logarithm of the summed weights of each node, from its shell sizes; at least 0."""
    weights = np.exp(-scale * scores(graph, plateau, reach))
    total: Float64 = np.log((graph.shells * weights).sum(axis=1))
    return total


def proved(graph: ClassGraph, plateau: int, scale: float, reach: int | None = None) -> float:
    """Epsilon per step of weights exp(-scale * score): every link is checked, and slack added.

    Nodes further apart than what counts share its distance, so the range counts too.
    """
    log_z = log_normalisers(graph, plateau, scale, reach)
    start, end = graph.edges
    spread = float(np.abs(log_z[start] - log_z[end]).max(initial=0.0))
    if counted(graph, reach) < graph.diameter:
        spread = max(spread, float(np.ptp(log_z)) / counted(graph, reach))
    return scale + min(spread + SLACK, scale)


def tight_scale(graph: ClassGraph, plateau: int, epsilon: float, reach: int | None = None) -> float:
    """A multiplier with `proved(...) <= epsilon`, as large as bisection finds one.

    Each step is checked, so nothing rests on `proved` being monotone.
    """
    low, high = epsilon / 2.0, epsilon
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if proved(graph, plateau, middle, reach) <= epsilon:
            low = middle
        else:
            high = middle
    return low
