"""Audit, frontier, calibration and evaluations look at one mechanism: all say what its law says."""

import math

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates, keep_rates
from privstamp.lab.audit import cells
from privstamp.lab.audit.claims import CLAIMS, chosen_pairs, measure
from privstamp.lab.audit.laws import SLACK, exact_ratio
from privstamp.lab.audit.recovery import Guesser, Target
from privstamp.lab.audit.subject import Cell
from privstamp.lab.calibration.gauge import Attacker, Gauge, per_word
from privstamp.lab.frontier.figures import Bench, Effort
from privstamp.lab.frontier.grid import Setting
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.randomized_response import RandomizedResponse
from privstamp.mechanisms.stated import law_of
from privstamp.release.parts import Parts
from privstamp.types import UNKNOWN
from third_party import Rungs, Wrapped
from toys import ToySpace

SPACE = ToySpace(rows=60, dimensions=5, classes=("a",))
WORDS = Candidates(SPACE, 0)
COUNT = len(WORDS)
EFFORT = Effort(54, 400, 200, 20, 54, 20, sweep=True)
EXACT = {
    "exponential": (Exponential(SPACE), 6.0),
    "randomized-response": (RandomizedResponse(SPACE), 3.0),
    "rungs": (Rungs(SPACE), 12.0),  # of a third party, with a metric of its own
    "wrapped": (Wrapped(SPACE), 8.0),  # hands on the channel of ours
}


@pytest.fixture(params=sorted(EXACT))
def part(request):
    return EXACT[request.param]


@pytest.fixture
def law(part):
    """P(output | word), every word of the class."""
    mechanism, epsilon = part
    return law_of(mechanism, SPACE, 0).rows(np.arange(COUNT), epsilon).astype(np.float64)


class OfOne(Setting):
    """A setting of a mechanism that is at hand already."""

    def build(self, _space, _decoder):
        return self.options["part"]

    @property
    def label(self):
        return self.mechanism


def frontier(mechanism, epsilon):
    setting = OfOne(mechanism.name, mechanism.metric, (epsilon,), {"part": mechanism})
    (record,) = Bench(SPACE, EFFORT).measure(setting)
    return record


def test_laws_are_laws(law):
    assert law.sum(axis=1) == pytest.approx(1.0, rel=1e-4) and (law >= 0).all()


def test_keep_rates_are_the_diagonal_for_everybody(part, law):
    mechanism, epsilon = part
    mean, weighted, most = law.diagonal().mean(), law.diagonal() @ WORDS.unigram, law.max()
    risk, record = cells.risk_of(mechanism, WORDS, epsilon), frontier(mechanism, epsilon)
    assert risk.keep_mean.value == pytest.approx(mean, rel=1e-3)
    assert risk.keep_weighted.value == pytest.approx(weighted, rel=1e-3)
    assert record["keep_mean"] == pytest.approx(mean, rel=1e-3)
    assert record["keep_weighted"] == pytest.approx(weighted, rel=1e-3)
    assert record["keep_max"] == pytest.approx(risk.keep_max.value, rel=1e-3)
    assert risk.keep_max.value == pytest.approx(law.diagonal().max(), rel=1e-3) and most <= 1.0001
    reading = Gauge(mechanism, WORDS, 1).read(epsilon, Attacker("unigram", "weighted"))
    assert reading.keep.value == pytest.approx(weighted, rel=1e-3)


def test_recovery_is_the_best_guess_for_every_output_for_everybody(part, law):
    mechanism, epsilon = part
    even = (law * WORDS.even[:, None]).max(axis=0).sum()
    frequent = (law * WORDS.unigram[:, None]).max(axis=0).sum()
    risk, record = cells.risk_of(mechanism, WORDS, epsilon), frontier(mechanism, epsilon)
    assert risk.recovery_uniform.value == pytest.approx(even, rel=1e-3)
    assert risk.recovery_unigram.value == pytest.approx(frequent, rel=1e-3)
    assert record["recovery_uniform"] == pytest.approx(even, rel=1e-3)
    assert record["recovery_unigram"] == pytest.approx(frequent, rel=1e-3)
    gauge = Gauge(mechanism, WORDS, 1)
    assert gauge.exact
    uniform = gauge.read(epsilon, Attacker("uniform", "mean")).recovery
    unigram = gauge.read(epsilon, Attacker("unigram", "weighted")).recovery
    assert (uniform.value, unigram.value) == pytest.approx((even, frequent), rel=1e-3)


def test_the_worst_word_is_that_of_the_table(part, law):
    """The attacker names, for every output, the word with the largest joint chance."""
    mechanism, epsilon = part
    guess = (law * WORDS.unigram[:, None]).argmax(axis=0)
    chance = np.array([law[word, guess == word].sum() for word in range(COUNT)])
    laws = law_of(mechanism, SPACE, 0)
    assert per_word(laws, WORDS.unigram, epsilon) == pytest.approx(chance, rel=1e-3, abs=1e-5)
    others = np.delete(chance, WORDS.unigram.argmax())
    reading = Gauge(mechanism, WORDS, 1).read(epsilon, Attacker("unigram", "max"))
    assert reading.recovery.value == pytest.approx(others.max(), rel=1e-3)


