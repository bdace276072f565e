"""Letters that went through a line twice, and what became of their things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from privstamp.lab.audit.canaries import LINES, NEW, Letter
from privstamp.lab.audit.subject import promised, traced
from privstamp.policy import Policy
from privstamp.result import Result

_NEARLY: Final = 0.9
Things: TypeAlias = list[dict[str, str]]


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
        kinds = [kinds_of(letter, result) for letter, result in self._once()]
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


def kinds_of(letter: Letter, result: Result) -> dict[str, tuple[str, ...]]:
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
