"""Exact laws and recovery against brute force over the channel, for every family."""

import numpy as np
import pytest

from privstamp.lab.attackers import Candidates
from privstamp.mechanisms.stated import Channels, law_of
from privstamp.registry import MECHANISMS
from privstamp.types import Survey
from toys import ToySpace

CASES = [
    ("polar-vocabulary", "chordal", {}, 9.0),
    ("polar-vocabulary", "angular", {}, 30.0),
    ("exponential", "chordal", {}, 6.0),
    ("exponential", "angular", {}, 12.0),
    ("exponential", "euclidean", {}, 2.0),
    ("tem", "truncated", {"gamma": 0.7}, 9.0),
    ("custext", "ldp", {"size": 7}, 3.0),
    ("randomized-response", "ldp", {}, 4.0),
    ("neighbourhood", "hops", {}, 2.5),
    ("neighbourhood", "hops", {"plateau": 1, "k": 4}, 3.0),
    ("clusters", "tree", {"size": 5}, 3.0),
]


@pytest.fixture(scope="module")
def space():
    return ToySpace(rows=260, dimensions=6)


def subject(space, case):
    name, metric, options, _ = case
    mechanism = MECHANISMS.build(name, options, space=space, metric=metric)
    words = Candidates(space, 1)
    laws = law_of(mechanism, words.space, words.number)
    assert laws is not None
    ids = words.ids
    exact = mechanism.channel(ids, np.full(len(ids), case[3]))[:, ids]
    return words, laws, exact


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_rows_are_the_channel(space, case):
    words, laws, exact = subject(space, case)
    assert not isinstance(laws, Channels), "each built-in has its own quick way"
    places = np.array([0, 3, len(words) - 1, 3])
    rows = laws.rows(places, case[3])
    np.testing.assert_allclose(rows, exact[places], rtol=2e-3, atol=1e-7)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_survey_is_brute_force(space, case):
    words, laws, exact = subject(space, case)
    (found,) = laws.survey([case[3]], [words.even, words.unigram])
    np.testing.assert_allclose(found.keep, np.diag(exact), rtol=2e-3, atol=1e-7)
    best = [(exact * prior[:, None]).max(axis=0).sum() for prior in (words.even, words.unigram)]
    np.testing.assert_allclose(found.recovery, best, rtol=1e-3)
    # The prior matters: whoever ignores it guesses worse, and the survey would show it.
    guess = exact.argmax(axis=0)
    ignorant = (words.unigram[guess] * exact[guess, np.arange(len(words))]).sum()
    assert ignorant < 0.98 * found.recovery[1]


def test_several_epsilons_at_once(space):
    for case in (CASES[0], CASES[8], CASES[10]):
        words, laws, _ = subject(space, case)
        priors = [words.even, words.unigram]
        together = laws.survey([1.0, case[3], 20.0], priors)
        alone = [laws.survey([epsilon], priors)[0] for epsilon in (1.0, case[3], 20.0)]
        for one, other in zip(together, alone, strict=True):
            assert isinstance(one, Survey)
            assert one.recovery == other.recovery and (one.keep == other.keep).all()
        assert together[0].recovery[1] < together[2].recovery[1]


class Plugin:
    """A mechanism nobody has met: keeps a word half of the time."""

    name, metric, metrics, decodes, diameter = "plugin", "ldp", ("ldp",), False, 1.0

    def __init__(self, space):
        self._space = space

    def channel(self, ids, epsilon):
        rows = np.zeros((len(ids), len(self._space.unit)))
        for row, one in zip(rows, ids, strict=True):
            outputs = self._space.outputs[self._space.class_of[one]]
            row[outputs] = 0.5 / len(outputs)
            row[one] += 0.5
        return rows


def test_a_plugin_is_read_through_its_channel(space):
    words = Candidates(space, 0)
    laws = law_of(Plugin(space), words.space, words.number)
    assert isinstance(laws, Channels)
    (found,) = laws.survey([1.0], [words.even])
    assert found.recovery[0] == pytest.approx(0.5 + 0.5 / len(words), rel=1e-5)


def test_a_mechanism_with_noise_has_no_exact_law(space):
    from privstamp.decoding.exact import Exact

    polar = MECHANISMS.build("polar", {}, space=space, metric="chordal", decoder=Exact(space))
    assert law_of(polar, space, 0) is None
