"""A results folder survives whatever interrupts its writing."""

import json
import os
import stat
import subprocess
import sys

import pytest

import tiny_workshop as tiny
from privstamp.errors import InputError, PrivstampError
from privstamp.lab.evals.contracts import Record
from privstamp.lab.evals.records import (
    BEGUN,
    ENDED,
    FILE,
    Journal,
    cell_line,
    failed_line,
    finished,
    read,
    record_line,
    run_line,
)
from privstamp.policy import Policy

CELL = tiny.cells("stamp")[0]


def line(number):
    return record_line(Record("k", f"é{number}", "c", {"f1": 0.5}, {"units": 3.0}, {"noise": 0.25}))


def write(folder, lines):
    with Journal(folder) as journal:
        journal.write(lines)


def test_what_was_written_is_read_back(tmp_path):
    write(tmp_path / "deep" / "folder", [cell_line(CELL, "k", {"task": "t"}, {"numpy": "2"})])
    write(tmp_path / "deep" / "folder", [line(1), failed_line(CELL, "no model")])
    found = read(tmp_path / "deep" / "folder")
    assert found.records["k"]["é1"] == Record(
        "k", "é1", "c", {"f1": 0.5}, {"units": 3.0}, {"noise": 0.25}
    )
    assert [cell["key"] for cell in found.cells] == ["k"]
    assert list(found.failures.values()) == ["no model"]
    assert found.damaged == 0


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
    assert len(found.cells) == 2 and found.turns == [3, 4]
    with Journal(tmp_path) as journal:
        before = (tmp_path / FILE).stat().st_size
        journal.write([one])
        after = (tmp_path / FILE).stat().st_size
        journal.write([one])  # named by this run already
    assert before < after == (tmp_path / FILE).stat().st_size


def test_a_run_without_an_end_was_stopped(tmp_path):
    begun, ended = run_line(BEGUN, 3), run_line(ENDED, 3)
    for lines, stopped in (([begun], 1), ([ended], 0), ([begun, line(1)], 1), ([begun, ended], 0)):
        write(tmp_path, lines)
        found = read(tmp_path)
        assert (found.stopped, found.damaged) == (stopped, 0)


def test_a_later_record_mends_a_failure_and_nothing_else_does(tmp_path):
    cell = cell_line(CELL, "k", {}, {})
    write(tmp_path, [cell, failed_line(CELL, "no model")])
    write(tmp_path, [cell])
    assert read(tmp_path).failures
    write(tmp_path, [line(1)])
    assert not read(tmp_path).failures
    write(tmp_path, [failed_line(CELL, "again")])
    assert read(tmp_path).failures


def test_infinite_numbers_stay_infinite_in_valid_json(tmp_path):
    record = Record("k", "e", "c", {"f1": 1.0}, {"epsilon": float("inf")}, {})
    write(tmp_path, [record_line(record)])
    strict = json.loads(
        (tmp_path / FILE).read_text(), parse_constant=lambda name: pytest.fail(name)
    )
    assert strict["privacy"]["epsilon"] == "inf"
    assert read(tmp_path).records["k"]["e"].privacy["epsilon"] == float("inf")


def test_cut_at_every_byte_nothing_finished_is_lost_and_nothing_half_is_kept(tmp_path):
    lines = [line(number) for number in range(4)]
    write(tmp_path, lines)
    whole = (tmp_path / FILE).read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(ends[0], len(whole) + 1):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / FILE).write_bytes(whole[:cut])
        kept = sum(end <= cut for end in ends)
        assert len(finished(folder)["k"]) == kept
        write(folder, lines[kept:])
        assert (folder / FILE).read_bytes() == whole


def test_a_long_torn_line_is_dropped(tmp_path):
    write(tmp_path, [line(1)])
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole + b'{"kind":"record","cell":"' + b"x" * 200_000)
    write(tmp_path, [])
    assert (tmp_path / FILE).read_bytes() == whole


def test_a_damaged_line_is_counted_and_the_rest_is_read(tmp_path):
    write(tmp_path, [line(1), line(2)])
    first, second = (tmp_path / FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / FILE).write_bytes(b"\0" * 20 + b"\n[]\n" + first + b'{"kind":"record"}\n' + second)
    found = read(tmp_path)
    assert set(found.records["k"]) == {"é1", "é2"}
    assert found.damaged == 3


def test_two_runs_do_not_write_at_once(tmp_path):
    with Journal(tmp_path), pytest.raises(PrivstampError, match="another run"), Journal(tmp_path):
        pass
    write(tmp_path, [line(1)])


def test_a_record_without_scores_is_not_done(tmp_path):
    write(tmp_path, [line(1), {**line(2), "scores": None}])
    assert finished(tmp_path)["k"] == {"é1"}
    assert read(tmp_path).damaged == 1


def test_folders_are_read_together(tmp_path):
    write(tmp_path / "a", [line(1)])
    write(tmp_path / "b", [line(2)])
    assert set(read(tmp_path / "a", tmp_path / "b").records["k"]) == {"é1", "é2"}
    (tmp_path / "b" / FILE).rename(tmp_path / "a" / "results-elsewhere.jsonl")
    (tmp_path / "a" / "passages.jsonl").write_text("no results\n")
    found = read(tmp_path / "a")
    assert set(found.records["k"]) == finished(tmp_path / "a")["k"] == {"é1", "é2"}
    assert not found.damaged


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
    with pytest.raises(PrivstampError, match=r"cannot write.*as --out"):
        write(tmp_path / "file" / "results", [])


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
import test_records as here
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
with here.Journal(folder) as journal:
    journal.write([here.line(1)])
    size = (folder / here.FILE).stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))
    try:
        journal.write([here.line(2), here.line(3)])
    except here.PrivstampError as error:
        sys.exit(str(error))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of processes")
def test_a_full_disk_leaves_what_was_there(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), *sys.path], capture_output=True, text=True
    )
    assert "cannot write" in done.stderr and "again to go on" in done.stderr
    content = (tmp_path / FILE).read_bytes()
    assert content.count(b"\n") == 1 and content.endswith(b"\n")
    assert set(finished(tmp_path)["k"]) == {"é1"}
