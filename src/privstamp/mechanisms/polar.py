"""The polar mechanism: a unit's direction leaves with von Mises-Fisher noise. Proof: polar.md."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from privstamp.errors import BudgetError
from privstamp.mechanisms.decoded import Decoded, vmf_rows
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Float32, Float64, Lane, Noise
from privstamp.protocols import Decoder, Space
from privstamp.types import Epsilons, Ids

_DISTANCE = {
    "chordal": "the straight-line distance between their unit vectors (0 to 2)",
    "angular": "the angle between their vectors divided by pi (0 to 1)",
}


class Polar(Decoded):
    """Normalised polar, the paper's default: the radius is dropped, kappa is the budget."""

    name = "polar"
    metrics: ClassVar[tuple[str, ...]] = ("chordal", "angular")
    proof: ClassVar[str] = "polar.md"

    def __init__(self, space: Space, *, metric: str = "chordal", decoder: Decoder) -> None:
        super().__init__(space, metric, decoder)
        self.guarantee = (
            "For any two units of one class under one epsilon, every output is at most "
            "exp(epsilon * d) times as likely for one as for the other, where d is "
            f"{_DISTANCE[metric]} in the table of {space.name} ({space.fingerprint[:12]})."
        )

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
