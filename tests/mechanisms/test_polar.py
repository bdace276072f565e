from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from privstamp.budget import METRICS
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms import decoded
from privstamp.mechanisms.polar import Polar, PolarRadial
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Noise
from privstamp.types import UNKNOWN
from statistical import DRAWS, angle_cdf, assert_scale, fits, fresh, has_counts
from toys import ToySpace

BOTH = pytest.mark.parametrize("made", [Polar, PolarRadial])


def polar(space, made=Polar, **options):
    return made(space, decoder=Exact(space), **options)


def draw(mechanism, row, epsilon, count):
    ids = np.full(count, row, dtype=np.int32)
    return mechanism.privatize(ids, np.full(count, epsilon), fresh(count))


# Against the exact channel: on the circle every word wins one arc, and its chance is an integral.


def circle(rows=12):
    angle = np.sort(np.random.default_rng(7).uniform(0.0, 2.0 * np.pi, rows))
    return ToySpace(unit=np.stack([np.cos(angle), np.sin(angle)], 1), classes=("a",))


def arc_channel(space, kappa):
    """P(v | w) of every input row and output row, integrated by SciPy."""
    angle = np.arctan2(space.unit[:, 1].astype(float), space.unit[:, 0].astype(float))
    out = np.sort(angle[space.outputs[0]])
    edges = (out + np.append(out[1:], out[0] + 2.0 * np.pi)) / 2.0
    low, high = np.append(edges[-1] - 2.0 * np.pi, edges[:-1]), edges
    law = stats.vonmises(kappa)
    by_angle = law.cdf(high - angle[:, None]) - law.cdf(low - angle[:, None])
    return by_angle[:, np.argsort(np.argsort(angle[space.outputs[0]]))]


@pytest.mark.parametrize(("metric", "epsilon"), [("chordal", 4.0), ("angular", 12.0)])
@pytest.mark.parametrize("row", [0, 9])  # row 9 is an input that never leaves
def test_release_matches_the_exact_channel_on_the_circle(metric, epsilon, row):
    space = circle()
    mechanism = polar(space, metric=metric)
    released = draw(mechanism, row, epsilon, DRAWS)
    counts = np.bincount(np.searchsorted(space.outputs[0], released), minlength=11)

    def p_value(tried):
        kappa = tried / np.pi if metric == "angular" else tried
        return has_counts(counts, arc_channel(space, kappa)[row])

    assert_scale(p_value, epsilon)


@pytest.mark.parametrize("metric", ["chordal", "angular"])
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 30.0])
def test_exact_channel_keeps_the_promise(metric, epsilon):
    space = circle()
    kappa = polar(space, metric=metric).kappa(np.array([epsilon]))[0]
    log_p = np.log(np.maximum(arc_channel(space, kappa), 1e-300))
    worst = (log_p[:, None, :] - log_p[None, :, :]).max(-1)
    unit = unit_rows(space, slice(None))
    chord = np.linalg.norm(unit[:, None] - unit[None], axis=-1)
    distance = chord if metric == "chordal" else 2.0 * np.arcsin(np.minimum(chord / 2, 1)) / np.pi
    sure = (log_p.min(-1)[:, None] > -25.0) & (log_p.min(-1)[None, :] > -25.0)
    assert np.all((worst <= epsilon * distance + 1e-6)[sure])
    assert distance.max() <= METRICS[metric].diameter


@pytest.mark.parametrize("dimensions", [2, 50, 768])
@pytest.mark.parametrize("kappa", [1.0, 60.0, 1e4])
def test_density_ratio_is_bounded_and_the_bound_is_met(dimensions, kappa):
    random = np.random.default_rng(8)
    u, v, y = random.standard_normal((3, 2000, dimensions))
    u, v, y = (x / np.linalg.norm(x, axis=1)[:, None] for x in (u, v, y))
    chord = np.linalg.norm(u - v, axis=1)
    angle = 2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0))
    worst_case = (u - v) / chord[:, None]
    for point in (y, u, v, worst_case, -worst_case):
        ratio = kappa * ((u * point).sum(-1) - (v * point).sum(-1))  # the normalisers cancel
        assert np.all(ratio <= kappa * chord * (1 + 1e-9))
        assert np.all(ratio <= np.pi * kappa * (angle / np.pi) * (1 + 1e-9))
    tight = kappa * ((u - v) * worst_case).sum(-1)
    assert np.allclose(tight, kappa * chord)


# The direction


