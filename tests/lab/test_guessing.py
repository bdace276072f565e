"""Attackers against brute force: the word with the largest sum, over all words, by plain loops."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab import attackers
from privstamp.lab.attackers import (
    STRENGTHS,
    Candidates,
    Draws,
    Queries,
    best,
    best_matches,
    draw,
    evidence,
    fitted,
    guesses,
    keep_rates,
    likeliest,
    noise,
)
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.fluency import fluent
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.randomized_response import RandomizedResponse
from toys import ToySpace

SPACE = ToySpace(rows=80, dimensions=4)
WORDS = Candidates(SPACE, 1)
COUNT = len(WORDS)


def brute(prior, vector, strength):
    """The place of the best word, one word at a time."""
    values = [
        np.log(prior[place]) + strength * float(np.dot(WORDS.unit[place], vector))
        for place in range(COUNT)
    ]
    return int(np.argmax(values))


@pytest.mark.parametrize("prior", ["even", "unigram"])
def test_matches_are_the_largest_sums(prior):
    weights = getattr(WORDS, prior)
    vectors = np.random.default_rng(1).standard_normal((30, 4)).astype(np.float32)
    matches = best_matches(WORDS, weights, vectors, (1.0, 7.0, 40.0))
    for strength, found in zip((1.0, 7.0, 40.0), matches, strict=True):
        assert found.tolist() == [brute(weights, vector, strength) for vector in vectors]


def test_more_vectors_than_a_block_are_matched_alike(monkeypatch):
    vectors = np.random.default_rng(2).standard_normal((150, 4)).astype(np.float32)
    (all_at_once,) = best_matches(WORDS, WORDS.unigram, vectors, (5.0,))
    monkeypatch.setattr(attackers, "_BLOCK", 7)
    (in_blocks,) = best_matches(WORDS, WORDS.unigram, vectors, (5.0,))
    assert all_at_once.tolist() == in_blocks.tolist()


def test_guesses_are_made_once_for_every_word_that_was_seen():
    outputs = np.array([5, 3, 5, 5, 0])
    (found,) = guesses(WORDS, WORDS.unigram, outputs, [10.0])
    assert found.tolist() == [brute(WORDS.unigram, WORDS.unit[seen], 10.0) for seen in outputs]


def test_words_that_nobody_uses_are_never_guessed():
    prior = WORDS.unigram.copy()
    prior[4] = 0.0
    (found,) = best_matches(WORDS, prior / prior.sum(), WORDS.unit[[4]], (500.0,))
    assert found[0] != 4


def test_the_fitted_strength_guesses_most_of_its_draws():
    mechanism = RandomizedResponse(SPACE)
    train = draw(mechanism, WORDS, WORDS.sample(WORDS.unigram, 800, "fit"), 4.0, "fit")
    hits = [
        (guesses(WORDS, WORDS.unigram, train.outputs, [strength])[0] == train.places).sum()
        for strength in STRENGTHS[:-1]
    ]
    assert fitted(WORDS, WORDS.unigram, train) == STRENGTHS[int(np.argmax(hits))]


def test_the_likeliest_strength_is_that_of_the_posterior():
    """Sum over draws of log P(word | seen), by softmax over all words."""
    exponential = Exponential(SPACE)
    train = draw(exponential, WORDS, WORDS.sample(WORDS.unigram, 60, "like"), 8.0, "like")
    totals = []
    for strength in STRENGTHS:
        total = 0.0
        for place, seen in zip(train.places, train.outputs, strict=True):
            value = WORDS.log_unigram + strength * (WORDS.unit @ WORDS.unit[seen]).astype(float)
            total += value[place] - np.logaddexp.reduce(value)
        totals.append(total)
    assert likeliest(WORDS, train) == STRENGTHS[int(np.argmax(totals))]


def test_a_row_has_a_place_only_if_it_may_be_released():
    for place, row in enumerate(WORDS.ids.tolist()):
        assert WORDS.place(row) == place
    inputs = set(np.flatnonzero(SPACE.class_of == 1).tolist()) - set(WORDS.ids.tolist())
    assert inputs and all(WORDS.place(row) is None for row in inputs)
    assert WORDS.place(0) is None  # of the other class
    assert WORDS.place(10_000) is None and WORDS.place(-1) is None


def test_log_frequencies_are_those_of_the_prior():
    assert np.exp(WORDS.log_unigram).sum() == pytest.approx(1.0)
    assert np.argmax(WORDS.log_unigram) == np.argmax(WORDS.unigram)
    weight = SPACE.prior[WORDS.ids]
    assert pytest.approx(weight / weight.sum()) == WORDS.unigram
    assert 0.8 < WORDS.covered < 1.0  # rows that are inputs alone are left out


def test_best_is_the_head_of_a_stable_sort():
    dice = np.random.default_rng(3)
    for _ in range(50):
        values = dice.integers(0, 9, 40).astype(float)
        ranked = np.argsort(-values, kind="stable")
        for count in (1, 3, 40, 60):
            found = best(values, count)
            assert values[found].tolist() == values[ranked[:count]].tolist()
            assert len(set(found.tolist())) == min(count, 40)


def test_queries_know_all_cosines_and_ranks():
    places = np.array([3, 9])
    queries = Queries(WORDS, places)
    for line, place in enumerate(places):
        cosine = WORDS.unit @ WORDS.unit[place]
        assert queries.cosines[line] == pytest.approx(cosine, abs=1e-5)
        assert queries.ranks[line, place] == 0 and queries.nearest[line] == int(
            np.argsort(-cosine, kind="stable")[1]
        )
        others = np.delete(np.arange(COUNT), place)
        order = others[np.argsort(-cosine[others], kind="stable")]
        assert queries.ranks[line, order].tolist() == list(range(1, COUNT))


def test_a_known_law_is_evidence_word_by_word():
    mechanism = Exponential(SPACE)
    held = evidence(mechanism, WORDS, 6.0)
    channel = mechanism.channel(WORDS.ids, np.full(COUNT, 6.0))[:, WORDS.ids]
    for seen in (0, 11, 23):
        few = np.array([1, 7, seen])
        assert held.sharp(seen, few) == pytest.approx(np.log(channel[few, seen]), abs=1e-4)
        order = np.argsort(-held.loose(seen), kind="stable")
        assert order[0] == seen  # a word is likeliest itself


def test_without_a_law_evidence_grows_with_nearness():
    held = evidence(Polar(SPACE, metric="chordal", decoder=Exact(SPACE)), WORDS, 9.0)
    cosine = WORDS.unit @ WORDS.unit[5]
    assert np.corrcoef(held.loose(5), cosine)[0, 1] == pytest.approx(1.0, abs=1e-5)
    assert held.sharp(5, np.array([2, 8])) == pytest.approx(held.loose(5)[[2, 8]])


def test_fluency_is_attacked_as_the_mechanism_inside():
    inside = Exponential(SPACE)
    held = evidence(fluent(SPACE, inside, 0.5, "law"), WORDS, 6.0)
    plain = evidence(inside, WORDS, 6.0)
    assert held.sharp(3, np.arange(5)) == pytest.approx(plain.sharp(3, np.arange(5)))


def test_keep_rates_are_the_channel_or_counted_on_draws():
    ids, epsilon = WORDS.ids[:6], np.array([1.0, 2.0, 4.0, 1.0, 2.0, 4.0])
    response = RandomizedResponse(SPACE)
    exact = keep_rates(response, ids, epsilon)
    wanted = np.exp(epsilon) / (np.exp(epsilon) + COUNT - 1)
    assert [rate.number for rate in exact] == pytest.approx(wanted, rel=1e-4)

    class Hidden:
        privatize = response.privatize

    drawn = keep_rates(Hidden(), ids, epsilon, draws=2_000, key=b"d" * 32)
    assert all(rate.low <= share <= rate.high or abs(rate.number - share) < 0.05
               for rate, share in zip(drawn, wanted, strict=True))  # fmt: skip
    again = keep_rates(Hidden(), ids, epsilon, draws=2_000, key=b"d" * 32)
    assert [rate.number for rate in again] == [rate.number for rate in drawn]


def test_draws_count_what_stayed():
    draws = Draws(np.array([1, 2, 3, 4]), np.array([1, 9, 3, 9]), 0.25)
    assert draws.kept == Estimate.share(2, 4)
    assert draws[1:3].kept.value == 0.5 and len(draws[1:3]) == 2 and draws[1:3].seconds == 0.25


def test_noise_of_a_measurement_depends_on_its_purpose_alone():
    first, again, other = (noise(4, name).uniform(3, 0) for name in ("a", "a", "b"))
    assert (first == again).all() and (first != other).all()


@pytest.mark.parametrize(("hits", "value"), [([True, False], 0.5), (np.ones(3, bool), 1.0)])
def test_flags_are_counted_as_shares(hits, value):
    assert Estimate.hits(hits, "nothing") == Estimate.share(int(np.sum(hits)), len(hits))
    assert Estimate.hits(hits).value == value


def test_no_flag_at_all_is_a_gap_with_its_reason():
    assert Estimate.hits([], "no span").note == "no span" and Estimate.hits([]).value is None
