from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from privstamp.crew import threads
from privstamp.mechanisms import decoded as sampler
from privstamp.mechanisms.decoded import cosine_gaps, vmf, vmf_rows
from privstamp.noise import Noise
from statistical import (
    ALPHA,
    DRAWS,
    angle_cdf,
    assert_scale,
    coordinate_cdf,
    fits,
    fresh,
    has_counts,
    has_mean,
    mean_cosine,
)

DIMENSIONS = [2, 3, 50, 576, 4096]
# Where kappa is small beside sqrt(d) the law is hardly distinguishable from the uniform one:
# kappa = 1 at d = 576 would need half a million draws to tell 30 %.
TOLD = [(d, kappa) for d in DIMENSIONS for kappa in (1.0, 50.0, 1e4, 1e6) if kappa > 1.0 or d < 50]
UNTOLD = [(d, kappa) for d in DIMENSIONS for kappa in (0.0, 1.0) if (d, kappa) not in TOLD]


def angles(kappa, dimensions, count=DRAWS):
    below, above = cosine_gaps(np.full(count, kappa), dimensions, fresh(count))
    return 2.0 * np.arctan2(np.sqrt(below), np.sqrt(above))


def centres(dimensions, count):
    """Both poles of the first axis, both of the last, and random directions."""
    raw = np.random.default_rng(0).standard_normal((count, dimensions))
    raw[:4] = 0.0
    raw[0, 0], raw[1, 0], raw[2, -1], raw[3, -1] = 1.0, -1.0, 1.0, -1.0
    return raw / np.sqrt((raw * raw).sum(-1))[:, None]


def orthogonal_pair(mu):
    """Two fixed directions orthogonal to mu and to each other."""
    found = []
    for row in np.random.default_rng(1).standard_normal((2, len(mu))):
        for other in [mu, *found]:
            row = row - (row @ other) * other
        found.append(row / np.linalg.norm(row))
    return found


def tangents(mu, noise):
    """The unit tangents that the sampler's normal vectors stand for."""
    raw = np.empty_like(mu)
    # Centres need not be unit vectors.
    along, across, length = sampler.tangents(2.0 * mu, noise, raw)
    assert np.allclose(length, 2.0)
    return (raw - along[:, None] * mu) / across[:, None]


# The cosine


@pytest.mark.parametrize(("dimensions", "kappa"), TOLD)
def test_cosine_has_the_right_law_and_scale(dimensions, kappa):
    sample = angles(kappa, dimensions)
    assert_scale(lambda scale: fits(sample, angle_cdf(dimensions, scale)), kappa)


@pytest.mark.parametrize(("dimensions", "kappa"), UNTOLD)
def test_cosine_fits_its_law_where_a_scale_cannot_be_told(dimensions, kappa):
    assert fits(angles(kappa, dimensions), angle_cdf(dimensions, kappa)) > ALPHA


@pytest.mark.parametrize(("dimensions", "kappa"), TOLD)
def test_mean_cosine_is_the_ratio_of_bessel_functions(dimensions, kappa):
    below, _ = cosine_gaps(np.full(DRAWS, kappa), dimensions, fresh(DRAWS))
    assert_scale(lambda scale: has_mean(below, 1.0 - mean_cosine(dimensions, scale)), kappa)


@pytest.mark.parametrize("dimensions", [3, 50, 576])
def test_law_test_notices_a_sampler_ten_percent_off(dimensions):
    sample = angles(1.1e4, dimensions, 5 * DRAWS)
    with pytest.raises(AssertionError):
        assert_scale(lambda scale: fits(sample, angle_cdf(dimensions, scale)), 1e4)


@pytest.mark.parametrize("dimensions", [2, 50, 4096])
def test_rows_may_differ_in_kappa(dimensions):
    kappa = np.tile([0.0, 1.0, 50.0, 1e4, 1e6], 4000)
    below, above = cosine_gaps(kappa, dimensions, fresh(len(kappa)))
    angle = 2.0 * np.arctan2(np.sqrt(below), np.sqrt(above))
    for value in np.unique(kappa):
        assert fits(angle[kappa == value], angle_cdf(dimensions, value)) > ALPHA


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_gaps_keep_their_digits_at_any_concentration(dimensions):
    kappa = np.repeat([1e-300, 1e-9, 1e6, 1e15, 1e200], DRAWS)
    below, above = cosine_gaps(kappa, dimensions, fresh(len(kappa)))
    assert np.all((below >= 0) & (above >= 0) & (np.abs(below + above - 2.0) < 1e-14))
    # At kappa >> d, 2 kappa (1 - w) is chi-square with d - 1 degrees of freedom.
    tight = (2.0 * kappa * below)[kappa >= 1e15]
    assert_scale(lambda scale: fits(tight, stats.chi2(dimensions - 1, scale=scale).cdf), 1.0)


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_rejections_are_few(dimensions):
    used = []

    class Counting(Noise):
        def uniform(self, count, lane, attempt=0):
            used.append(len(self))
            return super().uniform(count, lane, attempt)

        def take(self, index):
            return Counting(self._keys, self._documents[index], self._positions[index])

    plain = fresh(2000)
    noise = Counting(plain._keys, plain._documents, plain._positions)
    for kappa in (0.0, 1.0, 50.0, 1e4, 1e6):
        used.clear()
        cosine_gaps(np.full(2000, kappa), dimensions, noise)
        most = 1.0 / (1.0 - (1.0 - 1.0 / 1.8) ** sampler._AT_ONCE)  # 1.8 proposals per draw
        assert 2000 <= sum(used) < 2000 * most


