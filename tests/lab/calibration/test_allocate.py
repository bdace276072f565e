"""The allocator on curves whose best allocation is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.errors import BudgetError
from privstamp.lab.calibration.groups import Meaning, Mix

STEP = Meaning.of({9.99: 0.0, 10.0: 1.0, 20.0: 1.0})  # nothing below 10, everything from there on
LINE = Meaning.of({0.0001: 0.0, 10.0: 1.0})
ROOT = Meaning.of({float(e): float(np.sqrt(e / 100)) for e in np.linspace(0.01, 100, 400)})
EQUAL = (0.25, 0.25, 0.25, 0.25)


def test_a_cliff_is_climbed_by_as_many_groups_as_the_budget_allows():
    mix = Mix(EQUAL, [STEP] * 4, (4.0, 1.0, 3.0, 2.0))
    found = mix.allocate(5.0)  # twice ten
    assert mix.mean(found) <= 5.0 + 1e-9
    assert found[0] == pytest.approx(10.0, abs=0.01) and found[2] == pytest.approx(10.0, abs=0.01)
    assert mix.utility(found) == pytest.approx(0.7, abs=1e-3)
    assert mix.utility((5.0,) * 4) == 0.0
    assert mix.utility(mix.by_ratio(5.0)) <= 0.3


def test_concave_curves_get_equal_slopes():
    weights = (1.0, 1.0, 2.0, 2.0)
    mix = Mix(EQUAL, [ROOT] * 4, weights)
    found = mix.allocate(20.0)
    # Maximum of sum w * sqrt(e) under a mean: e in proportion to w squared.
    assert np.allclose(found, [8.0, 8.0, 32.0, 32.0], rtol=0.1)
    assert mix.utility(found) > mix.utility((20.0,) * 4)


def test_limits_are_caps_and_what_they_free_is_used_elsewhere():
    mix = Mix((0.1, 0.2, 0.3, 0.4), [LINE] * 4, (2.0, 1.5, 2.0, 1.0))
    found = mix.allocate(4.0, caps=(1.0, 1.0, 5.0, np.inf))
    assert np.all(np.array(found) <= [1.0 + 1e-9, 1.0 + 1e-9, 5.0 + 1e-9, np.inf])
    assert found == pytest.approx((1.0, 1.0, 5.0, 5.5), abs=0.05)
    assert mix.mean(found) == pytest.approx(4.0, abs=0.01)


def test_more_than_enough_is_not_spent():
    found = Mix(EQUAL, [STEP] * 4).allocate(1000.0)
    assert max(found) <= 10.0 + 1e-6


def test_it_never_does_worse_than_fixed_proportions():
    random = np.random.default_rng(3)
    for _ in range(5):
        shares = random.dirichlet(np.ones(4))
        mix = Mix(shares.tolist(), [STEP, ROOT, LINE, ROOT], random.uniform(0.5, 4, 4).tolist())
        for mean in (2.0, 8.0):
            best = mix.utility(mix.allocate(mean))
            assert best >= mix.utility((mean,) * 4) - 0.01
            assert best >= mix.utility(mix.by_ratio(mean)) - 0.01


def test_fixed_proportions_have_the_mean_asked_for():
    mix = Mix((0.1, 0.2, 0.3, 0.4), [LINE] * 4)
    given = mix.by_ratio(7.0)
    assert mix.mean(given) == pytest.approx(7.0)
    assert np.allclose(np.divide(given, given[1]), [2, 1, 4, 3])


@pytest.mark.parametrize("mean", [0.0, -1.0, np.inf, np.nan])
def test_a_mean_is_a_positive_number(mean):
    with pytest.raises(BudgetError):
        Mix(EQUAL, [LINE] * 4).allocate(mean)


def test_shares_add_up():
    with pytest.raises(BudgetError, match="add up"):
        Mix((0.5, 0.5, 0.5, 0.5), [LINE] * 4).allocate(1.0)


@settings(max_examples=25)
@given(
    shares=st.lists(st.floats(0.05, 1.0), min_size=4, max_size=4),
    mean=st.floats(0.5, 30.0),
    caps=st.lists(st.sampled_from([0.0, 1.0, 7.0, np.inf]), min_size=4, max_size=4),
)
def test_neither_the_mean_nor_a_cap_is_ever_exceeded(shares, mean, caps):
    mix = Mix((np.array(shares) / sum(shares)).tolist(), [STEP, ROOT, LINE, ROOT])
    found = mix.allocate(mean, caps)
    assert mix.mean(found) <= mean * (1 + 1e-9) + 1e-9
    assert all(epsilon <= cap + 1e-9 for epsilon, cap in zip(found, caps, strict=True))
    assert min(found) >= 0.0


def test_a_curve_never_falls_and_begins_with_its_smallest_point():
    curve = Meaning.of({4.0: 0.5, 1.0: 0.2, 2.0: 0.15})
    assert curve.at(0.0) == curve.at(1.0) == 0.2  # luck of the draws is smoothed away
    assert curve.at(2.0) == 0.2 and curve.at(3.0) == pytest.approx(0.35)
    assert curve.at(99.0) == 0.5 and curve.most == 4.0
