"""Ctrl-C, wherever it arrives: one line, exit code 130, and nothing that was not whole stays.

So with the signals by which others end a process (143, 129): docker stop, a closed terminal.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
AGAIN: Final = 0.05
"""Seconds until an interrupt that Python dropped is tried again."""
_heard: list[int] = []
_told: list[str] = []


def heed() -> None:
    """Remember Ctrl-C, and raise it where it is not lost.

    Python drops, and prints, what is raised while it tidies up or inside a library's callback.
    """

    def interrupted(number: int, frame: FrameType | None) -> None:
        _heard.append(number)
        while frame is not None:
            if frame.f_code is dropped.__code__:
                return  # it would be printed from there; it is under way again already
            frame = frame.f_back
        raise KeyboardInterrupt

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if isinstance(what.exc_value, KeyboardInterrupt):
            _try_again()
        elif os.environ.get("PRIVSTAMP_DEBUG"):
            sys.__unraisablehook__(what)

    for number in _SIGNALS:
        asked_to_go_on = signal.getsignal(number) is signal.SIG_IGN and number != signal.SIGINT
        if not asked_to_go_on:  # nohup does; shells ignore Ctrl-C for what runs in the background
            signal.signal(number, interrupted)
    sys.unraisablehook = dropped
    if not os.environ.get("PRIVSTAMP_DEBUG"):
        threading.excepthook = _quiet  # a thread's error may quote what it read


def _try_again() -> None:
    with suppress(RuntimeError):  # threads cannot be started any more: it ends anyway
        later = threading.Timer(AGAIN, _thread.interrupt_main)
        later.daemon = True
        later.start()


def _quiet(_: threading.ExceptHookArgs) -> None:
    """Whoever waits for the thread is told; standard error is for people."""


def heard() -> bool:
    return bool(_heard)


def forget(message: str) -> None:
    """What was heard is dealt with: the line is said, and the exit code is the command's."""
    say(message)
    _heard.clear()


def exit_code() -> int:
    """130 for Ctrl-C; otherwise 128 and the signal's number, as shells have it."""
    return 128 + int(_heard[0] if _heard else signal.SIGINT)


def stop_if_interrupted() -> None:
    """Nothing leaves, and nothing is written, after Ctrl-C."""
    if _heard:
        raise KeyboardInterrupt


def say(message: str = "interrupted; nothing was released") -> None:
    """The one line, once, without what might not be imported yet."""
    if not _told and sys.stderr is not None:
        _told.append(message)
        with suppress(OSError, ValueError):
            sys.stderr.write(f"privstamp: error: {message}\n")
            sys.stderr.flush()


def leave() -> NoReturn:
    """End the process; a second signal meanwhile ends it at once."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    say()
    sys.exit(exit_code())
