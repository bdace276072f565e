from __future__ import annotations

import numpy as np
import pytest

from privstamp.mechanisms._geometry import SLACK, log_normalisers, proved, scores, tight_scale
from privstamp.spaces.graph import neighbour_graph
from toys import ToySpace

EPSILONS = [0.01, 0.5, 2.0, 4.0, 7.0, 40.0]


@pytest.fixture(scope="module")
def graph():
    return neighbour_graph(ToySpace(rows=240, dimensions=4, classes=("a",)), 3).classes[0]


def loss_per_step(graph, plateau, scale):
    """Worst log P(v|w) / P(v|w') over all pairs and outputs, divided by their distance."""
    steps = graph.sweeps.hops(np.arange(len(graph))).astype(float)
    logs = -scale * np.maximum(steps - plateau, 0.0)
    logs -= np.logaddexp.reduce(logs, axis=1)[:, None]
    gap = (logs[:, None, :] - logs[None, :, :]).max(-1)
    return (gap / np.where(steps > 0, steps, np.inf)).max()


def test_normalisers_from_shells_are_the_sums_over_all_rows(graph):
    steps = graph.sweeps.hops(np.arange(len(graph))).astype(float)
    for plateau in (0, 1, 3):
        plain = np.logaddexp.reduce(-1.7 * np.maximum(steps - plateau, 0.0), axis=1)
        assert np.abs(log_normalisers(graph, plateau, 1.7) - plain).max() < 1e-12


@pytest.mark.parametrize("plateau", [0, 1])
@pytest.mark.parametrize("scale", [0.05, 0.7, 2.0, 30.0])
def test_constant_is_that_of_all_pairs(graph, plateau, scale):
    brute = loss_per_step(graph, plateau, scale)
    claimed = proved(graph, plateau, scale)
    assert brute <= claimed + 1e-12
    if plateau == 0:  # else the best output for the score need not exist at the worst link
        assert claimed <= brute + 2 * SLACK
    assert brute > 0.9 * claimed, "a constant 10 % smaller would be wrong"


@pytest.mark.parametrize("plateau", [0, 1, 2, 50])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_scale_keeps_the_promise_and_is_no_smaller_than_nominal(graph, plateau, epsilon):
    scale = tight_scale(graph, plateau, epsilon)
    assert epsilon / 2 <= scale < epsilon
    assert loss_per_step(graph, plateau, scale) <= epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_scale_ten_percent_larger_breaks_the_promise(graph, epsilon):
    scale = tight_scale(graph, 0, epsilon)
    assert loss_per_step(graph, 0, 1.1 * scale) > epsilon


def test_something_is_gained_over_the_general_argument(graph):
    assert tight_scale(graph, 0, 7.0) > 1.5 * 3.5


def test_a_budget_below_the_slack_falls_back_to_nominal(graph):
    assert tight_scale(graph, 0, 1e-10) == 5e-11
    assert proved(graph, 0, 5e-11) <= 1e-10


def test_scores_are_flat_then_one_per_step(graph):
    assert scores(graph, 2).tolist() == [0.0, 0.0, 0.0, *range(1, graph.diameter - 1)]
    assert not scores(graph, 1000).any()