# The whole draw


@pytest.mark.parametrize("dimensions", DIMENSIONS)
@pytest.mark.parametrize("kappa", [0.0, 50.0, 1e6])
def test_draws_lie_on_the_sphere_around_any_centre(dimensions, kappa):
    count = 1000
    mu = centres(dimensions, count)
    y = vmf(mu, np.full(count, kappa), fresh(count))
    assert np.abs(np.sqrt((y * y).sum(-1)) - 1.0).max() < 1e-11
    chord = np.sqrt(((y - mu) ** 2).sum(-1))
    assert fits(2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0)), angle_cdf(dimensions, kappa)) > ALPHA


@pytest.mark.parametrize("dimensions", [2, 3, 50])
@pytest.mark.parametrize("axis", ["first", "minus first", "any"])
def test_every_centre_gets_the_right_scale(dimensions, axis):
    mu = centres(dimensions, 6)[{"first": 0, "minus first": 1, "any": 5}[axis]]
    y = vmf(np.tile(mu, (DRAWS, 1)), np.full(DRAWS, 50.0), fresh(DRAWS))
    angle = 2.0 * np.arcsin(np.sqrt(((y - mu) ** 2).sum(-1)) / 2.0)
    assert_scale(lambda scale: fits(angle, angle_cdf(dimensions, scale)), 50.0)


def test_no_concentration_is_the_uniform_law():
    y = vmf(centres(6, DRAWS), np.zeros(DRAWS), fresh(DRAWS))
    for column in y.T:
        assert fits(column, coordinate_cdf(6)) > ALPHA
        assert fits(column, coordinate_cdf(9)) < ALPHA


# The tangent


def assert_uniform_around(mu, sample):
    """Every direction around mu alike: one projection, the angle of two, nothing along mu."""
    one, two = orthogonal_pair(mu)
    along = (sample * one).sum(-1)
    assert np.abs((sample * mu).sum(-1)).max() < 1e-12
    assert fits(along, coordinate_cdf(len(mu) - 1)) > ALPHA
    angle = np.arctan2(along, (sample * two).sum(-1))
    assert fits(angle, stats.uniform(-np.pi, 2.0 * np.pi).cdf) > ALPHA


@pytest.mark.parametrize("dimensions", [3, 4, 50, 576])
@pytest.mark.parametrize("axis", [0, 1, 5])
def test_tangent_is_uniform(dimensions, axis):
    count = DRAWS if dimensions < 100 else 4000
    mu = centres(dimensions, 6)[axis]
    assert_uniform_around(mu, tangents(np.tile(mu, (count, 1)), fresh(count)))


def test_tangent_on_the_circle_is_a_fair_sign():
    mu = centres(2, 6)[5]
    side = (tangents(np.tile(mu, (DRAWS, 1)), fresh(DRAWS)) * np.array([-mu[1], mu[0]])).sum(-1)
    assert np.allclose(np.abs(side), 1.0)
    counts = np.array([(side > 0).sum(), (side < 0).sum()])
    assert has_counts(counts, np.array([0.5, 0.5])) > ALPHA
    assert has_counts(counts, np.array([0.55, 0.45])) < ALPHA


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_uniformity_test_notices_an_axis_ten_percent_off(factor):
    mu = centres(4, 6)[5]
    one, _ = orthogonal_pair(mu)
    sample = tangents(np.tile(mu, (5 * DRAWS, 1)), fresh(5 * DRAWS))
    assert_uniform_around(mu, sample)
    bent = sample + (factor - 1.0) * (sample * one).sum(-1)[:, None] * one
    with pytest.raises(AssertionError):
        assert_uniform_around(mu, bent / np.sqrt((bent * bent).sum(-1))[:, None])


