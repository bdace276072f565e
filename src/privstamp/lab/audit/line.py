"""The whole line, exactly as deployed, against everything it promises about single texts.

Canaries of our own go in, releases are read as a receiver would, and each promise is tested. What a
line says about itself is so: labels, certificates, maps, what it leaves as it was. No two releases
share noise: not those of threads, forked processes or workers of a batch; under a secret the same
text is the same release, and any other text is another one.
"""

from __future__ import annotations

import math
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, Final

import numpy as np

from privstamp.budget import GROUPS
from privstamp.errors import UsageError
from privstamp.lab.audit.canaries import Letter, SentLetters, crowd, letters
from privstamp.lab.audit.laws import Draws, law, public_text
from privstamp.lab.audit.subject import Subject, promised, released, traced
from privstamp.lab.audit.surrogates import NEVER, secrets_of, surrogates
from privstamp.lab.audit.verdict import ALPHA, MISSED, Promise, Section, always, at_most
from privstamp.lab.estimate import Estimate
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Sensitivity
from privstamp.result import Result
from privstamp.types import UNKNOWN

TITLE: Final = "The whole line against its promises"
LETTERS, RELEASES, PEOPLE, STRANGE = 60, 200, 60, 2


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
        "promises_tested": Estimate.exact(float(len(tested))),
        "promises_broken": Estimate.exact(float(len(broken))),
        "promise_trials": Estimate.exact(float(trials)),
    }
    rows = [promise.row() for promise in tested]
    return Section("line", TITLE, figures, rows, remarks, not broken, broken=broken)


def promises(privatizer: Privatizer, key: bytes) -> Iterator[Promise]:
    """One after the other; whoever looks for a break may stop at the first."""
    yield from replaced(privatizer, key)
    yield from moved(privatizer, key)


def replaced(privatizer: Privatizer, key: bytes) -> Iterator[Promise]:
    """Promises about what is sensitive, and about a release as a whole."""
    policy, parts = privatizer.policy, privatizer.parts
    canaries = letters(LETTERS)
    texts, tasks = [letter.text for letter in canaries], [letter.task for letter in canaries]
    batch = tuple(map(released, privatizer.privatize_many(texts, tasks, trace=True)))
    calls = tuple(
        privatizer.privatize(*asked, trace=True) for asked in zip(texts, tasks, strict=True)
    )
    shaped = all(replacement.shaped for replacement in parts.replacements.values())
    sent = SentLetters.of(canaries, batch, calls, policy)
    yield from surrogates(sent, shaped=shaped, key=key)
    yield from honesty(sent, policy, parts.sensitivity)
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
    text += "\n" + " ".join(letter.things["rare"] for letter in letters(STRANGE))
    calls = RELEASES // 4
    many = privatizer.privatize_many([text] * (RELEASES - calls), trace=True)
    results = list(map(released, many))
    results += [privatizer.privatize(text, trace=True) for _ in range(calls)]
    yield from law(Draws.of(results, parts, policy), parts, policy, key)
    yield from _certified(results, policy, "of moved words ")
    yield _unlisted(results, policy)


def _unlisted(results: list[Result], policy: Policy) -> Promise:
    """Words that no list has are replaced, where other words are moved."""
    trace = traced(results[0])
    gone = (trace.units.rows == UNKNOWN) & (promised(trace, policy) == 0)
    words = {trace.units.surface(unit).casefold() for unit in np.flatnonzero(gone).tolist()}
    passed = sum(len(words & set(result.text.casefold().split())) for result in results)
    name = "no word that no list has leaves as it was"
    return at_most(name, passed, len(words) * len(results), NEVER)


def _crowded(privatizer: Privatizer) -> Promise:
    """Of many people in one text no two share a surrogate."""
    text = crowd(PEOPLE)
    lines = privatizer.privatize(text).text.split("\n")
    names = {name.rsplit(", ", 1)[-1] for name in lines}
    return at_most("in a crowd nobody has another's surrogate", PEOPLE - len(names), PEOPLE, 0.0)


def honesty(sent: SentLetters, policy: Policy, detectors: Sensitivity) -> Iterator[Promise]:
    """Every promise about what is said and undone."""
    if not sent.letters:
        return
    yield from _return(sent)
    yield from _certified([result for both in sent.results for result in both], policy)
    yield from _written(sent, policy)
    if not policy.allow:
        yield _labelled(sent, detectors)


def _return(sent: SentLetters) -> Iterator[Promise]:
    """The release is undone exactly; a surrogate in a reply becomes what it stood for."""
    exact = named = trials = 0
    for results, became in zip(sent.results, (sent.first, sent.second), strict=True):
        for letter, result, things in zip(sent.letters, results, became, strict=True):
            trials += 1
            exact += result.restore(result.text, trusted=True) == letter.text
            reply = result.restore(f"I wrote to {things['person']} about it.")
            named += reply == f"I wrote to {letter.things['person']} about it."
    yield always("what was released is undone exactly", exact, trials)
    if "person" in sent.hidden:
        yield at_most("a name in a reply does not come back", trials - named, trials, MISSED)


