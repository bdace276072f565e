"""Readings against brute force over the channel, for every attacker and way of counting."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates
from privstamp.lab.calibration.gauge import Attacker, Gauge, Suspects, blind, per_word
from privstamp.mechanisms.stated import law_of
from privstamp.registry import MECHANISMS
from toys import ToySpace

SPACE = ToySpace(rows=180, dimensions=5)
EPSILON = 7.0
MECHANISM = MECHANISMS.build("exponential", {}, space=SPACE, metric="chordal")
ATTACKERS = [
    Attacker(prior, statistic)
    for prior in ("uniform", "unigram")
    for statistic in ("mean", "weighted", "max")
]


@pytest.fixture(scope="module")
def words():
    return Candidates(SPACE, 0)


@pytest.fixture(scope="module")
def channel(words):
    ids = words.ids
    return MECHANISM.channel(ids, np.full(len(ids), EPSILON))[:, ids]


def recovered(channel, prior):
    """P(w is guessed | w), each release being guessed as the likeliest word."""
    guess = (channel * prior[:, None]).argmax(axis=0)
    found = np.zeros(len(prior))
    for release, word in enumerate(guess):
        found[word] += channel[word, release]
    return found


def priors(words, attacker):
    prior = words.even if attacker.prior == "uniform" else words.unigram
    counted = words.even if attacker.statistic == "mean" else words.unigram
    return prior, counted


@pytest.mark.parametrize("attacker", ATTACKERS, ids=lambda one: f"{one.prior} {one.statistic}")
def test_recovery_is_brute_force(words, channel, attacker):
    prior, counted = priors(words, attacker)
    chance = recovered(channel, prior)
    if attacker.statistic == "max":
        skipped = blind(prior)
        expected = max(c for place, c in enumerate(chance) if place != skipped)
    else:
        expected = float(chance @ counted)
    found = Gauge(MECHANISM, words, 1).read(EPSILON, attacker)
    assert found.recovery.value == pytest.approx(expected, rel=2e-3)
    assert found.keep.value == pytest.approx(float(np.diag(channel) @ counted), rel=1e-3)


@pytest.mark.parametrize("prior", ["even", "unigram"])
def test_word_by_word_it_is_brute_force(words, channel, prior):
    law = law_of(MECHANISM, SPACE, 0)
    found = per_word(law, getattr(words, prior), EPSILON)
    np.testing.assert_allclose(found, recovered(channel, getattr(words, prior)), atol=2e-4)


def test_the_meaning_kept_is_the_expected_cosine(words, channel):
    gauge = Gauge(MECHANISM, words, 1)
    cosine = gauge.read(EPSILON, Attacker()).cosine
    unit = words.unit.astype(float)
    along = (channel * (unit @ unit.T)).sum(axis=1)
    assert cosine.low <= float(along @ words.unigram) <= cosine.high
    assert cosine.n > 1


def test_whoever_sees_nothing_names_the_likeliest_word_or_any():
    assert blind(np.array([0.2, 0.5, 0.3])) == 1
    assert blind(np.full(4, 0.25)) is None


def test_suspects_find_the_word_that_survives(words):
    """One word is far from all others: draws must single it out, and count it anew."""
    unit = np.full((60, 3), 0.0)
    unit[:, 0], unit[:, 1] = 1.0, np.linspace(-0.05, 0.05, 60)
    unit[6] = (-1.0, 0.0, 0.0)
    space = ToySpace(unit=unit, classes=("a",))
    lonely = Candidates(space, 0)
    polar = MECHANISMS.build("polar", {}, space=space, metric="chordal", decoder=Exact(space))
    place = int(np.searchsorted(lonely.ids, 6))
    suspects = Suspects(polar, lonely, lonely.even)
    assert place in suspects._found
    worst = suspects.worst(4.0, None, "test")
    assert worst.value > 0.8  # beside the crowd, where one in sixty is right
    assert worst.low < worst.value < worst.high


def test_the_blind_guess_is_no_suspect(words):
    polar = MECHANISMS.build("polar", {}, space=SPACE, metric="chordal", decoder=Exact(SPACE))
    top = int(words.unigram.argmax())
    assert top not in Suspects(polar, words, words.unigram)._found
