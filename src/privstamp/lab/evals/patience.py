"""How long a run puts up with a model elsewhere that does not answer.

Whoever asks it fails now; the next to ask waits first, longer each time. After a few failures in a
row the model is given up, so that a dead one does not hold up every cell. One that only has too
many requests is alive, however long that lasts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from privstamp.errors import NoAnswer, StageFailed, TooManyRequests
from privstamp.models.closing import Closing
from privstamp.protocols import Answerer
from privstamp.types import Prompt, Reply, Usage

PAUSES: Final = (15.0, 60.0, 180.0)
"""Seconds before it is asked again, after one failure, two, and so on."""
LONGEST: Final = 300.0
GIVEN_UP: Final = 3
"""Failures in a row after which a silent model is not asked any more."""


class Patient(Closing):
    """The model, asked with patience. `wait` is what passes the time."""

    def __init__(self, model: Answerer, *, wait: Callable[[float], object] = time.sleep) -> None:
        self.name, self.fingerprint, self.place = model.name, model.fingerprint, model.place
        self._model, self._wait = model, wait
        self._failures = 0  # in a row
        self._silences = 0  # those of them since the last sign of life
        self._again = 0.0  # when it may be asked again

    @property
    def usage(self) -> Usage:
        return self._model.usage

    def close(self) -> None:
        self._model.close()

    def complete(
        self, prompts: Sequence[Prompt], *, temperature: float, max_tokens: int
    ) -> list[Reply]:
        """As the model does it, after the pause that its last failures have earned."""
        if self._silences >= GIVEN_UP:
            raise NoAnswer(
                f"{self.place} did not answer {GIVEN_UP} times in a row and is not asked any "
                "more. Run the same command again when it is up"
            )
        if (left := self._again - monotonic()) > 0:
            self._wait(left)
        try:
            replies = self._model.complete(prompts, temperature=temperature, max_tokens=max_tokens)
        except NoAnswer as error:
            self._failed(alive=isinstance(error, TooManyRequests))
            raise
        except StageFailed:  # it said no: that is an answer
            self._answered()
            raise
        self._answered()
        return replies

    def _answered(self) -> None:
        self._failures, self._silences, self._again = 0, 0, 0.0

    def _failed(self, *, alive: bool) -> None:
        self._failures += 1
        self._silences = 0 if alive else self._silences + 1
        self._again = monotonic() + [*PAUSES, LONGEST][min(self._failures - 1, len(PAUSES))]
