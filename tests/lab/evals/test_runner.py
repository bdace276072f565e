"""A run does every item once, whatever happens to it."""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import pytest

import tiny_workshop as tiny
from privstamp.errors import PrivstampError
from privstamp.lab.evals.results import FILE, finished, read
from privstamp.lab.evals.runner import BATCH, bundled, run
from privstamp.lab.journal import Journal
from privstamp.types import Usage

COUNT = tiny.TinyTask("numbers").count


def pairs(folder):
    """Every (cell, example) that is in the folder."""
    found = finished(folder) if (folder / FILE).exists() else {}
    return {(cell, example) for cell, examples in found.items() for example in examples}


def kept(workshop):
    """An opener that always gives this one, to look into it afterwards."""
    return lambda: workshop


def test_every_example_of_every_cell_is_measured_once(tmp_path):
    cells = tiny.cells("original", "stamp", readers=("a", "b"), seeds=2)
    outcome = run(cells, tmp_path, tiny.opener())
    assert outcome.measured == len(cells) * COUNT and outcome.known == 0
    assert not outcome.failures
    assert len(pairs(tmp_path)) == len(cells) * COUNT


def test_readers_share_releases(tmp_path):
    workshop = tiny.TinyWorkshop()
    run(tiny.cells("stamp", readers=("a", "b"), seeds=2), tmp_path, kept(workshop))
    assert len(bundled(tiny.cells("stamp", readers=("a", "b"), seeds=2))) == 2
    assert set(Counter(workshop.released).values()) == {1}


def test_a_second_run_opens_no_reader_and_measures_nothing(tmp_path):
    cells = tiny.cells("stamp", "original")
    run(cells, tmp_path, tiny.opener())
    before = read(tmp_path)
    workshop = tiny.TinyWorkshop()
    outcome = run(cells, tmp_path, kept(workshop))
    assert (outcome.measured, outcome.known) == (0, 2 * COUNT)
    assert not workshop.released and not workshop.opened
    after = read(tmp_path)
    assert (after.cells, after.records) == (before.cells, before.records)
    assert min(after.turns) > max(before.turns) and not after.stopped


def test_a_larger_limit_adds_the_rest(tmp_path):
    cells = tiny.cells("stamp")
    assert run(cells, tmp_path, tiny.opener(), limits={"numbers": 10}).measured == 10
    outcome = run(cells, tmp_path, tiny.opener(), limits={"numbers": 30})
    assert (outcome.measured, outcome.known) == (20, 10)
    assert len(pairs(tmp_path)) == 30


def test_another_fingerprint_is_another_cell(tmp_path):
    cells = tiny.cells("stamp")
    run(cells, tmp_path, tiny.opener())
    assert run(cells, tmp_path, tiny.opener(version="2")).measured == COUNT
    found = read(tmp_path)
    assert len(found.records) == 2 and len(found.cells) == 2


def test_another_experiment_takes_what_is_known(tmp_path):
    cells = tiny.cells("stamp")
    run(cells, tmp_path, tiny.opener())
    other = [replace(cell, experiment="other", labels={"x": 1}) for cell in cells]
    assert run(other, tmp_path, tiny.opener()).known == COUNT
    assert {cell["experiment"] for cell in read(tmp_path).cells} == {"toy", "other"}


def test_a_failing_reader_is_recorded_without_text_and_others_go_on(tmp_path):
    cells = tiny.cells("stamp", readers=("good", "bad"))
    outcome = run(cells, tmp_path, tiny.opener(hurt="bad"))
    assert outcome.measured == COUNT
    (failure,) = outcome.failures
    assert failure["reader"] == "bad" and "ValueError" in failure["error"]
    assert "text 0" not in (tmp_path / FILE).read_bytes().decode("latin-1")
    again = run(cells, tmp_path, tiny.opener())
    assert (again.measured, again.known) == (COUNT, COUNT)
    assert not again.failures and not read(tmp_path).failures


def test_missing_data_fails_its_cells_alone_and_in_words(tmp_path):
    cells = [*tiny.cells("stamp", task="absent"), *tiny.cells("original")]
    outcome = run(cells, tmp_path, tiny.opener())
    assert outcome.measured == COUNT
    assert [one["error"] for one in outcome.failures] == ["the data of absent is not here"]


def test_another_run_in_the_folder_is_refused(tmp_path):
    with Journal(tmp_path / FILE), pytest.raises(PrivstampError, match="another run"):
        run(tiny.cells("stamp"), tmp_path, tiny.opener())


def test_steps_are_told_and_add_up(tmp_path):
    steps = []
    run(tiny.cells("stamp"), tmp_path, tiny.opener(), watch=steps.append)
    assert sum(step.items for step in steps) == COUNT
    assert max(step.items for step in steps) == BATCH


def test_what_models_were_asked_is_told_step_by_step_and_adds_up(tmp_path):
    cells, steps = tiny.cells("stamp", "original"), []
    outcome = run(cells, tmp_path, tiny.opener(), watch=steps.append)
    asked = 2 * COUNT
    assert outcome.usage == {"host": Usage(asked, 0, 10 * asked, 2 * asked)}
    assert [step.usage["host"].requests for step in steps if step.usage.get("host")][:2] == [16, 16]
    assert run(cells, tmp_path, tiny.opener()).usage == {}


RUN = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
import tiny_workshop as tiny
from privstamp.lab.evals.runner import run
cells = tiny.cells("original", "stamp", readers=("a", "b"), seeds=2)
if __name__ == "__main__":
    run(cells, Path(sys.argv[1]), tiny.opener(pause=0.08), jobs=int(sys.argv[2]))
"""


def measured(folder):
    """Records without the seconds, which no two runs share."""
    found = read(folder).records.values()
    return sorted(repr(replace(one, seconds={})) for some in found for one in some.values())


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_random_points_it_goes_on_without_loss_or_repetition(tmp_path, jobs):
    folder, script = tmp_path / "results", tmp_path / "script.py"
    script.write_text(RUN)
    chance = random.Random(7)
    seen = []
    for kills in range(6):
        child = subprocess.Popen([sys.executable, script, folder, str(jobs), *sys.path])
        before = len(pairs(folder))
        ends = time.monotonic() + 60
        while kills < 5 and child.poll() is None and time.monotonic() < ends:
            if len(pairs(folder)) > before:  # it has written something: kill it a little later
                time.sleep(chance.uniform(0, 0.25))
                child.kill()
            time.sleep(0.002)
        child.wait()
        seen.append(len(pairs(folder)))
        if child.returncode == 0:
            break
    assert child.returncode == 0 and len(seen) > 2  # it was killed more than once on the way
    assert len(pairs(folder)) == 8 * COUNT
    assert seen == sorted(seen)
    run(tiny.cells("original", "stamp", readers=("a", "b"), seeds=2), tmp_path / "b", tiny.opener())
    assert measured(tmp_path / "b") == measured(folder)
    assert not read(folder).stopped
