"""Every mechanism on the default space: what one unit costs, and what making it costs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from privstamp.decoding.quickest import Quickest
from privstamp.lab.bench.synthetic import some_noise
from privstamp.lab.bench.timing import Watch, interleaved, once
from privstamp.lab.frontier.grid import Setting, settings
from privstamp.parts import open_space
from privstamp.policy import Part
from privstamp.protocols import Mechanism, Space
from privstamp.registry import MECHANISMS
from privstamp.types import Ids


@dataclass
class Cost:
    """Microseconds per unit at two batch sizes, seconds to make, seconds of the first draws."""

    mechanism: str
    epsilon: float
    make_seconds: float
    first_seconds: float
    microseconds: dict[int, float]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure_mechanisms(
    units: tuple[int, ...], *, repeats: int, limit: float, names: tuple[str, ...], watch: Watch
) -> list[Cost]:
    """Units are drawn from the public prior, as in text; budgets are the middle of the range."""
    space = open_space(Part(name="glove"))
    found: dict[str, Cost] = {}
    for setting in settings(list(names), quick=True):
        if setting.mechanism not in found:
            watch(f"mechanism {setting.mechanism}")
            found[setting.mechanism] = _cost(space, setting, units, repeats, limit)
    return list(found.values())


def _cost(
    space: Space, setting: Setting, units: tuple[int, ...], repeats: int, limit: float
) -> Cost:
    made: list[Mechanism] = []
    given: dict[str, Any] = {"space": space, "metric": setting.metric}
    if MECHANISMS.load(setting.mechanism).decodes:
        given["decoder"] = Quickest(space)
    make = once(
        lambda: made.append(MECHANISMS.build(setting.mechanism, dict(setting.options), **given))
    )
    mechanism = made[0]
    epsilon = setting.epsilons(mechanism, space)[1]
    microseconds: dict[int, float] = {}
    first = 0.0
    for count in units:
        ids = _by_prior(space, count)
        budgets, noise = np.full(count, epsilon), some_noise(count)

        def step(ids: Ids = ids, budgets: Any = budgets, noise: Any = noise) -> object:
            return mechanism.privatize(ids, budgets, noise)

        first = first or once(step)
        seconds = interleaved({"": step}, repeats=repeats, limit=limit)[""]
        microseconds[count] = 1e6 * seconds / count
    return Cost(setting.mechanism, epsilon, make, first, microseconds)


def _by_prior(space: Space, count: int) -> Ids:
    random = np.random.default_rng(2)
    rows: Ids = random.choice(len(space.prior), size=count, p=space.prior).astype(np.int32)
    return rows
