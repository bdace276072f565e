"""What a caller gets back: a Result, or a Failure in its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from privstamp.certificate import Certificate
from privstamp.errors import PrivstampError
from privstamp.grouping import Grouping
from privstamp.restore.map import SurrogateMap
from privstamp.types import Epsilons, Ids, Scores, Units


@dataclass(frozen=True, repr=False, eq=False)
class Trace:
    """PRIVATE. What happened to every unit; made on request only, never logged."""

    units: Units
    grouping: Grouping
    scores: Scores
    epsilon: Epsilons  # as applied: 0 replaced, inf released
    rows: Ids  # output row, UNKNOWN where the unit was replaced or released
    surfaces: list[str]  # what each unit became; empty inside a replaced span
    task: list[str] = field(default_factory=list)  # what each line of the task became

    def __repr__(self) -> str:
        return f"Trace(private, {len(self.units)} units)"


@dataclass(frozen=True, repr=False, slots=True)
class Change:
    """PRIVATE. One replaced span: where it was, where its surrogate is, and why. No text."""

    start: int  # in the original
    end: int
    released_start: int  # in the release, before a repair
    released_end: int
    kind: str
    rule: str
    source: str

    def __repr__(self) -> str:
        return f"Change(private, {self.kind} by {self.source})"


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """One release. `text` and `task` are safe to send, `certificate` safe to keep.

    `task` has the surrogates of the text. Who knows the original task can tell from the two which
    of its entities the text mentions.
    """

    text: str
    task: str | None
    certificate: Certificate
    map: SurrogateMap  # private
    changes: tuple[Change, ...] = ()  # private: what was replaced in the text, and why
    trace: Trace | None = None  # private
    unrepaired: str | None = None  # the text before repair, where the policy has one

    def __repr__(self) -> str:
        return f"Result({self.certificate.counts.units} units, {len(self.map)} in the private map)"

    @property
    def ok(self) -> bool:
        return True

    def restore(self, reply: str, *, trusted: bool = False) -> str:
        """Put back, locally, what the surrogates in an answer stood for. The outcome is private.

        `trusted` is for text of one's own: `restore(result.text, trusted=True)` is the original.
        """
        return self.map.restore(reply, trusted=trusted)


@dataclass(frozen=True)
class Failure:
    """A document that was not released, in the place of its result."""

    index: int
    error: PrivstampError

    @property
    def ok(self) -> bool:
        return False
