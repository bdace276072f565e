"""Budgets given as targets: how often an attacker may be right, in the place of an epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from privstamp.budget import GROUPS, Budget
from privstamp.errors import PolicyError, suggest

Prior: TypeAlias = Literal["uniform", "unigram", "contextual"]
Statistic: TypeAlias = Literal["mean", "weighted", "max"]
PRIORS: Final[tuple[str, ...]] = get_args(Prior)
STATISTICS: Final[tuple[str, ...]] = get_args(Statistic)
TARGET_KEYS: Final = ("target_recovery", "prior", "statistic", "metric")


@dataclass(frozen=True)
class Targets(Budget):
    """Limits of groups 1 to 4, not yet turned into epsilons by calibration.

    Until then every epsilon is 0: whatever took it for a budget would let nothing through.
    """

    epsilon: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    limits: tuple[float, ...] = ()
    prior: Prior = "unigram"
    statistic: Statistic = "weighted"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.limits) != len(GROUPS) or not all(map(_is_limit, self.limits)):
            raise PolicyError(
                "budget: target_recovery is a share above 0 and at most 1, or a list of four of "
                "them, one per group"
            )
        _known("prior", self.prior, PRIORS)
        _known("statistic", self.statistic, STATISTICS)
        if self.prior == "contextual" and self.statistic != "weighted":
            raise PolicyError('budget: prior "contextual" goes with statistic = "weighted"')

    @classmethod
    def read(cls, values: dict[str, Any], metric: str | tuple[str, ...]) -> Targets:
        """From the keys of a policy's budget."""
        for key in values:
            _known("key", key, TARGET_KEYS)
        limits = values["target_recovery"]
        each = limits if isinstance(limits, list | tuple) else [limits] * len(GROUPS)
        return cls(
            metric=metric,
            limits=tuple(each),
            prior=values.get("prior", "unigram"),
            statistic=values.get("statistic", "weighted"),
        )

    def written(self) -> dict[str, Any]:
        """The keys that it was read from."""
        one = len(set(self.limits)) == 1
        return {
            "target_recovery": self.limits[0] if one else list(self.limits),
            "prior": self.prior,
            "statistic": self.statistic,
        }


def _is_limit(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _known(what: str, value: object, options: Sequence[str]) -> None:
    if value not in options:
        raise PolicyError(f"budget: unknown {what} in a target.{suggest(str(value), options)}")
