"""Whether samples refute what the certificate claims about the mechanisms of a policy.

Pairs of words near each other, at random and far apart, each at an epsilon that claims between one
and three nats: there samples can tell. A mechanism that is sound fails with chance ERROR at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from privstamp.errors import Incompatible
from privstamp.frontier.words import Words
from privstamp.lab.audit.empirical import ERROR, Finding, Pair, measure, most
from privstamp.lab.audit.exact import SLACK, exact_ratio, how_far
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.one_run import one_run
from privstamp.lab.audit.subject import Subject
from privstamp.protocols import Mechanism

TITLE: Final = "Empirical epsilon against the claim"
CLAIMS: Final = (1.0, 3.0)
_DRAWS, _CANARIES, _SEARCHED = 20_000, 20_000, 400


def claims(subject: Subject, told: Callable[[float], None]) -> Section:
    """Every mechanism of the policy on the classes that the sample meets it with."""
    targets = met_by(subject)
    space, rows, ratios, exact = subject.parts.space, [], [], []
    error = ERROR / max(2 * len(targets), 1)
    for done, (groups, mechanism, number) in enumerate(targets):
        told(done / len(targets))
        words = Words(space, number)
        pairs = chosen_pairs(mechanism, words)
        if not pairs:
            continue
        key = subject.key(f"claims {groups} {number}")
        found = measure(mechanism, space, pairs, draws=_DRAWS, key=key, error=error)
        ratios += [one.over_claim for one in found]
        alike = [pair for pair in pairs if pair.claim == pairs[-1].claim]
        key = subject.key(f"one run {groups} {number}")
        run = one_run(mechanism, space, alike, canaries=_CANARIES, key=key, error=error)
        ratios.append(run.over_claim)
        by_law = exact_ratio(mechanism, words, pairs[-1].epsilon)
        exact += [] if by_law is None else [by_law]
        about: dict[str, Any] = {"groups": groups, "mechanism": mechanism.name, "class": words.name}
        rows.append(about | _row(found) | {"one run": run.over_claim, "exact law": by_law})
    if not ratios:
        none = Figure.missing("no mechanism whose distances are known meets the sample")
        return Section("claims", TITLE, {"empirical_epsilon_over_claim": none})
    worst = max(ratios)
    remarks = (
        f"table: loss that was proved, as a share of the claim of {CLAIMS[0]:g} or {CLAIMS[1]:g} "
        "nats (a claim of 1 nat lets an output be e = 2.7 times as likely for one word as for "
        "another); above 1 refutes the claim",
        "one run: a long synthetic text in which every word is a coin to be guessed; exact law: "
        "the worst of some pairs, worked out without samples where the law is known",
        f"{_DRAWS} draws of a unit can prove {most(_DRAWS):.1f} nats at most",
        f"a sound mechanism fails with chance {ERROR:g} at most, over all of these tests",
    )
    figures = {"empirical_epsilon_over_claim": Figure(worst, worst, None, "a lower bound")}
    if exact:
        figures["exact_epsilon_over_claim"] = Figure.exact(max(exact))
    sound = worst <= 1.0 and max(exact, default=0.0) <= 1.0 + SLACK
    return Section("claims", TITLE, figures, rows, remarks, sound=sound)


def chosen_pairs(mechanism: Mechanism, words: Words) -> list[Pair]:
    """Near, random and far pairs; those with the larger claim come last."""
    some = words.sample(words.unigram, min(_SEARCHED, len(words)), "audit pairs")
    some = np.unique(some)
    if len(some) < 2:
        some = np.arange(min(2, len(words)))
    base = some[:1].repeat(len(some) - 1)
    try:
        apart = how_far(mechanism, words, base, some[1:])
    except Incompatible:  # a part of somebody else's, in a metric that is not known here
        return []
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


def _row(found: list[Finding]) -> dict[str, float]:
    """The largest share of its claim that was proved for a pair: near, in between, far apart."""
    near = min(one.pair.distance for one in found)
    far = max(one.pair.distance for one in found)
    between = [one for one in found if near < one.pair.distance < far] or found
    at = {
        "near pair": [one for one in found if one.pair.distance == near],
        "random pair": between,
        "far pair": [one for one in found if one.pair.distance == far],
    }
    return {name: max(one.over_claim for one in some) for name, some in at.items()}
