"""Intervals cover as often as they say; JSON says what it said."""

import math

import numpy as np
import pytest

from privstamp.lab.estimate import Estimate, clopper_pearson, plain, read_off

TRIALS = 2000
LOWEST, HIGHEST = 0.93, 0.975
"""Of 2,000 intervals at 95 %, so many cover but with a chance of about one in ten thousand."""


def coverage(estimates, truth):
    return np.mean([one.low <= truth <= one.high for one in estimates])


@pytest.mark.parametrize("share", [0.05, 0.5, 0.93])
def test_wilsons_interval_covers(share):
    hits = np.random.default_rng(1).binomial(200, share, TRIALS).tolist()
    assert LOWEST < coverage([Estimate.share(one, 200) for one in hits], share) < HIGHEST


def test_the_interval_of_a_mean_covers():
    samples = np.random.default_rng(2).exponential(2.0, (TRIALS, 400))
    found = [Estimate.mean(one) for one in samples]
    assert LOWEST - 0.01 < coverage(found, 2.0) < HIGHEST
    assert found[0].n == 400


def test_the_interval_of_a_ratio_covers_and_one_that_ignores_the_wholes_would_not():
    random = np.random.default_rng(3)
    found, naive = [], []
    for _ in range(TRIALS):
        wholes = random.integers(1, 20, 300).astype(float)
        chance = np.clip(random.normal(0.3, 0.2, 300), 0, 1)  # items differ: they are what varies
        parts = random.binomial(wholes.astype(int), chance).astype(float)
        found.append(Estimate.ratio(parts, wholes))
        naive.append(Estimate.share(int(parts.sum()), int(wholes.sum())))
    truth = float(np.mean(np.clip(np.random.default_rng(4).normal(0.3, 0.2, 1_000_000), 0, 1)))
    assert LOWEST - 0.01 < coverage(found, truth) < HIGHEST
    assert coverage(naive, truth) < 0.85


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_clopper_and_pearson_fail_no_more_often_than_they_say(share):
    hits = np.random.default_rng(5).binomial(150, share, 20_000)
    low, high = clopper_pearson(hits, 150, 0.1)
    for wrong in (low > share, high < share):
        assert wrong.mean() <= 0.05 + 3.9 * math.sqrt(0.05 * 0.95 / 20_000)


def test_clopper_and_pearson_know_the_ends():
    low, high = clopper_pearson([0, 10], 10, 0.05)
    assert low[0] == 0.0 and high[1] == 1.0
    assert high[0] == pytest.approx(1 - 0.025 ** (1 / 10))
    assert low[1] == pytest.approx(0.025 ** (1 / 10))


def test_nothing_to_count_is_no_number_and_says_why():
    nothing = np.zeros(0)
    for found in (Estimate.share(0, 0), Estimate.mean([]), Estimate.ratio(nothing, nothing)):
        assert found.value is None and found.note and math.isnan(found.number)
        assert (found.lower, found.upper) == (0.0, 1.0)  # nothing known: the worst at both ends
    assert Estimate.share(0, 0, "no such word").note == "no such word"


def test_written_for_people():
    assert Estimate.exact(0.25).written() == "0.250"
    assert Estimate(0.25, 0.2, 0.3, 40).written(".2f") == "0.25 [0.20, 0.30]"
    assert Estimate(1.0, 1.0, 1.0, 40).written(".0f") == "1 [1, 1]"  # counted, not known
    assert Estimate(0.5, None, None, 3).written() == "0.500"
    assert Estimate.missing("why").written(missing="–") == "–"
    assert Estimate(0.25, 0.2, 0.3).short() == "0.250" and Estimate.missing().short() == ""


def test_json_goes_there_and_back():
    for one in (Estimate.exact(0.5), Estimate.missing("why"), Estimate(0.1, 0.05, None, note="so"),
                Estimate(0.25, 0.2, 0.3, 40, clusters=8)):  # fmt: skip
        assert Estimate.of_json(one.as_json()) == one
    assert Estimate.exact(0.123456789).as_json() == {
        "value": 0.12346, "low": 0.12346, "high": 0.12346,
    }  # fmt: skip
    clustered = Estimate(0.25, 0.2, 0.3, 40, clusters=8).as_json()
    assert clustered["clusters"] == 8 and clustered["examples"] == 40


def test_plain_data_has_no_numbers_that_json_lacks():
    found = plain({
        "a": [math.inf, np.float32(0.5), np.int64(3), "x"], "b": (math.nan, None, True),
        "c": Estimate.exact(1.0),
    })  # fmt: skip
    assert found == {
        "a": [None, 0.5, 3, "x"], "b": [None, None, True],
        "c": {"value": 1.0, "low": 1.0, "high": 1.0},
    }  # fmt: skip
    assert type(found["a"][2]) is int


def line(*points):
    across, up = np.array(points, dtype=float).T
    return across, up


def test_between_two_points_a_line_is_read_off_and_nothing_beyond_them():
    across, up = line((0.3, 0.9), (0.1, 0.5))  # in any order
    assert read_off(across, up, np.array(0.2)) == pytest.approx(0.7)
    assert read_off(across, up, np.array(0.1)) == pytest.approx(0.5)
    for level in (0.09, 0.31):
        assert math.isnan(read_off(across, up, np.array(level)))


def test_points_at_one_place_count_as_their_mean():
    across, up = line((0.0, 0.2), (0.0, 0.6), (1.0, 1.0))
    assert read_off(across, up, np.array(0.0)) == pytest.approx(0.4)
    assert read_off(across, up, np.array(0.5)) == pytest.approx(0.7)


def test_many_lines_are_read_off_at_once_each_at_its_level():
    across = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]])
    up = np.array([[0.0, 10.0], [0.0, 10.0], [5.0, 5.0]])
    found = read_off(across, up, np.array([0.5, 1.0, 3.0]))
    assert found[:2].tolist() == [5.0, 5.0] and math.isnan(found[2])


def test_a_gap_spoils_only_what_lies_beside_it():
    across, up = line((0.0, 0.0), (1.0, math.nan), (2.0, 2.0), (3.0, 3.0))
    assert math.isnan(read_off(across, up, np.array(0.5)))
    assert read_off(across, up, np.array(2.5)) == pytest.approx(2.5)


def test_wilsons_ends_stay_around_the_share_and_inside_of_shares():
    for trials in (1, 2, 7, 1000):
        for hits in {0, 1, trials // 2, trials - 1, trials}:
            found = Estimate.share(hits, trials)
            assert 0.0 <= found.low <= found.value <= found.high <= 1.0
            assert found.n == trials and found.low < found.high
    assert Estimate.share(0, 5).low == 0.0 and Estimate.share(5, 5).high == 1.0


def test_wilsons_interval_is_the_set_of_shares_that_a_score_test_keeps():
    found = Estimate.share(7, 40)
    for end in (found.low, found.high):
        score = abs(7 / 40 - end) / math.sqrt(end * (1 - end) / 40)
        assert score == pytest.approx(1.959963984540054)
