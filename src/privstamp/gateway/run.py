"""A gateway from its beginning to its end."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from privstamp.gateway.principals import Keyring
from privstamp.gateway.server import Gateway
from privstamp.gateway.settings import Settings
from privstamp.gateway.staff import Recipe, Staff
from privstamp.gateway.watch import Watch

_OBJECTS: Final = 20_000
"""New ones before garbage is looked for: nearly all of a request is freed without that."""


async def run(
    settings: Settings,
    recipe: Recipe,
    keyring: Keyring,
    *,
    watch: Watch | None = None,
    show: Callable[[str], None] = print,
    listening: Callable[[int], None] | None = None,
) -> None:
    """Serve until it is told to end, by SIGTERM or Ctrl-C; a second one ends it at once."""
    staff = Staff(recipe, settings.workers, deadline=settings.limits.privatize)
    watch = watch or Watch()
    gateway = Gateway(settings, staff, keyring, watch, show)
    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def trouble(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What asyncio would print may quote; nobody waits for an answer to it."""
        watch.tell("trouble", kind=type(context.get("exception")).__name__)

    loop.set_exception_handler(trouble)
    with suppress(NotImplementedError):  # Windows: Ctrl-C interrupts the loop
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, _end, told, loop, number)
    port = await gateway.start()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS, 10, 10)
    try:
        await staff.ready()
        watch.tell("ready", workers=staff.at_work)
        if listening is not None:
            listening(port)
        await told.wait()
    finally:
        await gateway.stop()


def _end(told: asyncio.Event, loop: asyncio.AbstractEventLoop, number: int) -> None:
    told.set()
    loop.remove_signal_handler(number)
    signal.signal(number, signal.SIG_DFL)
