from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from statistical import (
    ALPHA,
    DRAWS,
    angle_cdf,
    assert_scale,
    coordinate_cdf,
    fits,
    has_counts,
    has_mean,
    mean_cosine,
)

RANDOM = np.random.default_rng()


@pytest.mark.parametrize("actual", [0.7, 0.9, 1.1, 1.3])
def test_scale_test_notices_a_sampler_ten_percent_off(actual):
    sample = actual * RANDOM.standard_normal(10 * DRAWS)
    with pytest.raises(AssertionError):
        assert_scale(lambda scale: fits(sample, stats.norm(scale=scale).cdf), 1.0)


def test_scale_test_accepts_the_right_sampler():
    sample = RANDOM.standard_normal(DRAWS)
    assert_scale(lambda scale: fits(sample, stats.norm(scale=scale).cdf), 1.0)


def test_scale_test_refuses_a_sample_too_small_to_tell():
    sample = RANDOM.standard_normal(50)
    with pytest.raises(AssertionError):
        assert_scale(lambda scale: fits(sample, stats.norm(scale=scale).cdf), 1.0)


def test_mean_test_tells_a_shift_from_chance():
    sample = RANDOM.standard_exponential(DRAWS)
    assert has_mean(sample, 1.0) > ALPHA
    assert has_mean(sample, 1.1) < ALPHA


def test_count_test_tells_a_loaded_die_from_a_fair_one():
    counts = RANDOM.multinomial(DRAWS, np.full(6, 1 / 6))
    assert has_counts(counts, np.full(6, 1 / 6)) > ALPHA
    assert has_counts(counts, np.array([0.2, 0.2, 0.15, 0.15, 0.15, 0.15])) < ALPHA


def test_count_test_pools_rare_cells():
    counts = np.array([500, 499, 1, 0])
    assert has_counts(counts, np.array([0.4999, 0.4999, 0.0001, 0.0001])) > 0.01
    tiny = np.array([0.5 - 1e-7, 0.5, 1e-7])
    assert has_counts(np.array([499, 500, 1]), tiny) > ALPHA  # one rare draw is no proof


def test_count_test_notices_many_rare_draws_and_an_impossible_one():
    tiny = np.array([0.5 - 1e-7, 0.5, 1e-7])
    assert has_counts(np.array([495, 501, 4]), tiny) < ALPHA
    assert has_counts(np.array([500, 499, 1]), np.array([0.5, 0.5, 0.0])) == 0.0
    assert has_counts(np.array([500, 500, 0]), np.array([0.5, 0.5, 0.0])) == 1.0


@pytest.mark.parametrize("kappa", [0.5, 5.0, 300.0])
def test_angle_law_is_von_mises_on_the_circle(kappa):
    angle = np.linspace(0.01, 3.0, 50)
    expected = 2.0 * (stats.vonmises(kappa).cdf(angle) - 0.5)
    assert np.allclose(angle_cdf(2, kappa)(angle), expected, atol=1e-5)


@pytest.mark.parametrize("kappa", [0.5, 5.0, 100.0])
def test_angle_law_is_known_in_three_dimensions(kappa):
    angle = np.linspace(0.01, 3.0, 50)
    expected = np.expm1(kappa * (np.cos(angle) - 1.0)) / np.expm1(-2.0 * kappa)
    assert np.allclose(angle_cdf(3, kappa)(angle), expected, atol=1e-6)


@pytest.mark.parametrize("dimensions", [3, 50, 4096])
def test_angle_law_without_concentration_is_that_of_a_coordinate(dimensions):
    angle = np.linspace(0.5, 2.6, 50)
    expected = 1.0 - coordinate_cdf(dimensions)(np.cos(angle))
    assert np.allclose(angle_cdf(dimensions, 0.0)(angle), expected, atol=1e-6)


@pytest.mark.parametrize("dimensions", [2, 3, 50])  # SciPy's own ive underflows at 576
@pytest.mark.parametrize("kappa", [1.0, 50.0, 1e4, 1e6])
def test_mean_cosine_agrees_with_bessel_functions(dimensions, kappa):
    above, below = special.ive([dimensions / 2.0, dimensions / 2.0 - 1.0], kappa)
    assert mean_cosine(dimensions, kappa) == pytest.approx(above / below, rel=1e-9)


@pytest.mark.parametrize("kappa", [1.0, 50.0, 1e4])
def test_mean_cosine_is_the_mean_of_the_angle_law(kappa):
    angle = np.linspace(0.0, np.pi, 400_001)
    weight = np.diff(angle_cdf(4096, kappa)(angle))
    middle = np.cos((angle[1:] + angle[:-1]) / 2.0)
    assert mean_cosine(4096, kappa) == pytest.approx(float((weight * middle).sum()), abs=1e-7)
