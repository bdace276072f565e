"""The polar mechanism: a unit's direction leaves with von Mises-Fisher noise. Proof: polar.md."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.errors import BudgetError, Incompatible, PolicyError, suggest
from privstamp.mechanisms.decoded import Decoded, vmf_rows
from privstamp.mechanisms.laplace import LaplaceL2
from privstamp.mechanisms.stated import ANGLE, CHORD, promise, unit_rows
from privstamp.noise import Float32, Float64, Lane, Noise, Vectors
from privstamp.protocols import Decoder, Neighbours, Space
from privstamp.types import Epsilons, Ids


class Polar(Decoded):
    """Normalised polar, the paper's default: the radius is dropped, kappa is the budget."""

    name = "polar"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular")
    proof: ClassVar[str] = "polar.md"

    def __init__(self, space: Space, *, metric: str = "chordal", decoder: Decoder) -> None:
        super().__init__(space, metric, decoder)
        self.guarantee = promise(space, ANGLE if metric == "angular" else CHORD)

    def kappa(self, epsilon: Epsilons) -> Epsilons:
        """Concentration of a budget: epsilon (chordal) or epsilon / pi (angular)."""
        return epsilon / math.pi if self.metric == "angular" else epsilon

    def _perturb(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> Float32:
        return vmf_rows(self._space.unit, ids, self.kappa(epsilon), noise)

    def directions(self, ids: Ids, epsilon: float, noise: Noise) -> tuple[Float32, float]:
        """Noisy directions, and their kappa. Not for publication."""
        budget = np.full(len(ids), epsilon)
        return self._perturb(ids, budget, noise), float(self.kappa(budget[:1])[0])

    def log_likelihood(self, noisy: Float64, number: int, epsilon: float) -> Float64:
        """kappa * y.v of each output v of a class, for decoding under a base measure."""
        cosines: Float64 = unit_rows(self._space, self._space.outputs[number]) @ noisy
        return float(self.kappa(np.array(epsilon))) * cosines


class PolarRadial(Polar):
    """Full polar: Laplace noise on the radius too, with a budget of its own.

    Decoding reads the direction alone, so a radius that turns negative cannot flip it, and the
    radial budget is spent only by whoever lets the noisy vectors themselves leave.
    """

    name = "polar-radial"

    def __init__(
        self,
        space: Space,
        *,
        metric: str = "chordal",
        decoder: Decoder,
        radial_epsilon: float = 1.0,
    ) -> None:
        super().__init__(space, metric=metric, decoder=decoder)
        if not (math.isfinite(radial_epsilon) and radial_epsilon > 0):
            raise BudgetError("radial_epsilon must be positive and finite")
        radius = space.radius.astype(np.float64)
        if len(radius) != len(space.unit) or not np.all(np.isfinite(radius)):
            raise BudgetError(f"{space.name}: a radial budget needs a finite radius for every row")
        self._radius = radius
        self.spread = float(radius.max() - radius.min())
        self.radial_epsilon = radial_epsilon
        self.guarantee += (
            " The radius never leaves; were the noisy vectors to leave, it would add "
            f"{radial_epsilon:g} * |r - r'| / {self.spread:.6g} to the exponent."
        )

    def vectors(self, ids: Ids, epsilon: Epsilons, noise: Noise) -> tuple[Float64, Float64]:
        """Noisy directions and noisy radii, two independent releases. Not for publication."""
        u = noise.uniform(1, Lane.RADIUS)[:, 0]
        laplace = np.copysign(np.log(2.0 * np.minimum(u, 1.0 - u)), u - 0.5)
        radii = self._radius[ids] + laplace * (self.spread / self.radial_epsilon)
        return self._perturb(ids, epsilon, noise).astype(np.float64), radii


# The second nearest may win, by a weighted coin (Xu et al. 2021). Proof: vickrey.md.

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
