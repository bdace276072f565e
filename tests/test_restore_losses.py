"""The committed measurement of what restoring loses, and its table in the docs."""

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@cache
def program():
    path = ROOT / "benchmarks" / "restore_losses.py"
    spec = importlib.util.spec_from_file_location("bench_restore_losses", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks there
    spec.loader.exec_module(module)
    return module


def test_the_page_quotes_the_results():
    made = program()
    lines = made.table(json.loads(made.RESULTS.read_text(encoding="utf-8")))
    written = (
        (ROOT / "docs" / "concepts" / "surrogates.md").read_text(encoding="utf-8").splitlines()
    )
    assert [line for line in lines if line not in written] == []


def test_a_perfect_reader_loses_next_to_nothing():
    stored = json.loads(program().RESULTS.read_text(encoding="utf-8"))["after"]
    assert all(one["f1"] >= 0.98 and one["unchanged"] <= 0.02 for one in stored.values())


@pytest.mark.slow
def test_the_program_measures_a_passage_of_our_own():
    made = program()
    items = made.invented(1, 0)
    found = made.measure(made.Privatizer(made.POLICY, seed=1), items)
    assert found["questions"] == len(items) == 5
    assert 0.5 <= found["f1"] <= 1.0
