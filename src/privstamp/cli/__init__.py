"""The command line: one file per command, each thin. Heavy imports wait until a command runs."""

from __future__ import annotations

from typing import NoReturn


def main() -> None:
    """The `privstamp` command. Ends in an exit code, never in a traceback."""
    import atexit
    import gc

    from privstamp.cli import interrupts

    atexit.register(gc.freeze)  # Python would look for cycles among all that ends with it
    try:
        interrupts.heed()
        _say_and_keep_nothing()
        from privstamp.cli.app import app
        from privstamp.cli.output import speak_utf8

        speak_utf8()
        app(prog_name="privstamp")
        return
    except OSError as error:  # of what typer writes itself: help, versions, completions
        _unwritten(error)
    except BaseException as error:
        # Imports make other errors of an interrupt, and typer a bare exit code.
        done = isinstance(error, SystemExit) and not error.code
        if done or not (isinstance(error, KeyboardInterrupt) or interrupts.heard()):
            raise
    interrupts.leave()


def _unwritten(error: OSError) -> NoReturn:
    from privstamp.cli.output import FAILURE, hang_up
    from privstamp.cli.screen import complain
    from privstamp.errors import trouble_of

    hang_up()
    if not isinstance(error, BrokenPipeError):
        complain(f"standard output cannot be written: {trouble_of(error)}")
    raise SystemExit(FAILURE)


def _say_and_keep_nothing() -> None:
    """Libraries may quote what they read, and a core dump would hold the text."""
    import logging
    import os
    import warnings

    if not os.environ.get("PRIVSTAMP_DEBUG"):
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
    try:
        import resource
    except ImportError:  # Windows writes none by itself
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
