"""PRIVATE. Which surrogate stands for which thing: of one document, or carried through many."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from privstamp.mechanisms.closed import class_of
from privstamp.mechanisms.dates import Days
from privstamp.mechanisms.identifier import Identifiers
from privstamp.mechanisms.mail import Person
from privstamp.restore.entry import short


class Drawn(NamedTuple):
    """A surrogate: what it was drawn as, the string, and whether it has the form of what it is
    for."""

    name: str
    string: str
    shaped: bool


@dataclass(repr=False)
class Pseudonyms:
    """What was drawn so far under one key. `carried` through many texts, things of small pools
    keep their surrogate for one paragraph only: over many, a table of ten digits is a cipher."""

    key: bytes
    carried: bool = False
    drawn: dict[str, Drawn] = field(default_factory=dict)  # by original, as it is compared
    taken: set[str] = field(default_factory=set)  # words that were released, or drawn
    entities: dict[str, int] = field(default_factory=dict)  # how many of each type
    people: dict[Person, None] = field(default_factory=dict)  # in order of their first mention
    days: Days = field(default_factory=Days)
    identifiers: Identifiers | None = None  # keys and tags of structured texts

    def __repr__(self) -> str:
        return f"Pseudonyms(private, {len(self.drawn)} things)"

    def branch(self) -> Pseudonyms:
        """A copy that goes its own way; keys and tags are drawn in turn, so they stay together."""
        return Pseudonyms(
            self.key,
            self.carried,
            dict(self.drawn),
            set(self.taken),
            dict(self.entities),
            dict(self.people),
            self.days.branch(),
            self.identifiers,
        )

    def small(self, original: str, *, named: bool) -> bool:
        """Whether it is of a pool too small to be carried: a number of one or two digits, a month,
        a weekday, a number word. What is `named`, a person say, is none of the words."""
        return self.carried and (short(original) or not (named or class_of(original) is None))
