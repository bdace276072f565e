"""The attacker with a language model, on a toy model that can be enumerated."""

import numpy as np
import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.errors import UsageError
from privstamp.lab import calibration as plan_module
from privstamp.lab.attackers import evidence
from privstamp.lab.audit.subject import SampleText
from privstamp.lab.calibration import Bench, calibrate, contextual
from privstamp.lab.calibration.gauge import Attacker
from privstamp.policy import Policy
from toy_lm import ToyLM

CONTEXT = Attacker("contextual", "weighted")
RANDOM = np.random.default_rng(5)
TEXTS = [SampleText(" ".join(f"w{n}" for n in RANDOM.integers(0, 9, 20))) for _ in range(8)]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    for table, entry in ((registry.SPACES, "toys:ToySpace"), (registry.MODELS, "toy_lm:ToyLM")):
        monkeypatch.setattr(table, "_builtin", {**table._builtin, "toy": entry})


def policy(**more):
    space = {"name": "toy", "rows": 12, "dimensions": 4, "classes": ["word"]}
    values = {"extends": "stamp", "space": space, "sensitivity": "rules",
              "mechanism": "exponential",
              "language_model": "toy", "budget": Budget.stamp(1.0), **more}  # fmt: skip
    return Policy.of(values)


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.setattr(plan_module, "bundled", lambda: TEXTS)
    return Bench(policy(), 1)


def test_from_the_models_guess_to_the_word_itself(bench):
    (gauge,) = bench.attacked([4], CONTEXT)
    floor = gauge.floor(CONTEXT)
    assert 0 < floor < 0.6
    values = [gauge.read(epsilon, CONTEXT).recovery.value for epsilon in (0.01, 4.0, 12.0, 60.0)]
    assert values[0] == pytest.approx(floor, abs=0.02)
    assert values[0] < values[1] < values[2] <= values[3] == pytest.approx(1.0, abs=0.02)


def test_the_prior_is_the_models_law_after_the_original_text(bench):
    bench.attacked([4], CONTEXT)
    first = bench._places[0]
    model, words = ToyLM(), bench.space.words(first.words.ids)
    exact = -model.loss(words[first.place])[0]  # the first word of a text has nothing before it
    assert first.prior[first.place] == pytest.approx(exact)
    assert first.group == 4


def test_it_is_calibrated(bench):
    plan = calibrate(policy(), {4: 0.7}, CONTEXT, bench=bench)
    (one,) = plan.outcomes
    assert plan.possible and one.classes[0].name == "words in their texts"
    assert one.classes[0].reading.recovery.high <= 0.7
    made = plan.policy().calibration
    assert (made.prior, made.saw) == ("contextual", "public words")


def test_the_models_own_guess_cannot_be_forbidden(bench):
    plan = calibrate(policy(), {4: 0.05}, CONTEXT, bench=bench)
    assert not plan.possible and "sees nothing" in plan.outcomes[0].cannot


def test_a_private_sample_is_never_shown_to_the_model(bench, monkeypatch):
    seen = []
    real = ToyLM.next_logprobs
    monkeypatch.setattr(
        ToyLM,
        "next_logprobs",
        lambda self, prefix, *more: (seen.append(prefix), real(self, prefix, *more))[1],
    )
    own = Bench(policy(), 1, texts=[SampleText("w3 Quixworth w4 w5")])
    own.attacked([4], CONTEXT)
    assert seen and not any("Quixworth" in prefix for prefix in seen)


def test_groups_without_a_word_need_another_prior(bench):
    with pytest.raises(UsageError, match="another prior"):
        calibrate(policy(), {1: 0.5}, CONTEXT, bench=bench)


def test_trust_goes_from_the_public_frequency_to_the_model(bench):
    bench.attacked([4], CONTEXT)
    place = bench._places[0]
    often = np.log(np.maximum(place.words.unigram, 1e-12))
    np.testing.assert_allclose(place.blend(0.0), often)
    np.testing.assert_allclose(place.blend(1.0), place.prior)
    np.testing.assert_allclose(place.blend(0.5), (often + place.prior) / 2)


def test_words_are_spread_over_the_texts_and_no_more_than_asked_for(bench, monkeypatch):
    monkeypatch.setattr(contextual, "PLACES", 10)
    told = []
    (gauge,) = bench.attacked([4], CONTEXT, lambda what, _: told.append(what))
    assert 8 <= len(gauge._attacked) <= 10
    assert told == [f"language model: word {n + 1} of {len(told)}" for n in range(len(told))]


def test_guesses_are_the_best_of_prior_and_evidence(bench):
    """Every word of the class can be looked at here: the shortlist must not miss the best."""
    bench.attacked([4], CONTEXT)
    mechanism = bench.mechanisms[4]
    place = bench._places[0]
    known = evidence(mechanism, place.words, 6.0)
    ids = place.words.ids
    channel = mechanism.channel(ids, np.full(len(ids), 6.0))[:, ids]
    outputs = list(range(len(ids)))
    rates = contextual._rates(place, known, outputs)
    for trust, rate in zip(contextual.TRUSTS, rates, strict=True):
        posterior = place.blend(trust)[:, None] + np.log(channel)
        expected = np.mean(posterior.argmax(axis=0) == place.place)
        assert rate == pytest.approx(expected)


def test_draws_of_one_word_count_as_one_trial():
    whole = contextual._of_words(np.array([1.0, 0.0, 0.5, 0.5]))
    assert whole.value == 0.5 and whole.low < 0.2 and whole.high > 0.8
    many = contextual._of_words(np.tile([1.0, 0.0], 200))
    assert many.high - many.low < 0.11
