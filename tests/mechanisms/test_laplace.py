from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from plane import channel, circle, nearest, straight, tightness
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms import decoded
from privstamp.mechanisms.laplace import LaplaceCoordinate, LaplaceL2
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Noise
from statistical import ALPHA, DRAWS, assert_scale, coordinate_cdf, fits, fresh, has_counts
from toys import ToySpace

BOTH = pytest.mark.parametrize("made", [LaplaceL2, LaplaceCoordinate])
EPSILON = 7.0


def laplace(made, space=None):
    space = space or ToySpace()
    return made(space, decoder=Exact(space))


def noise_of(mechanism, space, count=DRAWS, epsilon=EPSILON):
    """What was added to the vector, on the scale of the table."""
    ids = np.arange(count, dtype=np.int32) % len(space.unit)
    query = mechanism._perturb(ids, np.full(count, epsilon), fresh(count))
    size = epsilon if isinstance(mechanism, LaplaceL2) else epsilon / mechanism.width
    return query / size - unit_rows(space, ids)


@pytest.mark.parametrize("dimensions", [2, 8, 50])
def test_l2_length_has_the_right_law_and_scale(dimensions):
    space = ToySpace(300, dimensions)
    length = np.linalg.norm(noise_of(laplace(LaplaceL2, space), space), axis=1)
    assert_scale(lambda s: fits(length, stats.gamma(dimensions, scale=s).cdf), 1.0 / EPSILON)


def test_l2_scale_test_notices_a_sampler_ten_percent_off():
    space = ToySpace()
    length = np.linalg.norm(noise_of(laplace(LaplaceL2, space), space), axis=1)
    with pytest.raises(AssertionError):
        assert_scale(lambda s: fits(length, stats.gamma(8, scale=s).cdf), 1.1 / EPSILON)


@pytest.mark.parametrize("dimensions", [3, 50])
def test_l2_direction_is_uniform_and_free_of_the_length(dimensions):
    space = ToySpace(300, dimensions)
    noise = noise_of(laplace(LaplaceL2, space), space)
    length = np.linalg.norm(noise, axis=1)
    direction = noise / length[:, None]
    for column in direction.T[:3]:
        assert fits(column, coordinate_cdf(dimensions)) > ALPHA
        assert abs(stats.spearmanr(column, length).statistic) < 6.5 / np.sqrt(DRAWS)
    angle = np.arctan2(direction[:, 0], direction[:, 1])
    assert fits(angle, stats.uniform(-np.pi, 2 * np.pi).cdf) > ALPHA


@pytest.mark.parametrize("dimensions", [2, 8, 50])
def test_coordinates_have_the_right_law_and_scale(dimensions):
    space = ToySpace(300, dimensions)
    mechanism = laplace(LaplaceCoordinate, space)
    noise = noise_of(mechanism, space)
    unit = unit_rows(space, slice(None))
    width = (unit.max(0) - unit.min(0)).sum()
    assert mechanism.width == pytest.approx(width)
    for column in noise.T[:4]:
        assert_scale(lambda s, x=column: fits(x, stats.laplace(scale=s).cdf), width / EPSILON)
    related = np.abs(stats.spearmanr(noise).statistic) if dimensions > 2 else np.eye(2)
    assert (related - np.eye(dimensions)).max() < 6.5 / np.sqrt(DRAWS)


@pytest.mark.parametrize("dimensions", [2, 50, 768])
def test_density_ratio_is_bounded_and_the_bound_is_met(dimensions):
    random = np.random.default_rng(1)
    space = ToySpace(500, dimensions)
    u, v = (unit_rows(space, random.integers(0, 500, 2000)) for _ in range(2))
    width = laplace(LaplaceCoordinate, space).width
    chord, taxi = np.linalg.norm(u - v, axis=1), np.abs(u - v).sum(-1) / width
    assert taxi.max() <= 1.0
    beyond = u + 1e3 * (u - v)  # on the line through both, where the triangle is flat
    for y in (u + random.standard_normal(u.shape), u, v, beyond):
        l2 = np.linalg.norm(y - v, axis=1) - np.linalg.norm(y - u, axis=1)
        l1 = (np.abs(y - v) - np.abs(y - u)).sum(-1) / width
        assert np.all(EPSILON * l2 <= EPSILON * chord + 1e-9)
        assert np.all(EPSILON * l1 <= EPSILON * taxi + 1e-9)
    assert np.allclose(l2, chord)
    assert np.allclose(l1, taxi)


