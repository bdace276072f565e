import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.audit.claims import Pair, _proved, measure, most
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.randomized_response import RandomizedResponse
from toys import ToySpace

KEY = b"k" * 32


class Loud:
    """A mechanism that is given more epsilon than it admits."""

    def __init__(self, inner, factor):
        self._inner, self._factor = inner, factor

    def privatize(self, ids, epsilon, noise):
        return self._inner.privatize(ids, epsilon * self._factor, noise)


class Deaf:
    """A mechanism that lets some units pass as they are."""

    def __init__(self, inner, passing):
        self._inner, self._passing = inner, passing

    def privatize(self, ids, epsilon, noise):
        out = self._inner.privatize(ids, epsilon, noise)
        return np.where(np.isin(ids, self._passing), ids, out).astype(np.int32)


@pytest.fixture(scope="module")
def space():
    return ToySpace(40, 2, ("a",))


def chord(space, one, two):
    return float(np.linalg.norm(space.unit[one].astype(float) - space.unit[two].astype(float)))


def pair_of(space, one, two, claim):
    apart = chord(space, one, two)
    return Pair(one, two, claim / apart, apart)


def opposite(space):
    row = space.unit[:1] @ space.unit[:36].T
    return int(row.argmin())


def test_a_sound_mechanism_stays_below_its_claim(space):
    pairs = [
        pair_of(space, 0, other, claim) for other in (3, 8, opposite(space)) for claim in (1, 3)
    ]
    for mechanism in (
        Polar(space, metric="chordal", decoder=Exact(space)),
        Exponential(space, metric="chordal"),
    ):
        found = measure(mechanism, space, pairs, draws=20_000, key=KEY)
        assert all(one.sound for one in found)


def test_randomized_response_is_measured_close_to_its_claim(space):
    found = measure(
        RandomizedResponse(space, metric="ldp"),
        space,
        [Pair(0, 3, 2.5, 1.0)],
        draws=60_000,
        key=KEY,
    )
    assert 0.8 < found[0].over_claim <= 1.0


@pytest.mark.parametrize("factor", [1.5, 2.0])
def test_half_the_noise_is_noticed(space, factor):
    loud = Loud(RandomizedResponse(space, metric="ldp"), factor)
    found = measure(loud, space, [Pair(0, 3, 2.5, 1.0)], draws=60_000, key=KEY)
    assert not found[0].sound


def test_half_the_noise_of_polar_in_a_plane_is_noticed(space):
    polar = Loud(Polar(space, metric="chordal", decoder=Exact(space)), 2.0)
    pair = pair_of(space, 0, opposite(space), 2.0)
    assert not measure(polar, space, [pair], draws=40_000, key=KEY)[0].sound


def test_units_that_pass_are_noticed(space):
    deaf = Deaf(Exponential(space, metric="chordal"), [0])
    pair = pair_of(space, 0, 3, 3.0)
    assert not measure(deaf, space, [pair], draws=20_000, key=KEY)[0].sound


def test_what_samples_can_prove_grows_like_their_logarithm():
    assert most(2_000) < 5.0
    assert most(200_000) - most(2_000) == pytest.approx(np.log(100), abs=0.2)


def test_intervals_are_those_of_clopper_and_pearson():
    from scipy.stats import binomtest

    for hits, others in ((30, 4), (100, 0), (0, 10), (100, 100)):
        low = binomtest(hits, 100).proportion_ci(0.98).low
        high = binomtest(others, 100).proportion_ci(0.98).high
        with np.errstate(divide="ignore"):
            expected = np.log(low) - np.log(high)
        assert _proved(np.array([hits]), np.array([others]), 100, 0.02)[0] == pytest.approx(
            expected
        )
