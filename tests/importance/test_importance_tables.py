"""The measurements of importance, their tables in the docs, and what they have to reach."""

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/guides/importance.md"


@pytest.fixture(scope="module")
def program():
    pytest.importorskip("sklearn")
    path = ROOT / "benchmarks/importance.py"
    spec = importlib.util.spec_from_file_location("bench_importance", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def results():
    return json.loads((ROOT / "benchmarks/results/importance.json").read_text(encoding="utf-8"))


def test_the_page_quotes_the_results(program, results):
    squad = results["squad"]
    lines = [
        f"{squad['questions']} questions:",
        *program.squad_table(squad),
        f"The slow ones, on {squad['on a part']['questions']} of them:",
        *program.squad_table(squad["on a part"]),
        *program.spans_table(squad["spans"]),
        *program.topics_table(results["topics"]),
        *program.speed_table(results["speed"]),
    ]
    written = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line not in written] == []


def test_the_costs_of_single_methods_are_those_measured(results):
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    for name, ms in results["speed"]["ms"].items():
        method, _, encoder = name.partition(", ")
        start = f'| `{method}`, `encoder = "{encoder}"` |' if encoder else f"| `{method}` "
        cells = [row.split("|")[-2].strip() for row in rows if row.startswith(start)]
        assert f"{ms:.1f}" in cells, name


def test_numbers_are_written_short(program):
    assert program.short(0.8994) == ".899" and program.short(1.0) == "1.000"
    assert program.short(-0.0033, "+") == "-.003" and program.short(0.0129, "+") == "+.013"


def test_importance_reaches_what_it_has_to(results):
    methods = results["squad"]["methods"]
    for name in ("relevance", "relevance, minilm"):
        upper = methods[name]["answers in the top 30 %"]
        assert upper["mean"] >= 0.74 and upper["less BM25, 95 %"][0] > 0
    news, stars = results["topics"]["AG News"], results["topics"]["Yelp"]
    assert max(kept["10 %"] for kept in news["kept"].values()) >= 0.80
    taught = stars["kept"]["task-match, 200 examples"]["30 %"]
    assert taught >= stars["full text"] - 0.04


def test_both_oracles_together_take_no_longer_than_they_may(results):
    for ms, limit in zip(results["speed"]["lines"].values(), (2, 30, 80), strict=True):
        assert ms < limit
