"""How long each stage of a release took: a watcher of `Privatizer`. Holds no text."""

from __future__ import annotations

import time


class Stages:
    """Adds up the seconds between the names it is told."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stage = ""
        self._since = 0.0

    def __call__(self, stage: str, _done: float) -> None:
        if stage == self._stage:
            return
        now = time.perf_counter()
        if self._stage:
            self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = stage, now

    def end(self) -> dict[str, float]:
        """Seconds by stage, now that the last one is over."""
        self("", 1.0)
        return self.seconds
