"""Rows side by side at what they have in common: equal recovery, or equal mean epsilon.

Between two measured settings a score is read off in a straight line; beyond them nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.evals.tables import Row, by

LEVELS: Final = (0.01, 0.05, 0.2)
"""Shares of sensitive units recovered at which mechanisms are compared."""
UNIFORM: Final = "uniform"


@dataclass(frozen=True)
class Sheet:
    """One table: an experiment on one task."""

    experiment: str
    task: str
    headings: list[str]
    lines: list[list[str]]


def comparisons(experiment: str, task: str, rows: Sequence[Row]) -> Iterator[Sheet]:
    """Further tables of an experiment."""
    lines = _COMPARED.get(experiment)
    if lines is not None:
        title, headings, compare = lines
        found = [
            [reader, *line] for reader, some in by(rows, "reader").items() for line in compare(some)
        ]
        if found:
            yield Sheet(f"{experiment}, {title}", task, ["reader", *headings], found)


def interpolated(points: Sequence[tuple[float, float]], level: float) -> float | None:
    """Where a line through points stands at `level`; None before the first and after the last."""
    ordered = sorted(points)
    if not ordered or not ordered[0][0] <= level <= ordered[-1][0]:
        return None
    across, up = (np.array(one) for one in zip(*ordered, strict=True))
    return float(np.interp(level, across, up))


def by_recovery(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """What an attacker recovers who knows frequencies, and the score."""
    return [
        (row.shares["recovered_unigram"].value, row.value.value)
        for row in rows
        if "recovered_unigram" in row.shares
    ]


def _mechanisms(rows: Sequence[Row]) -> Iterator[list[str]]:
    """Best first, by the middle level."""
    shown = by([row for row in rows if row.method == "policy"], "mechanism")
    found = {
        name: [interpolated(by_recovery(some), level) for level in LEVELS]
        for name, some in shown.items()
    }
    for name, scores in sorted(found.items(), key=lambda one: -(one[1][1] or 0.0)):
        yield [name, *map(_number, scores)]


def _variants(rows: Sequence[Row]) -> Iterator[list[str]]:
    variants = by([row for row in rows if row.method == "policy"], "variant")
    uniform = variants.pop(UNIFORM, [])
    by_mean = [(_mean_epsilon(row), row.value.value) for row in uniform]
    known = [(mean, score) for mean, score in by_mean if mean is not None]
    for row in (row for some in variants.values() for row in some):
        mean = _mean_epsilon(row)
        recovered = row.shares["recovered_unigram"].value if row.shares else None
        yield [
            row.condition,
            _number(row.value.value),
            _number(recovered),
            "" if mean is None else f"{mean:.3g}",
            "" if mean is None else _number(interpolated(known, mean)),
            "" if recovered is None else _number(interpolated(by_recovery(uniform), recovered)),
        ]


def _mean_epsilon(row: Row) -> float | None:
    """Of all units; None where some are released untouched, or metrics differ."""
    if row.total("unprotected") or len(row.epsilons) != 1:
        return None
    return next(iter(row.epsilons.values()))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


_COMPARED: Final = {
    "mechanisms": (
        "at equal recovery",
        ["mechanism", *(f"score at {level:.0%} recovered" for level in LEVELS)],
        _mechanisms,
    ),
    "stamp-vs-uniform": (
        "beside uniform",
        [
            "variant",
            "score",
            "recovered",
            "mean ε",
            "uniform, same mean ε",
            "uniform, same recovered",
        ],
        _variants,
    ),
}
