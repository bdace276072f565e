import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.budget import Budget, careless, cliff, concentration, metric, summed
from privstamp.errors import BudgetError

INF = math.inf


def test_presets_protect_what_their_names_say():
    assert Budget.stamp(15).epsilon == (30, 15, 60, 45)
    assert Budget.uniform(7).epsilon == (7, 7, 7, 7)
    assert Budget.preset("private-only", 10).epsilon == (20, 10, INF, INF)
    assert Budget.preset("private-low", 10).epsilon == (INF, 10, INF, INF)
    assert Budget.preset("all-but-important", 10).epsilon == (20, 10, INF, 30)


@pytest.mark.parametrize("bad", [-1.0, math.nan, "2", None, True])
def test_what_is_not_a_budget_is_refused(bad):
    with pytest.raises(BudgetError, match="group 2"):
        Budget.of([1, bad, 1, 1])


@pytest.mark.parametrize("values", [[], [1, 2, 3], [1, 2, 3, 4, 5]])
def test_a_budget_has_four_numbers(values):
    with pytest.raises(BudgetError, match="four"):
        Budget.of(values)


def test_unknown_names_are_refused_with_the_options():
    with pytest.raises(BudgetError, match=r'Did you mean "private-only"'):
        Budget.preset("private-onl", 1)
    with pytest.raises(BudgetError, match="angular, chordal"):
        Budget.uniform(1, metric="euclid")


def test_zero_and_infinity_are_ordinary_budgets():
    groups = np.array([1, 2, 3, 4, 2], dtype=np.int8)
    assert Budget.of([1, 0, INF, 2]).of_groups(groups).tolist() == [1, 0, INF, 2, 0]


@given(st.lists(st.floats(0.01, 100), max_size=20))
def test_losses_add(values):
    epsilon = np.array(values)
    assert summed(epsilon, 2.0) == pytest.approx(2 * sum(values))


def test_two_conventions_buy_different_concentrations():
    assert concentration(150, "chordal") == 150
    assert concentration(150, "angular") == pytest.approx(47.746, abs=1e-3)
    assert metric("chordal").diameter == 2 and metric("angular").diameter == 1


def test_the_cliff_is_where_the_spec_measured_it():
    assert 105 < cliff(576, 49152) < 115
    assert 30 < cliff(50, 50000) < 36


def test_careful_budgets_raise_no_remark_and_careless_ones_do():
    edge = [cliff(50, 50000)] * 4
    assert careless(Budget.stamp(15), edge) == []
    assert any("unprotected" in r for r in careless(Budget.preset("private-only", 15), edge))
    assert any("above the cliff" in r for r in careless(Budget.of([90, 15, 95, 95]), edge))
    assert any("paper's rule" in r for r in careless(Budget.of([10, 20, 60, 45]), edge))
    assert any("paper's rule" in r for r in careless(Budget.of([30, 15, 40, 45]), edge))


def test_a_metric_per_group():
    mixed = Budget.of([1, 2, 3, 4], metric=("chordal", "chordal", "chordal", "hops"))
    assert mixed.metrics == ("chordal", "chordal", "chordal", "hops")
    assert Budget.of([1, 2, 3, 4], metric=("hops",) * 4) == Budget.of([1, 2, 3, 4], metric="hops")
    assert careless(Budget.of([30, 15, 60, 90], metric=mixed.metric), [INF] * 4) == []
    with pytest.raises(BudgetError, match="four"):
        Budget.of([1, 2, 3, 4], metric=("hops", "hops"))
