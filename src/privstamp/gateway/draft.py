"""PRIVATE. A request with holes: what must be privatised is taken out, in order, and put in again
as it may leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from privstamp.sessions.messages import ASSISTANT, PARTICIPANT, Hole, Message, Text


@dataclass(eq=False, repr=False)
class Slot:
    """Where a text stood. Recalled as it was received, or written anew from `texts`."""

    held: str
    """What the client has, by which a reply is known again."""
    texts: tuple[Text, ...]
    write: Callable[[list[str]], Any]
    """What stands there instead, from released texts."""
    received: Callable[[str], Any]
    """The same, from a reply as it was received."""
    sealed: str = ""
    """The path of what must not be altered: it is known, or refused."""
    plain: bool = False
    """Whether it is text that a reply may go on from."""
    out: Any = None


@dataclass(repr=False)
class DraftPart:
    """Texts of one origin that belong together."""

    role: str
    origin: str
    item: int
    participant: str | None = None
    slots: list[Slot] = field(default_factory=list)
    name: str = ""
    """What the participant is called outside."""

    def __repr__(self) -> str:
        return f"Part(private, {self.role})"

    def asked(self) -> Message:
        """For finding replies."""
        texts = tuple(Text(slot.held) for slot in self.slots)
        return Message(self.role, self.origin, texts, {}, self.participant)

    def message(self, slots: list[Slot]) -> Message | None:
        """What is to be released of it."""
        texts = tuple(text for slot in slots for text in slot.texts)
        if not texts and self.participant is None:
            return None
        form = {"texts": [Hole(number) for number in range(len(texts))], "name": PARTICIPANT}
        return Message(self.role, self.origin, texts, form, self.participant)


@dataclass(eq=False, repr=False)
class NamePlace:
    """Where the name of a participant stood."""

    part: DraftPart


class Draft:
    """The parts of a request in order."""

    def __init__(self) -> None:
        self.parts: list[DraftPart] = []
        self.tree: Any = None

    def __repr__(self) -> str:
        return f"Draft(private, {len(self.parts)} parts)"

    def add(self, slot: Slot, role: str, origin: str, item: int) -> Slot:
        self.part(role, origin, item).slots.append(slot)
        return slot

    def part(self, role: str, origin: str, item: int) -> DraftPart:
        """The open part of that origin; replies of several items are one."""
        last = self.parts[-1] if self.parts else None
        if last is not None and last.origin == origin:
            joins = origin == ASSISTANT and last.participant is None
            if joins or last.item == item:
                last.item = item
                return last
        self.parts.append(DraftPart(role, origin, item))
        return self.parts[-1]

    def filled(self) -> Any:
        """All of it, as it leaves."""
        return _filled(self.tree)


def _filled(node: Any) -> Any:
    if isinstance(node, Slot):
        return node.out
    if isinstance(node, NamePlace):
        return node.part.name
    if isinstance(node, Sealed):
        return {**{key: _filled(value) for key, value in node.passed.items()}, **node.slot.out}
    if isinstance(node, dict):
        return {key: _filled(value) for key, value in node.items()}
    return [_filled(value) for value in node] if isinstance(node, list) else node


@dataclass(eq=False, repr=False)
class Sealed:
    """An object that the upstream signed or encrypted, and fields of it that pass."""

    passed: dict[str, Any]
    slot: Slot
