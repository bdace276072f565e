"""What is measured: each mechanism in the forms worth comparing, over a grid of epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from privstamp.errors import UsageError
from privstamp.lab.attackers import Candidates, draw, main_class
from privstamp.protocols import Decoder, Mechanism, Space
from privstamp.registry import MECHANISMS

_WIDE: Final = (0.4, 0.5, 0.6, 0.7, 0.8, 0.95, 1.1, 1.3, 1.6, 2.0)
_NARROW: Final = (0.5, 0.65, 0.8, 1.0, 1.3, 1.8)
_ALIKE: Final = {"plateau": 1, "k": 24, "alike": 48}
_KEPT: Final = (0.03, 0.1, 0.2, 0.35, 0.55, 0.8)
"""Shares of words that stay, between which there is something to compare."""
_TRIED: Final = 400
_HALVINGS: Final = 12
_STRONGEST: Final = 2.0**16


@dataclass(frozen=True)
class Setting:
    """A mechanism with its options and budgets.

    `unit` says what the budgets count: epsilon itself; the cliff of the table, where noise in all
    of its dimensions begins to let words through; or the share of words that are kept.
    """

    mechanism: str
    metric: str
    budgets: tuple[float, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    project: int | None = None
    unit: str = "epsilon"

    @property
    def label(self) -> str:
        """The mechanism and what is special about it."""
        parts = [f"{key} {value}" for key, value in self.options.items()]
        if self.metric != _default_metric(self.mechanism):
            parts.append(self.metric)
        if self.project is not None:
            parts.append(f"{self.project} dimensions")
        return f"{self.mechanism} ({', '.join(parts)})" if parts else self.mechanism

    def build(self, space: Space, decoder: Callable[[Space], Decoder]) -> Mechanism:
        """The mechanism on a table, with a decoder if it needs one."""
        given: dict[str, Any] = {"space": space, "metric": self.metric}
        if MECHANISMS.load(self.mechanism).decodes:
            given["decoder"] = decoder(space)
        mechanism: Mechanism = MECHANISMS.build(self.mechanism, dict(self.options), **given)
        return mechanism

    def epsilons(self, mechanism: Mechanism, space: Space) -> list[float]:
        """The budgets as epsilons of this mechanism on this table."""
        if self.unit == "epsilon":
            return list(self.budgets)
        if self.unit == "kept":
            return [strength(mechanism, space, share) for share in self.budgets]
        scale = cliff(space) * float(getattr(mechanism, "stretch", 1.0))
        return [float(f"{budget * scale:.3g}") for budget in self.budgets]


SETTINGS: Final = (
    Setting("polar", "chordal", _WIDE, unit="cliff"),
    Setting("polar", "chordal", _NARROW, project=32, unit="cliff"),
    Setting("polar-radial", "chordal", (0.6, 0.8, 1.1, 1.6), unit="cliff"),
    Setting("laplace-coordinate", "l1", _NARROW, unit="cliff"),
    Setting("laplace-l2", "chordal", _NARROW, unit="cliff"),
    Setting("laplace-l2", "euclidean", _NARROW, unit="cliff"),
    Setting("mahalanobis", "mahalanobis", _NARROW, unit="cliff"),
    Setting("vickrey", "chordal", _NARROW, unit="cliff"),
    Setting("polar-vocabulary", "chordal", (8, 12, 15, 18, 21, 24, 28, 34)),
    Setting("polar-vocabulary", "chordal", (10, 16, 20, 24, 30), project=32),
    Setting("exponential", "chordal", (8, 10, 11.5, 13, 14.5, 16.5, 19)),
    Setting("tem", "truncated", (12, 15, 18, 20, 22, 25)),
    Setting("custext", "ldp", (0.5, 2, 4, 8, 12, 16)),
    Setting("randomized-response", "ldp", (5, 7, 8, 9, 10, 11, 13)),
    Setting("neighbourhood", "hops", (1, 1.5, 2, 2.5, 3, 3.5, 4, 5)),
    Setting("neighbourhood", "hops", (1.5, 2, 2.5, 3, 3.5, 4, 5, 7), {"plateau": 1}),
    Setting("neighbourhood", "hops", (2, 3, 3.5, 4, 4.5, 5, 6, 8), {"plateau": 1, "k": 32}),
    Setting("neighbourhood", "hops", (1.5, 2.5, 3, 4, 5, 6, 8), {"plateau": 2}),
    Setting("neighbourhood", "hops", (2.5, 3.5, 4, 4.5, 5, 6, 7, 9), _ALIKE),
    Setting("neighbourhood", "hops", (5, 6, 7, 8, 8.5, 9, 10, 11, 13), _ALIKE | {"reach": 1}),
    Setting("clusters", "tree", (3, 4, 5, 6, 7, 8, 10, 12)),
)


def settings(names: Sequence[str] = (), *, quick: bool = False) -> list[Setting]:
    """The settings of the mechanisms named, or of all that randomise, plug-ins included."""
    for name in names:
        if not _randomises(name):
            raise UsageError(f'"{name}" replaces at epsilon 0: it has no strength to measure')
    known = [entry.name for entry in MECHANISMS.entries() if entry.name in names or not names]
    chosen = []
    for name in known:
        forms = [setting for setting in SETTINGS if setting.mechanism == name]
        chosen += forms or ([_of_plugin(name)] if _randomises(name) else [])
    if not quick:
        return chosen
    # Nothing has to be built for those at hand: no projection, no graph of another k.
    at_hand = [form for form in chosen if form.project is None and "k" not in form.options]
    return [_thinned(setting) for setting in at_hand]


def _thinned(setting: Setting) -> Setting:
    """Three budgets of a setting: beginning, middle and end of its useful range."""
    count = len(setting.budgets)
    budgets = tuple(setting.budgets[place] for place in (1, count // 2, count - 2))
    return replace(setting, budgets=budgets)


def cliff(space: Space) -> float:
    """Where vMF noise begins to let words through: sqrt(2 d ln V)."""
    outputs = max(map(len, space.outputs))
    return math.sqrt(2.0 * space.unit.shape[1] * math.log(outputs))


def _of_plugin(name: str) -> Setting:
    """The budgets that its class names, or those under which so many words are kept."""
    budgets = getattr(MECHANISMS.load(name), "budgets", None)
    metric = _default_metric(name)
    if budgets is None:
        return Setting(name, metric, _KEPT, unit="kept")
    return Setting(name, metric, tuple(budgets))


def strength(mechanism: Mechanism, space: Space, share: float) -> float:
    """The epsilon under which about this share of words, by frequency, leave as themselves."""
    words = Candidates(space, main_class(space))
    places = words.sample(words.unigram, _TRIED, "strength")

    def kept(nats: float) -> float:
        return draw(mechanism, words, places, nats / mechanism.diameter, "strength").kept.number

    low, high = 0.0, 1.0  # nats between the furthest words
    while high < _STRONGEST and kept(high) < share:
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if kept(middle) < share else (low, middle)
    return float(f"{high / mechanism.diameter:.3g}")


def _randomises(name: str) -> bool:
    return not hasattr(MECHANISMS.load(name), "draw")


def _default_metric(name: str) -> str:
    metric: str = MECHANISMS.load(name).metrics[0]
    return metric
