"""Between clients and models elsewhere: what leaves is privatised, what returns is restored."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from privstamp.gateway.transport import async_client as async_client
    from privstamp.gateway.transport import client as client

__all__ = ["async_client", "client"]


def __getattr__(name: str) -> Any:
    """Load a name when it is first used: the server needs no client, and keys need neither."""
    if name in __all__:
        return getattr(import_module("privstamp.gateway.transport"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
