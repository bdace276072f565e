"""Exact distances from some rows to others, in float64, without holding a float64 table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import Space
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
    found: list[Pairs] = []
    for start, theirs, cosine in _proposed(units, space, others):
        np.maximum(floor, cosine.max(axis=1) - 2.0 * _off(theirs), out=floor)
        for line, column in _parts(cosine >= floor[:, None]):
            exact = (units[line] * _unit(theirs[column])).sum(-1)
            found.append((line, start + column, exact))
    line, column, exact = _joined(found)
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


def _joined(found: list[Pairs]) -> Pairs:
    line, column, value = zip(*found, strict=True)
    return np.concatenate(line), np.concatenate(column), np.concatenate(value)


def _unit(rows: Table) -> Float64:
    wide = rows.astype(np.float64)
    wide /= np.sqrt(np.vecdot(wide, wide))[:, None]
    return wide
