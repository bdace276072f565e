from __future__ import annotations

import errno
import json
import resource
from pathlib import Path

import pytest

from privstamp.cli import output
from privstamp.lab import bench as bench_run
from privstamp.lab.bench import report

RECORD = {
    "ratios": {"published_over_fp32": 512.0, "published_over_certified": None},
    "reasons": {"published_over_certified": "torch is not installed"},
    "searches": [],
    "mechanisms": [],
    "lines": [],
    "words_per_second": {"spaCy NER alone": 10_000.0},
    "command_seconds": {},
}


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    asked = []
    monkeypatch.setattr(bench_run, "run", lambda effort, progress: asked.append(effort) or RECORD)
    return asked


def test_prints_tables_and_writes_the_record(run, tmp_path, recorded):
    done = run("bench", "--quick", "--out", str(tmp_path / "bench.json"))
    assert done.exit_code == 0
    assert "512" in done.stdout and "torch is not installed" in done.stdout
    assert json.loads((tmp_path / "bench.json").read_text()) == RECORD
    assert recorded == [bench_run.QUICK]


def test_json_is_the_record_alone(run, recorded):
    done = run("bench", "--json")
    assert json.loads(done.stdout) == RECORD
    assert recorded == [bench_run.FULL]


def test_a_place_that_cannot_be_written_is_refused_before_the_work(run, tmp_path, recorded):
    done = run("bench", "--out", str(tmp_path / "none" / "bench.json"))
    assert done.exit_code == 2
    assert not recorded


@pytest.mark.parametrize("more", ["--json", "--quick"])
def test_exact_searches_that_disagree_are_a_failure(run, desk, monkeypatch, more):
    size = {"units": 180, "rows": 500, "dimensions": 16}
    one = {"size": size, "seconds": {"float32": 1.8, "int8": 0.9, "noise": 0.1}, "absent": {},
           "differ": ["int8"], "share_again": 0.01, "peak": 1e9}  # fmt: skip
    monkeypatch.setattr(bench_run, "run", lambda effort, progress: {**RECORD, "searches": [one]})
    done = run("bench", more, "--out", "bench.json")
    assert done.exit_code == 1
    assert "do not agree: int8 at n = 180" in done.stderr
    assert ("other rows!" if more == "--quick" else '"differ"') in done.stdout
    assert json.loads(Path("bench.json").read_text())["searches"] == [one]


def no_file(*_args, **_given):
    raise OSError(errno.ENOENT, "No such file or directory")


def test_a_folder_that_takes_no_file_is_noticed_before_the_work(run, desk, recorded, monkeypatch):
    monkeypatch.setattr(output, "mkstemp", no_file)
    done = run("bench", "--quick", "--out", "bench.json")
    assert done.exit_code == 1
    assert "--out" in done.stderr
    assert not recorded


def test_what_cannot_be_written_is_shown_and_the_old_record_stays(run, desk, monkeypatch):
    Path("bench.json").write_text("old")

    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", full)
    for more, shown in (("--json", json.dumps(512.0)), ("--quick", "512")):
        done = run("bench", "--out", "bench.json", more)
        assert done.exit_code == 1
        assert shown in done.stdout
        assert "--out" in done.stderr and "the disk is full" in done.stderr
        assert [path.name for path in desk.glob("*bench*")] == ["bench.json"]
        assert Path("bench.json").read_text() == "old"


def test_a_limit_on_the_size_of_files_is_no_loss(run, desk):
    Path("bench.json").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        done = run("bench", "--out", "bench.json", "--json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.exit_code == 1
    assert json.loads(done.stdout) == RECORD
    assert Path("bench.json").read_text() == "old"


def test_a_picture_that_cannot_be_drawn_loses_nothing_else(run, desk, monkeypatch):
    monkeypatch.setattr(report, "draw", no_file)
    done = run("bench", "--plot", "bench.png", "--out", "bench.json", "--json")
    assert done.exit_code == 1
    assert "--plot" in done.stderr and "--out" not in done.stderr
    assert json.loads(done.stdout) == json.loads(Path("bench.json").read_text()) == RECORD


@pytest.mark.parametrize("name", ["bench.txt", "bench"])
def test_a_picture_of_no_known_kind_is_refused_before_the_work(run, tmp_path, recorded, name):
    done = run("bench", "--plot", str(tmp_path / name))
    assert done.exit_code == 2
    assert ".svg" in done.stderr
    assert not recorded