def _certified(results: list[Result], policy: Policy, of: str = "") -> Iterator[Promise]:
    """Certificates say what happened."""
    honest = sum(_honest(result, policy) for result in results)
    yield always(f"certificates {of}count what happened", honest, len(results))
    modes = Counter(result.certificate.randomness for result in results)
    yield always(f"certificates {of}say that noise was fresh", modes["fresh"], len(results))


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
    units = [(group.units, group.epsilon) for group in told.groups]
    true = [(int((groups == group).sum()), policy.budget.epsilon[group - 1]) for group in GROUPS]
    unbounded = not all(facts.bounded for facts in told.mechanisms) and counts.perturbed > 0
    lost = bool(np.isinf(epsilon).any()) or unbounded
    return seen == said and units == true and lost == math.isinf(told.loss.worst_case)


def _labelled(sent: SentLetters, detectors: Sensitivity) -> Promise:
    """Every unit that the detectors find, asked by themselves, is taken for sensitive."""
    taken = trials = 0
    traces = [traced(result) for result in sent.results[0]]
    searched = detectors.find([trace.units for trace in traces])
    for trace, findings in zip(traces, searched, strict=True):
        inside = np.zeros(len(trace.units), dtype=bool)
        for finding in findings:
            inside |= (trace.units.ends > finding.start) & (trace.units.starts < finding.end)
        trials += int(inside.sum())
        taken += int((trace.grouping.groups[inside] <= 2).sum())
    return always("what detectors find is taken for sensitive", taken, trials)


def _written(sent: SentLetters, policy: Policy) -> Iterator[Promise]:
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


_EACH: Final = 3
_PATIENCE: Final = 120.0
_LUCK: Final = 0.01


def freshness(
    line: Privatizer, letters: tuple[Letter, ...], things: tuple[str, ...]
) -> Iterator[Promise]:
    """The same letters from several hands at once, and whether their surrogates agree."""
    few = letters[:_EACH]
    for where, texts in (
        ("threads", _in_threads(line, few)),
        ("forked processes", _in_forks(line, few)),
        ("workers of a batch", _in_workers(line, few)),
    ):
        if texts:
            yield _silent(f"nothing leaves from {where}", few, texts, things)
            yield _apart(f"{where} draw noise of their own", few, texts, things)


def secrecy(
    line: Privatizer, letters: tuple[Letter, ...], things: tuple[str, ...], key: bytes
) -> Iterator[Promise]:
    """What a secret changes: a repeat is the same, an edit or another secret is not."""
    few = letters[:_EACH]
    begun, second = (line.with_noise(secret=key + bytes([number])) for number in (1, 2))
    first, again = _released(begun, few), _released(begun, few)
    same = sum(a == b for a, b in zip(first, again, strict=True))
    yield always("under a secret a repeat is the same release", same, len(few))
    edited = [begun.privatize(letter.text.replace("teacher", "friend", 1)).text for letter in few]
    yield _apart("under a secret an edited text meets noise of its own", few, [first, edited],
                 things)  # fmt: skip
    yield _apart("another secret is other noise", few, [first, _released(second, few)], things)


def _silent(
    name: str, letters: tuple[Letter, ...], hands: list[list[str]], things: tuple[str, ...]
) -> Promise:
    """No secret stands in what these hands released."""
    passed = trials = 0
    for texts in hands:
        for letter, text in zip(letters, texts, strict=True):
            for thing in things:
                for secret in secrets_of(thing, letter.things[thing]):
                    trials += 1
                    passed += secret in text.casefold()
    return at_most(name, passed, trials, NEVER)


def _apart(
    name: str, letters: tuple[Letter, ...], hands: list[list[str]], things: tuple[str, ...]
) -> Promise:
    equal = trials = 0
    for hand, two in combinations(hands, 2):
        for letter, first, second in zip(letters, hand, two, strict=True):
            was, now = letter.read(first), letter.read(second)
            for thing in things if was and now else ():
                trials += 1
                equal += was is not None and now is not None and was[thing] == now[thing]
    return at_most(name, equal, trials, _LUCK)


def _released(line: Privatizer, letters: tuple[Letter, ...]) -> list[str]:
    return [line.privatize(letter.text).text for letter in letters]


def _in_threads(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda _: _released(line, letters), range(2)))


def _in_forks(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    """Two children of one moment, and this process after it."""
    if not hasattr(os, "fork"):
        return []
    forks = multiprocessing.get_context("fork")
    children = [_child(forks, lambda: _released(line, letters)) for _ in range(2)]
    texts = [_released(line, letters)]
    for process, pipe in children:
        if pipe.poll(_PATIENCE):
            texts.append(pipe.recv())
        process.join(1.0)
        if process.is_alive():
            process.kill()
    return texts


def _child(forks: Any, work: Callable[[], list[str]]) -> tuple[Any, Any]:
    ours, theirs = forks.Pipe(duplex=False)
    process = forks.Process(target=lambda: theirs.send(work()), daemon=True)
    process.start()
    return process, ours


def _in_workers(line: Privatizer, letters: tuple[Letter, ...]) -> list[list[str]]:
    """Of a line that can go to other processes."""
    try:
        twice = [letter.text for letter in letters] * 2
        results = [result for result in line.privatize_many(twice, jobs=2) if result.ok]
    except UsageError:
        return []
    texts = [result.text for result in results if hasattr(result, "text")]
    complete = len(texts) == len(twice)
    return [texts[: len(letters)], texts[len(letters) :]] if complete else []
