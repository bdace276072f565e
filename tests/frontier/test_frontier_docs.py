"""The committed results, their tables in the docs, and the code agree."""

import json
import sys
from pathlib import Path

import pytest

from privstamp.frontier.report import Outcome

ROOT = Path(__file__).parents[2]
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("frontier*.json"))


@pytest.fixture
def table(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import frontier_table

    yield frontier_table.table
    sys.modules.pop("frontier_table")


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_the_page_quotes_the_results(path, table):
    assert table(path.name) in (ROOT / "docs" / "frontier.md").read_text()


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_the_comparison_follows_from_the_records(path):
    (content,) = json.loads(path.read_text())
    outcome = Outcome(content["about"]["space"], content["about"], content["records"])
    assert outcome.compared() == content["at_equal_recovery"]
    assert not content["about"]["quick"]


def test_what_the_page_claims_of_the_best(table):
    (content,) = json.loads((ROOT / "benchmarks" / "results" / "frontier.json").read_text())
    best = {}
    for row in content["at_equal_recovery"]:
        if row["loss_random_part"] is not None and row["loss_random_part"] <= 0.5:
            times = max(best.get(row["above_floor"], 0.0), row["n50_times"])
            best[row["above_floor"]] = times
    assert best[0.05] < 3 <= best[0.1] and best[0.2] >= 3
