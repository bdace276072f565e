from __future__ import annotations

import numpy as np
import pytest

from brute_force import assert_proved, chord_matrix, proved_loss
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms import _discrete as _laws
from privstamp.mechanisms._geometry import chords
from privstamp.mechanisms.exponential import Exponential, PolarVocabulary, Tem
from statistical import fresh
from toys import ToySpace

CASES = [(kind, metric) for kind in (PolarVocabulary, Exponential, Tem) for metric in kind.metrics]
EACH = pytest.mark.parametrize(("kind", "metric"), CASES)


def table(unit, outputs=None, radius=None):
    """A space of one class with these rows, all of them outputs unless told otherwise."""
    space = ToySpace(unit=np.array(unit, dtype=np.float64), classes=("a",))
    rows = range(len(space.unit)) if outputs is None else outputs
    space.outputs = (np.array(rows, dtype=np.int32),)
    space.radius = np.ones(len(space.unit), np.float32) if radius is None else np.float32(radius)
    return space


def distances(space, metric, gamma=1.0):
    """The metric written out, by other formulas than the mechanism's."""
    chord = chord_matrix(space)
    if metric == "angular":
        return 2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0)) / np.pi
    if metric == "truncated":
        return np.minimum(chord, gamma)
    if metric == "euclidean":
        unit = space.unit.astype(np.float64)
        raw = unit / np.linalg.norm(unit, axis=1)[:, None] * space.radius[:, None].astype(float)
        return np.linalg.norm(raw[:, None] - raw[None], axis=-1)
    return chord


def arc(*degrees):
    angle = np.radians(degrees)
    return np.stack([np.cos(angle), np.sin(angle)], 1)


# The law


@EACH
@pytest.mark.parametrize("epsilon", [0.5, 6.0, 40.0])
def test_channel_is_the_formula(kind, metric, epsilon):
    space = ToySpace(60, 5, ("a",))
    distance = distances(space, metric)
    exponent = -distance * epsilon / 2.0
    if kind is PolarVocabulary:
        cosine = 1.0 - chord_matrix(space) ** 2 / 2.0
        exponent = cosine * epsilon / 2.0 / (np.pi if metric == "angular" else 1.0)
    weights = np.zeros((60, 60))
    weights[:, space.outputs[0]] = np.exp(exponent)[:, space.outputs[0]]
    law = weights / weights.sum(-1, keepdims=True)
    found = kind(space, metric=metric).channel(np.arange(60), np.full(60, epsilon))
    assert np.abs(found - law).max() < 1e-12


def test_polar_vocabulary_is_the_vmf_density_with_half_the_budget_at_the_outputs():
    space = ToySpace(60, 5, ("a",))
    row = PolarVocabulary(space).channel(np.array([3]), np.array([14.0]))[0]
    a, b = space.outputs[0][[4, 9]]
    unit = space.unit.astype(np.float64)
    log_density = 7.0 * (unit[[a, b]] @ unit[3])
    assert np.log(row[a] / row[b]) == pytest.approx(log_density[0] - log_density[1], abs=1e-5)


# The promise


@EACH
@pytest.mark.parametrize("epsilon", [0.3, 3.0, 30.0])
def test_promise_holds_for_every_pair(kind, metric, epsilon):
    space = ToySpace(80, 4)
    mechanism = kind(space, metric=metric)
    distance = distances(space, metric)
    assert proved_loss(mechanism, space, epsilon, distance) <= epsilon
    assert distance.max() <= mechanism.diameter


def crowd(count, near=(), radius=None):
    """A lone output, a crowd of equal ones 60 degrees away; `near` are further inputs."""
    degrees = [0.0, *[60.0] * count, *near]
    return table(arc(*degrees), outputs=range(count + 1), radius=radius)


@pytest.mark.parametrize(
    ("metric", "epsilon"), [("chordal", 2.0), ("angular", 6.0), ("euclidean", 1.0)]
)
def test_exponential_meets_its_bound_where_a_crowd_stands_at_the_other_unit(metric, epsilon):
    space = crowd(300, radius=np.full(301, 2.0))
    mechanism = Exponential(space, metric=metric)
    assert_proved(mechanism, space, epsilon, distances(space, metric))


@pytest.mark.parametrize("gamma", [0.4, 1.5])
def test_tem_meets_its_bound_on_both_sides_of_gamma(gamma):
    space = crowd(300)
    mechanism = Tem(space, gamma=gamma)
    assert_proved(mechanism, space, 2.0 / min(gamma, 1.0), distances(space, "truncated", gamma))


@pytest.mark.parametrize(("metric", "epsilon"), [("chordal", 6.0), ("angular", 18.0)])
def test_polar_vocabulary_meets_its_bound_across_a_crowd(metric, epsilon):
    # Inputs at 10 degrees on either side of an axis, a lone output above it and a crowd below.
    space = table(arc(10.0, -10.0, 90.0, *[-90.0] * 300), outputs=range(2, 303))
    mechanism = PolarVocabulary(space, metric=metric)
    assert_proved(mechanism, space, epsilon, distances(space, metric))


def test_squared_distances_would_break_the_promise():
    class Squared(Exponential):
        def _scores(self, rows, outputs):
            return -(chords(self._space, rows, outputs) ** 2)

    # Two units side by side, the outputs opposite: there the square moves four times as fast.
    space = table(arc(0.0, 6.0, 178.0, *[150.0] * 30))
    chord = chord_matrix(space)
    assert proved_loss(Exponential(space), space, 3.0, chord) <= 3.0
    assert proved_loss(Squared(space), space, 3.0, chord) > 3.0


