"""Texts whose every secret is invented and stands where it can be read off a release.

A letter has one thing at the end of each line, after a comma: lines and commas stay, so a release
is read by itself, without asking the line what it did. `SentLetters` went
through a line twice; it holds what became of their things as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.lab.audit.subject import promised, traced
from privstamp.noise import Lane, Noise, Randomness
from privstamp.policy import Policy
from privstamp.result import Result, Trace

HIDDEN: Final = "\u200b"
"""A character that nobody sees."""
_STARTS: Final = ("br", "dr", "gl", "kr", "qu", "tr", "v", "z", "pl", "th", "sk", "fl")
_MIDDLES: Final = ("a", "e", "i", "o", "u", "oa", "ei", "ou")
_ENDS: Final = ("bb", "ck", "lm", "ndz", "rg", "stv", "xt", "zz", "ft", "mp", "rq", "lv")
_MONTHS: Final = ("January", "February", "March", "April", "May", "June", "July",
                  "August", "September", "October", "November", "December")  # fmt: skip
LINES: Final = {
    "person": "The letter about the garden came from our friend, {}",
    "other": "The book about the river came from our teacher, {}",
    "mail": "Please send the report about the water to this address, {}",
    "number": "The letter about the house has the account number, {}",
    "phone": "Please call about the letter on this number, {}",
    "date": "The teacher wrote about the garden on this day, {}",
    "code": "The report about the river has the reference number, {}",
    "rare": "The teacher wrote in the letter about the, {}",
    "again": "The report about the house came from our friend, {}",
    "owner": "The house near the river is, {}",
    "shared": "The letter about the water came from our teacher, {}",
}
"""A line for each thing. `again` is the person once more, `owner` the same with a possessive, and
`shared` one of a few people who are in all letters."""
SHARED: Final = 4
TASK: Final = "What came from our friend, {}"
FRAME: Final = tuple(dict.fromkeys(
    word for line in (*LINES.values(), TASK) for word in line.lower().split(", ")[0].split()
))  # fmt: skip
"""The public words around the secrets."""
NEW: Final = ("person", "other", "mail", "number", "phone", "date", "code", "rare")
"""Things that every letter has of its own."""


@dataclass(frozen=True, repr=False)
class Letter:
    """A text, the task beside it, and its things by name."""

    text: str
    task: str
    things: dict[str, str] = field(repr=False)
    variant: int  # which of the shared people it has

    def read(self, release: str) -> dict[str, str] | None:
        """What each thing became; None if the lines are not where they were."""
        lines = release.split("\n")
        if len(lines) != len(self.things) or any(", " not in line for line in lines):
            return None
        ends = (line.rsplit(", ", 1)[1] for line in lines)
        return dict(zip(self.things, ends, strict=True))


class Dice:
    """A long row of random numbers, by its key always the same."""

    def __init__(self, key: bytes, rows: int, columns: int) -> None:
        words = Noise.of_document(key, np.arange(rows)).words(columns, Lane.CHOICE)
        self._words = iter(words.flat)

    @classmethod
    def of(cls, purpose: str) -> Dice:
        """The same canaries for whoever repeats the audit."""
        key = Randomness.make(seed=20261118).key(b"audit canaries", purpose.encode())
        return cls(key, 64, 4096)

    def below(self, limit: int) -> int:
        return int(next(self._words)) % limit

    def pick(self, values: tuple[str, ...]) -> str:
        return values[self.below(len(values))]

    def word(self, syllables: int = 2) -> str:
        """A word that can be said and that nobody has."""
        spelt = "".join(self.pick(_STARTS) + self.pick(_MIDDLES) for _ in range(syllables))
        return spelt + self.pick(_ENDS)

    def name(self) -> str:
        return f"{self.word().capitalize()} {self.word().capitalize()}"

    def digits(self, form: str) -> str:
        return "".join(str(self.below(10)) if sign == "0" else sign for sign in form)


@cache
def letters(count: int) -> tuple[Letter, ...]:
    """So many letters, all different."""
    dice = Dice.of("letters")
    people = [dice.name() for _ in range(SHARED)]
    return tuple(_letter(dice, people[number % SHARED], number % SHARED) for number in range(count))


def _letter(dice: Dice, shared: str, variant: int) -> Letter:
    person = dice.name()
    day, month = dice.below(28) + 1, dice.pick(_MONTHS)
    things = {
        "person": person,
        "other": dice.name(),
        "mail": f"{dice.word()}.{dice.word()}@example.org",
        "number": "7" + dice.digits("00000000"),
        "phone": dice.digits("+1 415 555 0000"),
        "date": f"{day} {month} {2001 + dice.below(28)}",  # of one era, which shows
        "code": f"{dice.word()[:2].upper()}-{dice.digits('00000')}-{dice.word()[:2].upper()}",
        "rare": dice.word(3),
        "again": person,
        "owner": person.split()[1] + "'s",
        "shared": shared,
    }
    lines = [LINES[name].format(thing) for name, thing in things.items()]
    lines[0] = lines[0].replace("garden", f"gar{HIDDEN}den")
    return Letter("\n".join(lines), TASK.format(person), things, variant)


def crowd(count: int) -> str:
    """Many people in one text, one in each line: nobody's surrogate may be another's."""
    dice = Dice.of("crowd")
    return "\n".join(LINES["person"].format(dice.name()) for _ in range(count))


_NEARLY: Final = 0.9
Things: TypeAlias = list[dict[str, str]]


@dataclass(frozen=True, repr=False)
class SentLetters:
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
    ) -> SentLetters:
        read = [
            [letter.read(result.text) for letter, result in zip(letters, results, strict=True)]
            for results in (batch, calls)
        ]
        torn = sum(thing is None for things in read for thing in things)
        complete = [n for n in range(len(letters)) if None not in (read[0][n], read[1][n])]
        first, second = ([things[n] or {} for n in complete] for things in read)
        kept = tuple(letters[n] for n in complete)
        results = tuple(batch[n] for n in complete), tuple(calls[n] for n in complete)
        return cls(kept, results, first, second, torn, _hidden(kept, results[0], policy))

    @property
    def new(self) -> tuple[str, ...]:
        """Hidden things that every letter has of its own."""
        return tuple(name for name in NEW if name in self.hidden)

    @cached_property
    def alike(self) -> dict[str, list[int]]:
        """For each thing, the letters in which its labels are those that it has most often."""
        kinds = [kinds_of(letter, result) for letter, result in self._once()]
        usual = {name: Counter(kind[name] for kind in kinds).most_common(1)[0][0] for name in LINES}
        return {
            name: [n for n, kind in enumerate(kinds) if kind[name] == usual[name]] for name in LINES
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
    trace = traced(result)
    findings = trace.grouping.findings
    return {
        name: tuple(
            "" if span < 0 else findings[span].kind
            for span in trace.grouping.spans[inside].tolist()
        )
        for name, inside in _standing(letter, trace)
    }


def _standing(letter: Letter, trace: Trace) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """Each thing, and the units that it stands in."""
    last = -1
    for name, line in zip(letter.things, trace.units.text.split("\n"), strict=True):
        last += 1 + len(line)
        start = last - len(letter.things[name])
        yield name, (trace.units.ends > start) & (trace.units.starts < last)


def _hidden(
    letters: tuple[Letter, ...], results: tuple[Result, ...], policy: Policy
) -> frozenset[str]:
    """What is replaced in nearly all letters; where detectors miss more, nothing is promised."""
    hidden: Counter[str] = Counter()
    for letter, result in zip(letters, results, strict=True):
        trace = traced(result)
        gone = promised(trace, policy) == 0
        for name, inside in _standing(letter, trace):
            hidden[name] += bool(gone[inside].all())
    return frozenset(name for name, times in hidden.items() if times >= _NEARLY * len(letters))
