"""A text of any size, in parts of bounded size that share their surrogates: one map, one
certificate, and memory for what is distinct in it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privstamp.batch.cuts import CutPart, parts
from privstamp.errors import StageFailed, UsageError
from privstamp.pipeline import Privatizer
from privstamp.release.certificate import Certificate
from privstamp.release.document import Chosen, Document
from privstamp.release.roster import Roster
from privstamp.release.total import Account, Total
from privstamp.restore.entry import Undo
from privstamp.restore.map import Entries
from privstamp.result import Failure

NOTE = (
    "read in {parts} parts: names, identifiers and dates keep one surrogate through all of them, "
    "numbers of one or two digits, months, weekdays and number words within a paragraph; a word "
    "that is randomised is drawn once in each part, and all draws are counted"
)
_SHIFT = 32
"""Units of a part are fewer than 2 to this: every unit of the text has its own noise."""


@dataclass(frozen=True)
class Counted:
    """Addresses of a part: every unit of the text has its own number."""

    first: int
    noise: bytes

    def positions(self, document: Chosen) -> npt.NDArray[np.int64]:
        return np.arange(len(document.units)) + self.first

    def row(
        self,
        document: Chosen,
        unit: int,
        released: str,  # noqa: ARG002  (unique as it is)
        draw: Callable[[int], int],
    ) -> int:
        return draw(int(document.positions[unit]))


class Large:
    """One release. `released` gives its parts: none of them may leave before all have come."""

    def __init__(self, privatizer: Privatizer) -> None:
        if privatizer.parts.repair is not None:
            raise UsageError("a text in parts is not repaired: take a policy without [repair]")
        self._privatizer = privatizer
        self._pseudonyms = privatizer.pseudonyms()
        self._roster = Roster()
        self._total = Total(privatizer.fingerprint_key)
        self.entries = Entries()  # PRIVATE, for the map

    def released(self, pieces: Iterable[str]) -> Iterator[tuple[str, Undo]]:
        """Each part as released, and how it is undone."""
        for number, part in enumerate(parts(pieces, self._privatizer.policy.format)):
            yield self._release(number, part)

    def _release(self, number: int, part: CutPart) -> tuple[str, Undo]:
        given = Document(
            number,
            part.text,
            None,
            format=part.format,
            header=part.header,
            pseudonyms=self._pseudonyms,
            roster=self._roster,
            address=Counted(number << _SHIFT, self._pseudonyms.key),
        )
        [document] = self._privatizer.run([given])
        if isinstance(document, Failure):
            raise document.error
        self._roster.learn(document.text, document.findings)
        self.entries.add(document.result.map.entries)
        self._total.add(Account.of(document, self._privatizer.parts))
        [exact] = document.result.map.releases
        if not isinstance(exact, Undo):
            raise StageFailed("a part was released in parts; nothing was released")
        return document.result.text, exact

    @property
    def certificate(self) -> Certificate:
        """Of all parts that have come."""
        return self._total.certificate(NOTE.format(parts=self._total.parts))
