"""Recovery word by word, against a law written down by hand."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates
from privstamp.lab.calibration.gauge import Suspects, blind, largest, per_word
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.stated import law_of
from toys import ToySpace

SPACE = ToySpace(rows=120, dimensions=4)


@pytest.fixture(scope="module")
def words():
    return Candidates(SPACE, 0)


def by_hand(law, prior):
    guess = (law * prior[:, None]).argmax(axis=0)
    return np.array([law[w, guess == w].sum() for w in range(len(prior))])


@pytest.mark.parametrize("name", ["even", "unigram"])
@pytest.mark.parametrize("make", [Exponential, Neighbourhood])
def test_every_word_against_the_whole_matrix(words, make, name):
    mechanism = make(SPACE, metric=make.metrics[0])
    laws, prior = law_of(mechanism, words.space, words.number), getattr(words, name)
    for epsilon in (0.5, 4.0):
        law = laws.rows(np.arange(len(words)), epsilon).astype(np.float64)
        found = per_word(laws, prior, epsilon)
        # Ties may go either way; success over all words may not.
        assert found @ prior == pytest.approx(by_hand(law, prior) @ prior, rel=1e-4)
        assert found @ prior == pytest.approx(
            laws.survey([epsilon], [prior])[0].recovery[0], rel=1e-4
        )
        assert found.min() >= 0 and found.max() <= 1 + 1e-5
        if make is Exponential:
            assert np.allclose(found, by_hand(law, prior), atol=1e-4)


def test_the_blind_guess_is_left_out():
    prior = np.array([0.5, 0.3, 0.2])
    assert blind(prior) == 0 and blind(np.full(3, 1 / 3)) is None
    assert largest(np.array([1.0, 0.2, 0.4]), prior).value == 0.4
    assert largest(np.array([1.0, 0.2, 0.4]), np.full(3, 1 / 3)).value == 1.0


def test_suspects_find_a_word_that_stands_alone():
    unit = np.random.default_rng(0).standard_normal((80, 6)) * 0.3
    unit[:, 0] += 3.0
    unit[7] = [-3.0, 0, 0, 0, 0, 0]
    space = ToySpace(classes=("word",), unit=unit)
    words, mechanism = Candidates(space, 0), Polar(space, metric="chordal", decoder=Exact(space))
    found = Suspects(mechanism, words, words.even).worst(4.0, None, "test")
    crowd = mechanism.privatize(words.ids, np.full(len(words), 4.0), _noise(len(words)))
    assert found.value > 0.5 > np.mean(crowd == words.ids)


def _noise(count):
    from privstamp.lab.attackers import noise

    return noise(count, "test")
