"""Outputs of every class in public sets of similar rows: what `clusters` and `custext` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from privstamp.mechanisms._discrete import Discrete
from privstamp.mechanisms._laws import Index, Key, Law
from privstamp.protocols import Space
from privstamp.spaces.balanced import Labels, balanced_clusters
from privstamp.spaces.hops import Representatives


class Partitioned(Discrete):
    """A law depends on the set of a row: its own if the row may leave, or else that of the output
    that stands for it. Rows that are met for the first time are looked up together."""

    together: ClassVar[int] = 1024

    def __init__(self, space: Space, metric: str, size: int, outside: Representatives) -> None:
        super().__init__(space, metric)
        self._labels = balanced_clusters(space, size)
        self._members = tuple(_by_label(labels) for labels in self._labels)
        self._representatives = outside

    def members(self, row: int) -> Index:
        """Places, among the outputs of the row's class, of the set that the row belongs to."""
        number = int(self._space.class_of[row])
        place = self._representatives.places(np.array([row], dtype=np.int32))[0]
        members: Index = self._members[number][self._labels[number][place]]
        return members

    def _made(self, keys: Sequence[Key]) -> list[Law]:
        self._representatives.places(np.array([row for row, _ in keys], dtype=np.int32))
        return super()._made(keys)


def _by_label(labels: Labels) -> tuple[Index, ...]:
    """The places of each label, ascending."""
    order = np.argsort(labels, kind="stable")
    return tuple(np.split(order, np.flatnonzero(np.diff(labels[order])) + 1))