def test_the_whole_budget_in_the_exponent_would_break_the_promise():
    class Whole(Exponential):
        def scale(self, number, epsilon):
            return 2.0 * super().scale(number, epsilon)

    space = crowd(300)
    assert proved_loss(Whole(space), space, 2.0, chord_matrix(space)) > 2.0 * 1.3


# Traps


def test_an_epsilon_that_overflows_weights_gives_the_nearest_output(monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", 16)
    space = ToySpace(200, 8, ("a",))
    space.radius[:] = 30.0
    ids = space.outputs[0][:50]
    for epsilon in (1e300, 1e307, 1e308):
        for kind, metric in ((Exponential, "euclidean"), (Exponential, "chordal")):
            got = kind(space, metric=metric).privatize(ids, np.full(50, epsilon), fresh(50))
            assert np.array_equal(got, ids)


@EACH
@pytest.mark.parametrize("epsilon", [1.0, 1e6])
def test_equal_rows_have_equal_chances_and_equal_laws(kind, metric, epsilon):
    random = np.random.default_rng(5).standard_normal((40, 50))
    space = table(np.concatenate([random, random, random]))
    mechanism = kind(space, metric=metric)
    rows = mechanism.channel(np.arange(120), np.full(120, epsilon))
    first, second, third = rows[:, :40], rows[:, 40:80], rows[:, 80:]
    assert np.allclose(first, second, rtol=1e-6) and np.allclose(first, third, rtol=1e-6)
    assert np.allclose(rows[:40], rows[40:80], rtol=1e-6, atol=1e-300)
    if epsilon == 1e6 and kind is not PolarVocabulary:
        assert np.allclose(np.diag(first), 1.0 / 3.0, rtol=1e-9)


@EACH
def test_huge_budgets_release_the_nearest_output_and_underflow_is_no_error(kind, metric):
    space = ToySpace(80, 4)
    mechanism = kind(space, metric=metric)
    never = np.setdiff1d(np.arange(80), np.concatenate(space.outputs)).astype(np.int32)
    got = mechanism.privatize(never, np.full(len(never), 1e6), fresh(len(never)))
    if kind is not Tem:
        distance = distances(space, metric)
        for row, out in zip(never, got, strict=True):
            mine = space.outputs[space.class_of[row]]
            assert out == mine[np.argmin(distance[row, mine])]


def test_tem_is_uniform_where_nothing_is_near_and_exact_where_everything_is():
    space = table(arc(0.0, 120.0, 150.0, 240.0), outputs=[1, 2, 3])
    alone = Tem(space, gamma=0.5).channel(np.array([0]), np.array([1e6]))[0]
    assert np.allclose(alone, [0.0, 1 / 3, 1 / 3, 1 / 3])
    got = Tem(space, gamma=0.5).privatize(np.zeros(300, np.int32), np.full(300, 1e6), fresh(300))
    assert set(got.tolist()) == {1, 2, 3}
    ids = np.arange(4)
    whole = Tem(space, gamma=2.0).channel(ids, np.full(4, 3.0))
    assert np.allclose(whole, Exponential(space).channel(ids, np.full(4, 3.0)))


def test_tem_weighs_outputs_up_to_gamma_and_no_further():
    just_inside, just_outside = np.degrees(2.0 * np.arcsin(np.array([0.99, 1.01]) / 2.0))
    space = table(arc(0.0, just_inside, just_outside, 90.0), outputs=[1, 2, 3])
    mechanism = Tem(space, gamma=1.0)
    got = mechanism.privatize(np.zeros(300, np.int32), np.full(300, 1e5), fresh(300))
    assert set(got.tolist()) == {1}
    row = mechanism.channel(np.array([0]), np.array([5.0]))[0]
    assert row[2] == row[3] < row[1]


def test_tem_keeps_the_near_outputs_of_a_law_and_a_count():
    space = ToySpace(1500, 20, ("a",))
    tem, full = Tem(space, gamma=0.8), Exponential(space)
    held = tem._made([(5, 9.0)])[0].nbytes
    near = int((chord_matrix(space)[5][space.outputs[0]] < 0.8).sum())
    assert held <= 24 * max(near, 1) < 8 * 1350
    assert full._made([(5, 9.0)])[0].nbytes < 8 * 1350


def test_euclidean_lengths_are_those_of_the_vectors_before_normalising():
    space = table(arc(0.0, 0.0, 90.0), radius=[1.0, 4.0, 1.0])
    row = Exponential(space, metric="euclidean").channel(np.array([0]), np.array([2.0]))[0]
    assert np.log(row[0] / row[1]) == pytest.approx(3.0)
    assert np.log(row[0] / row[2]) == pytest.approx(np.sqrt(2.0), rel=1e-6)
    largest = np.sqrt(17.0)
    assert largest <= Exponential(space, metric="euclidean").diameter <= 2.001 * largest


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_the_euclidean_metric_needs_radii(value):
    space = ToySpace()
    space.radius[5] = value
    with pytest.raises(Incompatible, match="radius"):
        Exponential(space, metric="euclidean")
    Exponential(space)


@pytest.mark.parametrize("gamma", [0.0, -1.0, 2.1, np.nan, np.inf, "1", True])
def test_a_gamma_that_cuts_nothing_or_everything_is_refused(gamma):
    with pytest.raises(BudgetError, match="gamma"):
        Tem(ToySpace(), gamma=gamma)


def test_gamma_is_the_diameter_and_is_named():
    tem = Tem(ToySpace(), gamma=0.75)
    assert tem.diameter == 0.75 and "0.75" in tem.guarantee
