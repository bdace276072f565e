import numpy as np
import pytest

from privstamp.lab.audit.claims import Pair, one_run, proved
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.randomized_response import RandomizedResponse
from toys import ToySpace

KEY = b"r" * 32


@pytest.fixture(scope="module")
def space():
    return ToySpace(40, 2, ("a",))


class Loud(RandomizedResponse):
    def privatize(self, ids, epsilon, noise):
        return super().privatize(ids, epsilon * 2, noise)


PAIRS = [Pair(n, n + 1, 1.5, 1.0) for n in range(0, 8, 2)]


def test_a_sound_mechanism_stays_below_its_claim(space):
    run = one_run(RandomizedResponse(space, metric="ldp"), space, PAIRS, canaries=50_000, key=KEY)
    assert run.sound
    assert run.over_claim > 0.5  # it is not blind
    assert run.guesses == 5_000


def test_too_little_noise_is_noticed(space):
    run = one_run(Loud(space, metric="ldp"), space, PAIRS, canaries=50_000, key=KEY)
    assert not run.sound


def test_metric_pairs_are_scaled_to_one_claim(space):
    ends = space.unit.astype(float)
    apart = [float(np.linalg.norm(ends[n] - ends[n + 1])) for n in range(0, 8, 2)]
    pairs = [Pair(2 * n, 2 * n + 1, 2.0 / d, d) for n, d in enumerate(apart)]
    run = one_run(Exponential(space, metric="chordal"), space, pairs, canaries=20_000, key=KEY)
    assert run.sound and run.claim == pytest.approx(2.0)


def test_pairs_with_different_claims_are_refused(space):
    with pytest.raises(ValueError, match="one claim"):
        one_run(
            RandomizedResponse(space, metric="ldp"),
            space,
            [Pair(0, 1, 1.0, 1.0), Pair(2, 3, 2.0, 1.0)],
            canaries=100,
            key=KEY,
        )


def test_right_guesses_prove_what_the_binomial_tail_allows():
    from scipy.stats import binom

    nats = proved(800, 1000, 1e-6)
    chance = 1 / (1 + np.exp(-nats))
    assert binom.sf(799, 1000, chance) == pytest.approx(1e-6, rel=1e-3)
    assert proved(500, 1000, 1e-6) == 0.0
    assert proved(0, 1000, 1e-6) == 0.0