@pytest.mark.parametrize(("metric", "factor"), [("chordal", 1.0), ("angular", 1.0 / np.pi)])
def test_direction_has_the_concentration_that_the_budget_buys(metric, factor):
    space = ToySpace(300, 50)
    mechanism = polar(space, metric=metric)
    ids = np.arange(DRAWS, dtype=np.int32) % 300
    y = mechanism._perturb(ids, np.full(DRAWS, 40.0), fresh(DRAWS))
    angle = 2.0 * np.arcsin(np.linalg.norm(y - unit_rows(space, ids), axis=1) / 2.0)
    assert_scale(lambda scale: fits(angle, angle_cdf(50, scale)), 40.0 * factor)


@BOTH
def test_budgets_may_differ_from_unit_to_unit(made):
    space = ToySpace(300, 50)
    ids = space.outputs[0][:100].repeat(2)
    epsilon = np.tile([1e6, 1e-6], 100)
    got = polar(space, made).privatize(ids, epsilon, fresh(200))
    kept = got == ids
    assert kept[::2].all()
    assert kept[1::2].mean() < 0.2


@BOTH
def test_a_unit_leaves_as_an_output_of_its_own_class(made):
    space = ToySpace(300, 8, ("a", "b", "c"))
    ids = np.tile(np.arange(300, dtype=np.int32), 5)
    got = polar(space, made).privatize(ids, np.full(1500, 3.0), fresh(1500))
    for number, outputs in enumerate(space.outputs):
        mine = space.class_of[ids] == number
        assert set(got[mine].tolist()) <= set(outputs.tolist())
        assert len(set(got[mine].tolist())) > 50


@BOTH
@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
def test_extreme_budgets_are_ordinary(made, epsilon):
    space = ToySpace()
    ids = space.outputs[1]
    got = polar(space, made).privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert bool((got == ids).all()) is (epsilon > 1)


# Order, blocks, memory


@BOTH
def test_blocks_batches_and_order_never_change_a_release(made, monkeypatch):
    space = ToySpace(300, 8, ("a", "b", "c"))
    random = np.random.default_rng(9)
    keys = [bytes([number]) * 32 for number in range(5)]
    documents = random.integers(0, 5, 2000)
    noise = Noise(keys, documents, np.arange(2000))
    ids = random.integers(0, 300, 2000).astype(np.int32)
    epsilon = random.choice([1.0, 5.0, 20.0], 2000)
    mechanism = polar(space, made)
    whole = mechanism.privatize(ids, epsilon, noise)
    order = random.permutation(2000)
    shuffled = mechanism.privatize(ids[order], epsilon[order], noise.take(order))
    assert np.array_equal(shuffled, whole[order])
    for document in range(5):
        mine = documents == document
        alone = mechanism.privatize(ids[mine], epsilon[mine], noise.take(mine))
        assert np.array_equal(alone, whole[mine])
    for size in (1, 100, 5000):
        monkeypatch.setattr(decoded, "BLOCK", size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)


def test_a_new_key_is_a_new_release():
    mechanism = polar(ToySpace())
    first, second = (draw(mechanism, 3, 2.0, 200) for _ in range(2))
    assert (first != second).mean() > 0.5


def test_memory_is_a_block_whatever_the_batch():
    space = ToySpace(300, 64)
    mechanism, count = polar(space), 20_000
    ids, epsilon, noise = np.zeros(count, np.int32), np.full(count, 9.0), fresh(count)
    mechanism.privatize(ids[:10], epsilon[:10], fresh(10))
    tracemalloc.start()
    mechanism.privatize(ids, epsilon, noise)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6e6  # the vectors of the whole batch alone would take 10 MB


def test_no_units_give_none():
    empty = polar(ToySpace()).privatize(np.empty(0, np.int32), np.empty(0), fresh(0))
    assert empty.shape == (0,)


# The radius


def test_decoding_ignores_the_radius_and_its_sign():
    space = ToySpace()
    ids = np.arange(300, dtype=np.int32).repeat(5)
    noise, epsilon = fresh(1500), np.full(1500, 15.0)
    full = polar(space, PolarRadial, radial_epsilon=0.1)
    directions, radii = full.vectors(ids, epsilon, noise)
    assert (radii < 0).mean() > 0.2
    got = full.privatize(ids, epsilon, noise)
    assert np.array_equal(got, Exact(space).decode(directions, space.class_of[ids]))
    assert np.array_equal(got, polar(space).privatize(ids, epsilon, noise))
    flipped = Exact(space).decode(directions * np.sign(radii)[:, None], space.class_of[ids])
    assert (flipped != got).mean() > 0.1


def test_radius_has_laplace_noise_of_the_right_scale():
    space = ToySpace()
    full = polar(space, PolarRadial, radial_epsilon=2.0)
    ids = np.arange(DRAWS, dtype=np.int32) % 300
    directions, radii = full.vectors(ids, np.full(DRAWS, 5.0), fresh(DRAWS))
    noise = radii - space.radius[ids]
    spread = float(space.radius.max()) - float(space.radius.min())
    assert full.spread == pytest.approx(spread)
    assert_scale(lambda scale: fits(noise, stats.laplace(scale=scale).cdf), spread / 2.0)
    away = (directions * unit_rows(space, ids)).sum(-1)
    assert abs(stats.spearmanr(noise, away).statistic) < 6.5 / np.sqrt(DRAWS)


