"""Which units get a draw of their own, and which share one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privstamp.release.document import Document
from privstamp.release.groups import NO_SPAN
from privstamp.release.parts import Parts
from privstamp.types import Kind

WORDY = (Kind.WORD, Kind.FOREIGN)


def choose_draws(document: Document, parts: Parts, *, once: bool) -> None:
    """Sensitive words are drawn once per document, unless independent draws are asked for.

    Pieces of words are shared only as parts of a repeated entity: shared by themselves, they would
    be a cipher. The smallest epsilon of a word's mentions holds for all of them that have the same
    mechanism: groups 1 and 2 with different ones release a word of both groups twice.
    """
    units, where = document.units, np.flatnonzero(document.perturbed)
    identity = where.astype(np.int64)
    if once:
        groups = document.grouping.groups[where]
        wordy = (groups <= 2) & np.isin(units.kinds[where], WORDY)
        made = list(dict.fromkeys(parts.mechanisms.values()))
        number = np.zeros(5, dtype=np.int64)  # of the mechanism, by group
        for group, mechanism in parts.mechanisms.items():
            number[group] = made.index(mechanism)
        own = units.rows[where].astype(np.int64) * len(number) + number[groups]
        places = _entity_positions(document, number[document.grouping.groups])
        identity = np.where(wordy, -1 - own, places[where])
    _, first, shared = np.unique(identity, return_index=True, return_inverse=True)
    least = np.full(len(first), np.inf)
    np.minimum.at(least, shared, document.epsilon[where])
    document.epsilon[where] = least[shared]
    document.drawn, document.shared = where[first], shared


def _entity_positions(
    document: Document, mechanism: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Each unit's own place; inside an entity that repeats under one mechanism, the first place."""
    places = np.arange(len(document.units), dtype=np.int64)
    spans, rows = document.grouping.spans, document.units.rows
    numbers, firsts, sizes = np.unique(spans, return_index=True, return_counts=True)
    seen: dict[bytes, int] = {}
    for first, size in zip(firsts[numbers != NO_SPAN], sizes[numbers != NO_SPAN], strict=True):
        entity = bytes([mechanism[first]]) + rows[first : first + size].tobytes()
        earlier = seen.setdefault(entity, int(first))
        places[first : first + size] = np.arange(earlier, earlier + size)
    return places
