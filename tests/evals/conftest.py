"""Results of every experiment from stand-in numbers, made once."""

import pytest

import tiny_workshop as tiny
from privstamp.evals.experiments import EXPERIMENTS
from privstamp.evals.experiments.options import Options
from privstamp.evals.records import read
from privstamp.evals.report import Report
from privstamp.evals.runner import run


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    options = Options(tasks=("ag_news",), seeds=1, readers=("tfidf",))
    for one in EXPERIMENTS.values():
        run(one.cells(options), folder, tiny.opener(), limits={"ag_news": 6})
    run(tiny.cells("stamp", readers=("bad",)), folder, tiny.opener(hurt="bad"))
    return Report.of(read(folder))
