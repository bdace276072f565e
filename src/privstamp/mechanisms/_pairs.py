"""Tight constants of tables: the normaliser's Lipschitz constant from all pairs of rows.

As in `_tight`, weights exp(s * score) lose at most s + L(s) per unit of distance. Here L is looked
up at fixed scales s, found in one go for all of them and kept; between them nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from privstamp.assets.cache import derived
from privstamp.errors import Incompatible
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64
from privstamp.protocols import Space
from privstamp.spaces.hops import outputs_key

_DOUBLING: Final = 4
SCALES: Final = tuple(2.0 ** (step / _DOUBLING) for step in range(2, 22))
"""Scales at which L is found: 1.4 to 38, four to every doubling."""
MOST_ROWS: Final = 60_000
SLACK: Final = 1e-6
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

    def found() -> list[Float64]:
        classes = range(len(space.classes))
        return [lipschitz(space, number, score, distance) for number in classes]

    if most <= _SMALL:
        return tuple(map(Constants, found()))
    recipe = {
        "space": space.fingerprint,
        "outputs": outputs_key(space),
        "law": law,
        "scales": " ".join(f"{one:.6g}" for one in SCALES),
        "format": "1",
    }

    def build(folder: Path) -> None:
        np.save(folder / "constants.npy", np.array(found()))

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
    worst = np.zeros(len(scales))
    for start, stop in _blocks(len(rows), len(rows)):
        near = distance(_cosines(rows[start:stop], rows[start:])) - SLACK
        near[np.arange(stop - start), np.arange(stop - start)] = np.inf  # a row and itself
        inverse = 1.0 / np.maximum(near, 1e-300)
        for place, scale in enumerate(scales.tolist()):
            gap = np.abs(log_z[place, start:stop, None] - log_z[place, None, start:])
            gap += 2.0 * SLACK * scale
            gap *= inverse
            worst[place] = max(worst[place], float(gap.max()))
    bounded: Float64 = np.minimum(worst, scales)
    return bounded


def _log_normalisers(rows: Float64, outputs: Float64, score: FromCosine) -> Float64:
    log_z = np.empty((len(SCALES), len(rows)))
    for start, stop in _blocks(len(rows), len(outputs)):
        scores = score(_cosines(rows[start:stop], outputs))
        top = scores.max(axis=1, keepdims=True)
        scores -= top
        weights = [np.exp(scale * scores) for scale in SCALES[:_DOUBLING]]
        for place, scale in enumerate(SCALES):
            mine = weights[place % _DOUBLING]
            if place >= _DOUBLING:
                mine *= mine  # twice the scale
            log_z[place, start:stop] = scale * top[:, 0] + np.log(mine.sum(axis=1))
    return log_z


def _cosines(one: Float64, other: Float64) -> Float64:
    cosine: Float64 = np.clip(one @ other.T, -1.0, 1.0)
    return cosine


def _blocks(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    size = max(1, _NUMBERS // max(columns, 1))
    for start in range(0, rows, size):
        yield start, min(start + size, rows)
