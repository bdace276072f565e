"""A results folder survives whatever interrupts its writing."""

import os
import stat
import subprocess
import sys

import pytest

import tiny_workshop as tiny
from privstamp.errors import InputError, PrivstampError
from privstamp.lab.evals.contracts import Record
from privstamp.lab.evals.results import (
    FILE,
    cell_line,
    entries,
    failed_line,
    finished,
    read,
    record_line,
    run_line,
)
from privstamp.lab.journal import Journal
from privstamp.policy import Policy

CELL = tiny.cells("stamp")[0]


def line(number):
    return record_line(Record("k", f"é{number}", "c", {"f1": 0.5}, {"units": 3.0}, {"noise": 0.25}))


def write(folder, lines):
    with Journal(folder / FILE) as journal:
        journal.add(entries(lines))


def test_what_was_written_is_read_back(tmp_path):
    write(tmp_path / "deep" / "folder", [cell_line(CELL, "k", {"task": "t"}, {"numpy": "2"})])
    write(tmp_path / "deep" / "folder", [line(1), failed_line(CELL, "no model")])
    found = read(tmp_path / "deep" / "folder")
    assert found.records["k"]["é1"] == Record(
        "k", "é1", "c", {"f1": 0.5}, {"units": 3.0}, {"noise": 0.25}
    )
    assert [cell["key"] for cell in found.cells] == ["k"]
    assert list(found.failures.values()) == ["no model"]


def test_a_cell_holds_what_is_needed_to_run_it_again(tmp_path):
    write(tmp_path, [cell_line(CELL, "k", {"task": "t"}, {"numpy": "2"})])
    cell = read(tmp_path).cells[0]
    assert Policy.from_toml(cell["policy"]) == CELL.condition.policy
    assert (cell["seed"], cell["reader"], cell["task"]) == (0, "tiny", "numbers")
    assert cell["fingerprints"] == {"task": "t"} and cell["versions"] == {"numpy": "2"}


def test_a_cell_counts_once_and_again_when_it_changed(tmp_path):
    one = cell_line(CELL, "k", {}, {"numpy": "2"})
    write(tmp_path, [one, one])
    write(tmp_path, [one])
    write(tmp_path, [one | {"versions": {"numpy": "3"}}])
    found = read(tmp_path)
    assert len(found.cells) == 2 and found.turns[0] < found.turns[1]
    write(tmp_path, [one])
    again = read(tmp_path)
    assert again.cells == found.cells and again.turns[0] > again.turns[1]  # run later


def test_a_run_without_an_end_was_stopped(tmp_path):
    begun, ended = run_line("begun", 3), run_line("ended", 3)
    for lines, stopped in (([begun], 1), ([ended], 0), ([begun, line(1)], 1), ([begun, ended], 0)):
        write(tmp_path, lines)
        assert read(tmp_path).stopped == stopped


def test_a_later_record_mends_a_failure_and_nothing_else_does(tmp_path):
    cell = cell_line(CELL, "k", {}, {})
    write(tmp_path, [cell, failed_line(CELL, "no model")])
    write(tmp_path, [cell])
    assert read(tmp_path).failures
    write(tmp_path, [line(1)])
    assert not read(tmp_path).failures
    write(tmp_path, [failed_line(CELL, "again")])
    assert read(tmp_path).failures


def test_infinite_numbers_stay_infinite(tmp_path):
    record = Record("k", "e", "c", {"f1": 1.0}, {"epsilon": float("inf")}, {})
    write(tmp_path, [record_line(record)])
    assert read(tmp_path).records["k"]["e"].privacy["epsilon"] == float("inf")


def test_a_record_that_is_written_again_counts_once(tmp_path):
    write(tmp_path, [line(1), line(2)])
    write(tmp_path, [line(1) | {"scores": {"f1": 0.75}}])
    found = read(tmp_path).records["k"]
    assert set(found) == finished(tmp_path)["k"] == {"é1", "é2"}
    assert found["é1"].scores == {"f1": 0.75}


def test_a_file_that_is_no_journal_is_said(tmp_path):
    (tmp_path / FILE).write_bytes(b"no such thing" * 100)
    for step in (read, finished):
        with pytest.raises(PrivstampError, match="no journal, or it is damaged"):
            step(tmp_path)


def test_two_runs_do_not_write_at_once(tmp_path):
    with Journal(tmp_path / FILE), pytest.raises(PrivstampError, match="another run"):
        write(tmp_path, [line(1)])
    write(tmp_path, [line(1)])


def test_results_are_read_while_a_run_writes(tmp_path):
    with Journal(tmp_path / FILE) as journal:
        for number in (1, 2):
            journal.add(entries([line(number)]))
            assert len(read(tmp_path).records["k"]) == len(finished(tmp_path)["k"]) == number


def test_folders_are_read_together(tmp_path):
    write(tmp_path / "a", [line(1)])
    write(tmp_path / "b", [line(2)])
    assert set(read(tmp_path / "a", tmp_path / "b").records["k"]) == {"é1", "é2"}
    (tmp_path / "b" / FILE).rename(tmp_path / "a" / "results-elsewhere.sqlite")
    (tmp_path / "a" / "passages.jsonl").write_text("no results\n")
    found = read(tmp_path / "a")
    assert set(found.records["k"]) == finished(tmp_path / "a")["k"] == {"é1", "é2"}


def test_a_failure_of_one_folder_is_mended_by_a_later_one(tmp_path):
    cell = cell_line(CELL, "k", {}, {})
    write(tmp_path / "a", [cell, failed_line(CELL, "no model")])
    write(tmp_path / "b", [cell, line(1)])
    assert not read(tmp_path / "a", tmp_path / "b").failures
    assert read(tmp_path / "b", tmp_path / "a").failures


def test_a_folder_without_results_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="no results"):
            read(folder)


@pytest.mark.skipif(os.name == "nt", reason="modes of files")
def test_the_file_is_for_its_owner_alone(tmp_path):
    write(tmp_path, [line(1)])
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_place_that_cannot_be_a_folder_is_an_error_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PrivstampError, match="cannot write"):
        write(tmp_path / "file" / "results", [])


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
import test_records as here
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
with here.Journal(folder / here.FILE) as journal:
    journal.add(here.entries([here.line(1)]))
    size = (folder / here.FILE).stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        journal.add(here.entries(here.line(number) for number in range(2, 500)))
    except here.PrivstampError as error:
        sys.exit(str(error))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of processes")
def test_a_full_disk_leaves_what_was_there(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), *sys.path], capture_output=True, text=True
    )
    assert "cannot write" in done.stderr and "is kept" in done.stderr
    assert set(finished(tmp_path)["k"]) == {"é1"}
    write(tmp_path, [line(2)])
    assert set(finished(tmp_path)["k"]) == {"é1", "é2"}
