"""A command on a short note: from the shell's point of view, models read and all."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from privstamp.lab.bench.line import LINES
from privstamp.lab.bench.texts import note

_RUN = "import sys; from privstamp.cli import main; sys.argv[0] = 'privstamp'; main()"


def command_seconds(name: str, *, repeats: int) -> float:
    """The quickest of a few runs of `privstamp privatize` on a note of 180 words."""
    with tempfile.TemporaryDirectory() as folder:
        text, policy = Path(folder, "note.txt"), Path(folder, "policy.toml")
        text.write_text(note(), encoding="utf-8")
        policy.write_text(LINES[name].to_toml(), encoding="utf-8")
        command = [sys.executable, "-c", _RUN, "privatize", str(text), "--policy", str(policy)]
        times = []
        for _ in range(repeats):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603
            times.append(time.perf_counter() - started)
    return min(times)
