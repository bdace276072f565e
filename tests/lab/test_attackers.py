"""The attacker that is run: never above the best one, near it, and it uses its prior."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import (
    Candidates,
    Draws,
    draw,
    fitted,
    guesses,
    success,
    vector_success,
)
from privstamp.lab.frontier.figures import draw_rows
from privstamp.mechanisms.stated import law_of
from privstamp.registry import MECHANISMS
from toys import ToySpace


@pytest.fixture(scope="module")
def space():
    return ToySpace(rows=200, dimensions=5)


@pytest.fixture(scope="module")
def words(space):
    return Candidates(space, 0)


@pytest.fixture(scope="module")
def mechanism(space):
    return MECHANISMS.build("polar-vocabulary", {}, space=space, metric="chordal")


def tried(mechanism, words, prior, count, purpose, epsilon=9.0):
    return draw(mechanism, words, words.sample(prior, count, purpose), epsilon, purpose)


def test_the_attack_comes_near_the_best_one_and_not_above(mechanism, words):
    train = tried(mechanism, words, words.unigram, 1500, "train")
    test = tried(mechanism, words, words.unigram, 6000, "test")
    (best,) = law_of(mechanism, words.space, words.number).survey([9.0], [words.unigram])
    found = success(words, words.unigram, train, test)
    assert found.low < best.recovery[0]
    assert found.high > 0.9 * best.recovery[0]
    # An attacker who ignores the prior, on the same releases, is clearly worse.
    ignorant = success(words, words.even, train, test)
    assert ignorant.high < found.low


def test_with_even_prior_the_guess_is_the_released_word(words):
    outputs = np.arange(len(words))
    tried = guesses(words, words.even, outputs, (1.0, 30.0))
    for strength, guess in zip((1.0, 30.0), tried, strict=True):
        assert (guess == outputs).all(), strength


def test_the_fitted_strength_follows_the_noise(mechanism, words):
    weak, strong = (
        fitted(words, words.unigram, tried(mechanism, words, words.unigram, 3000, "fit", epsilon))
        for epsilon in (3.0, 40.0)
    )
    assert weak < strong


def test_draws_from_laws_have_the_law_of_releases(mechanism, words):
    laws = law_of(mechanism, words.space, words.number)
    places = np.full(20_000, 7)
    for drawn in (
        draw(mechanism, words, places, 12.0, "one"),
        draw_rows(laws, words, places, 12.0, "other"),
    ):
        share = np.bincount(drawn.outputs, minlength=len(words)) / len(places)
        exact = laws.rows(places[:1], 12.0)[0]
        assert np.abs(share - exact).sum() < 0.08
        wrong = laws.rows(places[:1], 16.0)[0]
        assert np.abs(share - wrong).sum() > 0.15, "the bound above must tell epsilons apart"


def test_whoever_sees_the_vector_does_at_least_as_well(space, words):
    polar = MECHANISMS.build("polar", {}, space=space, metric="chordal", decoder=Exact(space))
    places = words.sample(words.unigram, 6000, "vector")
    train, test = (draw(polar, words, places, 8.0, name) for name in ("train", "test"))
    seen = vector_success(polar, words, places, 8.0)
    assert seen.high > success(words, words.unigram, train, test).value


def test_draws_are_cut_together():
    drawn = Draws(np.arange(6), np.array([0, 1, 9, 9, 9, 5]), 0.25)
    train, test = drawn[:2], drawn[2:]
    assert (len(train), len(test)) == (2, 4) and test.seconds == 0.25
    assert train.kept.value == 1.0 and test.kept.value == 0.25 and drawn.kept.value == 0.5


def test_who_repeats_a_measurement_gets_the_same_draws(mechanism, words):
    places = np.arange(40)
    first, again = (draw(mechanism, words, places, 6.0, "same") for _ in range(2))
    other = draw(mechanism, words, places, 6.0, "other")
    assert (first.outputs == again.outputs).all() and (first.outputs != other.outputs).any()


def test_a_weak_attacker_goes_by_the_prior_alone(words):
    (guess,) = guesses(words, words.unigram, np.array([3, 8]), [1e-6])
    assert set(guess.tolist()) == {int(words.unigram.argmax())}