@BOTH
def test_a_unit_leaves_as_an_output_of_its_own_class(made):
    space = ToySpace()
    ids = np.tile(np.arange(300, dtype=np.int32), 5)
    got = laplace(made, space).privatize(ids, np.full(1500, 3.0), fresh(1500))
    for number, outputs in enumerate(space.outputs):
        released = set(got[space.class_of[ids] == number].tolist())
        assert released <= set(outputs.tolist())
        assert len(released) > 50


@BOTH
@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
def test_extreme_budgets_are_ordinary(made, epsilon):
    space = ToySpace()
    ids = space.outputs[1]
    got = laplace(made, space).privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert bool((got == ids).all()) is (epsilon > 1)


@BOTH
def test_blocks_and_order_never_change_a_release(made, monkeypatch):
    mechanism = laplace(made)
    random = np.random.default_rng(2)
    ids = random.integers(0, 300, 1500).astype(np.int32)
    epsilon = random.choice([5.0, 50.0], 1500)
    noise = Noise.of_document(bytes(32), np.arange(1500))
    whole = mechanism.privatize(ids, epsilon, noise)
    order = random.permutation(1500)
    shuffled = mechanism.privatize(ids[order], epsilon[order], noise.take(order))
    assert np.array_equal(shuffled, whole[order])
    for size in (1, 100, 5000):
        monkeypatch.setattr(decoded, "BLOCK", size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)


def test_coordinate_calibration_is_far_noisier_at_equal_epsilon():
    space = ToySpace(300, 50)
    ids = space.outputs[0].repeat(10)
    kept = []
    for made in (LaplaceL2, LaplaceCoordinate):
        got = laplace(made, space).privatize(ids, np.full(len(ids), 60.0), fresh(len(ids)))
        kept.append(float((got == ids).mean()))
    assert kept[0] > 0.5 > 0.15 > kept[1]


@BOTH
def test_guarantee_and_metric_belong_together(made):
    space = ToySpace()
    for metric in made.metrics:
        mechanism = made(space, metric=metric, decoder=Exact(space))
        assert mechanism.metric == metric
        assert space.fingerprint[:12] in mechanism.guarantee
    for other in {"chordal", "angular", "l1", "euclidean", "hops"} - set(made.metrics):
        with pytest.raises(BudgetError, match=f'"{other}"'):
            made(space, metric=other, decoder=Exact(space))


@BOTH
@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, np.nan])
def test_a_budget_that_is_not_positive_and_finite_is_refused(made, value):
    with pytest.raises(ValueError, match="0 < epsilon < inf"):
        laplace(made).privatize(np.array([1, 2]), np.array([1.0, value]), fresh(2))


def test_a_table_of_equal_rows_is_refused():
    space = ToySpace(unit=np.ones((50, 4)), classes=("a",))
    with pytest.raises(Incompatible, match="equal"):
        laplace(LaplaceCoordinate, space)


# Raw vectors: the metric euclidean


def raw(space=None):
    space = space or of_many_lengths()
    return LaplaceL2(space, metric="euclidean", decoder=Exact(space))


def of_many_lengths(rows=300, dimensions=8):
    random = np.random.default_rng(5)
    table = random.standard_normal((rows, dimensions)) * random.lognormal(0.0, 1.0, (rows, 1))
    return ToySpace(unit=table)


def vectors(space, ids=slice(None)):
    return unit_rows(space, ids) * space.radius[ids].astype(np.float64)[:, None]


def round_density(epsilon):
    """exp(-epsilon |z|) over the plane, with its constant."""
    return lambda z: epsilon**2 / (2 * np.pi) * np.exp(-epsilon * np.sqrt((z * z).sum(-1)))


