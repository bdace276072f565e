"""Words under attack: priors, samples, neighbours, the lonely ones."""

import numpy as np
import pytest

from privstamp.lab.attackers import Candidates, Queries, main_class
from toys import ToySpace


@pytest.fixture(scope="module")
def words():
    return Candidates(ToySpace(rows=300, dimensions=6), 1)


def test_priors_are_over_the_outputs(words):
    assert words.unigram.sum() == pytest.approx(1) and words.even.sum() == pytest.approx(1)
    prior = words.space.prior
    assert words.unigram[3] / words.unigram[0] == pytest.approx(
        prior[words.ids[3]] / prior[words.ids[0]]
    )
    # Every tenth word of a class is an input only, so some of its frequency is left out.
    assert 0.8 < words.covered < 1


def test_samples_follow_the_prior_and_repeat(words):
    drawn = words.sample(words.unigram, 20_000, "one")
    share = np.bincount(drawn, minlength=len(words)) / len(drawn)
    assert np.abs(share - words.unigram).sum() < 0.1 < np.abs(share - words.even).sum()
    assert (drawn == words.sample(words.unigram, 20_000, "one")).all()
    assert (drawn != words.sample(words.unigram, 20_000, "two")).any()


def test_nearness_is_brute_force(words):
    places, outputs = np.array([4, 9]), np.array([7, 2])
    cosine, rank = words.nearness(places, outputs)
    for line, (place, output) in enumerate(zip(places, outputs, strict=True)):
        every = words.unit @ words.unit[place]
        assert cosine[line] == pytest.approx(every[output], abs=1e-6)
        assert rank[line] == np.flatnonzero(np.argsort(-every) == output)[0]


def test_queries_rank_a_word_first_even_beside_its_double():
    unit = np.random.default_rng(1).standard_normal((40, 4))
    unit[2] = unit[0]  # both of class 0, and equal
    words = Candidates(ToySpace(unit=unit), 0)
    queries = Queries(words, np.array([0, 1]))
    assert queries.ranks[0, 0] == 0 and queries.ranks[1, 1] == 0
    assert queries.nearest[0] == 1 and queries.nearest[1] == 0
    assert (np.sort(queries.ranks, axis=1) == np.arange(len(words))).all()


def test_the_isolated_are_far_from_all(words):
    every = words.unit @ words.unit.T
    np.fill_diagonal(every, -1)
    best = every.max(axis=1)
    found = words.isolated(np.arange(len(words)), 5)
    assert best[found].max() <= np.sort(best)[5]
    among = np.arange(10)
    assert set(words.isolated(among, 3).tolist()) <= set(among.tolist())


def test_the_class_is_content_or_the_largest():
    assert main_class(ToySpace(classes=("name", "content"))) == 1
    assert main_class(ToySpace(rows=301, classes=("a", "b"))) == 0