def test_rows_of_equal_radius_need_no_radial_noise():
    space = ToySpace()
    space.radius = np.full(300, 2.5, dtype=np.float32)
    _, radii = polar(space, PolarRadial).vectors(np.arange(9), np.full(9, 5.0), fresh(9))
    assert np.all(radii == 2.5)


# What it says, and what it refuses


@BOTH
def test_guarantee_names_metric_and_table(made):
    space = ToySpace()
    for metric, words in [("chordal", "straight-line"), ("angular", "angle")]:
        mechanism = polar(space, made, metric=metric)
        assert mechanism.metric == metric
        assert words in mechanism.guarantee
        assert space.fingerprint[:12] in mechanism.guarantee
    assert ("radius" in mechanism.guarantee) is (made is PolarRadial)
    assert set(made.metrics) <= set(METRICS)


@BOTH
def test_a_foreign_metric_is_refused(made):
    with pytest.raises(BudgetError, match=r'"l1".*Known: angular, chordal'):
        polar(ToySpace(), made, metric="l1")


@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, np.nan])
def test_a_radial_budget_that_is_none_is_refused(value):
    with pytest.raises(BudgetError, match="radial_epsilon"):
        polar(ToySpace(), PolarRadial, radial_epsilon=value)


def test_a_missing_radius_is_refused():
    space = ToySpace()
    space.radius = space.radius[:-1]
    with pytest.raises(BudgetError, match="radius"):
        polar(space, PolarRadial)


def _long(space):
    space.unit[7] *= 1.01


def _zero(space):
    space.unit[7] = 0.0


def _nan(space):
    space.unit[7, 2] = np.nan


def _line(space):
    space.unit = np.ones((300, 1), np.float32)


def _classes(space):
    space.class_of = space.class_of[:-1]


@pytest.mark.parametrize("spoil", [_long, _zero, _nan, _line, _classes])
def test_a_table_that_is_not_unit_rows_is_refused(spoil):
    space = ToySpace()
    decoder = Exact(space)
    spoil(space)
    with pytest.raises(Incompatible, match=r"length one|two or more"):
        Polar(space, decoder=decoder)


def _empty(space):
    space.outputs = (space.outputs[0], np.empty(0, np.int32))


def _too_few(space):
    space.outputs = space.outputs[:1]


def _foreign(space):
    space.outputs = (space.outputs[0], np.array([1, 2, 3], np.int32))


def _unsorted(space):
    space.outputs = (space.outputs[0][::-1], space.outputs[1])


def _outside(space):
    space.outputs = (space.outputs[0], np.array([1, 301], np.int32))


def _stray(space):
    space.class_of[5] = 9


@pytest.mark.parametrize("spoil", [_empty, _too_few, _foreign, _unsorted, _outside, _stray])
def test_outputs_that_do_not_fit_the_classes_are_refused(spoil):
    space = ToySpace()
    decoder = Exact(space)
    spoil(space)
    with pytest.raises(Incompatible):
        Polar(space, decoder=decoder)


@BOTH
@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, -np.inf, np.nan])
def test_a_budget_that_is_not_positive_and_finite_is_refused(made, value):
    with pytest.raises(ValueError, match="0 < epsilon < inf"):
        polar(ToySpace(), made).privatize(np.array([1, 2]), np.array([1.0, value]), fresh(2))


@pytest.mark.parametrize("row", [UNKNOWN, 300])
def test_a_unit_without_a_row_is_refused(row):
    with pytest.raises(ValueError, match="without a row") as caught:
        polar(ToySpace()).privatize(np.array([1, row]), np.ones(2), fresh(2))
    assert str(row) not in str(caught.value)


def test_arrays_of_different_lengths_are_refused():
    mechanism = polar(ToySpace())
    for ids, epsilon, count in [([1], [1.0, 1.0], 1), ([1, 2], [1.0, 1.0], 1)]:
        with pytest.raises(ValueError, match="per unit"):
            mechanism.privatize(np.array(ids), np.array(epsilon), fresh(count))


def test_angles_and_chance_of_keeping_fall_with_the_budget():
    space = ToySpace(300, 20)
    mechanism = polar(space)
    kept = [float((draw(mechanism, 2, e, 4000) == 2).mean()) for e in (2.0, 20.0, 60.0)]
    assert kept[0] < 0.1 < kept[1] < 0.9 < kept[2]
