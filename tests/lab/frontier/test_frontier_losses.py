"""Proved losses: never below what the channel really does."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates
from privstamp.registry import MECHANISMS
from toys import ToySpace

DISCRETE = [
    ("polar-vocabulary", "chordal"),
    ("polar-vocabulary", "angular"),
    ("exponential", "euclidean"),
    ("tem", "truncated"),
    ("randomized-response", "ldp"),
    ("neighbourhood", "hops"),
    ("clusters", "tree"),
    ("custext", "ldp"),
]
NOISY = [
    ("polar", "angular"),
    ("laplace-coordinate", "l1"),
    ("laplace-l2", "euclidean"),
    ("mahalanobis", "mahalanobis"),
    ("vickrey", "chordal"),
]


@pytest.fixture(scope="module")
def words():
    return Candidates(ToySpace(rows=200, dimensions=5), 1)


@pytest.mark.parametrize(("name", "metric"), DISCRETE)
def test_no_output_tells_more_than_is_stated(words, name, metric):
    mechanism = MECHANISMS.build(name, {}, space=words.space, metric=metric)
    one, two = np.arange(40), np.arange(40, 80)
    apart = mechanism.distance(words.ids[one], words.ids[two])
    proved = mechanism.loss(words.number, 3.0, apart)
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.log(mechanism.channel(words.ids, np.full(len(words), 3.0))[:, words.ids])
        real = np.nanmax(np.abs(log[one] - log[two]), axis=1)
    assert (real <= proved + 1e-6).all()
    assert (proved <= mechanism.loss(words.number, 3.0) + 1e-9).all()
    if name == "custext":
        assert np.isinf(proved).any(), "sets are told apart for certain"
    elif name in ("randomized-response", "clusters"):
        assert real.max() > 0.9 * proved.max(), "and the statement is not idle"


@pytest.mark.parametrize(("name", "metric"), NOISY)
def test_distances_of_noisy_mechanisms(words, name, metric):
    space = words.space
    mechanism = MECHANISMS.build(name, {}, space=space, metric=metric, decoder=Exact(space))
    same, other = np.arange(30), np.arange(30, 60)
    ids = words.ids
    assert mechanism.distance(ids[same], ids[same]).max() == 0
    apart = mechanism.distance(ids[same], ids[other])
    assert apart.min() > 0 and apart.max() <= mechanism.diameter
    np.testing.assert_allclose(mechanism.loss(words.number, 2.0, apart), 2.0 * apart)
