"""What is timed on: tables of any size, of random directions; and what a release used to cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privstamp.lab.extras import special
from privstamp.noise import Float64, Noise
from privstamp.types import Ids, Table, Units


@dataclass(frozen=True)
class Size:
    """So many units, decoded over so many rows of so many dimensions."""

    units: int
    rows: int
    dimensions: int

    @property
    def label(self) -> str:
        return f"n = {self.units:,}, V = {self.rows:,}, d = {self.dimensions:,}"

    @property
    def operations(self) -> float:
        """Multiplications and additions that an exact search of every row takes."""
        return 2.0 * self.units * self.rows * self.dimensions


class Synthetic:
    """As much of a space as mechanisms and decoders read."""

    classes: tuple[str, ...] = ("all",)
    source = "random directions"

    def __init__(self, rows: int, dimensions: int, *, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.name = f"synthetic {rows} x {dimensions}"
        self.fingerprint = f"{rows:08x}{dimensions:08x}"
        self.unit: Table = random.standard_normal((rows, dimensions), dtype=np.float32)
        for start in range(0, rows, 4096):
            part = self.unit[start : start + 4096]
            part /= np.sqrt(np.vecdot(part, part))[:, None]
        self.radius = np.ones(rows, dtype=np.float32)
        self.class_of = np.zeros(rows, dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.arange(rows, dtype=np.int32),)
        self.prior: Float64 = np.full(rows, 1.0 / rows)

    def cliff(self) -> float:
        """The concentration at which words begin to come through."""
        rows, dimensions = self.unit.shape
        return float(np.sqrt(2.0 * dimensions * np.log(rows)))

    def split(self, text: str) -> Units:
        raise NotImplementedError(f"{self.name} has no words ({len(text)} characters)")

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        raise NotImplementedError(f"{self.name} has no words ({len(rows)}, {len(labels)})")

    def words(self, rows: Ids) -> list[str]:
        return [f"row {row}" for row in rows.tolist()]


def some_rows(space: Synthetic, units: int) -> Ids:
    rows: Ids = np.random.default_rng(1).integers(0, len(space.unit), units).astype(np.int32)
    return rows


def some_noise(units: int) -> Noise:
    """Addresses under a fixed, public key: for timing alone."""
    return Noise.of_document(bytes(32), np.arange(units))


def published_draw(centre: Float64, kappa: float, random: np.random.Generator) -> Float64:
    """One noisy direction."""
    special()
    from scipy.stats import vonmises_fisher

    drawn: Float64 = vonmises_fisher(centre, kappa).rvs(1, random_state=random)[0]
    return drawn


def published_decode(noisy: Float64, table: Table) -> int:
    """The row nearest in direction."""
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    difference = unit - (noisy / np.linalg.norm(noisy)).astype(np.float32)
    return int(np.argmin(np.linalg.norm(difference, axis=1)))


def published(centres: Float64, kappa: float, table: Table, seed: int = 0) -> list[int]:
    """Tokens released one by one, the published way, in our own words.

    One vMF draw at a time from SciPy, which turns it into place with a d x d matrix; the table made
    unit length anew for every token; the distance to every row by the whole difference.
    """
    random = np.random.default_rng(seed)
    return [published_decode(published_draw(centre, kappa, random), table) for centre in centres]
