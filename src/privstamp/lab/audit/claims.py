"""Whether samples refute what the certificate claims about the mechanisms of a policy.

Pairs of words near each other, at random and far apart, each at an epsilon that claims between one
and three nats: there samples can tell. A mechanism that is sound fails with chance ERROR at most.

`measure` chooses an event on one half of the draws and counts it on the other, so that the exact
binomial intervals of Clopper and Pearson hold; n draws can certify about ln n nats at most.
`one_run` takes every unit of a long synthetic text for a canary (Steinke et al., 2023): each is one
of two units, by a coin, and the auditor guesses the coins it is surest of. If every output is at
most exp(c) times as likely for one unit as for the other, a guess is right with chance
exp(c) / (1 + exp(c)) at most, whatever it is based on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.laws import SLACK, exact_ratio
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.verdict import Section
from privstamp.lab.estimate import Estimate, clopper_pearson
from privstamp.noise import Float64, Lane, Noise
from privstamp.protocols import Discrete, Mechanism, Space
from privstamp.types import Ids

ERROR: Final = 1e-7
"""Chance that a sound mechanism fails an audit, over all of its tests together."""
_CUTS: Final = 200
Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Pair:
    """Two units of one class, the epsilon they are tested at, and how far apart they are."""

    first: int
    second: int
    epsilon: float
    distance: float

    @property
    def claim(self) -> float:
        """Nats that may be told apart."""
        return self.epsilon * self.distance


@dataclass(frozen=True)
class PairFinding:
    """What the draws prove about one pair, in nats."""

    pair: Pair
    nats: float

    @property
    def over_claim(self) -> float:
        return self.nats / self.pair.claim

    @property
    def sound(self) -> bool:
        return self.nats <= self.pair.claim


def most(draws: int, error: float = ERROR) -> float:
    """The largest loss that this many draws of each unit could ever prove."""
    tested = draws - draws // 2
    return float(_proved(np.array([tested]), np.array([0]), tested, error)[0])


def measure(
    mechanism: Mechanism,
    space: Space,
    pairs: Sequence[Pair],
    *,
    draws: int,
    key: bytes,
    error: float = ERROR,
) -> list[PairFinding]:
    """A lower bound of the loss for each pair; all of them hold but with chance `error`."""
    share = error / max(2 * len(pairs), 1)
    findings = []
    for number, pair in enumerate(pairs):
        both = np.repeat(np.array([pair.first, pair.second], dtype=np.int32), draws)
        noise = Noise.of_document(key, np.arange(len(both)) + number * len(both))
        rows = mechanism.privatize(both, np.full(len(both), pair.epsilon), noise)
        seen, places = np.unique(rows, return_inverse=True)
        lean = leaning(mechanism, space, pair, seen)
        findings.append(PairFinding(pair, _of_pair(places[:draws], places[draws:], lean, share)))
    return findings


def leaning(mechanism: Mechanism, space: Space, pair: Pair, outputs: Ids) -> Float64:
    """How much an output speaks for the first unit: its exact log-ratio, or where it lies."""
    both = np.array([pair.first, pair.second], dtype=np.int32)
    lean: Float64
    if isinstance(mechanism, Discrete):
        rows = mechanism.channel(both, np.full(2, pair.epsilon))[:, outputs]
        logs = np.log(np.maximum(rows, 1e-300))
        lean = logs[0] - logs[1]
    else:
        ends = space.unit[both].astype(np.float64)
        lean = pair.epsilon * (space.unit[outputs].astype(np.float64) @ (ends[0] - ends[1]))
    return lean


def _of_pair(first: Places, two: Places, lean: Float64, error: float) -> float:
    """The better bound of the two directions; `error` is that of each."""
    half = len(first) // 2
    sides = first, two
    train_one, train_two = (np.bincount(side[:half], minlength=len(lean)) for side in sides)
    test_one, test_two = (np.bincount(side[half:], minlength=len(lean)) for side in sides)
    return max(
        _bound(train_one, train_two, test_one, test_two, lean, error),
        _bound(train_two, train_one, test_two, test_one, -lean, error),
    )


def _bound(
    train: Counts,
    train_other: Counts,
    test: Counts,
    test_other: Counts,
    lean: Float64,
    error: float,
) -> float:
    """Nats by which an event, chosen on the training draws, is likelier under one unit."""
    # The event is chosen on one half of the draws and tested on the other: the bound holds
    # whatever was chosen, and however many events were looked at.
    ratio = np.log((train + 0.5) / (train_other + 0.5))
    chosen, best = np.zeros(0, dtype=np.int64), -np.inf
    for score in (ratio, lean):  # by what was seen, and by where the outputs lie
        order = np.argsort(-score, kind="stable")
        inside, outside = train[order].cumsum(), train_other[order].cumsum()
        cuts = np.unique(np.linspace(0, len(order) - 1, _CUTS).astype(np.int64))
        proved = _proved(inside[cuts], outside[cuts], int(train.sum()), error)
        if proved.max() > best:
            best, chosen = float(proved.max()), order[: cuts[proved.argmax()] + 1]
    hits, misses = test[chosen].sum(), test_other[chosen].sum()
    bound = _proved(np.array([hits]), np.array([misses]), int(test.sum()), error)
    return max(float(bound[0]), 0.0)


def _proved(hits: Counts, others: Counts, draws: int, error: float) -> Float64:
    """log of P(event | one) / P(event | other), at least: Clopper and Pearson on both sides."""
    low, high = clopper_pearson(hits, draws, error)[0], clopper_pearson(others, draws, error)[1]
    with np.errstate(divide="ignore"):
        proved: Float64 = np.log(low) - np.log(high)
    return proved


GUESSED: Final = 0.1
"""Share of the canaries that are guessed, fixed beforehand."""


@dataclass(frozen=True)
class OneRun:
    """The guesses of one run, and the loss in nats that they prove."""

    claim: float
    canaries: int
    guesses: int
    right: int
    nats: float

    @property
    def over_claim(self) -> float:
        return self.nats / self.claim

    @property
    def sound(self) -> bool:
        return self.nats <= self.claim


def one_run(
    mechanism: Mechanism,
    space: Space,
    pairs: Sequence[Pair],
    *,
    canaries: int,
    key: bytes,
    error: float = ERROR,
) -> OneRun:
    """Audit with `canaries` coins, dealt out to the pairs in turn. All pairs claim the same."""
    claim = pairs[0].claim
    if any(abs(pair.claim - claim) > 1e-9 * claim for pair in pairs):
        raise ValueError("pairs of one run need one claim")
    dealt = np.arange(canaries) % len(pairs)
    where = np.arange(canaries)
    # The coins have addresses of their own, past those of the canaries.
    coins = Noise.of_document(key, where + canaries).uniform(1, Lane.CHOICE)[:, 0] < 0.5
    ends = np.array([(pair.first, pair.second) for pair in pairs], dtype=np.int32)
    ids: Ids = np.where(coins, ends[dealt, 0], ends[dealt, 1]).astype(np.int32)
    epsilon = np.array([pair.epsilon for pair in pairs])[dealt]
    out = mechanism.privatize(ids, epsilon, Noise.of_document(key, where))
    lean = np.empty(canaries)
    for number, pair in enumerate(pairs):
        here = dealt == number
        lean[here] = leaning(mechanism, space, pair, out[here])
    guessed = np.argsort(-np.abs(lean), kind="stable")[: max(int(GUESSED * canaries), 1)]
    right = int(((lean[guessed] > 0) == coins[guessed]).sum())
    return OneRun(claim, canaries, len(guessed), right, proved(right, len(guessed), error))


def proved(right: int, guesses: int, error: float) -> float:
    """The largest loss that so many right guesses refute; 0 if they refute none."""
    low = float(clopper_pearson(right, guesses, 2 * error)[0])  # of the chance to be right
    return max(math.log(low / (1.0 - low)), 0.0) if low > 0 else 0.0


TITLE: Final = "Empirical epsilon against the claim"
CLAIMS: Final = (1.0, 3.0)
_COLUMNS: Final = ("near pair", "random pair", "far pair", "one run", "exact law")
_DRAWS, _CANARIES, _SEARCHED = 20_000, 20_000, 400
_NO_PAIR: Final = "no two of them are a finite distance apart"


def claims(subject: Subject, told: Callable[[float], None]) -> Section:
    """Every mechanism of the policy on the classes that the sample meets it with."""
    targets = met_by(subject)
    space, rows, ratios, exact = subject.parts.space, list[dict[str, Any]](), [], []
    untested: list[str] = []
    error = ERROR / max(2 * len(targets), 1)
    for done, (groups, mechanism, number) in enumerate(targets):
        told(done / len(targets))
        words = Candidates(space, number)
        about: dict[str, Any] = {"groups": groups, "mechanism": mechanism.name, "class": words.name}
        pairs = chosen_pairs(mechanism, words)
        if not pairs:
            rows.append(about | dict.fromkeys(_COLUMNS))
            stated = hasattr(mechanism, "distance")
            why = _NO_PAIR if stated else "it states no distance, so there is no claim to test"
            untested.append(f"{mechanism.name} on {words.name} words: {why}")
            continue
        key = subject.key(f"claims {groups} {number}")
        measured = measure(mechanism, space, pairs, draws=_DRAWS, key=key, error=error)
        ratios += [finding.over_claim for finding in measured]
        alike = [pair for pair in pairs if pair.claim == pairs[-1].claim]
        key = subject.key(f"one run {groups} {number}")
        run = one_run(mechanism, space, alike, canaries=_CANARIES, key=key, error=error)
        ratios.append(run.over_claim)
        by_law = exact_ratio(mechanism, words, pairs[-1].epsilon)
        exact += [] if by_law is None else [by_law]
        rows.append(about | _row(measured) | {"one run": run.over_claim, "exact law": by_law})
    if not ratios:
        none = Estimate.missing("; ".join(untested) or "no mechanism meets the sample")
        return Section("claims", TITLE, {"empirical_epsilon_over_claim": none}, rows)
    worst = max(ratios)
    remarks = (
        f"table: loss that was proved, as a share of the claim of {CLAIMS[0]:g} or {CLAIMS[1]:g} "
        "nats (a claim of 1 nat lets an output be e = 2.7 times as likely for one word as for "
        "another); above 1 refutes the claim",
        "one run: a long synthetic text in which every word is a coin to be guessed; exact law: "
        "the worst of some pairs, worked out without samples where the law is known",
        f"{_DRAWS} draws of a unit can prove {most(_DRAWS):.1f} nats at most",
        f"a sound mechanism fails with chance {ERROR:g} at most, over all of these tests",
        *(f"not tested: {name}" for name in untested),
    )
    figures = {"empirical_epsilon_over_claim": Estimate(worst, worst, note="a lower bound")}
    if exact:
        figures["exact_epsilon_over_claim"] = Estimate.exact(max(exact))
    sound = worst <= 1.0 and max(exact, default=0.0) <= 1.0 + SLACK
    return Section("claims", TITLE, figures, rows, remarks, sound=sound)


def chosen_pairs(mechanism: Mechanism, words: Candidates) -> list[Pair]:
    """Near, random and far pairs; those with the larger claim come last."""
    some = words.sample(words.unigram, min(_SEARCHED, len(words)), "audit pairs")
    some = np.unique(some)
    if len(some) < 2:
        some = np.arange(min(2, len(words)))
    if not hasattr(mechanism, "distance"):  # a part of somebody else's
        return []
    base = words.ids[some[:1].repeat(len(some) - 1)]
    apart = mechanism.distance(base, words.ids[some[1:]])
    open_ = np.flatnonzero((apart > 0) & np.isfinite(apart))
    if not len(open_):
        return []
    order = open_[np.argsort(apart[open_], kind="stable")]
    picked = order[[0, len(order) // 2, -1]]
    pairs = []
    for claim in CLAIMS:
        for place in dict.fromkeys(picked.tolist()):
            d = float(apart[place])
            first, second = int(words.ids[some[0]]), int(words.ids[some[1 + place]])
            pairs.append(Pair(first, second, claim / d, d))
    return pairs


def met_by(subject: Subject) -> list[tuple[str, Mechanism, int]]:
    """Each mechanism with the groups that share it, on each class that the sample meets it with."""
    met: dict[tuple[int, int], tuple[list[int], Mechanism]] = {}
    for cell in sorted(subject.cells):
        mechanism = subject.parts.mechanisms[cell.group]
        groups, _ = met.setdefault((id(mechanism), cell.number), ([], mechanism))
        if cell.group not in groups:
            groups.append(cell.group)
    return [
        (", ".join(map(str, groups)), mechanism, number)
        for (_, number), (groups, mechanism) in met.items()
    ]


def _row(findings: list[PairFinding]) -> dict[str, float]:
    """The largest share of its claim that was proved for a pair: near, in between, far apart."""
    near = min(finding.pair.distance for finding in findings)
    far = max(finding.pair.distance for finding in findings)
    between = [finding for finding in findings if near < finding.pair.distance < far] or findings
    at = {
        "near pair": [finding for finding in findings if finding.pair.distance == near],
        "random pair": between,
        "far pair": [finding for finding in findings if finding.pair.distance == far],
    }
    return {name: max(finding.over_claim for finding in some) for name, some in at.items()}
