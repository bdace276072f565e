"""From what went wrong to one line on standard error and an exit code."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec

import typer

from privstamp.cli import interrupts
from privstamp.cli.output import hang_up
from privstamp.errors import PrivstampError, UsageError, trouble_of

P = ParamSpec("P")
FAILURE, USAGE = 1, 2


def closed(command: Callable[P, None]) -> Callable[P, None]:
    """The command, failing closed: a line and an exit code, no traceback, no input text."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        stopped = False
        try:
            command(*args, **kwargs)
            if sys.stdout is not None:
                sys.stdout.flush()
            return
        except typer.Exit:
            raise
        except BrokenPipeError:
            code, message = FAILURE, None
            hang_up()
        except KeyboardInterrupt:
            code, message, stopped = FAILURE, None, True
            hang_up()
        except PrivstampError as error:
            code, message = USAGE if isinstance(error, UsageError) else FAILURE, str(error)
        except Exception as error:
            code, message = FAILURE, _unexpected(error)
            hang_up()
        if stopped or interrupts.heard():  # parts may make another error of it
            interrupts.say()
            raise typer.Exit(interrupts.exit_code())
        if message is not None:
            from privstamp.cli.screen import complain

            complain(message)
        raise typer.Exit(code)

    return run


def _unexpected(error: Exception) -> str:
    """Kind and place only: the message of a foreign error may quote what it was given."""
    if os.environ.get("PRIVSTAMP_DEBUG"):
        sys.stderr.write("".join(traceback.format_tb(error.__traceback__)))
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"failed ({kind}: {trouble_of(error)}); nothing was released"
    return f"unexpected failure ({kind}); nothing was released. PRIVSTAMP_DEBUG=1 shows where"
