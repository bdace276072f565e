"""Intervals cover as often as they say, and ignoring clusters is seen not to."""

import numpy as np
import pytest

from privstamp.errors import UsageError
from privstamp.lab import estimate
from privstamp.lab.estimate import difference, joint, mean, pooled, ratio

TRIALS = 400
LOWEST, HIGHEST = 0.91, 0.985
"""Of 400 intervals at 95 %, so many cover but with a chance of about one in ten thousand."""


@pytest.fixture
def few_draws(monkeypatch):
    monkeypatch.setattr(estimate, "DRAWS", 500)


def clustered(random, clusters, size, own=True):
    """Values whose clusters differ; the mean is 0.5. `own`: whether the clusters are told."""
    centres = random.normal(0.5, 0.3, clusters)
    rows = []
    for cluster, centre in enumerate(centres):
        for number, value in enumerate(random.normal(centre, 0.2, size)):
            example = f"{cluster}/{number}"
            rows.append((example, str(cluster) if own else example, value))
    return rows


def coverage(measure, truth):
    random = np.random.default_rng(1)
    found = [measure(random) for _ in range(TRIALS)]
    return np.mean([one.low <= truth <= one.high for one in found])


@pytest.mark.slow
@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("clusters", [8, 24])
def test_intervals_cover_and_those_that_ignore_clusters_do_not(clusters):
    told = coverage(lambda random: mean(clustered(random, clusters, 5)), 0.5)
    ignored = coverage(lambda random: mean(clustered(random, clusters, 5, own=False)), 0.5)
    assert LOWEST < told < HIGHEST
    assert ignored < 0.8


def two_conditions(random, clusters=40):
    """A hard cluster is hard for both; the second keeps nine tenths of the first."""
    first, second = [], []
    for cluster in range(clusters):
        level = random.uniform(0.3, 1.0)
        for number in range(3):
            example = f"{cluster}/{number}"
            first.append((example, str(cluster), level + random.normal(0, 0.02)))
            second += [
                (example, str(cluster), 0.9 * level + random.normal(0, 0.05)) for _ in range(3)
            ]
    return first, second


@pytest.mark.slow
@pytest.mark.usefixtures("few_draws")
def test_paired_intervals_cover_and_are_narrower_than_apart():
    share = coverage(lambda random: ratio(*reversed(two_conditions(random))), 0.9)
    assert LOWEST < share < HIGHEST
    first, second = two_conditions(np.random.default_rng(2))
    paired, alone = difference(second, first), mean(second)
    assert paired.high - paired.low < 0.3 * (alone.high - alone.low)


def test_values_are_those_of_the_data_with_seeds_averaged_first():
    first = [("a", "1", 1.0), ("a", "1", 0.0), ("a", "1", 0.5), ("b", "2", 0.5)]
    second = [("a", "1", 1.0), ("b", "2", 1.0), ("c", "2", 0.0)]
    assert mean([("a", "1", 1.0), ("a", "1", 1.0), ("b", "2", 0.0)]).value == 0.5
    assert difference(first, second).value == -0.5  # "c" is in one of them only
    assert ratio(first, second).value == 0.5
    assert (found := difference(first, second)).n == 2 and found.clusters == 2


def test_pooled_rates_weigh_by_the_whole():
    parts = [("a", "1", 1.0, 10.0), ("b", "2", 1.0, 1.0), ("c", "3", 0.0, 0.0)]
    found = pooled(parts)
    assert found.value == pytest.approx(2 / 11)
    assert found.low < found.value < found.high


def test_without_two_clusters_there_is_no_interval():
    found = mean([("a", "1", 1.0), ("b", "1", 0.0)])
    assert (found.value, found.low, found.high, found.clusters) == (0.5, None, None, 1)
    empty = mean([])
    assert empty.value is None and empty.low is None
    nothing = pooled([("a", "1", 0.0, 0.0), ("b", "2", 0.0, 0.0)])
    assert nothing.value is None and nothing.low is None


def test_whoever_asks_again_gets_the_same_interval_and_other_texts_another():
    rows = clustered(np.random.default_rng(0), 20, 2)
    assert mean(rows) == mean(rows[::-1]) == mean(rows)
    assert mean(rows).interval != mean(clustered(np.random.default_rng(1), 20, 2)).interval


def test_an_example_in_two_clusters_is_refused():
    with pytest.raises(UsageError, match="two clusters"):
        mean([("a", "1", 1.0), ("a", "2", 1.0)])


def test_few_clusters_have_wider_tails_than_a_normal():
    low, high = estimate._tails(5)
    many = estimate._tails(400)
    assert low < many[0] < 0.026 and high > many[1] > 0.974
    assert low + high == pytest.approx(1.0)


def test_a_statistic_of_several_settings_is_over_what_all_have():
    first = [("a", "1", (1.0, 1.0)), ("b", "2", (0.0, 1.0)), ("c", "3", (9.0, 1.0))]
    second = [("a", "1", (3.0, 1.0)), ("b", "2", (1.0, 1.0))]

    def gap(sums):
        return sums[..., 2] / sums[..., 3] - sums[..., 0] / sums[..., 1]

    found = joint([first, second], gap)
    assert found.value == 1.5 and (found.n, found.clusters) == (2, 2)  # "c" is in one only


def test_what_cannot_be_told_in_many_draws_has_no_bounds():
    rows = [[(str(n), str(n), (float(n == 0), 1.0)) for n in range(6)]]

    def fragile(sums):
        return np.where(sums[..., 0] > 0, sums[..., 0], np.nan)

    found = joint(rows, fragile)
    assert found.value == 1.0 and found.low is None and found.high is None
    nothing = joint(rows, lambda sums: sums[..., 0] * np.nan)
    assert nothing.value is None and nothing.n == 6


def test_json_of_an_interval_says_what_it_rests_on():
    data = mean([("a", "1", 1.0), ("b", "1", 0.0), ("c", "2", 1.0)]).as_json()
    assert (data["clusters"], data["examples"]) == (2, 3)
    assert data["low"] <= data["value"] <= data["high"]
