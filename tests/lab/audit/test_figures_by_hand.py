"""Figures of the audit on releases that are small enough to count by hand."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from stand import quiet, stand

from privstamp.budget import Budget
from privstamp.lab.audit import labels, laws, leakage, recovery, repeats
from privstamp.lab.audit.claims import Pair, PairFinding, _row
from privstamp.lab.audit.subject import SampleText, traced
from privstamp.lab.estimate import Estimate
from privstamp.types import UNKNOWN
from privstamp.types import Finding as Span

FREE = Budget.of([math.inf] * 4)


def texts(*pairs):
    """Two releases of several texts, as far as linking looks at them."""
    return [[SimpleNamespace(text=text) for text in release] for release in pairs]


def test_texts_are_linked_by_the_words_that_they_share():
    first = ["alpha beta gamma", "delta epsilon zeta", "eta theta iota"]
    shifted = [first[1], first[2], first[0]]
    assert leakage._linkable(texts(first, first)).value == 1.0
    assert leakage._linkable(texts(first, shifted)).value == 0.0
    half = ["alpha beta other", "eta theta iota", "nothing at all"]
    linked = leakage._linkable(texts(first, half))
    assert linked.value == pytest.approx(1 / 3) and linked.n == 3  # the second is the third's
    assert leakage._linkable(texts(["one"], ["one"])).value is None


def test_comparisons_of_spans_fold_what_a_reader_folds():
    assert leakage._folded("Ann-Marie  O'Neil") == leakage._folded("ann marie o neil")
    assert leakage._words("An old Harbour, at 221b") == {"old", "harbour", "221b"}
    assert leakage._stems("harbours Harbour's bus") == {"harbo"}
    assert leakage._digits("+44 20 7946") == "44207946"


def test_luck_of_surrogates_does_not_refute_but_leaks_do():
    assert not leakage._pass(0, 10) and not leakage._pass(2, 40)
    assert leakage._pass(40, 40) and leakage._pass(300, 1000)


def test_unknown_words_that_pass_are_seen_word_by_word(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w1 Zworgling w2 Quux", None, None, None)])
    trace = traced(subject.first[0])
    assert leakage._unknown(trace) == [False, False]
    place = trace.units.surfaces().index("Zworgling")
    leaked = list(trace.surfaces)
    leaked[place] = "zworgling"
    assert leakage._unknown(replace(trace, surfaces=leaked)) == [True, False]
    free = replace(trace, epsilon=np.full(len(trace.units), np.inf))
    assert leakage._unknown(free) == []  # nothing had to be replaced


def test_missed_words_are_counted_release_by_release(monkeypatch):
    """w2 is found, w3 marked and missed; both of five words in the text, nothing is moved."""
    marked = (Span(0, 2, "PERSON", 1.0, "s", "m"), Span(3, 5, "PERSON", 1.0, "s", "m"))
    text = SampleText("w2 w3 w4 w5 w6", None, None, marked)
    budget = Budget.of([0, 0, math.inf, math.inf])
    figures = leakage.misses(stand(monkeypatch, [text], budget=budget), quiet).figures
    assert figures["recall"].value == 0.5 and figures["recall"].n == 2
    assert figures["missed_and_kept"].value == 0.5 and figures["missed_and_kept"].n == 10
    assert figures["ordinary_kept"].value == 1.0 and figures["ordinary_kept"].n == 20
    assert figures["residual_stated"].value is None


def test_a_stated_recall_scales_value_and_ends():
    ordinary = Estimate(0.5, 0.4, 0.6)
    assert leakage._stated(0.9, ordinary) == Estimate(
        pytest.approx(0.05), pytest.approx(0.04), pytest.approx(0.06)
    )
    assert leakage._stated(None, ordinary).note == "no recall was stated"
    assert leakage._stated(0.9, Estimate.missing("x")).value is None


def finding(distance, claim, nats):
    return PairFinding(Pair(1, 2, claim / distance, distance), nats)


def test_a_row_of_claims_has_the_worst_of_near_middle_and_far_pairs():
    measured = [
        finding(0.5, 1.0, 0.2), finding(0.5, 3.0, 2.4), finding(1.0, 1.0, 0.7),
        finding(2.0, 1.0, 0.1), finding(2.0, 3.0, 0.6),
    ]  # fmt: skip
    row = _row(measured)
    assert row["near pair"] == pytest.approx(0.8)
    assert row["random pair"] == pytest.approx(0.7)
    assert row["far pair"] == pytest.approx(0.2)
    assert measured[1].sound and not finding(1.0, 1.0, 1.01).sound


def words(*lines):
    return labels._wholes(lines)


def test_naive_bayes_is_the_one_of_the_books():
    """By hand, one of each word added: P(red|a) = 3/6 against 1/6, P(blue|b) = 3/6 against 1/6."""
    train = words("red red sun", "blue blue sun")
    model = labels._Bayes(train, ["a", "b"])
    assert [model.guess(sentence) for sentence in words("red", "blue", "red blue blue")] == [*"abb"]
    assert model.guess(words("unseen")[0]) == "a"  # nothing is said: the first
    red = model._rows["red"] - model._totals
    assert red[0] - red[1] == pytest.approx(math.log(3))


def test_a_text_is_judged_by_others_alone():
    """Every label has its own word in one text only: what is learnt elsewhere says nothing."""
    hits, floor = labels._learnt(words("alpha", "beta", "gamma", "delta"), ["x", "y", "x", "y"])
    assert len(hits) == len(floor) == 4
    assert sum(floor) == 2
    taught, _ = labels._learnt(
        words("red one", "blue two", "red three", "blue four"), ["x", "y", "x", "y"]
    )
    assert taught == [True] * 4


def test_labels_that_move_are_told_apart_by_part_and_place():
    sensitive, ordinary = (True, "PERSON"), (False, "")
    before = labels._Labels([sensitive, ordinary, ordinary], [True, False, False])
    after = labels._Labels([ordinary, ordinary, sensitive], [True, False, False])
    assert set(before.moved(after, 0)) == {("sensitivity", "own"), ("sensitivity", "others")}
    weighed = labels._Labels(before.sensitivity, [True, True, False])
    assert set(before.moved(weighed, 1)) == {("importance", "own")}
    assert set(before.moved(weighed, 0)) == {("importance", "others")}
    assert not set(before.moved(before, 1))
    cut = labels._Labels([sensitive], [True])
    assert len(set(before.moved(cut, 0))) == 4


def test_gendered_words_are_a_majority():
    lean = [labels._leaning(sentence) for sentence in words("she met him and her", "his", "they")]
    assert lean == [1, -1, 0]


def test_levels_of_a_draw_fill_its_law():
    """The word itself first, then by chance: .5, .3, .2 are [0, .5), [.5, .8), [.8, 1)."""
    chances = np.array([[0.3, 0.5, 0.2]])
    seen = np.array([[1], [0], [2], [UNKNOWN]], dtype=np.int32)
    draws = laws.Draws(
        np.arange(1), np.array([1], dtype=np.int32), np.array([3], dtype=np.int8),
        np.ones(1), seen, 0,
    )  # fmt: skip
    levels = laws._levels(draws, chances, b"k" * 32)[:, 0]
    for level, (low, high) in zip(levels, [(0, 0.5), (0.5, 0.8), (0.8, 1.0)], strict=False):
        assert low <= level < high
    assert levels[3] == 1.0
    assert draws.kept == 1


def test_draws_at_random_places_of_their_law_are_even():
    rows = np.repeat(np.array([[0.3, 0.5, 0.2]]), 1, axis=0)
    dice = np.random.default_rng(2)
    seen = dice.choice(3, p=rows[0], size=(4000, 1)).astype(np.int32)
    draws = laws.Draws(
        np.arange(1), np.array([1], dtype=np.int32), np.array([3], dtype=np.int8),
        np.ones(1), seen, 0,
    )  # fmt: skip
    levels = laws._levels(draws, rows, b"k" * 32).ravel()
    assert laws.even("p", levels).kept
    wrong = np.array([[0.4, 0.4, 0.2]])
    assert not laws.even("p", laws._levels(draws, wrong, b"k" * 32).ravel()).kept


def test_neighbours_are_compared_by_quarters():
    dice = np.random.default_rng(4)
    free = dice.uniform(size=(500, 8))
    assert laws._neighbours(free).kept
    tied = free.copy()
    tied[:, 1::2] = tied[:, ::2]
    assert not laws._neighbours(tied).kept


def test_a_view_shows_what_stands_around_a_unit(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w1, w2 w3. w4", None, None, None)], budget=FREE)
    view = recovery.View(traced(subject.first[0]))
    assert view.around(0) == ("", ", w2 w3. w4")
    assert view.around(2) == ("w1, w2 ", ". w4")
    assert view.around(3)[0] == "w1, w2 w3. "


def test_things_are_spread_from_first_to_last():
    assert recovery.spread(list(range(10)), 4) == [0, 3, 6, 9]
    assert recovery.spread([1, 2], 4) == [1, 2]


def test_a_mention_that_is_drawn_once_counts_once(monkeypatch):
    subject = stand(
        monkeypatch, [SampleText("w2 w4 w2", None, None, None)], budget=Budget.uniform(1.0)
    )
    mentions = tuple(one for one in recovery.targets(subject) if one.row == 2)
    assert len(mentions) == 2
    assert len(recovery.draws(subject, mentions)) == 1
    subject.policy = subject.policy.model_copy(update={"draws": "independent"})
    assert len(recovery.draws(subject, mentions)) == 2


def test_noise_that_is_used_again_is_told_from_chance():
    assert not repeats.reused(50, 1000, 50, 1000)
    assert not repeats.reused(70, 1000, 50, 1000)  # within luck
    assert repeats.reused(400, 1000, 50, 1000)
    assert not repeats.reused(0, 10, 0, 10)
    assert not repeats.reused(10, 10, 10, 10)  # everything is alike by chance
    assert not repeats.reused(5, 0, 5, 0)


def test_alike_counts_a_word_of_a_text_once(monkeypatch):
    text = SampleText("w2 w4 w2 w5", None, None, None)
    subject = stand(monkeypatch, [text], budget=Budget.uniform(1.0), policy_draws="independent")
    trace = traced(subject.first[0])
    assert repeats._alike([trace], [trace]) == [True, True, True]
    moved = replace(trace, rows=trace.rows + 1)
    assert repeats._alike([trace], [moved]) == [False, False, False]
    weaker = replace(trace, epsilon=trace.epsilon * 2)
    assert repeats._alike([trace], [weaker]) == []  # another budget is another law
