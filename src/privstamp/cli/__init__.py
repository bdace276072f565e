"""The command line: one file per command, each thin. Heavy imports wait until a command runs."""

from __future__ import annotations

import logging
import os
import sys
import warnings


def main() -> None:
    """The `privstamp` command. Ends in an exit code, never in a traceback."""
    if not os.environ.get("PRIVSTAMP_DEBUG"):
        # Libraries may quote what they read; what privstamp has to say goes another way.
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
    _write_no_core()
    try:
        from privstamp.cli.app import app
        from privstamp.cli.output import heed_interrupts, speak_utf8

        heed_interrupts()
        speak_utf8()
        app(prog_name="privstamp")
    except KeyboardInterrupt:
        sys.exit(130)


def _write_no_core() -> None:
    """A core dump would hold the text."""
    try:
        import resource
    except ImportError:  # Windows writes none by itself
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
