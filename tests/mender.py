"""Repairing models for tests: one that behaves, and ones that do what models do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from privstamp.errors import StageFailed


class Mender:
    """Applies a function to each window, and remembers what it was shown."""

    place = "this machine"
    repeatable = True
    fingerprint = "ab" * 32

    def __init__(self, change: Callable[[str], str], name: str = "mender") -> None:
        self.name = name
        self._change = change
        self.shown: list[str] = []
        self.rounds: list[bool] = []

    def rewrite(self, windows: Sequence[str], *, again: bool = False) -> list[str]:
        self.shown += windows
        self.rounds.append(again)
        return [self._change(window) for window in windows]


def crashes(_window: str) -> str:
    raise ValueError("SECRET-IN-ERROR")


def is_down(_window: str) -> str:
    raise StageFailed("the endpoint at example.com did not answer")


def hangs(_window: str) -> str:
    time.sleep(3)
    return "late"
