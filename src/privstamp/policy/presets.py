"""What each preset has that `selective` has not, as plain data (docs/concepts/presets.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, get_args

from privstamp.budget import GROUPS, Budget
from privstamp.errors import PolicyError, suggest

SURROGATE: Final = {"name": "surrogate"}
_STAMP: Final[dict[str, Any]] = {
    "space": {"name": "glove"},
    "sensitivity": {"name": "union"},
    "importance": {"name": "relevance"},
    "groups": {},
    "budget": Budget.stamp(15.0),
    "numbers": "all",
    "format": "plain",
}


def _readable(**more: Any) -> dict[str, Any]:
    """Groups 1 and 2 become surrogates; the rest moves along the graph of neighbours."""
    steps = {"name": "neighbourhood", "k": 24, "alike": 48, **more}
    plateau = {**steps, "plateau": 1, "sharp": ["function"]}
    return {
        **_STAMP,
        "mechanism": steps,
        "groups": {"1": SURROGATE, "2": SURROGATE, "4": plateau},
        "budget": Budget.of([0, 0, 6, 6], metric="hops"),
    }


CHANGES: Final[dict[str, dict[str, Any]]] = {
    "selective": {},
    "stamp": _STAMP,
    "paper": {
        **_STAMP,
        "space": {"name": "smollm2", "preprocessing": "raw"},
        "sensitivity": {"name": "presidio"},
        "importance": {"name": "task-cosine", "tau": 0.5},
        "budget": Budget.of([250, 150, 550, 450], metric="angular"),
        "draws": "independent",
        "numbers": "perturb",
    },
    "readable": _readable(),
    "fluent": _readable(fluency=0.6),
}
"""selective: surrogates for what is sensitive, and every other word as it was written.
readable: surrogates for what is sensitive, near words for the rest. fluent: the same, with a
local language model that helps to choose among them. stamp: the paper's allocation on whole words.
paper: the published setting (token pieces, raw table, angular budgets)."""

# Profiles name what must be covered: kinds of findings that a detector then has to look for.
#
# At least these: a profile adds kinds and takes none away. What it asks for is data, profiles.toml.


@dataclass(frozen=True)
class ProfileRow:
    """One thing that a profile names; without kinds, nothing here covers it."""

    what: str
    kinds: tuple[str, ...]
    not_covered: str


@dataclass(frozen=True)
class Profile:
    """What must be covered, and values of a policy's keys that it does not go with."""

    name: str
    about: str
    rows: tuple[ProfileRow, ...]
    refuses: dict[str, tuple[str, ...]]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for row in self.rows for kind in row.kinds)


@cache
def profiles() -> dict[str, Profile]:
    """All that come with privstamp, by name."""
    text = (files("privstamp.policy") / "profiles.toml").read_text(encoding="utf-8")
    return {
        name: Profile(
            name=name,
            about=table["about"],
            rows=tuple(
                ProfileRow(row["what"], tuple(row["kinds"]), row["not_covered"])
                for row in table["rows"]
            ),
            refuses={key: tuple(values) for key, values in table.get("refuses", {}).items()},
        )
        for name, table in tomllib.loads(text).items()
    }


def required(names: Iterable[str]) -> frozenset[str]:
    """The kinds that some profiles ask for together."""
    known = profiles()
    for name in names:
        if name not in known:
            raise PolicyError(f'profiles: there is no "{name}".{suggest(str(name), known)}')
    return frozenset(kind for name in names for kind in known[name].kinds)


# Budgets given as targets: how often an attacker may be right, in the place of an epsilon.

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
        by_group = limits if isinstance(limits, list | tuple) else [limits] * len(GROUPS)
        return cls(
            metric=metric,
            limits=tuple(by_group),
            prior=values.get("prior", "unigram"),
            statistic=values.get("statistic", "weighted"),
        )

    def written(self) -> dict[str, Any]:
        """The keys that it was read from."""
        alike = len(set(self.limits)) == 1
        return {
            "target_recovery": self.limits[0] if alike else list(self.limits),
            "prior": self.prior,
            "statistic": self.statistic,
        }


def _is_limit(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _known(what: str, value: object, options: Sequence[str]) -> None:
    if value not in options:
        raise PolicyError(f"budget: unknown {what} in a target.{suggest(str(value), options)}")