@pytest.mark.parametrize("dimensions", [2, 8, 50])
def test_raw_vectors_get_noise_of_the_right_law_and_scale(dimensions):
    """Noise goes onto the vector of its full length; on the unit vector it would be another."""
    space = of_many_lengths(dimensions=dimensions)
    ids = np.arange(DRAWS, dtype=np.int32) % 300
    noisy = raw(space)._perturb(ids, np.full(DRAWS, EPSILON), fresh(DRAWS)) / EPSILON
    length = np.linalg.norm(noisy - vectors(space, ids), axis=1)
    assert_scale(lambda s: fits(length, stats.gamma(dimensions, scale=s).cdf), 1.0 / EPSILON)
    early = np.linalg.norm(noisy - unit_rows(space, ids), axis=1)
    assert fits(early, stats.gamma(dimensions, scale=1.0 / EPSILON).cdf) < ALPHA
    squared = length * length  # a density of exp(-epsilon * squared length) is no metric promise
    assert fits(squared, stats.gamma(dimensions, scale=1.0 / EPSILON).cdf) < ALPHA


@pytest.mark.parametrize("row", [0, 9])  # row 9 is an input that never leaves
def test_release_matches_the_exact_channel_of_the_plane(row):
    space = circle(lengths=(0.3, 2.0))
    ids = np.full(DRAWS, row, dtype=np.int32)
    got = raw(space).privatize(ids, np.full(DRAWS, 2.0), fresh(DRAWS))
    counts = np.bincount(np.searchsorted(space.outputs[0], got), minlength=11)
    every = vectors(space)

    def p_value(tried):
        decide = nearest(every[space.outputs[0]])
        line = channel(every[[row]], 11, round_density(tried), decide, 20.0)[0]
        return has_counts(counts, line / line.sum())

    assert_scale(p_value, 2.0)


@pytest.mark.parametrize("metric", ["chordal", "euclidean"])
def test_exact_channel_keeps_the_promise_and_no_smaller_one(metric):
    """Ten per cent less epsilon would be a lie, and 30 % less noise would break the promise."""
    space = circle(24, lengths=(0.5, 2.0))
    every = vectors(space) if metric == "euclidean" else unit_rows(space, slice(None))
    decide = nearest(every[space.outputs[0]])
    for given, low, high in [(0.05, 0.9, 1.0), (0.05 / 0.7, 1.0001, 1.43)]:
        lines = channel(every, 22, round_density(given), decide, 40.0 / given)
        assert np.abs(lines.sum(-1) - 1).max() < 1e-3
        assert low < tightness(lines, straight(every), 0.05) <= high


def test_length_tells_words_of_one_direction_apart_only_where_the_metric_says_so():
    table = np.random.default_rng(4).standard_normal((40, 6))
    table[1] = 3.0 * table[0]
    space = ToySpace(unit=table, classes=("a",))
    ids = np.repeat(np.array([0, 1], dtype=np.int32), 200)
    got = raw(space).privatize(ids, np.full(400, 300.0), fresh(400))
    assert (got == ids).mean() > 0.95
    got = laplace(LaplaceL2, space).privatize(ids, np.full(400, 300.0), fresh(400))
    assert (got == got[0]).all()


def test_diameter_is_a_bound_and_no_wild_one():
    space = of_many_lengths()
    every = straight(vectors(space))
    same = space.class_of[:, None] == space.class_of[None]
    assert every[same].max() <= raw(space).diameter <= 2.0 * every[same].max()


@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
def test_extreme_budgets_are_ordinary_for_raw_vectors(epsilon):
    space = of_many_lengths()
    ids = space.outputs[1]
    got = raw(space).privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert bool((got == ids).all()) is (epsilon > 1)


def test_blocks_never_change_a_release_of_raw_vectors(monkeypatch):
    mechanism, ids = raw(), np.arange(300, dtype=np.int32)
    noise, epsilon = Noise.of_document(bytes(32), np.arange(300)), np.full(300, 4.0)
    whole = mechanism.privatize(ids, epsilon, noise)
    for size in (1, 37):
        monkeypatch.setattr(decoded, "BLOCK", size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_a_radius_that_is_none_is_refused(value):
    space = of_many_lengths()
    space.radius[3] = value
    with pytest.raises(Incompatible, match="radius"):
        raw(space)


def test_a_decoder_of_directions_alone_is_refused():
    class Directions:
        def decode(self, queries, classes):
            return np.zeros(len(queries), dtype=np.int32)

    with pytest.raises(Incompatible, match="decode_points"):
        LaplaceL2(ToySpace(), metric="euclidean", decoder=Directions())
