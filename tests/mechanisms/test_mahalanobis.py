from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from plane import channel, circle, nearest, tightness
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible, PolicyError
from privstamp.mechanisms import decoded
from privstamp.mechanisms.laplace import LaplaceL2, Mahalanobis
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Noise
from statistical import ALPHA, DRAWS, assert_scale, coordinate_cdf, fits, fresh, has_counts
from toys import ToySpace

EPSILON = 7.0


def uneven(dimensions=6, rows=400):
    """A table that spreads far more along its first axes."""
    raw = np.random.default_rng(2).standard_normal((rows, dimensions))
    return ToySpace(unit=raw * np.geomspace(4.0, 0.25, dimensions))


def made(space, **options):
    return Mahalanobis(space, decoder=Exact(space), **options)


def matrix(space, lam):
    """M by the definition."""
    unit = unit_rows(space, slice(None))
    covariance = np.cov(unit.T, ddof=0)
    scaled = covariance / np.diag(covariance).mean()
    return lam * scaled + (1.0 - lam) * np.eye(len(scaled))


def lengths(z, m):
    return np.sqrt((z * np.linalg.solve(m, z.T).T).sum(-1))


def noise_of(mechanism, space, count=DRAWS):
    ids = np.arange(count, dtype=np.int32) % len(space.unit)
    noisy = mechanism._perturb(ids, np.full(count, EPSILON), fresh(count))
    return noisy / EPSILON - unit_rows(space, ids)


@pytest.mark.parametrize("dimensions", [2, 6, 50])
@pytest.mark.parametrize("lam", [0.0, 0.2, 0.9])
def test_mahalanobis_length_has_the_right_law_and_scale(dimensions, lam):
    space = uneven(dimensions)
    length = lengths(noise_of(made(space, lam=lam), space), matrix(space, lam))
    assert_scale(lambda s: fits(length, stats.gamma(dimensions, scale=s).cdf), 1.0 / EPSILON)


@pytest.mark.parametrize("lam", [0.2, 0.9])
def test_noise_is_uniform_in_direction_once_the_ellipse_is_undone(lam):
    space = uneven()
    white = np.linalg.solve(
        np.linalg.cholesky(matrix(space, lam)), noise_of(made(space, lam=lam), space).T
    )
    for column in white / np.linalg.norm(white, axis=0):
        assert fits(column, coordinate_cdf(6)) > ALPHA


def test_the_law_test_notices_published_slips():
    """Length drawn after the ellipse; covariance instead of its root; a ball for the ellipse."""
    space, lam = uneven(), 0.9
    m = matrix(space, lam)
    z = noise_of(made(space, lam=lam), space)
    round_noise = noise_of(LaplaceL2(space, decoder=Exact(space)), space)
    length = np.linalg.norm(round_noise, axis=1)
    bent = round_noise @ np.linalg.cholesky(m).T
    again = bent * (length / np.linalg.norm(bent, axis=1))[:, None]
    law = stats.gamma(6, scale=1.0 / EPSILON).cdf
    assert fits(lengths(z, m), law) > ALPHA
    for wrong in (again, round_noise @ m.T, round_noise):
        assert fits(lengths(wrong, m), law) < ALPHA


def test_without_covariance_it_is_the_round_mechanism_draw_by_draw():
    space = uneven()
    ids = np.tile(np.arange(400, dtype=np.int32), 5)
    noise, epsilon = fresh(2000), np.full(2000, 12.0)
    round_one = LaplaceL2(space, decoder=Exact(space))
    mechanism = made(space, lam=0)
    assert np.allclose(
        mechanism._perturb(ids, epsilon, noise), round_one._perturb(ids, epsilon, noise)
    )
    assert np.array_equal(
        mechanism.privatize(ids, epsilon, noise), round_one.privatize(ids, epsilon, noise)
    )
    other = made(space, lam=0.9).privatize(ids, epsilon, noise)
    assert (other != round_one.privatize(ids, epsilon, noise)).mean() > 0.05


# The metric


@pytest.mark.parametrize("lam", [0.0, 0.2, 0.9])
def test_distance_is_the_regularised_mahalanobis_distance(lam):
    """A distance, not its square: twice as far is twice as much."""
    space = uneven()
    mechanism = made(space, lam=lam)
    one, other = np.random.default_rng(3).integers(0, 400, (2, 500)).astype(np.int32)
    apart = unit_rows(space, one) - unit_rows(space, other)
    assert np.allclose(mechanism.distance(one, other), lengths(apart, matrix(space, lam)))
    if lam == 0.0:
        assert np.allclose(mechanism.distance(one, other), np.linalg.norm(apart, axis=1))


@pytest.mark.parametrize("lam", [0.0, 0.2, 0.9])
def test_diameter_is_a_bound_and_no_wild_one(lam):
    space = uneven()
    mechanism = made(space, lam=lam)
    one, other = (index.ravel().astype(np.int32) for index in np.indices((400, 400)))
    same = space.class_of[one] == space.class_of[other]
    largest = mechanism.distance(one[same], other[same]).max()
    assert largest <= mechanism.diameter <= 2.0 * largest


