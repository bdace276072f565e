from __future__ import annotations

import numpy as np
import pytest

from brute_force import assert_proved, chord_matrix, proved_loss
from line import make
from privstamp.budget import Budget
from privstamp.errors import BudgetError
from privstamp.mechanisms.exponential import CusText
from privstamp.mechanisms.fluency import fluent
from privstamp.testing import check_mechanism
from toys import ToySpace


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))


def arc(*degrees):
    angle = np.radians(degrees)
    space = ToySpace(unit=np.stack([np.cos(angle), np.sin(angle)], 1), classes=("a",))
    space.outputs = (np.arange(len(degrees), dtype=np.int32),)
    return space


def in_sets(mechanism, space):
    """1 between different units of one set, infinite across sets."""
    rows = len(space.unit)
    sets = [(space.class_of[row], *mechanism.members(row).tolist()) for row in range(rows)]
    same = np.array([[a == b for b in sets] for a in sets])
    return np.where(same, 1.0 - np.eye(rows), np.inf)


def test_a_unit_stays_among_its_nearest_and_prefers_them():
    # Two clusters, opposite each other: a wrong direction of the cosine would mix or swap them.
    space = arc(0, 10, 30, 180, 190, 210)
    mechanism = CusText(space, size=3)
    assert mechanism.members(0).tolist() == mechanism.members(2).tolist() == [0, 1, 2]
    assert mechanism.members(4).tolist() == [3, 4, 5]
    row = mechanism.channel(np.array([0]), np.array([6.0]))[0]
    assert row[0] > row[1] > row[2] > 0.0
    assert np.all(row[3:] == 0.0)
    assert np.log(row[0] / row[2]) == pytest.approx(3.0)  # nearest against farthest: epsilon / 2
    part = (1 - np.cos(np.radians(10))) / (1 - np.cos(np.radians(30)))
    assert np.log(row[0] / row[1]) == pytest.approx(3.0 * part, abs=1e-5)


def test_a_unit_outside_the_outputs_joins_its_nearest_output():
    space = arc(0, 10, 30, 180, 190, 210, 205, 12)
    space.outputs = (np.arange(6, dtype=np.int32),)
    mechanism = CusText(space, size=3)
    assert mechanism.members(6).tolist() == [3, 4, 5]
    assert mechanism.members(7).tolist() == [0, 1, 2]
    row = mechanism.channel(np.array([7]), np.array([6.0]))[0]
    assert row[7] == 0.0 and row[1] > row[0] > row[2] > 0.0


@pytest.mark.parametrize("epsilon", [0.5, 4.0, 30.0])
def test_promise_holds_within_a_set_and_only_there(epsilon):
    space = ToySpace(120, 4)
    mechanism = CusText(space, size=7)
    assert proved_loss(mechanism, space, epsilon, in_sets(mechanism, space)) <= epsilon
    everywhere = 1.0 - np.eye(120)
    assert proved_loss(mechanism, space, epsilon, everywhere) == np.inf


def test_the_bound_is_met_where_all_but_one_of_a_set_are_alike():
    space = arc(0, *[90] * 299)
    mechanism = CusText(space, size=300)
    assert_proved(mechanism, space, 1.0, in_sets(mechanism, space))


def test_sets_partition_the_outputs_of_a_class():
    space = ToySpace(130, 4, ("a", "b"))
    mechanism = CusText(space, size=10)
    for outputs in space.outputs:
        found = {tuple(mechanism.members(int(row)).tolist()) for row in outputs}
        assert sorted(place for one in found for place in one) == list(range(len(outputs)))
        assert min(len(one) for one in found) >= 10
    assert mechanism.sets == sum(len(outputs) // 10 for outputs in space.outputs)


def test_members_are_nearer_than_chance():
    space = ToySpace(600, 6, ("a",))
    mechanism, chord = CusText(space, size=10), chord_matrix(space)
    inside = [chord[row][space.outputs[0][mechanism.members(int(row))]].mean() for row in range(60)]
    assert np.mean(inside) < 0.8 * chord.mean()


def test_equal_rows_of_a_set_have_equal_chances_at_any_budget():
    mechanism = CusText(arc(0, 0, 0, 50), size=4)
    for epsilon in (1.0, 1e6):
        row = mechanism.channel(np.array([1]), np.array([epsilon]))[0]
        assert row[:3] == pytest.approx(row[0]) and row[3] < row[0]
    alike = CusText(arc(20, 20, 20), size=3).channel(np.array([1]), np.array([1e6]))[0]
    assert alike == pytest.approx(1 / 3)


def test_a_law_holds_its_set_alone():
    mechanism = CusText(ToySpace(4000, 4), size=10)
    assert mechanism._law(3, 1.0).nbytes < 500


def test_guarantee_says_that_nothing_holds_across_sets():
    mechanism = CusText(ToySpace(), size=25)
    assert "different sets nothing is promised" in mechanism.guarantee
    assert "25" in mechanism.guarantee and mechanism.diameter == 1.0


@pytest.mark.parametrize("size", [1, 0, -3, 2.5, True])
def test_a_size_that_makes_no_set_is_refused(size):
    with pytest.raises(BudgetError, match="whole number"):
        CusText(ToySpace(), size=size)


@pytest.mark.parametrize(("rows", "bounded"), [(400, False), (30, True)])
def test_a_release_between_sets_has_no_finite_worst_case(monkeypatch, rows, bounded):
    """A class of one set is promised all; where there are two, what leaves tells which it was."""
    line = make(
        monkeypatch,
        space=ToySpace(rows),
        mechanism=lambda space, metric, decoder: CusText(space, size=10 if rows > 30 else 60),
        budget=Budget.uniform(3.0, metric="ldp"),
    )
    told = line.privatize("w1 w2 w3").certificate
    [facts] = told.mechanisms
    assert facts.bounded is bounded and facts.diameter == 1.0
    assert told.loss.worst_case == (9.0 if bounded else np.inf)
    assert told.loss.summed_epsilon == {"ldp": 9.0}
    assert any("public sets" in sentence for sentence in told.not_protected)


def test_with_a_model_it_shows_as_much(monkeypatch):
    space = ToySpace(400)
    mechanism = fluent(space, CusText(space), 0.5, "law")
    assert not mechanism.bounded and mechanism.shows == CusText(space).shows


def test_the_suite_notices_a_bound_that_is_none(monkeypatch):
    space = ToySpace(400)
    mechanism = CusText(space)
    check_mechanism(mechanism, space)
    monkeypatch.setattr(CusText, "bounded", True)
    with pytest.raises(AssertionError, match="bounded"):
        check_mechanism(mechanism, space)
