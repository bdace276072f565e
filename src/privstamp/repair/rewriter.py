"""The loop of a repair: windows are proposed, checked, asked for once more, and put in place.

Whatever goes wrong, a window stays as it was released, which is private already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import Final, TypeAlias

from privstamp.errors import PrivstampError
from privstamp.protocols import Repair
from privstamp.repair.checks import Checks, pattern_of, tidied
from privstamp.repair.windows import Span, windows

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
class Window:
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
        found = [window for number, page in enumerate(pages) for window in _windows(number, page)]
        trouble = _propose(found, repair, checks, watch, patience)
        return [_joined(number, page, found, trouble) for number, page in enumerate(pages)]
    except Exception as error:
        kind = type(error).__name__
    return [Mended(page.text, trouble=broken(kind)) for page in pages]


def broken(kind: str) -> str:
    """Says that it was not the model that failed."""
    return f"the repair itself failed ({kind})"


def _windows(number: int, page: Page) -> list[Window]:
    long = pattern_of(string for string in page.kept if len(string.split()) > 1)
    spans = [] if long is None else [match.span() for match in long.finditer(page.text)]
    found = []
    for start, end in windows(page.text, spans):
        text = page.text[start:end]
        own = pattern_of(string for string in page.kept if string in text)
        found.append(Window(number, (start, end), text, own))
    return found


def _propose(
    found: Sequence[Window], repair: Repair, checks: Checks, watch: Watch, patience: float
) -> str | None:
    """Two rounds over the windows, in blocks; the second is for those that were refused."""
    watch(0.0)
    for start in range(0, len(found), BLOCK):
        block = found[start : start + BLOCK]
        for again in (False, True):
            left = [one for one in block if one.outcome == "refused"] if again else block
            trouble = _round(left, repair, checks, again=again, patience=patience)
            if trouble is not None:
                return trouble
        watch((start + len(block)) / len(found))
    return None


def _round(
    block: Sequence[Window], repair: Repair, checks: Checks, *, again: bool, patience: float
) -> str | None:
    if not block:
        return None
    texts = list(dict.fromkeys(one.text for one in block))
    answers, trouble = _asked(repair, texts, again=again, seconds=patience * len(texts))
    if trouble is not None:
        for one in block:
            one.outcome = "failed"
        return trouble
    proposals = dict(zip(texts, answers, strict=True))
    for one in block:
        one.mended = tidied(proposals[one.text], one.text)
    changed = [one for one in block if one.mended != one.text]
    reasons = checks.refusals([(one.text, one.mended, one.kept) for one in changed])
    for one in block:
        one.outcome, one.reason = "unchanged", ""
    for one, reason in zip(changed, reasons, strict=True):
        one.outcome, one.reason = ("refused", reason) if reason else ("repaired", "")
    return None


def _asked(
    repair: Repair, texts: list[str], *, again: bool, seconds: float
) -> tuple[list[str], str | None]:
    """The proposals, or what went wrong; a model that hangs is left behind in its thread."""
    outcomes: list[tuple[list[str], str | None]] = []

    def ask() -> None:
        try:
            given, trouble = list(repair.rewrite(texts, again=again)), None
            if len(given) != len(texts) or not all(isinstance(one, str) for one in given):
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


def _joined(number: int, page: Page, found: Sequence[Window], trouble: str | None) -> Mended:
    pieces: list[str] = []
    position = 0
    mine = [one for one in found if one.page == number]
    for one in mine:
        if one.outcome == "repaired":
            pieces += (page.text[position : one.span[0]], one.mended)
            position = one.span[1]
    return Mended(
        text="".join((*pieces, page.text[position:])),
        outcomes=Counter(one.outcome for one in mine),
        reasons=Counter(one.reason for one in mine if one.outcome == "refused"),
        trouble=trouble if any(one.outcome == "failed" for one in mine) else None,
    )
