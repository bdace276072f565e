"""Tests of distributions with power: the right scale is accepted and wrong ones are rejected.

Randomness is fresh on every run, through the same path that a release takes, so that a flaw that
shows for one key in a thousand is found in time. ALPHA is therefore so small that no test fails
by luck in years of runs, and every test that accepts a scale must, on the same sample, reject 30 %
less and 30 % more: one that cannot is too weak to count. DRAWS is what this takes in most places.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.integrate import cumulative_trapezoid

from privstamp.noise import Noise, Randomness

ALPHA = 1e-9
DRAWS = 20_000
FACTORS = (0.7, 1.0, 1.3)

Sample = npt.NDArray[np.float64]
Cdf = Callable[[Sample], Sample]


def fresh(count: int) -> Noise:
    """Addresses of one document under a key that nobody has seen."""
    return Noise.of_document(Randomness.make().key(), np.arange(count))


def fits(sample: Sample, cdf: Cdf) -> float:
    """P-value of a Kolmogorov-Smirnov test."""
    return float(stats.kstest(sample, cdf).pvalue)


def has_mean(sample: Sample, mean: float) -> float:
    """P-value of the sample's mean; samples here are large enough for the normal law."""
    error = sample.std(ddof=1) / np.sqrt(len(sample))
    return float(2.0 * stats.norm.sf(abs(sample.mean() - mean) / error))


def has_counts(counts: npt.NDArray[np.int64], probability: Sample) -> float:
    """P-value of a chi-square test, or of the rare cells if theirs is smaller.

    Cells expected fewer than five times are put together, and with the next one if all of them are
    rare even so: one draw out of a thousandth would decide. Whether there are too many of them is
    for the binomial law to say; of what cannot be, one is too many.
    """
    total = int(counts.sum())
    if counts[probability == 0.0].any():
        return 0.0
    order = np.argsort(probability)
    counts, expected = counts[order], probability[order] * total
    rare = int((expected < 5.0).sum())
    seen, chance = int(counts[:rare].sum()), float(expected[:rare].sum()) / total
    pooled = rare if chance * total >= 5.0 else rare + 1
    counts = np.append(counts[:pooled].sum(), counts[pooled:])
    expected = np.append(expected[:pooled].sum(), expected[pooled:])
    value = ((counts - expected) ** 2 / expected).sum()
    often = stats.binom.sf(seen - 1, total, chance)
    return float(min(stats.chi2.sf(value, len(counts) - 1), often))


def assert_scale(p_value: Callable[[float], float], scale: float) -> None:
    """Accept `scale`, reject 30 % less and 30 % more."""
    p = {factor: p_value(scale * factor) for factor in FACTORS}
    assert p.pop(1.0) > ALPHA
    assert max(p.values()) < ALPHA


def angle_cdf(dimensions: int, kappa: float) -> Cdf:
    """Law of the angle between a vMF draw and its centre: exp(kappa cos) sin^(d-2), integrated.

    In logarithms and only where the mass is: the usual normaliser overflows in high dimension.
    """
    power = dimensions - 2
    cosine = 2.0 * kappa / (power + np.hypot(power, 2.0 * kappa)) if kappa or power else 1.0
    mode = np.arccos(min(cosine, 1.0))
    curve = kappa * cosine + (power / np.sin(mode) ** 2 if power else 0.0)
    reach = 14.0 / np.sqrt(curve) if curve else np.pi
    angle = np.linspace(max(0.0, mode - reach), min(np.pi, mode + reach), 40_001)
    with np.errstate(divide="ignore"):
        bend = power * np.log(np.sin(angle)) if power else 0.0
    log_density = bend - 2.0 * kappa * np.sin(angle / 2.0) ** 2
    area = cumulative_trapezoid(np.exp(log_density - log_density.max()), angle, initial=0.0)
    return lambda sample: np.interp(sample, angle, area / area[-1])


def mean_cosine(dimensions: int, kappa: float) -> float:
    """A_d(kappa), the ratio of Bessel functions I_{d/2} / I_{d/2-1}, by continued fraction."""
    if kappa == 0.0:
        return 0.0
    order = dimensions / 2.0
    steps = 200 + int(8.0 * np.sqrt(kappa) + 2.0 * min(kappa, 1e4))
    ratio = 1.0
    for step in range(steps, -1, -1):
        ratio = 1.0 / (2.0 * (order + step) / kappa + ratio)
    return ratio


def coordinate_cdf(dimensions: int) -> Cdf:
    """Law of one coordinate of a uniform point on the sphere of that many dimensions."""
    half = (dimensions - 1) / 2.0
    return lambda sample: stats.beta.cdf((1.0 + sample) / 2.0, half, half)
