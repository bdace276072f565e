"""Several processes do what one does, and none outlives the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_runner import COUNT, RUN

import tiny_workshop as tiny
from privstamp.lab.evals.results import FILE, read
from privstamp.lab.evals.runner import run


@pytest.mark.slow
def test_two_processes_do_what_one_does(tmp_path):
    cells = tiny.cells("original", "stamp", readers=("a",), seeds=2)
    run(cells, tmp_path / "one", tiny.opener())
    outcome = run(cells, tmp_path / "two", tiny.opener(), jobs=2)
    assert outcome.measured == len(cells) * COUNT
    assert outcome.usage["host"].requests == len(cells) * COUNT  # of both
    one, two = (read(tmp_path / name) for name in ("one", "two"))
    assert one.records == two.records
    assert sorted(map(repr, one.cells)) == sorted(map(repr, two.cells))


@pytest.mark.slow
def test_a_process_that_dies_fails_its_bundle_alone(tmp_path):
    cells = tiny.cells("original", "stamp", "readable")
    outcome = run(cells, tmp_path, tiny.opener(dies="stamp"), jobs=2)
    assert outcome.measured == 2 * COUNT
    (failure,) = outcome.failures
    assert failure["condition"] == "stamp" and "process that ran it ended" in failure["error"]
    assert run(cells, tmp_path, tiny.opener()).measured == COUNT


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_workers_end_with_their_parent(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(RUN)
    child = subprocess.Popen(
        [sys.executable, script, tmp_path / "results", "2", *sys.path], start_new_session=True
    )
    file = tmp_path / "results" / FILE
    ends = time.monotonic() + 30
    while not (file.exists() and file.stat().st_size) and time.monotonic() < ends:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    ends = time.monotonic() + 15
    while _alive(child.pid) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not _alive(child.pid)


def _alive(group: int) -> bool:
    """Whether a process of this group is left that is not a mere zombie."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, number = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if number == str(group) and state != "Z":
            return True
    return False
