"""Outputs of every class in public sets of similar rows: what `clusters` and `custext` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privstamp.mechanisms._discrete import Discrete
from privstamp.mechanisms._laws import Index, Key, Law
from privstamp.protocols import Space
from privstamp.spaces.balanced import Labels, balanced_clusters
from privstamp.spaces.hops import Representatives
from privstamp.types import Ids


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

    def _sets(self, number: int) -> tuple[Index, ...]:
        """The sets of a class, in the order of their first members."""
        return tuple(sorted(self._members[number], key=lambda members: int(members[0])))

    def _together(self, ids: Ids, others: Ids) -> npt.NDArray[np.bool_]:
        """Whether both of a pair are in one set."""
        same: npt.NDArray[np.bool_] = self._set_of(ids) == self._set_of(others)
        return same

    def _set_of(self, ids: Ids) -> npt.NDArray[np.int64]:
        """Number of each row's set, inside its class."""
        places, numbers = self._representatives.places(ids), self._space.class_of[ids]
        found = np.empty(len(ids), dtype=np.int64)
        for number in np.unique(numbers).tolist():
            mine = numbers == number
            found[mine] = self._labels[number][places[mine]]
        return found

    def _made(self, keys: Sequence[Key]) -> list[Law]:
        self._representatives.places(np.array([row for row, _ in keys], dtype=np.int32))
        return super()._made(keys)


def _by_label(labels: Labels) -> tuple[Index, ...]:
    """The places of each label, ascending."""
    order = np.argsort(labels, kind="stable")
    return tuple(np.split(order, np.flatnonzero(np.diff(labels[order])) + 1))
