"""The command line: one file per command, each thin. Heavy imports wait until a command runs."""

from __future__ import annotations


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
    except BaseException as error:
        # Imports make other errors of an interrupt, and typer a bare exit code.
        done = isinstance(error, SystemExit) and not error.code
        if done or not (isinstance(error, KeyboardInterrupt) or interrupts.heard()):
            raise
    interrupts.leave()


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
