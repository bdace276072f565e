"""Where in a hostile reply a value may stand: in text that a person reads, and nowhere else."""

from __future__ import annotations

from privstamp.restore.addresses import Chunks, around
from privstamp.restore.contents import Contents
from privstamp.restore.formulas import formulas
from privstamp.restore.labels import Labels
from privstamp.restore.links import Definitions, Images, Targets
from privstamp.restore.machine import AHEAD, Machine
from privstamp.restore.markup import Tags
from privstamp.restore.senders import Senders
from privstamp.restore.stretches import stretches


class Places:
    """All machines side by side. Reads on to a string and says what kind of place it stands in."""

    def __init__(self) -> None:
        self._machines: list[Machine] = [
            Chunks(),
            Targets(),
            Images(),
            Definitions(),
            Labels(),
            Tags(),
            Senders(),
            *formulas(),
            *stretches(),
        ]
        self._contents = Contents()
        self._edge = 0  # characters of an edge beyond the last stop

    @property
    def active(self) -> bool:
        """Whether anything so far computes or sends."""
        opened = {machine.opened for machine in (self._contents, *self._machines)}
        return not opened.isdisjoint(("script", "formula"))

    def read(self, text: str, start: int, stop: int) -> None:
        """Elements are closed only by what stands in plain text, so all others read up to that."""
        read, at = start, start + self._edge
        while at < stop and (edge := self._contents.edge(text, at, stop)) is not None:
            self._contents.read(text, at, edge.start())
            plain = False
            if self._contents.closes(edge):
                self._read(text, read, edge.start())
                read = max(read, edge.start())
                plain = self._other(text, read) is None
            self._contents.take(edge, plain=plain)
            at = edge.end()
        if at < stop:
            self._contents.read(text, at, stop)
        self._edge = max(0, at - stop)
        self._read(text, read, stop)

    def _read(self, text: str, start: int, stop: int) -> None:
        if start < stop:
            for machine in self._machines:
                machine.read(text, start, stop)

    def _other(self, text: str, at: int) -> str | None:
        """The place by all machines but the elements."""
        places = (machine.place(text, at) for machine in self._machines)
        return next((place for place in places if place is not None), None)

    def of(self, text: str, start: int, end: int) -> str | None:
        """The place of text[start:end], where reading stopped at its start; nothing if plain."""
        beside = around(text, start, end, start + AHEAD)
        if beside is not None:
            return beside
        return self._contents.place(text, start) or self._other(text, start)
