"""What is replaced owes nothing to what stood there, shows equality as promised, and comes back.

Letters with invented things go through the line twice: as a batch, and one call after the other.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from privstamp.audit.canaries import HIDDEN, LINES, NEW, SHARED, Letter
from privstamp.audit.promise import (
    Promise,
    always,
    at_most,
    no_likelier,
    unrelated,
)
from privstamp.audit.subject import promised, traced
from privstamp.budget import GROUPS
from privstamp.policy import Policy
from privstamp.protocols import Sensitivity
from privstamp.result import Result

LUCK: Final = 0.002
"""A surrogate equals its original, or another draw from its list, no more often than this."""
_MISSED: Final = 0.05
"""What detectors and restoring may get wrong without breaking a promise."""
_NEARLY: Final = 0.9
_SPELT: Final = ("person", "other", "mail", "rare")
_FIGURES: Final = ("number", "phone", "code", "date")
_RUN: Final = 3
Things = list[dict[str, str]]


@dataclass(frozen=True, repr=False)
class Sent:
    """Letters, and two releases of each; `first` and `second` are what their things became."""

    letters: tuple[Letter, ...]
    results: tuple[tuple[Result, ...], tuple[Result, ...]]
    first: Things
    second: Things
    torn: int  # releases whose lines are not where they were
    hidden: frozenset[str]  # things that the policy replaces, by the labels that they have

    @classmethod
    def of(
        cls,
        letters: tuple[Letter, ...],
        batch: tuple[Result, ...],
        calls: tuple[Result, ...],
        policy: Policy,
    ) -> Sent:
        read = [
            [letter.read(result.text) for letter, result in zip(letters, results, strict=True)]
            for results in (batch, calls)
        ]
        torn = sum(found is None for things in read for found in things)
        whole = [n for n in range(len(letters)) if None not in (read[0][n], read[1][n])]
        first, second = ([things[n] or {} for n in whole] for things in read)
        kept = tuple(letters[n] for n in whole)
        results = tuple(batch[n] for n in whole), tuple(calls[n] for n in whole)
        return cls(kept, results, first, second, torn, _hidden(kept, results[0], policy))

    @property
    def new(self) -> tuple[str, ...]:
        """Hidden things that every letter has of its own."""
        return tuple(name for name in NEW if name in self.hidden)

    @cached_property
    def alike(self) -> dict[str, list[int]]:
        """For each thing, the letters in which its labels are those that it has most often."""
        kinds = [_kinds(letter, result) for letter, result in self._once()]
        usual = {
            name: Counter(found[name] for found in kinds).most_common(1)[0][0] for name in LINES
        }
        return {
            name: [n for n, found in enumerate(kinds) if found[name] == usual[name]]
            for name in LINES
        }

    def _once(self) -> Iterator[tuple[Letter, Result]]:
        return zip(self.letters, self.results[0], strict=True)

    def pairs(self, names: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
        """A thing, what it became, and what that of another letter became: of equal labels."""
        for became in (self.first, self.second):
            for name in names:
                numbers = self.alike[name]
                for number, after in zip(numbers, numbers[1:] + numbers[:1], strict=True):
                    thing = self.letters[number].things[name]
                    yield thing, became[number][name], became[after][name]


def _kinds(letter: Letter, result: Result) -> dict[str, tuple[str, ...]]:
    """The types that each thing was replaced under."""
    trace, at = traced(result), 0
    found = {}
    for name, line in zip(letter.things, trace.units.text.split("\n"), strict=True):
        start, last = at + len(line) - len(letter.things[name]), at + len(line)
        inside = (trace.units.ends > start) & (trace.units.starts < last)
        spans = trace.grouping.spans[inside].tolist()
        findings = trace.grouping.findings
        found[name] = tuple("" if span < 0 else findings[span].kind for span in spans)
        at = last + 1
    return found


def _hidden(
    letters: tuple[Letter, ...], results: tuple[Result, ...], policy: Policy
) -> frozenset[str]:
    """What is replaced in nearly all letters; where detectors miss more, nothing is promised."""
    hidden: Counter[str] = Counter()
    for letter, result in zip(letters, results, strict=True):
        trace = traced(result)
        gone = promised(trace, policy) == 0
        at = 0
        for name, line in zip(letter.things, trace.units.text.split("\n"), strict=True):
            last = at + len(line)
            start = last - len(letter.things[name])
            hidden[name] += bool(
                gone[(trace.units.ends > start) & (trace.units.starts < last)].all()
            )
            at = last + 1
    return frozenset(name for name, times in hidden.items() if times >= _NEARLY * len(letters))


def surrogates(sent: Sent, policy: Policy, *, shaped: bool, key: bytes) -> Iterator[Promise]:
    """Every promise about replaced things; placeholders, not `shaped`, are the same everywhere."""
    results = [result for both in sent.results for result in both]
    yield at_most("lines and commas stay where they were", sent.torn, 2 * len(sent.letters), 0.0)
    if not sent.letters:
        return
    yield from _leaks(sent)
    if shaped and sent.new:
        yield from _freshness(sent)
        yield from _likeness(sent, key)
    yield from _equality(sent)
    yield from _return(sent)
    yield from _honesty(results, policy)
    yield from _written(sent, policy)


def _leaks(sent: Sent) -> Iterator[Promise]:
    """No part of a secret stands anywhere in a release, whatever the line says it did."""
    for name in sent.new:
        passed = trials = 0
        for results in sent.results:
            for letter, result in zip(sent.letters, results, strict=True):
                for secret in _secrets(name, letter.things[name]):
                    trials += 1
                    passed += secret in f"{result.text}\n{result.task}".casefold()
        yield at_most(f"no {name} leaves as it was", passed, trials, LUCK)
    seen = sum(
        any(unicodedata.category(sign) == "Cf" for sign in result.text) or HIDDEN in result.text
        for results in sent.results
        for result in results
    )
    yield at_most("no invisible character leaves", seen, 2 * len(sent.letters), 0.0)


def _secrets(name: str, thing: str) -> list[str]:
    """The parts of a thing that must not be seen again, as they are searched for."""
    folded = thing.casefold()
    if name == "mail":
        return folded.partition("@")[0].split(".")
    return folded.split() if name in _SPELT else [folded]


def _freshness(sent: Sent) -> Iterator[Promise]:
    """A thing has another surrogate in every release, of the same text and of others."""
    for name in sent.new:
        equal = sum(a[name] == b[name] for a, b in zip(sent.first, sent.second, strict=True))
        text = f"a second release gives the {name} another surrogate"
        yield at_most(text, equal, len(sent.first), _chance(name))
        equal = sum(became == after for _, became, after in sent.pairs((name,)))
        text = f"another text gives its {name} another surrogate"
        yield at_most(text, equal, 2 * len(sent.alike[name]), _chance(name))
    if not {"shared", "number"} <= sent.hidden:
        return
    equal = trials = 0
    for became in (sent.first, sent.second):
        for variant in range(SHARED):
            own = [
                found["shared"]
                for letter, found in zip(sent.letters, became, strict=True)
                if letter.variant == variant
            ]
            equal += sum(a == b for a, b in zip(own[::2], own[1::2], strict=False))
            trials += len(own) // 2
    yield at_most("one person has another surrogate in every text", equal, trials, LUCK)
    drawn = [found["number"] for found in sent.first + sent.second]
    repeats, pairs = len(drawn) - len(set(drawn)), len(drawn) * (len(drawn) - 1) // 2
    yield at_most("no account number is drawn twice", repeats, pairs, 1e-8)


def _chance(name: str) -> float:
    return 0.01 if name in ("phone", "code", "rare") else LUCK


def _equality(sent: Sent) -> Iterator[Promise]:
    """Equal things become equal, in the task too; different ones do not."""
    if not {"person", "again", "other"} <= sent.hidden:
        return
    both = sent.first + sent.second
    trials = len(both)
    unlike = sum(found["person"] != found["again"] for found in both)
    yield at_most("one person has two surrogates in a text", unlike, trials, _MISSED)
    same = sum(found["person"] == found["other"] for found in both)
    yield at_most("two people have one surrogate", same, trials, LUCK)
    whole = len(_kinds(sent.letters[0], sent.results[0][0])["owner"]) == 1  # with its 's
    if "owner" in sent.hidden and whole:
        unlike = sum(found["owner"] != found["person"].split()[-1] + "'s" for found in both)
        yield at_most("a possessive is that of another surrogate", unlike, trials, _MISSED)
    results = [result for each in sent.results for result in each]
    unlike = sum(
        found["person"] not in (result.task or "")
        for found, result in zip(both, results, strict=True)
    )
    yield at_most("the task names a person otherwise than the text", unlike, trials, _MISSED)


def _likeness(sent: Sent, key: bytes) -> Iterator[Promise]:
    """Letters and figures are shared no more often than by things of other letters."""
    names = tuple(name for name in _SPELT if name in sent.hidden)
    spelt = [(_local(a), _local(b), _local(c)) for a, b, c in sent.pairs(names)]
    own, cross = (sum(bool(_runs(p[0]) & _runs(p[n])) for p in spelt) for n in (1, 2))
    count = len(spelt)
    yield no_likelier(f"no {_RUN} letters of a name come back", own, count, cross, count)
    for where, place in (("first", 0), ("last", -1)):
        own, cross = (sum(p[0][place] == p[n][place : place + 1 or None] for p in spelt)
                      for n in (1, 2))  # fmt: skip
        yield no_likelier(f"no {where} letter comes back", own, count, cross, count)
    own, cross = (sum(len(p[0]) == len(p[n]) for p in spelt) for n in (1, 2))
    yield no_likelier("the length of a name does not show", own, count, cross, count)
    for name in (name for name in _FIGURES if name in sent.hidden):
        places = [
            (a == b, a == c)
            for old, new, other in sent.pairs((name,))
            for a, b, c in zip(old.split(), new.split(), other.split(), strict=False)
        ] if name == "date" else [
            (a == b, a == c)
            for old, new, other in sent.pairs((name,))
            for a, b, c in zip(old, new, other, strict=False)
            if a.isalnum()
        ]  # fmt: skip
        own, cross = (sum(place[n] for place in places) for n in (0, 1))
        yield no_likelier(f"no figure of a {name} comes back", own, len(places), cross, len(places))
    yield from _information(sent, spelt, key)


def _information(sent: Sent, spelt: list[tuple[str, str, str]], key: bytes) -> Iterator[Promise]:
    """Nothing about a name can be learnt from its surrogate, by any rule tried here."""
    halves = [(_half(old[0]), _half(new[:1] or "a")) for old, new, _ in spelt]
    yield unrelated("first letters tell nothing of each other", *_columns(halves), key)
    sums = [(sum(map(ord, old)) % 3, sum(map(ord, new)) % 3) for old, new, _ in spelt]
    yield unrelated("spellings tell nothing of each other", *_columns(sums), key)
    if "shared" not in sent.hidden:
        return
    shared = [
        (sent.letters[number].variant, became[number]["shared"])
        for became in (sent.first, sent.second)
        for number in sent.alike["shared"]
    ]
    ranked = {name: n for n, name in enumerate(sorted({name for _, name in shared}))}
    quarters = [(who, 4 * ranked[name] // len(ranked)) for who, name in shared]
    yield unrelated("of several people each has any surrogate", *_columns(quarters), key)


def _columns(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [one for one, _ in pairs], [two for _, two in pairs]


def _half(letter: str) -> int:
    return int(letter > "m")


def _local(name: str) -> str:
    """As it is compared; of an address, the part before the host."""
    return name.casefold().partition("@")[0]


def _runs(name: str) -> set[str]:
    return {name[at : at + _RUN] for at in range(len(name) - _RUN + 1)}


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
        yield at_most("a name in a reply does not come back", trials - named, trials, _MISSED)


def _honesty(results: list[Result], policy: Policy) -> Iterator[Promise]:
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


def labelled(sent: Sent, detectors: Sensitivity) -> Promise:
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
