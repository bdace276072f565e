"""The paper's figures are whole, and found by what they belong to."""

from privstamp.lab.evals.grids import VECTORS
from privstamp.lab.evals.report import BASELINES, TABLE, paper
from privstamp.lab.evals.results import SettingRow


def row(task, epsilon, experiment="table1", method="policy"):
    labels = {"mechanism": "polar", "metric": "angular", "epsilon": epsilon}
    return SettingRow(experiment, task, "tfidf", "polar", method, labels, {}, [1], [])


def test_published_figures_are_whole():
    assert all(len(figures) == len(VECTORS) for figures in TABLE.values())
    assert all(0 < figure < BASELINES[task] for (task, *_), row in TABLE.items() for figure in row)


def test_published_figures_stand_beside_what_they_belong_to():
    assert paper(row("fantasy", 350)) == 0.833
    assert paper(row("ag_news", 1)) is None
    assert paper(row("ag_news", 350, "mechanisms")) is None
    assert paper(row("fantasy", 0, method="original")) == BASELINES["squad"]
