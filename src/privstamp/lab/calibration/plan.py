"""Epsilons for the limits that somebody names, group by group, or why there are none."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from privstamp.errors import UsageError
from privstamp.lab.audit.figures import Figure
from privstamp.lab.audit.subject import Text, bundled
from privstamp.lab.calibration.contextual import ContextGauge, Place, places
from privstamp.lab.calibration.gauge import Attacker, Gauge, Reading, main_classes
from privstamp.lab.calibration.outcome import ClassReading, Outcome, Plan, Point
from privstamp.lab.calibration.search import Found, largest, lower, rounded, upper
from privstamp.lab.frontier.words import Words
from privstamp.policy import Policy, Saw
from privstamp.protocols import Mechanism, Space
from privstamp.release.parts import build_mechanisms, check_budget, open_space

Watch: TypeAlias = Callable[[str, float], None]
IMPORTANT: Final = 3
"""The group that `keep` is about: important, not sensitive. Elsewhere protection comes first."""
_LEAST, _MOST, _START = 0.1, 4000.0, 16.0  # nats between the furthest words
_BACK: Final = 0.97
_SAME: Final = 0.005


class Bench:
    """Mechanisms of a policy, each with its gauges: groups that share one share what was read."""

    def __init__(
        self,
        policy: Policy,
        seed: int,
        space: Space | None = None,
        texts: Sequence[Text] | None = None,
    ) -> None:
        """`texts` say how large groups are; without any, those that come with privstamp."""
        check_budget(policy)
        self.space = open_space(policy.space) if space is None else space
        self.mechanisms = build_mechanisms(policy, self.space)
        self._words = [Words(self.space, number) for number in main_classes(self.space)]
        self._seed = seed
        self.saw: Saw = "public words" if texts is None else "private sample"
        self._policy, self._given = policy, texts
        self._gauges: dict[Mechanism, list[Gauge]] = {}
        self._places: list[Place] | None = None

    def gauges(self, mechanism: Mechanism) -> list[Gauge]:
        """One per class, the quickest first."""
        if mechanism not in self._gauges:
            made = [Gauge(mechanism, words, self._seed) for words in self._words]
            self._gauges[mechanism] = sorted(made, key=lambda gauge: len(gauge.words))
        return self._gauges[mechanism]

    @property
    def texts(self) -> Sequence[Text]:
        return bundled() if self._given is None else self._given

    def attacked(
        self, groups: Sequence[int], attacker: Attacker, told: Callable[[str], None]
    ) -> list[Gauge]:
        """The gauges of groups that share a mechanism, as this attacker reads them."""
        mechanism = self.mechanisms[groups[0]]
        if attacker.prior != "contextual":
            return self.gauges(mechanism)
        if self._places is None:
            self._places = places(self._policy, bundled(), self._words, told)
        mine = [one for one in self._places if one.group in groups]
        if not mine:
            raise UsageError(
                f"no word of the texts that come with privstamp is in the groups "
                f"{', '.join(map(str, groups))}: take another prior for them"
            )
        return [ContextGauge(mechanism, mine, self._seed)]


def calibrate(
    policy: Policy,
    limits: Mapping[int, float],
    attacker: Attacker,
    *,
    keep: float | None = None,
    seed: int = 1,
    watch: Watch = lambda _what, _share: None,
    bench: Bench | None = None,
) -> Plan:
    """The largest epsilon of each group under which its limit holds for every class of words."""
    bench = bench or Bench(policy, seed)
    asked: dict[tuple[Mechanism, float], list[int]] = {}
    for group, limit in limits.items():
        if group in bench.mechanisms:
            asked.setdefault((bench.mechanisms[group], limit), []).append(group)
    outcomes = []
    for done, ((_, limit), groups) in enumerate(asked.items()):

        def told(what: str, done: int = done) -> None:
            watch(what, done / len(asked))

        gauges = bench.attacked(groups, attacker, told)
        outcomes.append(_Search(gauges, attacker, told).limit(groups, limit))
    if keep is not None and IMPORTANT in bench.mechanisms:

        def late(what: str) -> None:
            watch(what, 0.9)

        search = _Search(bench.attacked([IMPORTANT], attacker, late), attacker, late)
        mine = next((one for one in outcomes if IMPORTANT in one.groups), None)
        if mine is None:
            outcomes.append(search.keep(keep))
        else:
            outcomes = [search.check(one, keep) if one is mine else one for one in outcomes]
    return Plan(policy, attacker, seed, bench.space.fingerprint, tuple(outcomes))


class _Search:
    """One mechanism, all classes."""

    def __init__(
        self, gauges: list[Gauge], attacker: Attacker, told: Callable[[str], None]
    ) -> None:
        self._gauges, self._attacker, self._told = gauges, attacker, told
        self._mechanism = gauges[0].mechanism
        wide = self._mechanism.diameter
        wide = wide if math.isfinite(wide) and wide > 0 else 1.0
        self._least, self._most, self._start = _LEAST / wide, _MOST / wide, _START / wide
        self._tried: dict[tuple[float, str], Point] = {}

    def limit(self, groups: list[int], limit: float) -> Outcome:
        """The largest epsilon; classes after the first only have to agree, or lower it."""
        floors = {gauge.label: gauge.floor(self._attacker) for gauge in self._gauges}
        blind = max(floors, key=lambda name: floors[name])
        if floors[blind] > limit:
            why = (f"an attacker who sees nothing at all is right {floors[blind]:.3f} of the time "
                   f"about words of the class {blind}")  # fmt: skip
            return self._outcome(groups, limit, None, None, cannot=why, best=floors[blind])
        epsilon, edge = self._most, None
        for gauge in self._gauges:
            if edge is not None and upper(self._recovery(gauge, epsilon)) <= limit:
                continue
            found = self._largest(gauge, limit, epsilon)
            if found.epsilon is None:
                at, figure = found.best
                why = f"at epsilon {at:.3g}, the smallest tried, {upper(figure):.3f} is reached"
                return self._outcome(groups, limit, None, None, cannot=why, best=upper(figure))
            epsilon, edge = found.epsilon, found.edge
        epsilon = self._confirmed(rounded(self._enough(epsilon)), limit)
        return self._outcome(groups, limit, epsilon, edge)

    def keep(self, wanted: float, groups: tuple[int, ...] = (IMPORTANT,)) -> Outcome:
        """The smallest epsilon that keeps words this often, where no limit holds it back."""

        def measure(epsilon: float) -> Figure:
            return Figure.exact(min(lower(self._read(one, epsilon).keep) for one in self._gauges))

        found = largest(measure, math.nextafter(wanted, 0.0), start=self._start, least=self._least,
                        most=self._most)  # fmt: skip
        enough = [epsilon for epsilon, kept in found.points if upper(kept) >= wanted]
        if not enough:
            best = max(upper(kept) for _, kept in found.points)
            why = f"words are never kept more often than {best:.3f}"
            return self._outcome([*groups], None, None, None, cannot=why)
        return self._outcome([*groups], None, min(enough), None)

    def check(self, outcome: Outcome, wanted: float) -> Outcome:
        """Whether words are kept often enough under the limit; else what that would take."""
        if outcome.cannot or outcome.keep >= wanted:
            return outcome
        needed = self.keep(wanted, outcome.groups)
        why = (f"under the limit words are kept {outcome.keep:.3f} of the time at most "
               f"(epsilon {outcome.epsilon:.3g}); ")  # fmt: skip
        if needed.epsilon is None:
            why += needed.cannot
        else:
            worst = max(upper(one.reading.recovery) for one in needed.classes)
            why += f"keeping {wanted:g} takes {needed.epsilon:.3g}, and then {worst:.3f} is reached"
        reached = max(upper(one.reading.recovery) for one in outcome.classes)
        return replace(outcome, epsilon=None, cannot=why, best=reached)

    def _read(self, gauge: Gauge, epsilon: float, *, fresh: bool = False) -> Reading:
        self._told(f"{self._mechanism.name}, {gauge.label}: epsilon {epsilon:.3g}")
        found = gauge.read(epsilon, self._attacker, fresh=fresh)
        name = gauge.label
        self._tried[epsilon, name] = Point(epsilon, name, found.recovery, found.keep)
        return found

    def _recovery(self, gauge: Gauge, epsilon: float) -> Figure:
        return self._read(gauge, epsilon).recovery

    def _largest(self, gauge: Gauge, limit: float, most: float) -> Found:
        return largest(lambda epsilon: self._recovery(gauge, epsilon), limit,
                       start=min(self._start, most), least=self._least, most=most)  # fmt: skip

    def _enough(self, epsilon: float) -> float:
        """Where no epsilon is too large: the smallest one tried that keeps as much."""
        if epsilon < self._most:
            return epsilon
        top = min(upper(self._read(one, epsilon).keep) for one in self._gauges)
        same = [one.epsilon for one in self._tried.values() if lower(one.keep) >= top - _SAME]
        return min(same, default=epsilon)

    def _confirmed(self, epsilon: float, limit: float) -> float:
        """Among many tries one may hold by luck: this one has to on fresh draws too."""
        while not all(self._sure(gauge, epsilon, limit) for gauge in self._gauges):
            epsilon = rounded(epsilon * _BACK)
        return epsilon

    def _sure(self, gauge: Gauge, epsilon: float, limit: float) -> bool:
        figure = self._recovery(gauge, epsilon)
        clear = 2.0 * upper(figure) - lower(figure) <= limit
        return (
            gauge.exact or clear or upper(self._read(gauge, epsilon, fresh=True).recovery) <= limit
        )

    def _outcome(
        self,
        groups: list[int],
        limit: float | None,
        epsilon: float | None,
        edge: tuple[float, float | None] | None,
        *,
        cannot: str = "",
        best: float | None = None,
    ) -> Outcome:
        classes: tuple[ClassReading, ...] = ()
        if epsilon is not None:
            classes = tuple(
                ClassReading(one.label, one.floor(self._attacker),
                             one.last(epsilon, self._attacker))
                for one in self._gauges
            )  # fmt: skip
            edge = edge and (min(edge[0], epsilon), edge[1])
        curve = tuple(self._tried[key] for key in sorted(self._tried))
        return Outcome(tuple(groups), self._mechanism.name, self._mechanism.metric, limit, epsilon,
                       edge, classes, curve, cannot, best)  # fmt: skip
