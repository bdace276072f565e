"""The summary that the site's results are written from: small, complete, and readable there."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

import tiny_workshop as tiny
from privstamp.lab.evals.runner import run

ROOT = Path(__file__).parents[3]


def program(path):
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def summary(tmp_path, monkeypatch):
    made = program(ROOT / "benchmarks" / "evals_summary.py")
    old = json.loads(made.SUMMARY.read_text("utf-8"))
    monkeypatch.setattr(made, "SUMMARY", tmp_path / "evals.json")
    made.write(old)
    assert json.loads(made.SUMMARY.read_text("utf-8")) == old
    cells = tiny.cells("original", "stamp", seeds=2)
    run(cells, tmp_path / "results", tiny.opener(), limits={"numbers": 8})
    monkeypatch.setattr(sys, "argv", ["evals_summary.py", str(tmp_path / "results")])
    made.main()
    return old, json.loads(made.SUMMARY.read_text("utf-8"))


def test_new_tables_join_the_old_ones_with_fingerprints_and_hashes(summary):
    old, new = summary
    added = set(new["tables"]) - set(old["tables"])
    assert added and set(old["tables"]) <= set(new["tables"])
    [table] = [new["tables"][name] for name in added]
    assert "of original" not in table["head"] and "kept" in table["head"]
    assert all(len(row) == len(table["head"]) for row in table["rows"])
    assert table["fingerprints"]["task"] == "tiny 1"
    [digest] = set(new["records"].values()) - set(old["records"].values())
    assert len(digest) == 64


def test_the_site_writes_a_table_with_its_command_and_fingerprint(summary):
    site = program(ROOT / "docs" / "site.py")
    _, new = summary
    for task in site.TASKS:
        page = site.results_page(task, new)
        assert new["commands"][0] in page and "Fingerprints: " in page
        tables = [name for name in new["tables"] if f" {task}, " in name]
        assert tables and page.count("Fingerprints: ") == len(tables)


def test_goals_are_read_off_their_rows():
    made = program(ROOT / "benchmarks" / "evals_summary.py")
    interval = {"value": 0.96, "low": 0.94, "high": 0.98}
    shares = {name: {"value": 0.0} for name in ("recovered_unigram", "floor_unigram")}
    row = {
        "experiment": "restore", "task": "yelp", "condition": "surrogates", "reader": "tfidf",
        "of_original": interval, "less_original": interval, "examples": 9, "seeds": [1, 2],
        "shares": shares | {"content_kept": {"value": 1.0}},
    }  # fmt: skip
    [line] = made.goals([row]).values()
    assert line[:4] == ["yelp", "only sensitive units changed", "tfidf", "9 × 2"]
    assert line[-2:] == ["yes", "no"]  # the value reaches 95 %, the interval's lower end does not
    leaky = row | {"shares": row["shares"] | {"recovered_unigram": {"value": 0.2}}}
    [line] = made.goals([leaky]).values()
    assert line[-2:] == ["no", "no"]
