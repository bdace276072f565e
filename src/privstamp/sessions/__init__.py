"""Conversations: releases that know what was released before. docs/concepts/sessions.md"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from privstamp.sessions.lasting import Charged as Charged
    from privstamp.sessions.lasting import Lasting as Lasting
    from privstamp.sessions.session import Session as Session
    from privstamp.sessions.turn import Sent as Sent

_HOMES = {"Charged": "lasting", "Lasting": "lasting", "Sent": "turn", "Session": "session"}
__all__ = ["Charged", "Lasting", "Sent", "Session"]


def __getattr__(name: str) -> Any:
    """Load a name when it is first used: keys and ledger need no models."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
