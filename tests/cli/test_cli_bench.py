from __future__ import annotations

import json

import pytest

from privstamp.bench import run as bench_run

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
    monkeypatch.setattr(bench_run, "run", lambda effort, watch: asked.append(effort) or RECORD)
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


@pytest.mark.parametrize("name", ["bench.txt", "bench"])
def test_a_picture_of_no_known_kind_is_refused_before_the_work(run, tmp_path, recorded, name):
    done = run("bench", "--plot", str(tmp_path / name))
    assert done.exit_code == 2
    assert ".svg" in done.stderr
    assert not recorded
