"""`python -m privstamp` is the command, where no script is on the path."""

import subprocess
import sys


def test_the_module_is_the_command() -> None:
    run = [sys.executable, "-m", "privstamp", "--version"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("privstamp")
