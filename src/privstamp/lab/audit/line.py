"""The whole line, exactly as deployed, against everything it promises about single texts.

Canaries of our own go in, releases are read as a receiver would, and each promise is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from privstamp.lab.audit.canaries import crowd, letters
from privstamp.lab.audit.figures import Figure, Section
from privstamp.lab.audit.freshness import freshness, secrecy
from privstamp.lab.audit.honesty import honesty
from privstamp.lab.audit.law import Draws, law, public_text
from privstamp.lab.audit.promise import ALPHA, Promise, at_most
from privstamp.lab.audit.sent import Sent
from privstamp.lab.audit.subject import Subject
from privstamp.lab.audit.surrogates import surrogates
from privstamp.pipeline import Privatizer
from privstamp.result import Failure, Result

TITLE: Final = "The whole line against its promises"
LETTERS, RELEASES, PEOPLE = 60, 200, 60


def line(subject: Subject, told: Callable[[float], None]) -> Section:
    """Canaries through a line of this policy, with fresh noise."""
    privatizer = subject.privatizer.with_noise()
    tested = []
    for promise in promises(privatizer, subject.key("line")):
        tested.append(promise)
        told(min(0.99, len(tested) / 70))
    broken = tuple(promise.broken for promise in tested if not promise.kept)
    trials = sum(promise.trials for promise in tested)
    remarks = (
        f"a sound line fails with chance {ALPHA:g} at most, over all promises together",
        f"{len(tested)} promises on {LETTERS} invented letters and {RELEASES} releases of public "
        "words; found and promised are shares of the trials unless they say otherwise",
    )
    figures = {
        "promises_tested": Figure.exact(float(len(tested))),
        "promises_broken": Figure.exact(float(len(broken))),
        "promise_trials": Figure.exact(float(trials)),
    }
    rows = [promise.row() for promise in tested]
    return Section("line", TITLE, figures, rows, remarks, not broken, broken=broken)


def promises(privatizer: Privatizer, key: bytes) -> Iterator[Promise]:
    """One after the other; whoever looks for a break may stop at the first."""
    policy, parts = privatizer.policy, privatizer.parts
    canaries = letters(LETTERS)
    texts, tasks = [one.text for one in canaries], [one.task for one in canaries]
    batch = tuple(map(_result, privatizer.privatize_many(texts, tasks, trace=True)))
    calls = tuple(privatizer.privatize(one.text, one.task, trace=True) for one in canaries)
    shaped = all(replacement.shaped for replacement in parts.replacements.values())
    sent = Sent.of(canaries, batch, calls, policy)
    yield from surrogates(sent, shaped=shaped, key=key)
    yield from honesty(sent, policy, parts.sensitivity)
    yield from moved(privatizer, key)
    if shaped and "person" in sent.hidden:
        yield _crowded(privatizer)
    if shaped and sent.new:
        yield from freshness(privatizer, canaries, sent.new)
        yield from secrecy(privatizer, canaries, sent.new, key)


def moved(privatizer: Privatizer, key: bytes) -> Iterator[Promise]:
    """Promises about words that a mechanism moves, where the policy has one."""
    policy, parts = privatizer.policy, privatizer.parts
    if not any(0 < epsilon < float("inf") for epsilon in policy.budget.epsilon):
        return
    text = public_text(privatizer)
    if not text:
        return
    half = RELEASES // 2
    results = list(map(_result, privatizer.privatize_many([text] * half, trace=True)))
    results += [privatizer.privatize(text, trace=True) for _ in range(half)]
    yield from law(Draws.of(results, parts, policy), parts, policy, key)


def _crowded(privatizer: Privatizer) -> Promise:
    """Of many people in one text no two share a surrogate."""
    text = crowd(PEOPLE)
    lines = privatizer.privatize(text).text.split("\n")
    names = {name.rsplit(", ", 1)[-1] for name in lines}
    return at_most("in a crowd nobody has another's surrogate", PEOPLE - len(names), PEOPLE, 0.0)


def _result(found: Result | Failure) -> Result:
    if isinstance(found, Failure):
        raise found.error
    return found
