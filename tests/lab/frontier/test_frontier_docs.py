"""The committed results, their tables in the docs, and the code agree."""

import json
import sys
from pathlib import Path

import pytest

from privstamp.lab.frontier import Outcome

ROOT = Path(__file__).parents[3]
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("frontier*.json"))


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import frontier_table

    yield frontier_table
    sys.modules.pop("frontier_table")


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_the_page_quotes_the_results(path, tables):
    assert tables.table(path.name) in (ROOT / "docs" / "lab" / "frontier.md").read_text()


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_the_comparison_follows_from_the_records(path):
    (content,) = json.loads(path.read_text())
    outcome = Outcome(content["about"]["space"], content["about"], content["records"])
    assert outcome.compared() == content["at_equal_recovery"]
    assert not content["about"]["quick"]


def test_the_page_quotes_the_bracket_around_polar(tables):
    page = (ROOT / "docs" / "lab" / "frontier.md").read_text()
    assert tables.bracket("frontier.json") in page
    assert tables.epsilons("frontier-mpnet.json", tables.CHORDAL) in page


def test_the_pages_of_graph_mechanisms_quote_the_records(tables):
    page = (ROOT / "docs" / "concepts" / "mechanisms.md").read_text()
    assert tables.grid("frontier.json", tables.STEPS) in page
    assert tables.grid("frontier.json", tables.CLUSTERS) in page
