"""What can go wrong, as one tree, so that a caller sees what to catch.

PrivstampError
├── UsageError            the caller asked for something that cannot be; command exit code 2
│   ├── PolicyError       a policy has an unknown key, a wrong value, or does not parse
│   ├── UnknownName       no part of that name; lists the ones there are
│   ├── BudgetError       an epsilon that is not a budget, or of another metric
│   ├── Incompatible      parts that cannot work together
│   └── InputError        not text: wrong type, lone surrogates, undecodable file
├── AssetError            a model file is missing, wrong, or cannot be fetched
├── MissingExtra          an optional dependency is not installed; names the install line
├── MapError              a surrogate map cannot be read or must not be overwritten
├── StoreError            a store of sessions is locked, full, read-only, damaged or newer
├── VaultError            the master key of a store is missing, wrong, or readable by others
├── LimitReached          a release would pass a limit; nothing was released
└── StageFailed           a stage broke; nothing was released
    └── NoAnswer          a model on another machine did not answer, however often it was asked
        └── TooManyRequests   it is there, and says each time that it is asked too much

No message ever holds input text. Errors are raised after the handler that noticed the trouble,
so that no ``__context__`` carries it either: a UnicodeDecodeError holds the whole input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from difflib import get_close_matches
from errno import EDQUOT, ENOSPC
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class PrivstampError(Exception):
    """Base of everything privstamp raises on purpose."""


class UsageError(PrivstampError):
    """The request itself cannot be met; the message names the fix."""


class PolicyError(UsageError):
    """A policy has an unknown key, a wrong value, or does not parse."""


class UnknownName(UsageError):
    """No part of that name is registered."""


class BudgetError(UsageError):
    """Not a budget, or one in a metric that the mechanism does not speak."""


class Incompatible(UsageError):
    """Parts that cannot work together; refused when they are put together."""


class InputError(UsageError):
    """The input is not text that can be privatised."""


class AssetError(PrivstampError):
    """A model file is missing, has the wrong hash, or cannot be fetched."""


class MissingExtra(PrivstampError):
    """An optional dependency is not installed; `asset` is missing as well, where one is named."""

    def __init__(self, extra: str, needed_for: str, asset: str | None = None) -> None:
        what, pull = "an extra", ""
        if asset is not None:
            what, pull = "an extra and model files", f" && privstamp assets pull {asset}"
        super().__init__(f'{needed_for} needs {what}. Try: pip install "privstamp[{extra}]"{pull}')
        self._given = extra, needed_for, asset

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str | None]]:
        return MissingExtra, self._given


def optional(module: str, extra: str, needed_for: str, asset: str | None = None) -> Any:
    """An optional dependency, imported where it is used; without it, how to get it."""
    with suppress(ImportError):
        return import_module(module)
    raise MissingExtra(extra, needed_for, asset)


class MapError(PrivstampError):
    """A surrogate map cannot be read, or would overwrite another."""


class StoreError(PrivstampError):
    """A store of sessions cannot be read or written; nothing was released."""


class VaultError(PrivstampError):
    """What would open a store is missing, wrong, or open to others. There is never fresh noise
    in its place."""


class LimitReached(PrivstampError):
    """An account has a limit that a release would pass; names account, limit, spent and asked."""


class StageFailed(PrivstampError):
    """A stage broke and nothing left. Holds names only: no value, no cause, no text."""


class NoAnswer(StageFailed):
    """A model on another machine did not answer, however often it was tried."""


class TooManyRequests(NoAnswer):
    """A model on another machine is there, but has no time for us, however often it was tried."""


def guarded(stage: str, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run one stage; whatever breaks inside comes out as StageFailed, stripped of the input."""
    try:
        return step(*args, **kwargs)
    except PrivstampError:
        raise
    except Exception as error:
        kind = type(error).__name__
    raise StageFailed(f"{stage} failed ({kind}); nothing was released. Try: privstamp policy check")


def trouble_of(error: Exception) -> str:
    """What a file or a disk refused, in words, without its name."""
    if getattr(error, "errno", None) in (ENOSPC, EDQUOT):
        return "the disk is full"
    return getattr(error, "strerror", None) or type(error).__name__


def suggest(name: str, known: Iterable[str]) -> str:
    """A sentence that helps after a misspelt name: the nearest one, then all of them."""
    options = sorted(known)
    if not options:
        return " It has none."
    near = get_close_matches(name, options, n=1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return f"{hint} Known: {', '.join(options)}"


REMOVED = "[removed: it may hold the text]"


def scrub(event: dict[str, Any], hint: object = None) -> dict[str, Any]:
    """An error reporter's event without local variables and foreign messages.

    Reporters keep the locals of every frame, and those of a caller hold the text. Events in which
    no frame is privstamp's stay as they are. Made for `sentry_sdk.init(before_send=scrub)`.
    """
    del hint
    frames = [frame for stack in _stacks(event) for frame in stack]
    if any(str(frame.get("module", "")).split(".")[0] == "privstamp" for frame in frames):
        for frame in frames:
            frame.pop("vars", None)
        for error in _listed(event, "exception"):
            if not str(error.get("module", "")).startswith("privstamp"):
                error["value"] = REMOVED
    return event


def _listed(event: dict[str, Any], part: str) -> list[dict[str, Any]]:
    values = event.get(part) or {}
    return [*(values.get("values") or ())] if isinstance(values, dict) else list(values)


def _stacks(event: dict[str, Any]) -> Iterable[list[dict[str, Any]]]:
    for holder in (*_listed(event, "exception"), *_listed(event, "threads"), event):
        yield (holder.get("stacktrace") or {}).get("frames") or []
