"""Exact channels of noise-then-decode mechanisms in the plane, by summing over a fine grid.

A bound on densities that holds at every point holds for these sums as they are: the grid, the
borders between outputs and the constants are the same for every input.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from toys import ToySpace

Rows = npt.NDArray[np.float64]
Choice = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Rows]
"""First and second output of each point (their place among the outputs), chance of the second."""

ANGLES, STEPS = 900, 500


def circle(rows: int = 12, lengths: tuple[float, float] = (1.0, 1.0)) -> ToySpace:
    """Words at random angles, of random length; one class, every tenth word an input only."""
    random = np.random.default_rng(7)
    angle = np.sort(random.uniform(0.0, 2.0 * np.pi, rows))
    length = random.uniform(*lengths, rows)[:, None]
    return ToySpace(unit=np.stack([np.cos(angle), np.sin(angle)], 1) * length, classes=("a",))


def grid(reach: float) -> tuple[Rows, Rows]:
    """Points of the disc around the origin and the area that each stands for."""
    angle = (np.arange(ANGLES) + 0.5) * (2.0 * np.pi / ANGLES)
    length = (np.arange(STEPS) + 0.5) * (reach / STEPS)
    points = length[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    area = length[:, None] * (reach / STEPS) * (2.0 * np.pi / ANGLES) * np.ones(ANGLES)
    return points.reshape(-1, 2), area.reshape(-1)


def channel(
    centres: Rows,
    outputs: int,
    density: Callable[[Rows], Rows],
    decide: Callable[[Rows], Choice],
    reach: float,
) -> Rows:
    """P(output | centre), one line per centre; `density` is that of the noise."""
    points, area = grid(reach)
    first, second, chance = decide(points)
    lines = []
    for centre in centres:
        mass = density(points - centre) * area
        line = np.bincount(first, mass * (1.0 - chance), minlength=outputs)
        lines.append(line + np.bincount(second, mass * chance, minlength=outputs))
    return np.array(lines)


def nearest(vectors: Rows) -> Callable[[Rows], Choice]:
    """The nearest vector, always."""

    def decide(points: Rows) -> Choice:
        first = (points @ vectors.T - (vectors * vectors).sum(-1) / 2.0).argmax(1)
        return first, first, np.zeros(len(points))

    return decide


def tightness(lines: Rows, distances: Rows, epsilon: float) -> float:
    """Largest loss over all pairs and outputs as a share of the promised epsilon * distance."""
    apart = ~np.eye(len(lines), dtype=bool)
    lines = lines[:, lines.min(0) > 0]  # an output may be so small that the grid misses it
    loss = np.log(lines)[:, None, :] - np.log(lines)[None, :, :]
    return float((loss.max(-1)[apart] / (epsilon * distances[apart])).max())


def straight(vectors: Rows) -> Rows:
    """All straight-line distances."""
    return np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
