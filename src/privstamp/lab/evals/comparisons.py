"""Rows side by side at what they have in common: equal recovery, or equal mean epsilon; and what
the paper published.

Between two measured settings a score is read off in a straight line; beyond them nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privstamp.lab import report
from privstamp.lab.estimate import Estimate, Values, joint, read_off
from privstamp.lab.evals.grids import VECTORS
from privstamp.lab.evals.tables import SHARES, SettingRow, by

BASELINES: Final[Mapping[str, float]] = {"squad": 0.839, "yelp": 0.58, "ag_news": 0.92}
"""Scores without privacy."""
TABLE: Final[Mapping[tuple[str, str, str], tuple[float, ...]]] = {
    ("squad", "polar", "angular"): (0.393, 0.470, 0.587, 0.654, 0.833),
    ("squad", "laplace-coordinate", "l1"): (0.325, 0.334, 0.335, 0.341, 0.343),
    ("yelp", "polar", "angular"): (0.36, 0.38, 0.48, 0.56, 0.56),
    ("yelp", "laplace-coordinate", "l1"): (0.22, 0.14, 0.18, 0.20, 0.14),
    ("ag_news", "polar", "angular"): (0.54, 0.64, 0.68, 0.76, 0.80),
    ("ag_news", "laplace-coordinate", "l1"): (0.56, 0.58, 0.56, 0.52, 0.52),
}
"""Accuracy of labels, and cosine of answers: its questions were about invented passages."""
SECONDS: Final[Mapping[str, float]] = {"polar": 0.195, "laplace": 0.192}
"""For a token, everything included."""


def paper(row: SettingRow) -> float | None:
    """The paper's own figure, where it has one for this: by the first number of its vector."""
    if row.experiment != "table1":
        return None
    task = "squad" if row.task == "fantasy" else row.task
    if row.method == "original":
        return BASELINES.get(task)
    known = TABLE.get((task, str(row.labels.get("mechanism")), str(row.labels.get("metric"))))
    firsts = [vector[0] for vector in VECTORS]
    first = float(row.labels.get("epsilon", 0))
    return known[firsts.index(first)] if known and first in firsts else None


_RECOVERED: Final = "recovered_unigram"
LEVELS: Final = (0.01, 0.05, 0.2)
"""Shares of sensitive units recovered at which mechanisms are compared."""
UNIFORM: Final = "uniform"


@dataclass(frozen=True)
class Sheet(report.Sheet):
    """One table: an experiment on one task."""

    experiment: str = ""
    task: str = ""

    @classmethod
    def on(cls, experiment: str, task: str, headings: list[str], lines: list[list[str]]) -> Sheet:
        title = f"{experiment}: {task}"
        return cls(title, headings, lines, experiment=experiment, task=task)


def comparisons(experiment: str, task: str, rows: Sequence[SettingRow]) -> Iterator[Sheet]:
    """Further tables of an experiment."""
    lines = _COMPARED.get(experiment)
    if lines is not None:
        title, headings, compare = lines
        points = [
            [reader, *line] for reader, some in by(rows, "reader").items() for line in compare(some)
        ]
        if points:
            yield Sheet.on(f"{experiment}, {title}", task, ["reader", *headings], points)


def interpolated(points: Sequence[tuple[float, float]], level: float) -> float | None:
    """Where a line through points stands at `level`; None before the first and after the last.

    Points at one place count as their mean.
    """
    if not points:
        return None
    across, up = np.array(points, dtype=np.float64).T
    value = float(read_off(across, up, np.array(level)))
    return None if math.isnan(value) else value


def by_recovery(rows: Sequence[SettingRow]) -> list[tuple[float, float]]:
    """What an attacker recovers who knows frequencies, and the score."""
    return [
        (row.shares[_RECOVERED].number, row.value.number)
        for row in rows
        if _RECOVERED in row.shares
    ]


def at_recovery(rows: Sequence[SettingRow], level: float) -> Estimate:
    """The score where so much is recovered, texts drawn again."""

    def statistic(sums: Values) -> Values:
        scores, recovered = _points(sums)
        return read_off(recovered, scores, np.array(level))

    return joint([_sums(row) for row in rows], statistic)


def ahead(row: SettingRow, others: Sequence[SettingRow]) -> Estimate:
    """Points of a row above the others' line where they leak as much, text by text."""

    def statistic(sums: Values) -> Values:
        scores, recovered = _points(sums)
        beside = read_off(recovered[..., 1:], scores[..., 1:], recovered[..., 0])
        leads: Values = scores[..., 0] - beside
        return leads

    return joint([_sums(row), *map(_sums, others)], statistic)


def _sums(row: SettingRow) -> Iterator[tuple[str, str, tuple[float, ...]]]:
    """Of each record: its score, one, units recovered, sensitive units."""
    part, total = SHARES[_RECOVERED]
    for record in row.records:
        score = float(record.scores[row.score])
        counted = record.privacy.get(part, 0.0), record.privacy.get(total, 0.0)
        yield record.example, record.cluster, (score, 1.0, *counted)


def _points(sums: Values) -> tuple[Values, Values]:
    """Scores and shares recovered, a column for each row."""
    columns = sums.reshape(*sums.shape[:-1], -1, 4)
    totals = columns[..., 3]
    recovered = np.divide(
        columns[..., 2], totals, out=np.full_like(totals, np.nan), where=totals > 0
    )
    return columns[..., 0] / columns[..., 1], recovered


def _mechanisms(rows: Sequence[SettingRow]) -> Iterator[list[str]]:
    """Best first, by the middle level."""
    known = [row for row in rows if row.method == "policy" and _RECOVERED in row.shares]
    by_mechanism = {
        name: [at_recovery(some, level) for level in LEVELS]
        for name, some in by(known, "mechanism").items()
    }
    for name, scores in sorted(by_mechanism.items(), key=lambda item: -_worth(item[1][1])):
        yield [name, *(score.written() for score in scores)]


def _worth(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _variants(rows: Sequence[SettingRow]) -> Iterator[list[str]]:
    variants = by([row for row in rows if row.method == "policy"], "variant")
    uniform = variants.pop(UNIFORM, [])
    by_mean = [(_mean_epsilon(row), row.value.number) for row in uniform]
    known = [(mean, score) for mean, score in by_mean if mean is not None]
    leaking = [row for row in uniform if _RECOVERED in row.shares]
    for row in (row for some in variants.values() for row in some):
        mean = _mean_epsilon(row)
        recovered = row.shares[_RECOVERED].value if _RECOVERED in row.shares else None
        beside = None if recovered is None else interpolated(by_recovery(leaking), recovered)
        yield [
            row.condition,
            _number(row.value.value),
            _number(recovered),
            "" if mean is None else f"{mean:.3g}",
            "" if mean is None else _number(interpolated(known, mean)),
            _number(beside),
            "" if beside is None else ahead(row, leaking).written("+.3f"),
        ]


def _mean_epsilon(row: SettingRow) -> float | None:
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
            "ahead of it by",
        ],
        _variants,
    ),
}
