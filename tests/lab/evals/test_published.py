"""The paper's figures are whole, and found by what they belong to."""

from privstamp.lab.evals.comparisons import BASELINES, TABLE, VECTORS, published


def test_published_figures_are_whole():
    assert all(len(figures) == len(VECTORS) for figures in TABLE.values())
    assert all(0 < figure < BASELINES[task] for (task, *_), row in TABLE.items() for figure in row)
    assert published("fantasy", "polar", "angular", 350) == 0.833
    assert published("ag_news", "polar", "angular", 1) is None
