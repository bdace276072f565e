"""Budget: one epsilon per group, with the metric in which it is a promise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

import numpy as np

from privstamp.errors import BudgetError, Incompatible, suggest

if TYPE_CHECKING:
    import numpy.typing as npt

    from privstamp.types import Epsilons, Groups

GROUPS: Final = (1, 2, 3, 4)
GROUP_NAMES: Final = {
    1: "sensitive, important",
    2: "sensitive, unimportant",
    3: "not sensitive, important",
    4: "not sensitive, unimportant",
}
RATIO: Final = (2.0, 1.0, 4.0, 3.0)
"""The paper's allocation; "not claimed optimal"."""


@dataclass(frozen=True)
class Metric:
    """A distance between unit types, and the largest value it can take.

    An infinite diameter says that it depends on the table: the mechanism then knows its own.
    """

    name: str
    statement: str
    diameter: float


METRICS: Final[dict[str, Metric]] = {  # and those that other parts register
    "chordal": Metric("chordal", "straight-line distance between unit vectors, 0 to 2", 2.0),
    "angular": Metric("angular", "angle between vectors divided by pi, 0 to 1", 1.0),
    "l1": Metric("l1", "sum of coordinate differences over that sum's maximum, 0 to 1", 1.0),
    "euclidean": Metric("euclidean", "straight-line distance between raw vectors", math.inf),
    "mahalanobis": Metric("mahalanobis", "regularised Mahalanobis distance", math.inf),
    "truncated": Metric("truncated", "straight-line distance of unit vectors, cut off", math.inf),
    "hops": Metric("hops", "steps along the public graph of nearest neighbours", math.inf),
    "tree": Metric("tree", "height of the smallest public cluster that holds both", math.inf),
    "ldp": Metric("ldp", "1 between any two different units, else 0", 1.0),
}

PROTECTED: Final[dict[str, tuple[int, ...]]] = {
    "stamp": (1, 2, 3, 4),
    "private-low": (2,),
    "private-only": (1, 2),
    "all-but-important": (1, 2, 4),
}
"""Which groups each preset protects; the others are released unprotected (epsilon infinite)."""


def register(new: Metric) -> Metric:
    """Make a metric known; the module of the mechanism that brings it calls this.

    A package also names it as an entry point of `privstamp.metrics`, so that policies find it.
    """
    known = METRICS.setdefault(new.name, new)
    if known != new:
        raise Incompatible(f'the metric "{new.name}" is another one already; take another name')
    return known


def metric(name: str) -> Metric:
    """Look a metric up by name, among those of installed packages too."""
    if name not in METRICS:
        for point in entry_points(group="privstamp.metrics", name=name):
            register(point.load())
    if name not in METRICS:
        raise BudgetError(f'no metric "{name}".{suggest(name, METRICS)}')
    return METRICS[name]


