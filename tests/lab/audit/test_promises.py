"""Tests of the audit against what scipy says of the same numbers, and by hand; each is seen to
accept what is sound and to reject what is not."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from privstamp.lab.audit import verdict
from privstamp.lab.audit.verdict import (
    ALPHA,
    SUMMARY,
    Audit,
    Promise,
    Section,
    always,
    at_most,
    distinct,
    even,
    exactly,
    no_likelier,
    shares,
    unrelated,
)
from privstamp.lab.estimate import Estimate

KEY = b"v" * 32
DICE = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("hits", "trials", "share"), [(0, 50, 0.1), (3, 50, 0.1), (9, 50, 0.1), (50, 50, 0.9)]
)
def test_at_most_is_the_upper_tail_of_the_binomial(hits, trials, share):
    promise = at_most("p", hits, trials, share)
    assert promise.chance == pytest.approx(stats.binom.sf(hits - 1, trials, share))
    assert promise.found == hits / trials and promise.trials == trials


@pytest.mark.parametrize(
    ("hits", "trials", "share"), [(0, 40, 0.2), (8, 40, 0.2), (20, 40, 0.2), (40, 40, 1.0)]
)
def test_exactly_doubles_the_smaller_tail(hits, trials, share):
    law = stats.binom(trials, share)
    wanted = min(1.0, 2 * min(law.sf(hits - 1), law.cdf(hits)))
    assert exactly("p", hits, trials, share).chance == pytest.approx(wanted)


def test_exactly_rejects_both_too_many_and_too_few_and_takes_rounded_shares():
    assert exactly("p", 500, 1000, 0.5).kept
    assert not exactly("p", 620, 1000, 0.5).kept
    assert not exactly("p", 380, 1000, 0.5).kept
    assert exactly("p", 0, 1000, -1e-12).kept and exactly("p", 1000, 1000, 1 + 1e-12).kept


@pytest.mark.parametrize("table", [(3, 10, 1, 10), (5, 8, 0, 12), (9, 9, 9, 9), (2, 30, 9, 11)])
def test_no_likelier_is_fishers_exact_test(table):
    hits, trials, others, of_others = table
    rows = [[hits, trials - hits], [others, of_others - others]]
    wanted = stats.fisher_exact(rows, alternative="greater").pvalue
    assert no_likelier("p", *table).chance == pytest.approx(wanted)


def test_no_likelier_has_nothing_to_say_without_hits_or_others():
    assert no_likelier("p", 0, 10, 5, 10).chance == 1.0
    assert no_likelier("p", 10, 10, 0, 0).chance == 1.0


def test_what_has_no_exception_is_broken_by_one():
    assert always("p", 7, 7).kept and not always("p", 6, 7).kept
    assert always("p", 0, 0).found == 1.0 and always("p", 0, 0).kept


def test_even_is_the_distance_of_kolmogorov_and_a_bound_on_its_tail():
    values = DICE.uniform(size=400)
    exact = stats.kstest(values, "uniform")
    promise = even("p", values)
    assert promise.found == pytest.approx(exact.statistic)
    assert promise.chance >= exact.pvalue and promise.kept
    assert not even("p", values**1.5).kept
    assert not even("p", 1 - values**1.5).kept
    assert even("p", np.zeros(0)).kept


def test_distinct_counts_what_a_list_gives():
    pool = 400
    drawn = DICE.integers(pool, size=200).tolist()
    promise = distinct("p", drawn, pool)
    assert promise.kept and promise.found == len(set(drawn)) / 200
    expected = pool * (1 - (1 - 1 / pool) ** 200)
    assert f"{expected / 200:.3g}" in promise.promised
    assert not distinct("p", [n % 60 for n in drawn], pool).kept


@pytest.mark.parametrize("sizes", product((1, 2, 3), (2, 3), (1, 2, 3), (2, 3, 5)), ids=str)
def test_rows_that_tell_nothing_at_all_pass_however_their_sum_is_rounded(sizes):
    one, other, first, second = sizes
    left = [0] * one * (first + second) + [1] * other * (first + second)
    right = ([0] * first + [1] * second) * (one + other)
    promise = unrelated("x", left, right, bytes(32))
    assert promise.kept and promise.found >= 0.0


def test_unrelated_rows_pass_and_related_ones_do_not():
    left, right = DICE.integers(3, size=(2, 300)).tolist()
    assert unrelated("p", left, right, KEY).kept
    close = [a if n % 3 else b for n, (a, b) in enumerate(zip(left, right, strict=True))]
    assert not unrelated("p", left, close, KEY).kept
    assert unrelated("p", ["a"], ["b"], KEY).kept  # too few to say anything
    assert unrelated("p", ["a"] * 9, ["b"] * 9, KEY).kept  # nothing varies


def test_information_is_that_of_the_table():
    same = np.array([0, 1, 0, 1, 2, 2])
    assert verdict._nats(same, same) == pytest.approx(math.log(3))
    assert verdict._nats(same, np.zeros(6, dtype=int)) == pytest.approx(0.0)
    half = np.array([0, 1, 1, 0, 0, 1])  # unrelated to the first
    assert verdict._nats(same, half) == pytest.approx(0.0)


def test_sound_promises_are_hardly_ever_called_broken():
    """Of ten thousand sound binomials none is, at the chance that is promised."""
    hits = DICE.binomial(300, 0.2, size=10_000)
    assert all(exactly("p", int(n), 300, 0.2).kept for n in hits)
    assert all(at_most("p", int(n), 300, 0.2).kept for n in hits)


def test_a_promise_is_broken_below_its_share_of_alpha():
    edge = ALPHA / 200
    assert Promise("p", 0.1, "at most .05", 9, edge).kept
    broken = Promise("a name leaves", 0.1234, "at most 0.05", 9, edge / 2)
    assert not broken.kept
    assert broken.broken == "a name leaves: 0.123 where at most 0.05 (of 9)"
    assert broken.row()["kept"] == "NO" and broken.row()["found"] == 0.1234


def test_shares_are_counted_by_name():
    hits = [{"a": True, "b": False}, {"a": True, "b": True}, {"a": False, "b": False}]
    counted = shares(hits, ("a", "b"), "none")
    assert [counted[name].value for name in "ab"] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    missing = shares([], ("a",), "no such word")["a"]
    assert missing.value is None and missing.note == "no such word"


def section(name, **more):
    return Section(name, f"title of {name}", **more)


def test_the_verdict_names_what_was_refuted_before_what_is_missing():
    broken = section("line", sound=False, broken=("one: .5 where 0", "two"))
    silent = section("claims", sound=False)
    audit = Audit((section("cells"), broken, silent), ("context",), {})
    assert audit.verdict.word == "REFUTED" and audit.verdict.code == 1
    assert audit.verdict.reasons == ("one: .5 where 0", "two", "title of claims")
    unfinished = Audit((section("cells"),), ("context",), {})
    assert (unfinished.verdict.code, unfinished.verdict.text) == (
        3,
        "not finished: context is missing",
    )
    sound = Audit((section("cells"),), (), {})
    assert sound.passed and sound.verdict.text == "sound" and sound.verdict.code == 0


def test_the_summary_says_why_a_figure_is_missing():
    figures = {"keep_max": Estimate.exact(0.25)}
    audit = Audit((section("cells", figures=figures),), ("leakage",), {})
    summary = audit.summary
    assert summary.keys() == SUMMARY.keys()
    assert summary["keep_max"].value == 0.25
    assert summary["recovery_uniform"].note == "not measured"
    assert summary["sensitive_verbatim"].note == "not measured for want of time"
    assert summary["averaging_gain"].note == "not asked for"


def test_a_section_is_read_back_as_it_was_but_for_what_is_private():
    rows = [{"group": 1, "share": Estimate.share(3, 9), "why": None}]
    before = section(
        "cells", figures={"a": Estimate.exact(0.5)}, rows=rows, remarks=("r",), sound=False,
        private=("a word",), broken=("b",),
    )  # fmt: skip
    data = before.as_json()
    assert "a word" not in str(data)
    after = Section.of_json(data)
    assert after.private == () and after.figures["a"].value == 0.5
    assert after.rows[0]["share"].interval == pytest.approx(rows[0]["share"].interval, rel=1e-4)
    assert (after.sound, after.broken, after.remarks) == (False, ("b",), ("r",))