def test_meaning_kept_is_the_expected_cosine(part, law):
    mechanism, epsilon = part
    cosine = (law * (WORDS.unit @ WORDS.unit.T)).sum(axis=1)
    reading = Gauge(mechanism, WORDS, 1).read(epsilon, Attacker()).cosine
    assert reading.low - 0.02 <= cosine @ WORDS.unigram <= reading.high + 0.02


def test_what_is_guessed_from_one_output_is_the_bayes_guess(part, law):
    mechanism, epsilon = part
    parts = Parts(SPACE, None, None, dict.fromkeys((1, 2, 3, 4), mechanism), {})
    guesser = Guesser(parts)
    cell = Cell(3, 0, epsilon)
    for seen in range(0, COUNT, 7):
        joint = np.log(WORDS.unigram) + np.log(law[:, seen])
        target = Target(0, 0, cell, UNKNOWN, int(WORDS.ids[seen]))
        ranked = guesser.ranked(WORDS.log_unigram, [target], 3)
        assert joint[ranked[0]] == pytest.approx(joint.max(), abs=1e-3)
        assert joint[ranked] == pytest.approx(np.sort(joint)[::-1][:3], abs=1e-3)
        twice = guesser.ranked(WORDS.log_unigram, [target, target], 1)
        both = joint + np.log(law[:, seen])
        assert both[twice[0]] == pytest.approx(both.max(), abs=1e-3)


def test_nobody_tells_more_than_the_claim_and_exact_figures_say_how_much(part):
    mechanism, epsilon = part
    ratio = exact_ratio(mechanism, WORDS, epsilon)
    pairs = chosen_pairs(mechanism, WORDS)
    assert len(pairs) == 3 * len(CLAIMS) or mechanism.metric == "ldp"
    found = measure(mechanism, SPACE, pairs, draws=4_000, key=b"o" * 32)
    assert all(finding.sound for finding in found)
    if ratio is not None:
        assert 0.3 < ratio <= 1 + SLACK


def test_every_column_of_the_frontier_is_filled_for_every_law(part):
    """Loss in nats and epsilon too: nothing is missing because a part is somebody else's."""
    mechanism, epsilon = part
    record = frontier(mechanism, epsilon)
    assert record["recovery_how"] == record["keep_how"] == "exact"
    empty = {name for name, value in record.items() if value is None}
    assert not empty, empty
    assert record["loss_worst"] == pytest.approx(float(mechanism.loss(0, epsilon)), rel=1e-4)
    assert record["loss_near"] <= record["loss_random"] * 1.001 or mechanism.metric == "rungs"


def test_a_sampled_mechanism_agrees_with_itself_within_its_intervals():
    """No law is known of noise in the space: three rooms draw, with words of their own."""
    polar, epsilon = Polar(SPACE, metric="chordal", decoder=Exact(SPACE)), 9.0
    risk = cells.risk_of(polar, WORDS, epsilon)
    reading = Gauge(polar, WORDS, 2).read(epsilon, Attacker("unigram", "weighted"))
    record = frontier(polar, epsilon)
    assert risk.how != "exact" and record["keep_how"] == "draws"
    intervals = [
        (risk.keep_weighted.low, risk.keep_weighted.high),
        (reading.keep.low, reading.keep.high),
        (record["keep_weighted_low"], record["keep_weighted_high"]),
    ]
    width = max(high - low for low, high in intervals)
    assert max(low for low, _ in intervals) <= min(high for _, high in intervals) + width
    rates = keep_rates(polar, WORDS.ids, np.full(COUNT, epsilon), draws=300, key=b"k" * 32)
    weighted = float(np.dot([rate.number for rate in rates], WORDS.unigram))
    assert abs(weighted - reading.keep.number) < 2 * width


def test_recovery_of_an_attacker_who_draws_is_below_the_best_one():
    """The same law once known and once hidden."""

    class Hidden:
        """Randomised response that says nothing about its law."""

        metric, metrics, decodes = "ldp", ("ldp",), False
        name = guarantee = proof = "hidden"
        diameter = 1.0

        def __init__(self, inner):
            self.privatize, self.distance, self.loss = inner.privatize, inner.distance, inner.loss

    inner, epsilon = EXACT["randomized-response"]
    known = cells.risk_of(inner, WORDS, epsilon)
    drawn = cells.risk_of(Hidden(inner), WORDS, epsilon)
    assert known.how == "exact" != drawn.how
    assert drawn.recovery_unigram.low <= known.recovery_unigram.value
    assert drawn.keep_mean.low <= known.keep_mean.value <= drawn.keep_mean.high
    assert drawn.keep_weighted.low <= known.keep_weighted.value <= drawn.keep_weighted.high


@pytest.mark.parametrize("epsilon", [0.1, 3.0, 30.0])
def test_randomised_response_at_any_epsilon(epsilon):
    keep = math.exp(epsilon) / (math.exp(epsilon) + COUNT - 1)
    gauge = Gauge(RandomizedResponse(SPACE), WORDS, 1)
    reading = gauge.read(epsilon, Attacker("uniform", "mean"))
    assert reading.recovery.value == reading.keep.value == pytest.approx(keep, rel=1e-4)
    assert gauge.floor(Attacker("uniform", "mean")) == pytest.approx(1 / COUNT)
    assert gauge.floor(Attacker("unigram", "weighted")) == pytest.approx(WORDS.unigram.max())
    assert gauge.floor(Attacker("unigram", "max")) == 0.0
