"""Whether samples refute what the certificate claims about the mechanisms of a policy.

Pairs of words near each other, at random and far apart, each at an epsilon that claims between one
and three nats: there samples can tell. A mechanism that is sound fails with chance ERROR at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from privstamp.audit.empirical import ERROR, Finding, Pair, measure, most
from privstamp.audit.figures import Figure, Section
from privstamp.audit.one_run import one_run
from privstamp.audit.subject import Subject
from privstamp.frontier.losses import distances
from privstamp.frontier.words import Words
from privstamp.protocols import Mechanism

TITLE: Final = "Empirical epsilon against the claim"
CLAIMS: Final = (1.0, 3.0)
_DRAWS, _CANARIES, _SEARCHED = 20_000, 20_000, 400


def claims(subject: Subject, told: Callable[[float], None]) -> Section:
    """Every mechanism of the policy on the classes that the sample meets it with."""
    met = {(subject.parts.mechanisms[cell.group], cell.number) for cell in subject.cells}
    targets = sorted(met, key=lambda one: (one[0].name, one[1]))
    space, rows, ratios = subject.parts.space, [], []
    error = ERROR / max(2 * len(targets), 1)
    for done, (mechanism, number) in enumerate(targets):
        told(done / len(targets))
        words = Words(space, number)
        pairs = chosen_pairs(mechanism, words)
        key = subject.key(f"claims {mechanism.name} {mechanism.metric} {number}")
        found = measure(mechanism, space, pairs, draws=_DRAWS, key=key, error=error)
        ratios += [one.over_claim for one in found]
        rows += [_row(mechanism, words, one) for one in found]
        alike = [pair for pair in pairs if pair.claim == pairs[-1].claim]
        key = subject.key(f"one run {mechanism.name} {mechanism.metric} {number}")
        run = one_run(mechanism, space, alike, canaries=_CANARIES, key=key, error=error)
        ratios.append(run.over_claim)
        rows.append({"mechanism": mechanism.name, "class": words.name, "kind": "one run",
                     "claim": run.claim, "proved": run.nats})  # fmt: skip
    if not ratios:
        none = Figure.missing("no mechanism with a strength meets the sample")
        return Section("claims", TITLE, {"empirical_epsilon_over_claim": none})
    worst = max(ratios)
    remarks = (
        f"{_DRAWS} draws of a unit can prove {most(_DRAWS):.1f} nats at most",
        f"a sound mechanism fails with chance {ERROR:g} at most, over all of these tests",
    )
    figures = {"empirical_epsilon_over_claim": Figure(worst, worst, None, "a lower bound")}
    return Section("claims", TITLE, figures, rows, remarks, sound=worst <= 1.0)


def chosen_pairs(mechanism: Mechanism, words: Words) -> list[Pair]:
    """Near, random and far pairs; the last two of the list claim the same for a run in one go."""
    some = words.sample(words.unigram, min(_SEARCHED, len(words)), "audit pairs")
    some = np.unique(some)
    if len(some) < 2:
        some = np.arange(min(2, len(words)))
    base = some[:1].repeat(len(some) - 1)
    apart = distances(mechanism, words, base, some[1:])
    open_ = np.flatnonzero((apart > 0) & np.isfinite(apart))
    if not len(open_):
        return []
    order = open_[np.argsort(apart[open_], kind="stable")]
    picked = order[[0, len(order) // 2, -1]]
    pairs = []
    for claim in CLAIMS:
        for place in picked.tolist():
            d = float(apart[place])
            first, second = int(words.ids[some[0]]), int(words.ids[some[1 + place]])
            pairs.append(Pair(first, second, claim / d, d))
    return pairs


def _row(mechanism: Mechanism, words: Words, found: Finding) -> dict[str, object]:
    return {
        "mechanism": mechanism.name,
        "class": words.name,
        "kind": "pair",
        "distance": found.pair.distance,
        "claim": found.pair.claim,
        "proved": found.nats,
    }
