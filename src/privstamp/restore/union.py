"""One map of many releases that share their surrogates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from privstamp.restore.entry import Entry

NOTED: Final = 64
"""Places of a short surrogate whose neighbours are noted."""


class Entries:
    """PRIVATE. Grows release by release."""

    def __init__(self) -> None:
        self._meanings: dict[str, dict[str, Entry]] = {}  # by surrogate, then by original

    def __len__(self) -> int:
        return sum(map(len, self._meanings.values()))

    def __repr__(self) -> str:
        return f"Entries(private, {len(self)})"

    def add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            alike = self._meanings.setdefault(entry.surrogate, {})
            known = alike.get(entry.original)
            if known is None:
                alike[entry.original] = entry
            elif len(known.beside) < NOTED and not set(entry.beside) <= set(known.beside):
                beside = tuple(dict.fromkeys((*known.beside, *entry.beside)))[:NOTED]
                alike[entry.original] = replace(known, beside=beside)

    def all(self) -> Iterator[Entry]:
        """Everything that was added."""
        for alike in self._meanings.values():
            yield from alike.values()

    def __iter__(self) -> Iterator[Entry]:
        """A word that stood for a whole name in one release, and for itself in another, stands
        for itself."""
        for alike in self._meanings.values():
            for original, entry in alike.items():
                if not any(_holds(original, other) for other in alike if other != original):
                    yield entry


def _holds(name: str, part: str) -> bool:
    """Whether a name has words more than this part of it.

    >>> _holds("Fishers' Council", "Fishers'"), _holds("Fishery", "Fish")
    (True, False)
    """
    return f" {part} " in f" {name} "
