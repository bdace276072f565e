"""What a line says about itself is so: labels, certificates, maps, and what it leaves as it was."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from privstamp.budget import GROUPS
from privstamp.lab.audit.promise import Promise, always, at_most
from privstamp.lab.audit.sent import Sent
from privstamp.lab.audit.subject import promised, traced
from privstamp.policy import Policy
from privstamp.protocols import Sensitivity
from privstamp.result import Result

MISSED: Final = 0.05
"""What detectors and restoring may get wrong without breaking a promise."""


def honesty(sent: Sent, policy: Policy, detectors: Sensitivity) -> Iterator[Promise]:
    """Every promise about what is said and undone."""
    if not sent.letters:
        return
    yield from _return(sent)
    yield from _certified([result for both in sent.results for result in both], policy)
    yield from _written(sent, policy)
    if not policy.allow:
        yield _labelled(sent, detectors)


def _return(sent: Sent) -> Iterator[Promise]:
    """The release is undone exactly; a surrogate in a reply becomes what it stood for."""
    exact = named = trials = 0
    for results, became in zip(sent.results, (sent.first, sent.second), strict=True):
        for letter, result, found in zip(sent.letters, results, became, strict=True):
            trials += 1
            exact += result.restore(result.text, trusted=True) == letter.text
            reply = result.restore(f"I wrote to {found['person']} about it.")
            named += reply == f"I wrote to {letter.things['person']} about it."
    yield always("what was released is undone exactly", exact, trials)
    if "person" in sent.hidden:
        yield at_most("a name in a reply does not come back", trials - named, trials, MISSED)


def _certified(results: list[Result], policy: Policy) -> Iterator[Promise]:
    """Certificates say what happened."""
    honest = sum(_honest(result, policy) for result in results)
    yield always("certificates count what happened", honest, len(results))
    modes = Counter(result.certificate.randomness for result in results)
    yield always("certificates say that noise was fresh", modes["fresh"], len(results))


def _honest(result: Result, policy: Policy) -> bool:
    trace, told = traced(result), result.certificate
    counts, groups = told.counts, trace.grouping.groups
    epsilon = promised(trace, policy)
    seen = (
        len(groups),
        int(((epsilon > 0) & np.isfinite(epsilon)).sum()),
        int((epsilon == 0).sum()),
        int(np.isinf(epsilon).sum()),
    )
    said = (
        counts.units,
        counts.perturbed,
        counts.replaced + counts.replaced_by_rule + counts.unknown,
        counts.unprotected,
    )
    units = [(own.units, own.epsilon) for own in told.groups]
    true = [(int((groups == group).sum()), policy.budget.epsilon[group - 1]) for group in GROUPS]
    lost = bool(np.isinf(epsilon).any()) == math.isinf(told.loss.worst_case)
    return seen == said and units == true and lost


def _labelled(sent: Sent, detectors: Sensitivity) -> Promise:
    """Every unit that the detectors find, asked by themselves, is taken for sensitive."""
    taken = trials = 0
    traces = [traced(result) for result in sent.results[0]]
    found = detectors.find([trace.units for trace in traces])
    for trace, findings in zip(traces, found, strict=True):
        inside = np.zeros(len(trace.units), dtype=bool)
        for finding in findings:
            inside |= (trace.units.ends > finding.start) & (trace.units.starts < finding.end)
        trials += int(inside.sum())
        taken += int((trace.grouping.groups[inside] <= 2).sum())
    return always("what detectors find is taken for sensitive", taken, trials)


def _written(sent: Sent, policy: Policy) -> Iterator[Promise]:
    """What a policy releases as it is, is; labels are the same whenever a text is read."""
    first, second = ([traced(result).grouping.groups for result in both] for both in sent.results)
    steady = sum(map(np.array_equal, first, second))
    yield always("a text has the same labels in every release", steady, len(first))
    if not policy.budget.replaces_sensitive_only:
        return
    stay = trials = 0
    for results in sent.results:
        for result in results:
            trace = traced(result)
            open_ = np.isinf(promised(trace, policy))
            at = 0
            for old, new in zip(trace.units.text.split("\n"), result.text.split("\n"), strict=True):
                frame = old.rsplit(", ", 1)[0]
                inside = (trace.units.starts >= at) & (trace.units.ends <= at + len(frame))
                if open_[inside].all():
                    trials += 1
                    stay += new.rsplit(", ", 1)[0] == frame
                at += len(old) + 1
    yield always("words that are not sensitive leave as written", stay, trials)
