"""From a risk that people can name to the epsilons that keep it, group by group, or why none do.

`resolve` does it for a policy whose budget is given as targets, once: what was found is cached.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from privstamp import __version__
from privstamp.assets.cache import derived
from privstamp.budget import GROUPS
from privstamp.errors import PolicyError, UsageError
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.subject import SampleText, bundled
from privstamp.lab.calibration.contextual import ContextGauge, WordPlace, places
from privstamp.lab.calibration.gauge import (
    Attacker,
    Gauge,
    GaugeReading,
    largest_epsilon,
    main_classes,
    rounded,
)
from privstamp.lab.calibration.outcome import (
    CalibrationPlan,
    ClassReading,
    Outcome,
    Point,
    in_words,
)
from privstamp.lab.estimate import Estimate
from privstamp.lab.progress import Progress, silent, within
from privstamp.policy import Policy, Saw
from privstamp.policy.presets import Targets
from privstamp.protocols import Mechanism, Space
from privstamp.registry import DECODERS, MECHANISMS
from privstamp.release.parts import build_mechanisms, check_budget, open_space

SEED: Final = 1
IMPORTANT: Final = 3
"""The group that `keep` is about: important, not sensitive. Elsewhere protection comes first."""
_LEAST, _MOST, _START = 0.1, 4000.0, 16.0  # nats between the furthest words
_BACK: Final = 0.97
_FILE: Final = "calibration.json"
_FORMAT: Final = "1"  # raise it when what is measured changes
_SAME: Final = 0.005


class Bench:
    """Mechanisms of a policy, each with its gauges: groups that share one share what was read."""

    def __init__(
        self,
        policy: Policy,
        seed: int,
        space: Space | None = None,
        texts: Sequence[SampleText] | None = None,
    ) -> None:
        """`texts` say how large groups are; without any, those that come with privstamp."""
        check_budget(policy)
        self.space = open_space(policy.space) if space is None else space
        self.mechanisms = build_mechanisms(policy, self.space)
        self._words = [Candidates(self.space, number) for number in main_classes(self.space)]
        self._seed = seed
        self.saw: Saw = "public words" if texts is None else "private sample"
        self._policy, self._given = policy, texts
        self._gauges: dict[Mechanism, list[Gauge]] = {}
        self._places: list[WordPlace] | None = None

    def gauges(self, mechanism: Mechanism) -> list[Gauge]:
        """One per class, the quickest first."""
        if mechanism not in self._gauges:
            gauges = [Gauge(mechanism, words, self._seed) for words in self._words]
            self._gauges[mechanism] = sorted(gauges, key=lambda gauge: len(gauge.words))
        return self._gauges[mechanism]

    @property
    def texts(self) -> Sequence[SampleText]:
        return bundled() if self._given is None else self._given

    def attacked(
        self, groups: Sequence[int], attacker: Attacker, progress: Progress = silent
    ) -> list[Gauge]:
        """The gauges of groups that share a mechanism, as this attacker reads them."""
        mechanism = self.mechanisms[groups[0]]
        if attacker.prior != "contextual":
            return self.gauges(mechanism)
        if self._places is None:
            self._places = places(self._policy, bundled(), self._words, progress)
        attacked = [place for place in self._places if place.group in groups]
        if not attacked:
            raise UsageError(
                f"no word of the texts that come with privstamp is in the groups "
                f"{', '.join(map(str, groups))}: take another prior for them"
            )
        return [ContextGauge(mechanism, attacked, self._seed)]


def calibrate(
    policy: Policy,
    limits: Mapping[int, float],
    attacker: Attacker,
    *,
    keep: float | None = None,
    seed: int = 1,
    progress: Progress = silent,
    bench: Bench | None = None,
) -> CalibrationPlan:
    """The largest epsilon of each group under which its limit holds for every class of words."""
    bench = bench or Bench(policy, seed)
    asked: dict[tuple[Mechanism, float], list[int]] = {}
    for group, limit in limits.items():
        if group in bench.mechanisms:
            asked.setdefault((bench.mechanisms[group], limit), []).append(group)
    outcomes = []
    for number, ((_, limit), groups) in enumerate(asked.items()):
        step = within(progress, number / len(asked), (number + 1) / len(asked))
        search = _Search(bench.attacked(groups, attacker, step), attacker, step)
        outcomes.append(search.limit(groups, limit))
    if keep is not None and IMPORTANT in bench.mechanisms:
        last = within(progress, 0.9, 1.0)
        search = _Search(bench.attacked([IMPORTANT], attacker, last), attacker, last)
        limited = [outcome for outcome in outcomes if IMPORTANT in outcome.groups]
        if not limited:
            outcomes.append(search.keep(keep))
        outcomes = [
            search.check(outcome, keep) if outcome in limited else outcome for outcome in outcomes
        ]
    return CalibrationPlan(policy, attacker, seed, bench.space.fingerprint, tuple(outcomes))


class _Search:
    """One mechanism, all classes."""

    def __init__(self, gauges: list[Gauge], attacker: Attacker, progress: Progress) -> None:
        self._gauges, self._attacker, self._progress = gauges, attacker, progress
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
            if edge is not None and self._recovery(gauge, epsilon).upper <= limit:
                continue
            edge_of = largest_epsilon(partial(self._recovery, gauge), limit, least=self._least,
                                      start=min(self._start, epsilon), most=epsilon)  # fmt: skip
            if edge_of.epsilon is None:
                at, figure = edge_of.best
                why = f"at epsilon {at:.3g}, the smallest tried, {figure.upper:.3f} is reached"
                return self._outcome(groups, limit, None, None, cannot=why, best=figure.upper)
            epsilon, edge = edge_of.epsilon, edge_of.edge
        epsilon = self._confirmed(rounded(self._enough(epsilon)), limit)
        return self._outcome(groups, limit, epsilon, edge)

    def keep(self, wanted: float, groups: tuple[int, ...] = (IMPORTANT,)) -> Outcome:
        """The smallest epsilon that keeps words this often, where no limit holds it back."""

        def measure(epsilon: float) -> Estimate:
            return Estimate.exact(
                min(self._read(gauge, epsilon).keep.lower for gauge in self._gauges)
            )

        tried = largest_epsilon(measure, math.nextafter(wanted, 0.0), start=self._start,
                                least=self._least, most=self._most)  # fmt: skip
        enough = [epsilon for epsilon, kept in tried.points if kept.upper >= wanted]
        if not enough:
            best = max(kept.upper for _, kept in tried.points)
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
            worst = max(words.reading.recovery.upper for words in needed.classes)
            why += f"keeping {wanted:g} takes {needed.epsilon:.3g}, and then {worst:.3f} is reached"
        reached = max(words.reading.recovery.upper for words in outcome.classes)
        return replace(outcome, epsilon=None, cannot=why, best=reached)

    def _read(self, gauge: Gauge, epsilon: float, *, fresh: bool = False) -> GaugeReading:
        self._progress(f"{self._mechanism.name}, {gauge.label}: epsilon {epsilon:.3g}", 0.0)
        reading = gauge.read(epsilon, self._attacker, fresh=fresh)
        name = gauge.label
        self._tried[epsilon, name] = Point(epsilon, name, reading.recovery, reading.keep)
        return reading

    def _recovery(self, gauge: Gauge, epsilon: float) -> Estimate:
        return self._read(gauge, epsilon).recovery

    def _enough(self, epsilon: float) -> float:
        """Where no epsilon is too large: the smallest one tried that keeps as much."""
        if epsilon < self._most:
            return epsilon
        top = min(self._read(gauge, epsilon).keep.upper for gauge in self._gauges)
        same = [point.epsilon for point in self._tried.values() if point.keep.lower >= top - _SAME]
        return min(same, default=epsilon)

    def _confirmed(self, epsilon: float, limit: float) -> float:
        """Among many tries one may hold by luck: this one has to on fresh draws too."""
        while not all(self._sure(gauge, epsilon, limit) for gauge in self._gauges):
            epsilon = rounded(epsilon * _BACK)
        return epsilon

    def _sure(self, gauge: Gauge, epsilon: float, limit: float) -> bool:
        figure = self._recovery(gauge, epsilon)
        clear = 2.0 * figure.upper - figure.lower <= limit
        return (
            gauge.exact or clear or self._read(gauge, epsilon, fresh=True).recovery.upper <= limit
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
                ClassReading(gauge.label, gauge.floor(self._attacker),
                             gauge.last(epsilon, self._attacker))
                for gauge in self._gauges
            )  # fmt: skip
            edge = edge and (min(edge[0], epsilon), edge[1])
        curve = tuple(self._tried[key] for key in sorted(self._tried))
        return Outcome(tuple(groups), self._mechanism.name, self._mechanism.metric, limit, epsilon,
                       edge, classes, curve, cannot, best)  # fmt: skip


def resolve(policy: Policy, progress: Progress = silent) -> Policy:
    """The policy with epsilons in the place of targets; without targets, the policy itself.

    Only words of the public table are looked at, never a text.
    """
    targets = policy.budget
    if not isinstance(targets, Targets):
        return policy
    space = open_space(policy.space)
    providers = [MECHANISMS.provider(policy.mechanism_of(group).name) for group in GROUPS]
    recipe = {
        "format": _FORMAT,
        "privstamp": __version__,
        "space": space.fingerprint,
        "parts": policy.measured_parts(),
        "providers": " ".join([*providers, DECODERS.provider(policy.decoder.name)]),
        "model": policy.language_model.model_dump_json() if targets.prior == "contextual" else "",
        "seed": str(SEED),
    }

    def build(folder: Path) -> None:
        bench = Bench(policy, SEED, space)
        limits = dict(zip(GROUPS, targets.limits, strict=True))
        attacker = Attacker(targets.prior, targets.statistic)
        plan = calibrate(policy, limits, attacker, seed=SEED, progress=progress, bench=bench)
        known = plan.policy().calibration if plan.possible else None
        kept: dict[str, object] = {"cannot": in_words(plan)}
        if known is not None:
            kept = {"epsilon": list(plan.epsilon), "calibration": known.model_dump()}
        (folder / _FILE).write_text(json.dumps(kept), encoding="utf-8")

    folder = derived("calibration", recipe, build, label="calibrating the budget")
    kept = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    if "cannot" in kept:
        raise PolicyError(f"budget: the target cannot be met. {kept['cannot']}")
    metric = targets.metric if isinstance(targets.metric, str) else list(targets.metric)
    data = policy.model_dump(mode="python", exclude_none=True)
    data["budget"] = {"epsilon": kept["epsilon"], "metric": metric}
    return Policy.of({**data, "calibration": kept["calibration"]})