# Against the exact channel of the plane


def ellipse(space, lam, epsilon):
    m = matrix(space, lam)
    constant = epsilon**2 / (2 * np.pi * np.sqrt(np.linalg.det(m)))
    inverse = np.linalg.inv(m)
    return lambda z: constant * np.exp(-epsilon * np.sqrt(np.einsum("ni,ij,nj->n", z, inverse, z)))


def flat_circle(rows=12):
    """Words on one side of the circle, so that the two axes differ."""
    angle = np.sort(np.random.default_rng(7).normal(0.0, 0.6, rows))
    return ToySpace(unit=np.stack([np.cos(angle), np.sin(angle)], 1), classes=("a",))


@pytest.mark.parametrize("row", [0, 9])
def test_release_matches_the_exact_channel_of_the_plane(row):
    space, lam = flat_circle(), 0.8
    ids = np.full(DRAWS, row, dtype=np.int32)
    got = made(space, lam=lam).privatize(ids, np.full(DRAWS, 4.0), fresh(DRAWS))
    counts = np.bincount(np.searchsorted(space.outputs[0], got), minlength=11)
    unit = unit_rows(space, slice(None))

    def p_value(epsilon, chosen=lam):
        decide = nearest(unit[space.outputs[0]])
        line = channel(unit[[row]], 11, ellipse(space, chosen, epsilon), decide, 12.0)[0]
        return has_counts(counts, line / line.sum())

    assert_scale(p_value, 4.0)
    assert p_value(4.0, 0.0) < ALPHA


def test_exact_channel_keeps_the_promise_and_no_smaller_one():
    """Ten per cent less epsilon would be a lie, and 30 % less noise would break the promise."""
    space, lam = circle(24), 0.8
    mechanism = made(space, lam=lam)
    unit = unit_rows(space, slice(None))
    one, other = np.indices((24, 24))
    distances = mechanism.distance(one.ravel(), other.ravel()).reshape(24, 24)
    decide = nearest(unit[space.outputs[0]])
    for given, low, high in [(0.05, 0.9, 1.0), (0.05 / 0.7, 1.0001, 1.43)]:
        lines = channel(unit, 22, ellipse(space, lam, given), decide, 60.0 / given)
        assert np.abs(lines.sum(-1) - 1).max() < 1e-3
        assert low < tightness(lines, distances, 0.05) <= high


# What every mechanism does


def test_a_unit_leaves_as_an_output_of_its_own_class():
    space = uneven()
    ids = np.tile(np.arange(400, dtype=np.int32), 5)
    got = made(space).privatize(ids, np.full(2000, 3.0), fresh(2000))
    for number, outputs in enumerate(space.outputs):
        assert set(got[space.class_of[ids] == number].tolist()) <= set(outputs.tolist())


@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
def test_extreme_budgets_are_ordinary(epsilon):
    space = uneven()
    ids = space.outputs[1]
    got = made(space).privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert bool((got == ids).all()) is (epsilon > 1)


def test_blocks_and_order_never_change_a_release(monkeypatch):
    space = uneven(50)
    mechanism = made(space)
    ids = np.random.default_rng(2).integers(0, 400, 1000).astype(np.int32)
    noise, epsilon = Noise.of_document(bytes(32), np.arange(1000)), np.full(1000, 30.0)
    vectors = mechanism._perturb(ids, epsilon, noise)
    order = np.random.default_rng(3).permutation(1000)[:77]
    alone = mechanism._perturb(ids[order], epsilon[order], noise.take(order))
    assert alone.tobytes() == vectors[order].tobytes()
    whole = mechanism.privatize(ids, epsilon, noise)
    for size in (1, 100):
        monkeypatch.setattr(decoded, "BLOCK", size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)


@pytest.mark.parametrize("lam", [-0.1, 1.1, np.nan, True, "half"])
def test_a_share_that_is_none_is_refused(lam):
    with pytest.raises(PolicyError, match="lam is a number"):
        made(uneven(), lam=lam)


def test_a_table_that_is_flat_somewhere_needs_some_round_noise():
    raw = np.random.default_rng(1).standard_normal((100, 5))
    raw[:, 3] = 0.0
    space = ToySpace(unit=raw)
    with pytest.raises(Incompatible, match="smaller lam"):
        made(space, lam=1.0)
    assert made(space, lam=0.9).diameter < 7.0


def test_a_table_of_equal_rows_is_refused():
    with pytest.raises(Incompatible, match="equal"):
        made(ToySpace(unit=np.ones((50, 4))))


def test_guarantee_names_matrix_and_table_and_other_metrics_are_refused():
    space = uneven()
    mechanism = made(space, lam=0.3)
    assert space.fingerprint[:12] in mechanism.guarantee
    assert "0.3 S + 0.7 I" in mechanism.guarantee
    with pytest.raises(BudgetError, match='"chordal"'):
        Mahalanobis(space, metric="chordal", decoder=Exact(space))
