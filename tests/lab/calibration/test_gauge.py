"""Readings agree with the audit's, and with what is known."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.cells import risk_of
from privstamp.lab.calibration.gauge import Attacker, Gauge, main_classes
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.randomized_response import RandomizedResponse
from toys import ToySpace

SPACE = ToySpace(rows=200, dimensions=6)


@pytest.fixture(scope="module")
def words():
    return Candidates(SPACE, 0)


@pytest.fixture(scope="module")
def polar(words):
    return Gauge(Polar(SPACE, metric="chordal", decoder=Exact(SPACE)), words, 1)


def test_exact_readings_are_the_audits(words):
    mechanism = Exponential(SPACE, metric="chordal")
    gauge, risk = Gauge(mechanism, words, 1), risk_of(mechanism, words, 6.0)
    assert gauge.exact
    even = gauge.read(6.0, Attacker("uniform", "mean"))
    often = gauge.read(6.0, Attacker("unigram", "weighted"))
    assert even.recovery.value == pytest.approx(risk.recovery_uniform.value)
    assert often.recovery.value == pytest.approx(risk.recovery_unigram.value)
    assert even.keep.value == pytest.approx(risk.keep_mean.value)
    assert often.keep.value == pytest.approx(risk.keep_weighted.value)
    worst = gauge.read(6.0, Attacker("uniform", "max"))
    assert worst.recovery.value >= even.recovery.value


def test_drawn_readings_hold_the_audits_within_their_intervals(polar, words):
    risk = risk_of(polar.mechanism, words, 6.0)
    read = polar.read(6.0, Attacker())
    assert not polar.exact
    for mine, other in ((read.recovery, risk.recovery_unigram), (read.keep, risk.keep_weighted)):
        assert mine.low <= other.high and other.low <= mine.high


def test_another_seed_draws_other_words_and_agrees(polar, words):
    other = Gauge(polar.mechanism, words, 2).read(6.0, Attacker())
    mine = polar.read(6.0, Attacker())
    assert other != mine
    assert mine.recovery.low <= other.recovery.high and other.recovery.low <= mine.recovery.high


def test_fresh_figures_come_from_other_draws_and_are_the_last(polar):
    attacker = Attacker("uniform", "mean")
    first = polar.read(5.0, attacker)
    assert polar.last(5.0, attacker) is first
    fresh = polar.read(5.0, attacker, fresh=True)
    assert fresh != first and polar.last(5.0, attacker) is fresh
    assert fresh.recovery.high - fresh.recovery.low < first.recovery.high - first.recovery.low


def test_randomised_response_is_known(words):
    n = len(words)
    gauge = Gauge(RandomizedResponse(SPACE, metric="ldp"), words, 1)
    keep = 1.0 / (1.0 + (n - 1) * np.exp(-5.0))
    read = gauge.read(5.0, Attacker("uniform", "mean"))
    assert read.recovery.value == pytest.approx(keep) and read.keep.value == pytest.approx(keep)
    assert gauge.read(5.0, Attacker("uniform", "max")).recovery.value == pytest.approx(
        keep, rel=1e-4
    )


def test_meaning_grows_with_epsilon_and_floors_are_blind_guesses(polar, words):
    read = [polar.read(epsilon, Attacker("uniform", "weighted")) for epsilon in (1.0, 6.0, 60.0)]
    values = [one.cosine.value for one in read]
    assert values == sorted(values) and values[-1] > 0.95
    assert polar.floor(Attacker()) == pytest.approx(words.unigram.max())
    assert polar.floor(Attacker("unigram", "mean")) == pytest.approx(1 / len(words))


def test_limits_are_about_the_main_classes():
    named = ToySpace(classes=("content", "function", "name"))
    assert main_classes(named) == [0, 2]
    assert main_classes(SPACE) == [0, 1]
