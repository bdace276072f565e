"""Results of every experiment from stand-in numbers, made once."""

import pytest

import tiny_workshop as tiny
from privstamp.lab.evals.experiments import ExperimentOptions
from privstamp.lab.evals.grids import EXPERIMENTS
from privstamp.lab.evals.report import Report
from privstamp.lab.evals.results import read
from privstamp.lab.evals.runner import run


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    options = ExperimentOptions(tasks=("ag_news",), seeds=1, readers=("tfidf",))
    for one in EXPERIMENTS.values():
        run(one.cells(options), folder, tiny.opener(), limits={"ag_news": 6})
    run(tiny.cells("stamp", readers=("bad",)), folder, tiny.opener(hurt="bad"))
    return Report.of(read(folder))
