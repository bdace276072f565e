"""The second nearest may win, by a weighted coin (Xu et al. 2021). Proof: vickrey.md."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.errors import BudgetError, Incompatible, PolicyError, suggest
from privstamp.mechanisms.decoded import Decoded
from privstamp.mechanisms.laplace import LaplaceL2
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float64, Lane, Noise, Vectors
from privstamp.protocols import Decoder, Neighbours, Space
from privstamp.types import Epsilons, Ids

_NOISE: dict[str, type[LaplaceL2] | type[Polar]] = {"laplace-l2": LaplaceL2, "polar": Polar}
_DEFAULT = {"chordal": "laplace-l2", "angular": "polar"}


class Vickrey(Decoded):
    """After the noise, the second nearest output leaves with probability t d1 / (t d1 + (1-t) d2).

    d1 and d2 are the distances of the noisy vector to both; t = 0 always takes the nearest.
    """

    name = "vickrey"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular")
    proof: ClassVar[str] = "vickrey.md"

    def __init__(
        self,
        space: Space,
        *,
        metric: str = "chordal",
        decoder: Decoder,
        t: float = 0.5,
        noise: str | None = None,
    ) -> None:
        super().__init__(space, metric, decoder)
        number = isinstance(t, int | float) and not isinstance(t, bool)
        if not (number and 0.0 <= t <= 1.0):
            raise PolicyError("vickrey: t is a number from 0 (always the nearest) to 1 (never)")
        if not isinstance(decoder, Neighbours):
            raise Incompatible("vickrey needs a decoder with `decode_two`")
        if min(map(len, space.outputs)) < 2:  # C4
            raise Incompatible(f"{space.name}: a class has no second output row")
        kind = _DEFAULT[metric] if noise is None else noise
        if kind not in _NOISE:
            raise PolicyError(f'vickrey: no noise "{kind}".{suggest(kind, _NOISE)}')
        if metric not in _NOISE[kind].metrics:
            raise BudgetError(f'vickrey: the noise "{kind}" has no budget in "{metric}"')
        self.t = float(t)
        self._neighbours = decoder
        self._drawn = _NOISE[kind](space, metric=metric, decoder=decoder)
        self._on_sphere = kind == "polar"
        self.guarantee = self._drawn.guarantee

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Vectors:
        return self._drawn._perturb(ids, epsilon, noise)

    def _decode(
        self, noisy: Vectors, classes: npt.NDArray[np.uint8], epsilon: Epsilons, noise: Noise
    ) -> Ids:
        two = self._neighbours.decode_two(noisy, classes)
        chance = self.chance_of_second(noisy, two, epsilon)
        second = noise.uniform(1, Lane.CHOICE)[:, 0] < chance
        chosen: Ids = np.where(second, two[:, 1], two[:, 0])
        return chosen

    def chance_of_second(self, noisy: Vectors, two: Ids, epsilon: Epsilons) -> Float64:
        """How likely the second of two rows is, given the noisy vector."""
        scale = np.ones_like(epsilon) if self._on_sphere else epsilon  # of the noisy vector
        near, far = (self._distance(noisy, two[:, place], scale) for place in (0, 1))
        second, first = self.t * near, (1.0 - self.t) * far
        total = first + second
        return np.divide(second, total, out=np.full_like(total, self.t), where=total > 0)

    def _distance(self, noisy: Vectors, rows: Ids, scale: Epsilons) -> Float64:
        """|noisy / scale - row| up to a factor that both rows share, so that nothing overflows."""
        size = np.maximum(scale, np.abs(noisy).max(axis=1))[:, None]
        apart = noisy / size - (scale[:, None] / size) * unit_rows(self._space, rows)
        length: Float64 = np.sqrt((apart * apart).sum(-1))
        return length
