"""Several processes do what one does, and none outlives the run."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from test_runner import COUNT, RUN

import tiny_workshop as tiny
from privstamp.lab.evals.results import read
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
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_workers_end_with_their_parent(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(RUN.replace("pause=0.08", "pause=5.0"))
    mark = f"mark-{uuid4().hex}"
    child = subprocess.Popen(
        [sys.executable, script, tmp_path / "results", "2", *sys.path],
        env=os.environ | {"PRIVSTAMP_TEST_MARK": mark},
    )
    _wait(lambda: len(_alive(mark)) == 3, 120)
    assert len(_alive(mark)) == 3  # it, and two that work for it
    child.kill()
    child.wait()
    _wait(lambda: not _alive(mark), 60)
    assert not _alive(mark)


def _wait(done: Callable[[], object], seconds: float) -> None:
    ends = time.monotonic() + seconds
    while not done() and time.monotonic() < ends:
        time.sleep(0.05)


def _alive(mark: str) -> list[str]:
    """Processes that were started with this mark, and are no mere zombies."""
    alive = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            marked = mark.encode() in (folder / "environ").read_bytes()
        except OSError:
            continue
        if marked and state != "Z":
            alive.append(folder.name)
    return alive
