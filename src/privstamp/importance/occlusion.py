"""Importance by leaving out: how much worse the task can be done without a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, TypeAlias

import numpy as np

from privstamp.errors import PolicyError
from privstamp.importance.shares import (
    NO_TASK,
    TAU,
    Raw,
    check_tau,
    fingerprint,
    nothing,
    text_shares,
)
from privstamp.protocols import Space
from privstamp.types import Scope, Scores, Units

Score: TypeAlias = Callable[[Sequence[str], str], Sequence[float]]
"""From variants of one text and the task to how well the task can be done on each; local!"""
VERSION: Final = "1"
MASK: Final = "..."


class Occlusion:
    """A word is important if `score` falls when it is left out.

    `score` is a function, or "module:function" in a policy file; it sees the text unprotected.
    At most `calls` variants of a text are scored, `batch` at a time: longer texts are left out
    in stretches of several words. The score is the share of the text's own words that matter
    less.
    """

    name = "occlusion"
    scope = Scope.context("what a function makes of the text without the unit")

    def __init__(
        self,
        space: Space,  # noqa: ARG002 - every importance is made for a space
        *,
        score: Score | str,
        tau: float = TAU,
        calls: int = 256,
        batch: int = 32,
    ) -> None:
        self._tau = check_tau(tau)
        for name, value in (("calls", calls), ("batch", batch)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise PolicyError(f"importance: {name} is a whole number, 1 or more")
        self._score = _loaded(score) if isinstance(score, str) else score
        if not callable(self._score):
            raise PolicyError('importance: score is a function, or "module:function"')
        self._calls, self._batch = calls, batch
        place = f"{getattr(self._score, '__module__', '')}:{getattr(self._score, '__name__', '')}"
        self.fingerprint = fingerprint(
            self.name, version=VERSION, tau=self._tau, calls=calls, score=place
        )

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            if not task or not task.strip():
                scores.append(nothing(len(units), NO_TASK))
            else:
                scores.append(Scores(text_shares(self._falls(units, task)), self._tau))
        return scores

    def _falls(self, units: Units, task: str) -> Raw:
        """By how much the score falls without each unit; rises count for nothing."""
        if not len(units):
            return np.zeros(0, dtype=np.float32)
        stretch = -(-len(units) // self._calls)
        firsts = list(range(0, len(units), stretch))
        [whole] = self._asked([units.text], task)
        left: list[float] = []
        for low in range(0, len(firsts), self._batch):
            some = firsts[low : low + self._batch]
            left += self._asked([_without(units, first, stretch) for first in some], task)
        falls = np.repeat(np.maximum(whole - np.array(left), 0), stretch)[: len(units)]
        return falls.astype(np.float32)

    def _asked(self, texts: list[str], task: str) -> list[float]:
        found = [float(value) for value in self._score(texts, task)]
        if len(found) != len(texts) or not np.isfinite(found).all():
            raise ValueError("a score is one finite number for each text")
        return found


def _without(units: Units, first: int, stretch: int) -> str:
    last = min(first + stretch, len(units)) - 1
    return units.text[: units.starts[first]] + MASK + units.text[units.ends[last] :]


def _loaded(place: str) -> Score:
    module, _, name = place.partition(":")
    try:
        found: Score = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        pass
    else:
        return found
    raise PolicyError(f'importance: there is no function "{place}"; write score = "module:name"')
