"""What one release leaves of a text: what a reader keeps of it, and what an attacker names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from privstamp.lab.audit.subject import Cell, perturbed, traced
from privstamp.lab.calibration.compare import ATTACKER
from privstamp.lab.calibration.gauge import Gauge, Reading
from privstamp.lab.frontier.words import Words
from privstamp.pipeline import Privatizer
from privstamp.release.groups import small_words
from privstamp.result import Result


@dataclass(frozen=True)
class TextFigures:
    """Expected shares of a text's units, from the law of each unit's mechanism.

    An attacker names a unit if the likeliest one, given what left, is right. Of replaced units he
    knows what he knew before: they count as not named.
    """

    kept: float | None  # of content words that are not sensitive, those that leave as themselves
    named_sensitive: float | None
    named_others: float | None
    replaced_blind: bool  # every sensitive unit was drawn without looking at it


def text_figures(line: Privatizer, result: Result, draws: int | None = None) -> TextFigures:
    """The figures of one traced release; `draws` says how many an attacker without a law gets."""
    trace = traced(result)

    @cache
    def read(cell: Cell) -> Reading:
        words = Words(line.parts.space, cell.number)
        return Gauge(line.parts.mechanisms[cell.group], words, 1, draws).read(
            cell.epsilon, ATTACKER
        )

    small = small_words(line.parts.space, trace.units.rows)

    def figures(*groups: int) -> Iterator[tuple[float, float]]:
        """Keep and recovery of each unit of these groups but for function words."""
        met = perturbed(trace)
        for index in np.flatnonzero(np.isin(trace.grouping.groups, groups) & ~small).tolist():
            epsilon = float(trace.epsilon[index])
            if met[index]:
                row = int(trace.units.rows[index])
                group, number = trace.grouping.groups[index], line.parts.space.class_of[row]
                reading = read(Cell(int(group), int(number), epsilon))
                yield reading.keep.value or 0.0, reading.recovery.value or 0.0
            else:
                yield (1.0, 1.0) if np.isinf(epsilon) else (0.0, 0.0)

    sensitive, others = list(figures(1, 2)), list(figures(3, 4))
    return TextFigures(
        kept=_mean([keep for keep, _ in others]),
        named_sensitive=_mean([recovery for _, recovery in sensitive]),
        named_others=_mean([recovery for _, recovery in others]),
        replaced_blind=not any(recovery for _, recovery in sensitive),
    )


def _mean(shares: list[float]) -> float | None:
    return float(np.mean(shares)) if shares else None
