"""The loop of a repair: windows are proposed, checked, asked for once more, and put in place.

Whatever goes wrong, a window stays as it was released, which is private already.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Final, TypeAlias

from privstamp.errors import PolicyError, PrivstampError
from privstamp.models.answering import BYTES, HUB, open_answerer
from privstamp.protocols import Answerer, Repair
from privstamp.repair.checks import AGAIN, SYSTEM, Checks, Span, pattern_of, tidied, windows
from privstamp.types import HERE, Prompt, Usage

Watch: TypeAlias = Callable[[float], None]
BLOCK: Final = 16
"""Windows that are asked for at once; after a block that failed no other is tried."""
PATIENCE: Final = 180.0
"""Seconds per window after which a model is given up that does not keep its own time."""


@dataclass(frozen=True, repr=False)
class Page:
    """A released text, and the strings in it that must stay as they are."""

    text: str
    kept: frozenset[str] = frozenset()


@dataclass(repr=False)
class RepairWindow:
    """One stretch of a page on its way through the loop."""

    page: int
    span: Span
    text: str
    kept: re.Pattern[str] | None
    outcome: str = "failed"  # or repaired, unchanged, refused
    reason: str = ""
    mended: str = ""


@dataclass(frozen=True, repr=False)
class Mended:
    """A page after repair; counts of its windows by outcome, of refused ones by reason."""

    text: str
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    trouble: str | None = None  # what the model, or the loop, failed with

    def __repr__(self) -> str:
        return f"Mended({dict(self.outcomes)})"


def mend(
    pages: Sequence[Page],
    repair: Repair,
    checks: Checks,
    *,
    watch: Watch = lambda _done: None,
    patience: float = PATIENCE,
) -> list[Mended]:
    """Every page with those of its windows repaired whose proposals passed. Never raises."""
    try:
        windows = [window for number, page in enumerate(pages) for window in _windows(number, page)]
        trouble = _propose(windows, repair, checks, watch, patience)
        return [_joined(number, page, windows, trouble) for number, page in enumerate(pages)]
    except Exception as error:
        kind = type(error).__name__
    return [Mended(page.text, trouble=broken(kind)) for page in pages]


def broken(kind: str) -> str:
    """Says that it was not the model that failed."""
    return f"the repair itself failed ({kind})"


def _windows(number: int, page: Page) -> list[RepairWindow]:
    long = pattern_of(string for string in page.kept if len(string.split()) > 1)
    spans = [] if long is None else [match.span() for match in long.finditer(page.text)]
    cut = []
    for start, end in windows(page.text, spans):
        text = page.text[start:end]
        pattern = pattern_of(string for string in page.kept if string in text)
        cut.append(RepairWindow(number, (start, end), text, pattern))
    return cut


def _propose(
    windows: Sequence[RepairWindow], repair: Repair, checks: Checks, watch: Watch, patience: float
) -> str | None:
    """Two rounds over the windows, in blocks; the second is for those that were refused."""
    watch(0.0)
    for start in range(0, len(windows), BLOCK):
        block = windows[start : start + BLOCK]
        for again in (False, True):
            left = [window for window in block if window.outcome == "refused"] if again else block
            trouble = _round(left, repair, checks, again=again, patience=patience)
            if trouble is not None:
                return trouble
        watch((start + len(block)) / len(windows))
    return None


def _round(
    block: Sequence[RepairWindow], repair: Repair, checks: Checks, *, again: bool, patience: float
) -> str | None:
    if not block:
        return None
    texts = list(dict.fromkeys(window.text for window in block))
    answers, trouble = _asked(repair, texts, again=again, seconds=patience * len(texts))
    if trouble is not None:
        for asked in block:
            asked.outcome = "failed"
        return trouble
    proposals = dict(zip(texts, answers, strict=True))
    for asked in block:
        asked.mended = tidied(proposals[asked.text], asked.text)
    changed = [window for window in block if window.mended != window.text]
    reasons = checks.refusals([(window.text, window.mended, window.kept) for window in changed])
    for asked in block:
        asked.outcome, asked.reason = "unchanged", ""
    for asked, reason in zip(changed, reasons, strict=True):
        asked.outcome, asked.reason = ("refused", reason) if reason else ("repaired", "")
    return None


def _asked(
    repair: Repair, texts: list[str], *, again: bool, seconds: float
) -> tuple[list[str], str | None]:
    """The proposals, or what went wrong; a model that hangs is left behind in its thread."""
    outcomes: list[tuple[list[str], str | None]] = []

    def ask() -> None:
        try:
            given, trouble = list(repair.rewrite(texts, again=again)), None
            if len(given) != len(texts) or not all(isinstance(proposal, str) for proposal in given):
                trouble = f"{repair.name} did not give one text per window"
        except PrivstampError as error:
            given, trouble = [], str(error)
        except Exception as error:
            given, trouble = [], f"{repair.name} failed ({type(error).__name__})"
        outcomes.append((given, trouble))

    thread = Thread(target=ask, name="privstamp-repair", daemon=True)
    thread.start()
    thread.join(seconds)
    return outcomes[0] if outcomes else ([], f"{repair.name} did not answer in time")


def _joined(number: int, page: Page, every: Sequence[RepairWindow], trouble: str | None) -> Mended:
    pieces: list[str] = []
    position = 0
    windows = [window for window in every if window.page == number]
    for piece in windows:
        if piece.outcome == "repaired":
            pieces += (page.text[position : piece.span[0]], piece.mended)
            position = piece.span[1]
    return Mended(
        text="".join((*pieces, page.text[position:])),
        outcomes=Counter(window.outcome for window in windows),
        reasons=Counter(window.reason for window in windows if window.outcome == "refused"),
        trouble=trouble if any(window.outcome == "failed" for window in windows) else None,
    )


# Repair by a model that answers prompts, on this machine or at an endpoint.

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
    if options.get("threads", 1) < 1:
        raise PolicyError("repair.threads is a whole number, 1 or more")
    if not 0 < options["timeout"] < float("inf"):
        raise PolicyError("repair.timeout is a number of seconds above 0")
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
