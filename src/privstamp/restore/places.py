"""Where in a hostile reply a value may stand: in text that a person reads, and nowhere else."""

from __future__ import annotations

from privstamp.restore.addresses import Chunks, around
from privstamp.restore.formulas import formulas
from privstamp.restore.links import Definitions, Images, Targets
from privstamp.restore.machine import AHEAD, Machine
from privstamp.restore.markup import Contents, Tags
from privstamp.restore.stretches import stretches


class Places:
    """All machines side by side. Reads on to a string and says what kind of place it stands in."""

    def __init__(self) -> None:
        self._machines: list[Machine] = [
            Chunks(),
            Targets(),
            Images(),
            Definitions(),
            Tags(),
            Contents(),
            *formulas(),
            *stretches(),
        ]

    def read(self, text: str, start: int, stop: int) -> None:
        for machine in self._machines:
            machine.read(text, start, stop)

    def of(self, text: str, start: int, end: int) -> str | None:
        """The place of text[start:end], where reading stopped at its start; nothing if plain."""
        beside = around(text, start, end, start + AHEAD)
        if beside is not None:
            return beside
        for machine in self._machines:
            place = machine.place(text, start)
            if place is not None:
                return place
        return None
