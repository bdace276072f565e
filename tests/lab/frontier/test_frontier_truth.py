"""Records say what is true of a mechanism: brute force over its channel, and draws in agreement."""

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates, draw
from privstamp.lab.frontier.figures import Bench, Effort, draw_rows
from privstamp.lab.frontier.grid import SETTINGS, Setting, settings, strength
from privstamp.mechanisms.stated import law_of
from privstamp.registry import MECHANISMS
from toys import ToySpace

EFFORT = Effort(60, 3000, 600, 30, 10_000, 80, sweep=True)
EPSILON = 9.0
SPACE = ToySpace(rows=240, dimensions=6, classes=("content", "name"))


@pytest.fixture(scope="module")
def bench():
    return Bench(SPACE, EFFORT)


@pytest.fixture(scope="module")
def exponential():
    return MECHANISMS.build("exponential", {}, space=SPACE, metric="chordal")


@pytest.fixture(scope="module")
def truth(bench, exponential):
    """P(v | w) over content words, by the channel itself."""
    ids = bench.words.ids
    return exponential.channel(ids, np.full(len(ids), EPSILON))[:, ids]


@pytest.fixture(scope="module")
def record(bench):
    (found,) = bench.measure(Setting("exponential", "chordal", (EPSILON,)))
    return found


def test_keep_is_the_diagonal(bench, record, truth):
    diagonal = np.diag(truth)
    assert record["keep_mean"] == pytest.approx(diagonal.mean(), rel=1e-3)
    assert record["keep_weighted"] == pytest.approx(diagonal @ bench.words.unigram, rel=1e-3)
    assert record["keep_max"] == pytest.approx(diagonal.max(), rel=1e-3)
    assert record["keep_mean_low"] == record["keep_mean"] == record["keep_mean_high"]


def test_recovery_is_the_best_guess_for_every_release(bench, record, truth):
    for name, prior in (("uniform", bench.words.even), ("unigram", bench.words.unigram)):
        best = (truth * prior[:, None]).max(axis=0).sum()
        assert record[f"recovery_{name}"] == pytest.approx(best, rel=1e-3)
        assert record[f"floor_{name}"] == pytest.approx(prior.max(), rel=1e-4)
    assert record["recovery_unigram"] > record["floor_unigram"]


def test_losses_are_epsilon_times_distance(bench, record, exponential):
    ids, places = bench.words.ids, bench.even.places
    for name, others in (("near", bench.even.nearest), ("random", bench.random)):
        apart = np.linalg.norm(SPACE.unit[ids[places]] - SPACE.unit[ids[others]], axis=1)
        assert record[f"loss_{name}"] == pytest.approx(EPSILON * apart.mean(), rel=1e-3)
    assert record["loss_worst"] == pytest.approx(EPSILON * exponential.diameter, rel=1e-4)


def test_entropy_is_that_of_the_rows(bench, record, truth):
    rows = truth[bench.typical.places]
    bits = -(rows * np.log2(rows)).sum(axis=1).mean()
    assert record["entropy_bits"] == pytest.approx(bits, rel=1e-3)


def test_nearness_is_of_what_changed(bench, record, truth):
    unit = SPACE.unit[bench.words.ids].astype(float)
    part, whole, along = 0.0, 0.0, 0.0
    for place in bench.even.places:
        cosine = unit @ unit[place]
        law = truth[place].copy()
        law[place] = 0.0
        near = np.argsort(-np.where(np.arange(len(unit)) == place, -2, cosine))[:50]
        part, whole, along = part + law[near].sum(), whole + law.sum(), along + law @ cosine
    assert record["n50"] == pytest.approx(part / whole, rel=2e-3)
    assert record["cosine"] == pytest.approx(along / whole, rel=5e-3, abs=1e-4)
    assert record["n50_low"] < record["n50"] < record["n50_high"]


def test_draws_by_rows_and_by_the_mechanism_follow_one_law(exponential):
    words = Candidates(SPACE, 0)
    law = law_of(exponential, SPACE, 0)
    places = np.zeros(20_000, dtype=np.int64)
    counts = [
        np.bincount(drawn.outputs, minlength=len(words))
        for drawn in (
            draw_rows(law, words, places, EPSILON, "rows"),
            draw(exponential, words, places, EPSILON, "mechanism"),
        )
    ]
    expected = law.rows(np.array([0]), EPSILON)[0].astype(float) * len(places)
    often = expected >= 10
    for count in counts:
        seen = ((count - expected) ** 2 / expected)[often].sum()
        # Chi-squared with as many degrees of freedom has this mean and spread.
        assert abs(seen - often.sum()) < 6 * np.sqrt(2 * often.sum())
    wrong = law.rows(np.array([0]), 1.2 * EPSILON)[0].astype(float) * len(places)
    assert ((counts[0] - wrong) ** 2 / wrong)[often].sum() > 2 * often.sum()  # it has power


def test_a_strength_keeps_the_share_that_was_asked_for():
    mechanism = MECHANISMS.build("exponential", {}, space=SPACE, metric="chordal")
    words = Candidates(SPACE, 0)
    law = law_of(mechanism, SPACE, 0)
    epsilons = [strength(mechanism, SPACE, share) for share in (0.1, 0.35, 0.8)]
    assert epsilons == sorted(epsilons)
    for epsilon, share in zip(epsilons, (0.1, 0.35, 0.8), strict=True):
        (survey,) = law.survey([epsilon], [words.unigram])
        assert survey.keep @ words.unigram == pytest.approx(share, abs=0.09)  # 400 draws


def test_a_setting_builds_its_mechanism_with_a_decoder_only_where_one_is_needed():
    asked = []

    def decoder(space):
        asked.append(space)
        return Exact(space)

    for name, needed in (("polar", True), ("exponential", False)):
        (setting, *_) = settings([name])
        assert setting.build(SPACE, decoder).name == name
        assert bool(asked) == needed
        asked.clear()


def test_quick_settings_lie_within_the_useful_range():
    whole = {setting.label: setting for setting in SETTINGS}
    for setting in settings(quick=True):
        if setting.label in whole:
            full = whole[setting.label].budgets
            assert set(setting.budgets) <= set(full)
            assert full[0] < min(setting.budgets) and max(setting.budgets) < full[-1]
            assert setting.options == whole[setting.label].options