@dataclass(frozen=True)
class Budget:
    """Epsilon of groups 1 to 4. 0 replaces independently of the input; inf releases unprotected.

    One metric for all groups, or one for each.

    >>> Budget.stamp(15).epsilon
    (30.0, 15.0, 60.0, 45.0)
    """

    epsilon: tuple[float, float, float, float]
    metric: str | tuple[str, ...] = "chordal"

    def __post_init__(self) -> None:
        names = (self.metric,) * len(GROUPS) if isinstance(self.metric, str) else self.metric
        if len(names) != len(GROUPS):
            raise BudgetError("a budget has one metric, or four: one per group")
        for name in names:
            metric(name)
        object.__setattr__(self, "metric", names[0] if len(set(names)) == 1 else tuple(names))
        if len(self.epsilon) != len(GROUPS):
            raise BudgetError(f"a budget has four epsilons, one per group; got {len(self.epsilon)}")
        for group, value in zip(GROUPS, self.epsilon, strict=True):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or math.isnan(value) or value < 0:
                raise BudgetError(
                    f"epsilon of group {group} must be 0 (replaced), a positive number, or inf "
                    "(released unprotected)"
                )
        a, b, c, d = (float(value) for value in self.epsilon)
        object.__setattr__(self, "epsilon", (a, b, c, d))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metric of each group."""
        return (self.metric,) * len(GROUPS) if isinstance(self.metric, str) else self.metric

    @property
    def replaces_sensitive_only(self) -> bool:
        """Sensitive units are replaced, and all others leave as they are: the paper's
        private-only variant at epsilon 0."""
        return self.epsilon == (0.0, 0.0, math.inf, math.inf)

    @classmethod
    def of(cls, epsilon: Sequence[float], *, metric: str | tuple[str, ...] = "chordal") -> Budget:
        """Four explicit numbers."""
        values = tuple(epsilon)
        if len(values) != len(GROUPS):
            raise BudgetError(f"a budget has four epsilons, one per group; got {len(values)}")
        return cls((values[0], values[1], values[2], values[3]), metric)

    @classmethod
    def preset(cls, name: str, base: float, *, metric: str | tuple[str, ...] = "chordal") -> Budget:
        """A named allocation times a base; `uniform` gives every group the base."""
        if name == "uniform":
            return cls((base, base, base, base), metric)
        if name not in PROTECTED:
            known = [*PROTECTED, "uniform"]
            raise BudgetError(f'no budget preset "{name}".{suggest(name, known)}')
        kept = PROTECTED[name]
        return cls.of(
            [r * base if g in kept else math.inf for g, r in zip(GROUPS, RATIO, strict=True)],
            metric=metric,
        )

    @classmethod
    def stamp(cls, base: float, *, metric: str = "chordal") -> Budget:
        """The paper's 2:1:4:3 times a base."""
        return cls.preset("stamp", base, metric=metric)

    @classmethod
    def uniform(cls, epsilon: float, *, metric: str = "chordal") -> Budget:
        """The same epsilon for every group."""
        return cls.preset("uniform", epsilon, metric=metric)

    def of_groups(self, groups: Groups) -> Epsilons:
        """Epsilon of each unit, given its group."""
        table = np.array([math.nan, *self.epsilon])
        out: Epsilons = table[groups]
        return out


def summed(epsilon: npt.NDArray[np.float64], distance: npt.NDArray[np.float64] | float) -> float:
    """Privacy loss in nats of independent draws: losses epsilon times distance add.

    Paper, context-level theorem. With the diameter as distance it is the worst case over all
    texts with the same labels; infinite once anything is released unprotected.

    >>> summed(np.array([1.0, 2.0]), 2.0)
    6.0
    """
    return float(np.sum(epsilon * distance)) if len(epsilon) else 0.0


def cliff(dimensions: int, outputs: int) -> float:
    """The vMF concentration around which a unit starts to survive: sqrt(2 d ln V).

    Below it almost every unit becomes an unrelated one, far above it nothing changes.
    """
    return math.sqrt(2.0 * dimensions * math.log(max(outputs, 2)))


def concentration(epsilon: float, metric_name: str) -> float:
    """The concentration kappa that an epsilon buys: the two conventions of the paper."""
    return epsilon / math.pi if metric_name == "angular" else epsilon


def careless(budget: Budget, edges: Sequence[float]) -> list[str]:
    """What a careful reader would object to in a budget; `edges` are the cliffs of the groups."""
    remarks = []
    for group, epsilon, name in zip(GROUPS, budget.epsilon, budget.metrics, strict=True):
        kappa, edge = concentration(epsilon, name), edges[group - 1]
        if math.isinf(epsilon):
            remarks.append(f"group {group} ({GROUP_NAMES[group]}) is released unprotected")
        elif group < 3 and kappa > edge:
            remarks.append(
                f"group {group} ({GROUP_NAMES[group]}) has a budget above the cliff "
                f"(kappa {kappa:.0f}, cliff {edge:.0f}): most such units will survive"
            )
    for small, large in ((2, 1), (4, 3), (1, 3), (2, 4)):
        same = budget.metrics[small - 1] == budget.metrics[large - 1]
        if same and budget.epsilon[small - 1] > budget.epsilon[large - 1]:
            remarks.append(
                f"group {small} ({GROUP_NAMES[small]}) is protected less than group {large} "
                f"({GROUP_NAMES[large]}); the paper's rule is the other way round"
            )
    return remarks
