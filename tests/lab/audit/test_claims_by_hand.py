"""Bounds that draws prove: against scipy, against laws that are known, and for power."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from lab.audit.stand import TEXTS, quiet, stand
from privstamp.budget import Budget
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit import claims
from privstamp.lab.audit.claims import ERROR, OneRun, Pair, measure, most, one_run, proved
from privstamp.lab.audit.leakage import _pass
from privstamp.lab.estimate import clopper_pearson
from privstamp.mechanisms.randomized_response import RandomizedResponse
from third_party import Mute
from toys import ToySpace

SPACE = ToySpace(rows=20, dimensions=4, classes=("a",))
WORDS = Candidates(SPACE, 0)
RESPONSE = RandomizedResponse(SPACE)
KEY = b"c" * 32


def pair(claim, first=0, second=1):
    """Under randomised response any two words are a distance of 1 apart."""
    return Pair(int(WORDS.ids[first]), int(WORDS.ids[second]), claim, 1.0)


def law(epsilon):
    """P(itself), P(any other)."""
    others = len(WORDS) - 1
    keep = math.exp(epsilon) / (math.exp(epsilon) + others)
    return keep, (1 - keep) / others


@pytest.mark.parametrize("draws", [100, 1_000, 20_000])
def test_no_sample_proves_more_than_its_size(draws):
    """All of one half hit and none of the other: both ends have a closed form."""
    tested = draws - draws // 2
    low, high = (ERROR / 2) ** (1 / tested), 1 - (ERROR / 2) ** (1 / tested)
    assert most(draws) == pytest.approx(math.log(low) - math.log(high))
    assert most(draws) < math.log(draws)


@pytest.mark.parametrize(("hits", "others"), [(900, 20), (500, 480), (1000, 0), (0, 5), (3, 1000)])
def test_a_proved_ratio_is_that_of_two_exact_intervals(hits, others):
    """scipy's own Clopper and Pearson, of either share."""
    low = stats.binomtest(hits, 1000).proportion_ci(1 - ERROR, "exact").low
    high = stats.binomtest(others, 1000).proportion_ci(1 - ERROR, "exact").high
    (bound,) = claims._proved(np.array([hits]), np.array([others]), 1000, ERROR)
    wanted = math.log(low) - math.log(high) if low else -math.inf
    assert bound == pytest.approx(wanted, rel=1e-7)  # scipy looks for the ends step by step


@pytest.mark.parametrize("error", [1e-7, 0.05])
def test_ends_of_shares_are_scipys(error):
    for hits, trials in ((0, 7), (3, 7), (7, 7), (123, 4567)):
        ends = stats.binomtest(hits, trials).proportion_ci(1 - error, "exact")
        assert [float(end) for end in clopper_pearson(hits, trials, error)] == pytest.approx(
            [ends.low, ends.high]
        )


@pytest.mark.parametrize(("right", "guesses"), [(900, 1000), (1000, 1000), (60, 60), (700, 1000)])
def test_guesses_prove_the_loss_at_which_they_become_unlikely(right, guesses):
    nats = proved(right, guesses, ERROR)
    share = 1 / (1 + math.exp(-nats))
    assert stats.binom.sf(right - 1, guesses, share) == pytest.approx(ERROR, rel=1e-3)


@pytest.mark.parametrize(("right", "guesses"), [(0, 100), (50, 100), (60, 100), (1, 1)])
def test_guesses_that_luck_makes_prove_nothing(right, guesses):
    assert proved(right, guesses, ERROR) == 0.0


def test_more_right_guesses_prove_more():
    bounds = [proved(right, 500, ERROR) for right in range(320, 501, 20)]
    assert bounds == sorted(bounds) and bounds[0] > 0


@pytest.mark.parametrize("claim", [1.0, 2.0, 3.0])
def test_draws_of_randomised_response_prove_most_of_its_claim_and_never_more(claim):
    """Its loss is exactly the claim, so a bound that is far below it would have no power."""
    (finding,) = measure(RESPONSE, SPACE, [pair(claim)], draws=40_000, key=KEY)
    assert finding.sound and 0.7 < finding.over_claim <= 1.0
    assert finding.nats == pytest.approx(finding.over_claim * claim)


def test_a_claim_that_is_a_fifth_too_small_is_refuted():
    real = pair(2.5)
    told = Pair(real.first, real.second, 2.5, 0.8)  # says that they are nearer than they are
    (finding,) = measure(RESPONSE, SPACE, [told], draws=40_000, key=KEY)
    assert not finding.sound and finding.over_claim > 1.0


def test_more_pairs_share_the_error_and_prove_less_each():
    alone = measure(RESPONSE, SPACE, [pair(2.0)], draws=5_000, key=KEY)[0]
    among = measure(RESPONSE, SPACE, [pair(2.0)] * 40, draws=5_000, key=KEY)[0]
    assert 0 < among.nats < alone.nats


def test_pairs_are_drawn_with_noise_of_their_own():
    both = measure(RESPONSE, SPACE, [pair(2.0), pair(2.0)], draws=4_000, key=KEY)
    assert both[0].nats != both[1].nats
    again = measure(RESPONSE, SPACE, [pair(2.0), pair(2.0)], draws=4_000, key=KEY)
    assert [found.nats for found in again] == [found.nats for found in both]


