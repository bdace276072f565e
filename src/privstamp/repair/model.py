"""Repair by a model that answers prompts, on this machine or at an endpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from privstamp.errors import PolicyError
from privstamp.models.answering import BYTES, HUB, open_answerer
from privstamp.protocols import Answerer
from privstamp.repair.windows import AGAIN, SYSTEM
from privstamp.types import HERE, Prompt, Usage

TEMPERATURE: Final = 0.0
TIMEOUT: Final = 120.0
"""Seconds for one window."""
OPENING: Final = 600.0
"""For one window of a model whose weights have to be unpacked first."""


def most_tokens(letters: int) -> int:
    """Of a proposal: as many as a window half as long again may need."""
    return 32 + letters // 2


class ModelRepair:
    """Asks for each window by itself: a fixed instruction, and the window as the question."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        self.name = answerer.name
        self.place = answerer.place
        rows = answerer.name.startswith((HUB, BYTES))  # which share products, and their rounding
        self.repeatable = answerer.place == HERE and not rows
        content = "\0".join((answerer.fingerprint, SYSTEM, AGAIN, str(TEMPERATURE)))
        self.fingerprint = hashlib.sha256(content.encode()).hexdigest()

    def __repr__(self) -> str:
        return f"ModelRepair({self.name!r}, {self.place!r})"

    def rewrite(self, windows: Sequence[str], *, again: bool = False) -> list[str]:
        """One proposal per window."""
        prompts = [Prompt(window, AGAIN if again else SYSTEM) for window in windows]
        longest = max(map(len, windows), default=0)
        replies = self._answerer.complete(
            prompts, temperature=TEMPERATURE, max_tokens=most_tokens(longest)
        )
        return [reply.text for reply in replies]

    @property
    def usage(self) -> Usage:
        """What the model has been asked."""
        return self._answerer.usage

    def close(self) -> None:
        """End the model's process, if it has one; a second call does nothing."""
        self._answerer.close()


def _opened(name: str, **options: Any) -> ModelRepair:
    """The model by name; what a policy says of it is looked at here, since a file may say it."""
    threads, timeout = options.get("threads", 1), options["timeout"]
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise PolicyError("repair.threads is a whole number, 1 or more")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        timeout = 0
    if not 0 < timeout < float("inf"):
        raise PolicyError("repair.timeout is a number of seconds above 0")
    if not isinstance(options.get("model", ""), str | None):
        raise PolicyError("repair.model is the name of a model, as its server calls it")
    return ModelRepair(open_answerer(name, **options))


def here(name: str, *, threads: int = 1, timeout: float = TIMEOUT) -> ModelRepair:
    """An instructed model on this machine: the best that was pulled, one by name, a GGUF file."""
    return _opened(name, threads=threads, timeout=timeout)


def unpacked(name: str, *, threads: int = 1, timeout: float = OPENING) -> ModelRepair:
    """A model of transformers, or a Qwen file through it: many windows at a time; by `hf8:` with
    its weights in bytes, in less time and with slightly other proposals."""
    return _opened(name, threads=threads, timeout=timeout)


def elsewhere(name: str, *, model: str | None = None, timeout: float = TIMEOUT) -> ModelRepair:
    """A model at an OpenAI-compatible URL: its host gets the released text. Without encryption,
    `http:`, for a server on this machine."""
    return _opened(name, model=model, timeout=timeout)
