"""What a detector found and how important units are, remembered by text. PRIVATE: it holds texts.

Evaluation only: there the same texts come back in every cell. The seconds that were spent the
first time are remembered too, so that a stage costs in the records what it costs its user.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from privstamp.protocols import Across, Importance, Sensitivity
from privstamp.types import Finding, Scores, Units

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Values by key, and the seconds that each took."""

    def __init__(self) -> None:
        self._values: dict[K, V] = {}
        self._seconds: dict[K, float] = {}

    def __repr__(self) -> str:
        return f"Memory(private, {len(self._values)} texts)"

    def missing(self, keys: Sequence[K]) -> list[int]:
        """Places of the keys that are not known, each key once."""
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        return sorted(place for key, place in first.items() if key not in self._values)

    def keep(
        self, keys: Sequence[K], values: Sequence[V], sizes: Sequence[int], since: float
    ) -> None:
        """What was worked out since then; the time is shared out by size."""
        spent = time.perf_counter() - since
        total = max(sum(sizes), 1)
        for key, value, size in zip(keys, values, sizes, strict=True):
            self._values[key] = value
            self._seconds[key] = spent * size / total

    def value(self, key: K) -> V:
        return self._values[key]

    def seconds(self, key: K) -> float:
        return self._seconds.get(key, 0.0)


class RememberedSensitivity:
    """A detector that reads every text once."""

    def __init__(self, part: Sensitivity) -> None:
        self.name, self.scope, self.fingerprint = part.name, part.scope, part.fingerprint
        self._part = part
        self.memory: Memory[str, list[Finding]] = Memory()

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        texts = [units.text for units in batch]
        new = [batch[place] for place in self.memory.missing(texts)]
        if new:
            since = time.perf_counter()
            found = self._part.find(new)
            self.memory.keep([one.text for one in new], found, [len(one) for one in new], since)
        return [list(self.memory.value(text)) for text in texts]


class _RememberedAcross(RememberedSensitivity):
    """One that also looks for the names of one text in another."""

    def __init__(self, part: Sensitivity, across: Across) -> None:
        super().__init__(part)
        self.across = across.across


def remembered(part: Sensitivity) -> RememberedSensitivity:
    """The detector with a memory, able to do all it was able to do."""
    return (
        _RememberedAcross(part, part) if isinstance(part, Across) else RememberedSensitivity(part)
    )


class RememberedImportance:
    """A method that scores every pair of text and task once, whatever the thresholds."""

    def __init__(self, part: Importance) -> None:
        self.name, self.scope, self.fingerprint = part.name, part.scope, part.fingerprint
        self._part = part
        self.memory: Memory[tuple[str, str | None], Scores] = Memory()

    def at(self, tau: float) -> RememberedImportance:
        """The same scores under another threshold."""
        return _Threshold(self, tau)

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        keys = [(units.text, task) for units, task in zip(batch, tasks, strict=True)]
        new = self.memory.missing(keys)
        if new:
            since = time.perf_counter()
            units = [batch[place] for place in new]
            scores = self._part.score(units, [tasks[place] for place in new])
            sizes = [len(one) for one in units]
            self.memory.keep([keys[place] for place in new], scores, sizes, since)
        return [self.memory.value(key) for key in keys]


class _Threshold(RememberedImportance):
    def __init__(self, scored: RememberedImportance, tau: float) -> None:
        super().__init__(scored)
        self.fingerprint = f"{scored.fingerprint} tau {tau:g}"
        self.memory = scored.memory
        self._tau = tau

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        """A remark says that there is nothing to score: no threshold is reached then."""
        scores = self._part.score(batch, tasks)
        return [one if one.note else replace(one, threshold=self._tau) for one in scores]