def test_an_event_is_counted_on_draws_that_did_not_choose_it():
    """Two equal units: whatever was chosen on the first half proves nothing on the second."""
    same = Pair(int(WORDS.ids[0]), int(WORDS.ids[0]), 1.0, 1.0)
    bounds = [
        measure(RESPONSE, SPACE, [same], draws=400, key=bytes([n]) * 32, error=0.05)[0].nats
        for n in range(200)
    ]
    assert sum(bound > 0 for bound in bounds) <= 20  # five in a hundred, and luck


def test_the_coins_of_one_run_are_guessed_as_often_as_the_law_allows():
    """The surest guess about a pair is right with chance keep / (keep + other)."""
    run = one_run(RESPONSE, SPACE, [pair(3.0)], canaries=20_000, key=KEY)
    keep, other = law(3.0)
    assert run.guesses == 2_000 and run.canaries == 20_000
    chance = keep / (keep + other)
    assert stats.binomtest(run.right, run.guesses, chance).pvalue > 1e-6
    assert run.sound and run.over_claim > 0.7


def test_coins_are_dealt_to_all_pairs_and_need_one_claim():
    pairs = [pair(2.0), pair(2.0, 2, 3), pair(2.0, 4, 5)]
    run = one_run(RESPONSE, SPACE, pairs, canaries=9_000, key=KEY)
    assert run.sound and run.claim == 2.0 and run.nats > 1.0
    with pytest.raises(ValueError, match="one claim"):
        one_run(RESPONSE, SPACE, [pair(2.0), pair(1.0)], canaries=10, key=KEY)


def test_who_does_not_look_guesses_coins_as_often_as_not():
    """A mechanism that draws blindly: no guess is worth anything, and nothing is proved."""

    class Blind(RandomizedResponse):
        def privatize(self, ids, epsilon, noise):
            return super().privatize(np.zeros_like(ids), epsilon, noise)

    run = one_run(Blind(SPACE), SPACE, [pair(3.0)], canaries=20_000, key=KEY)
    assert stats.binomtest(run.right, run.guesses, 0.5).pvalue > 1e-6
    assert run.nats == 0.0 and OneRun(1.0, 1, 1, 1, 1.5).sound is False


def test_the_leaning_of_a_noisy_mechanism_is_along_the_line_between_the_two():
    noisy = SimpleNamespace()  # no law: what lies nearer to the first speaks for it
    lean = claims.leaning(noisy, SPACE, pair(1.0), WORDS.ids)
    between = SPACE.unit[WORDS.ids[0]].astype(float) - SPACE.unit[WORDS.ids[1]]
    assert lean == pytest.approx(SPACE.unit[WORDS.ids].astype(float) @ between)
    assert lean[0] > 0 > lean[1]


def test_mechanisms_are_met_once_for_all_groups_that_share_them(monkeypatch):
    subject = stand(monkeypatch, budget=Budget.of([0, 1.0, 2.0, 2.0]))
    met = claims.met_by(subject)
    assert {number for _, _, number in met} == {cell.number for cell in subject.cells}
    for groups, mechanism, number in met:
        wanted = sorted({cell.group for cell in subject.cells if cell.number == number})
        assert groups == ", ".join(map(str, wanted))
        assert mechanism is subject.parts.mechanisms[wanted[0]]


def test_every_line_of_the_table_has_every_column(monkeypatch):
    section = claims.claims(stand(monkeypatch), quiet)
    assert section.rows and all(
        {"groups", "mechanism", "class", *claims._COLUMNS} == row.keys() for row in section.rows
    )
    shares = [row[name] for row in section.rows for name in claims._COLUMNS[:4]]
    assert all(0.0 <= share <= 1.0 for share in shares)
    figure = section.figures["empirical_epsilon_over_claim"]
    assert figure.value == max(shares) and figure.note == "a lower bound"


def test_without_a_distance_the_reason_stands_in_the_place_of_a_figure(monkeypatch):
    section = claims.claims(
        stand(monkeypatch, TEXTS[:1], budget=Budget.uniform(2.0, metric="ldp"),
              mechanism=lambda space, **_: Mute(space)), quiet,
    )  # fmt: skip
    figure = section.figures["empirical_epsilon_over_claim"]
    assert figure.value is None and "no distance" in figure.note and section.sound
    assert all(row[name] is None for row in section.rows for name in claims._COLUMNS)


def test_no_mechanism_met_is_no_claim_refuted(monkeypatch):
    section = claims.claims(stand(monkeypatch, budget=Budget.uniform(0.0)), quiet)
    assert section.sound and not section.rows
    assert "no mechanism" in section.figures["empirical_epsilon_over_claim"].note


@pytest.mark.parametrize("trials", [20, 200, 2_000])
def test_leaks_refute_only_above_what_luck_can_do(trials):
    """The fewest hits that refute: surely more than one in twenty."""
    refuting = next(hits for hits in range(trials + 1) if _pass(hits, trials))
    assert stats.binomtest(refuting, trials, 0.05, "greater").pvalue <= 2 * ERROR
    assert stats.binomtest(refuting - 1, trials, 0.05, "greater").pvalue > ERROR