def test_a_degenerate_projection_is_drawn_again():
    mu = centres(5, 8)

    class Parallel(Noise):
        """Its first normals are the centres themselves, so nothing is left of row 3 and 6."""

        def normal(self, count, lane, attempt=0, out=None):
            drawn = super().normal(count, lane, attempt, out)
            if attempt == 0:
                drawn[[3, 6]] = 2.5 * mu[[3, 6]]
            return drawn

        def take(self, index):
            return Parallel(self._keys, self._documents[index], self._positions[index])

    key = bytes(32)
    plain = Noise.of_document(key, np.arange(8))
    got = tangents(mu, Parallel([key], np.zeros(8, np.int64), np.arange(8)))
    assert np.abs((got * mu).sum(-1)).max() < 1e-12
    assert np.allclose((got * got).sum(-1), 1.0)
    same = np.all(got == tangents(mu, plain), axis=1)
    assert same.tolist() == [True, True, True, False, True, True, False, True]


@pytest.mark.parametrize("dimensions", [2, 3, 50, 576])
@pytest.mark.parametrize("kappa", [1.0, 50.0, 1e4])
def test_draws_around_rows_of_a_table_have_the_right_law(dimensions, kappa):
    count = DRAWS if dimensions < 100 else 4000
    table = centres(dimensions, 6).astype(np.float32)
    ids = np.full(count, 5, dtype=np.int32)
    drawn = vmf_rows(table, ids, np.full(count, kappa), fresh(count)).astype(np.float64)
    mu = table[5].astype(np.float64)
    mu /= np.linalg.norm(mu)
    angle = 2.0 * np.arcsin(np.minimum(np.linalg.norm(drawn - mu, axis=1) / 2.0, 1.0))
    if (dimensions, kappa) in TOLD:
        assert_scale(lambda scale: fits(angle, angle_cdf(dimensions, scale)), kappa)
    else:
        assert fits(angle, angle_cdf(dimensions, kappa)) > ALPHA
    if dimensions > 2:
        rest = drawn
        for _ in range(2):  # once more, for the digits that the first time loses
            rest = rest - (rest @ mu)[:, None] * mu
            rest /= np.linalg.norm(rest, axis=1)[:, None]
        assert_uniform_around(mu, rest)


@pytest.mark.parametrize("kappa", [1e12, 1e200])
def test_a_budget_beyond_all_digits_leaves_the_row(kappa):
    table = centres(50, 6).astype(np.float32)
    drawn = vmf_rows(table, np.arange(6, dtype=np.int32), np.full(6, kappa), fresh(6))
    assert np.abs(drawn - table).max() < 1e-5


# Numerics


@pytest.mark.parametrize("dimensions", [2, 3, 50, 577])
def test_blocks_and_order_never_change_a_bit(dimensions):
    count = 700
    mu = centres(dimensions, count)
    kappa = np.geomspace(1e-3, 1e6, count)
    noise = Noise.of_document(bytes(32), np.arange(count))
    whole = vmf(mu, kappa, noise)
    for size in (1, 7, 64, 512):
        cuts = [slice(i, i + size) for i in range(0, count, size)]
        joined = np.concatenate([vmf(mu[c], kappa[c], noise.take(c)) for c in cuts])
        assert joined.tobytes() == whole.tobytes()
    order = np.random.default_rng(2).permutation(count)
    shuffled = vmf(mu[order], kappa[order], noise.take(order))
    assert shuffled.tobytes() == whole[order].tobytes()


@pytest.mark.parametrize("given", [1, 3])
def test_rows_of_a_table_give_the_same_bits_whatever_the_threads(given, monkeypatch):
    monkeypatch.setattr(threads, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(threads._blas, "threads", lambda: given)
    table = (1.0005 * centres(50, 900)).astype(np.float32)
    ids = np.random.default_rng(3).integers(0, 900, 3000).astype(np.int32)
    kappa, noise = np.geomspace(1e-3, 1e6, 3000), Noise.of_document(bytes(32), np.arange(3000))
    drawn = vmf_rows(table, ids, kappa, noise).copy()
    assert drawn.dtype == np.float32
    for size in (7, 512):
        cuts = [slice(start, start + size) for start in range(0, 3000, size)]
        parts = [vmf_rows(table, ids[c], kappa[c], noise.take(c)).copy() for c in cuts]
        assert np.concatenate(parts).tobytes() == drawn.tobytes()
    exact = vmf(table[ids].astype(np.float64), kappa, noise)
    assert np.abs(drawn - exact).max() < 1e-6


def test_memory_grows_with_the_dimension_and_not_with_its_square():
    mu, kappa, noise = centres(4096, 8), np.full(8, 100.0), fresh(8)
    tracemalloc.start()
    vmf(mu, kappa, noise)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 8 * 4096 * 8  # a rotation matrix alone would be 4096 * 4096 * 8
