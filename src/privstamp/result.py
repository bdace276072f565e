"""What a caller gets back: a Result, or a Failure in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack

from privstamp.errors import PrivstampError
from privstamp.release.certificate import Certificate
from privstamp.release.groups import Grouping
from privstamp.restore.map import SurrogateMap
from privstamp.restore.outcome import Choice, Restored
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
    """The release: safe to send."""
    task: str | None
    """The task with the same surrogates: safe to send beside it."""
    certificate: Certificate
    """What was promised, counted and left visible: safe to keep."""
    map: SurrogateMap
    """Private: what stands for what."""
    changes: tuple[Change, ...] = ()
    """Private: what was replaced in the text, and why."""
    trace: Trace | None = None
    """Private: what happened to every unit, if it was asked for."""
    unrepaired: str | None = None
    """The text before repair, where the policy has one."""

    def __repr__(self) -> str:
        return f"Result({self.certificate.counts.units} units, {len(self.map)} in the private map)"

    @property
    def ok(self) -> bool:
        return True

    def restore(self, reply: str, **choice: Unpack[Choice]) -> str:
        """Put back, locally, what the surrogates in an answer stood for. The outcome is private.

        Values go into text that a person reads, never into links, markup, formulas or other places
        that a program follows; secrets only if `kinds` names theirs. `allow` has exceptions, as
        "PERSON:url"; a reply in JSON needs `format="json"`. `trusted` is for text of one's own:
        `restore(result.text, trusted=True)` is the original.
        """
        return self.map.restore(reply, **choice)

    async def arestore(self, reply: str, **choice: Unpack[Choice]) -> str:
        """`restore` in a thread, for code that must not wait."""
        from asyncio import to_thread  # not at the start of every command

        return await to_thread(partial(self.restore, reply, **choice))

    def restored(self, reply: str, **choice: Unpack[Choice]) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        return self.map.restored(reply, **choice)

    def restore_arguments(
        self, arguments: str, schema: Mapping[str, Any] | None = None, *, allow: Iterable[str] = ()
    ) -> str:
        """JSON arguments of a tool call with values put back, one by one, escaped as JSON."""
        return self.map.restore_arguments(arguments, schema, allow=allow)


@dataclass(frozen=True)
class Failure:
    """A document that was not released, in the place of its result."""

    index: int
    error: PrivstampError

    @property
    def ok(self) -> bool:
        return False
