"""A third party's mechanism is as good as ours: exact figures, a row in every table, its metric."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lab.audit.stand import stand
from line import make
from privstamp.budget import METRICS, Budget, Metric, metric, register
from privstamp.errors import BudgetError, Incompatible
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.cells import risk_of
from privstamp.lab.audit.claims import claims
from privstamp.lab.calibration.gauge import Attacker, Gauge
from privstamp.lab.frontier import Outcome, as_json
from privstamp.lab.frontier.figures import QUICK, Bench
from privstamp.lab.frontier.grid import settings
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.stated import law_of
from privstamp.registry import MECHANISMS
from privstamp.testing import check_mechanism
from third_party import RUNGS, Greedy, Mute, Rungs, Wrapped, WrappedWhole
from toys import ToySpace

SPACE = ToySpace(rows=300, dimensions=6)
MANY = ToySpace(rows=12_500, dimensions=4)  # more words of a class than were once gone through


@pytest.fixture
def installed(monkeypatch):
    """As entry points would make them known."""
    classes = (Rungs, Greedy, Mute, Wrapped, WrappedWhole)
    more = {kind.name: f"third_party:{kind.__name__}" for kind in classes}
    monkeypatch.setattr(MECHANISMS, "_builtin", {**MECHANISMS._builtin, **more})


@pytest.mark.parametrize("kind", [Rungs, Wrapped, WrappedWhole])
def test_it_passes_the_conformance_suite(kind):
    check_mechanism(kind(SPACE), SPACE)


def test_the_suite_notices_one_that_tells_more_than_it_states():
    class Loud(Wrapped):
        def __init__(self, space, *, metric="chordal"):
            super().__init__(space, metric=metric)
            self.loss = lambda number, epsilon, apart=None: (
                0.5 * self.inner.loss(number, epsilon, apart)
            )

    with pytest.raises(AssertionError, match="no output tells more"):
        check_mechanism(Loud(SPACE), SPACE)
    with pytest.raises(AssertionError, match="states its distance"):
        check_mechanism(Mute(SPACE), SPACE)


def test_a_metric_comes_with_the_part_that_brings_it():
    assert metric("rungs") is RUNGS and register(RUNGS) is RUNGS
    assert Budget.uniform(2.0, metric="rungs").metrics == ("rungs",) * 4
    with pytest.raises(Incompatible, match="another name"):
        register(Metric("chordal", "something else", 1.0))
    with pytest.raises(BudgetError, match="rungs"):
        metric("rung")


def test_a_metric_of_an_installed_package_is_found(monkeypatch):
    class Point:
        def load(self):
            return Metric("far", "as the crow flies", 1.0)

    asked = []

    def points(**which):
        asked.append(which)
        return [Point()] if which["name"] == "far" else []

    monkeypatch.setattr("privstamp.budget.entry_points", points)
    try:
        assert metric("far").statement == "as the crow flies"
        assert asked == [{"group": "privstamp.metrics", "name": "far"}]
    finally:
        METRICS.pop("far", None)


def test_the_certificate_says_whether_it_comes_with_us(monkeypatch):
    kinds = {Rungs: ("rungs", False), Exponential: ("chordal", True)}
    for kind, (name, built_in) in kinds.items():
        line = make(
            monkeypatch,
            mechanism=lambda space, metric, decoder, kind=kind: kind(space, metric=metric),
            budget=Budget.uniform(3.0, metric=name),
        )
        [facts] = line.privatize("w1 w2 w3").certificate.mechanisms
        assert facts.built_in is built_in and facts.bounded
        assert facts.distance == METRICS[name].statement


def of_claims(monkeypatch, kind, name):
    subject = stand(
        monkeypatch,
        mechanism=lambda space, metric, decoder: kind(space, metric=metric),
        budget=Budget.uniform(2.0, metric=name),
    )
    return claims(subject, lambda _: None)


def test_its_claim_is_checked_in_its_own_metric(monkeypatch):
    section = of_claims(monkeypatch, Rungs, "rungs")
    assert section.sound and {row["mechanism"] for row in section.rows} == {"rungs"}
    assert all(row["one run"] is not None for row in section.rows)


def test_a_claim_that_is_wrong_is_refuted(monkeypatch):
    assert not of_claims(monkeypatch, Greedy, "rungs").sound


def test_one_without_a_distance_has_its_row_and_a_reason(monkeypatch):
    section = of_claims(monkeypatch, Mute, "ldp")
    assert {row["mechanism"] for row in section.rows} == {"mute"}
    assert all(row["near pair"] is None for row in section.rows)
    assert "states no distance" in section.figures["empirical_epsilon_over_claim"].note


@pytest.mark.parametrize("kind", [Wrapped, WrappedWhole])
def test_a_wrapper_of_ours_gets_exact_figures_for_large_tables(kind):
    words, mechanism = Candidates(MANY, 0), kind(MANY)
    assert len(words) > 5000
    found, ours = (risk_of(one, words, 9.0) for one in (mechanism, mechanism.inner))
    assert found.how == "exact"
    assert found.recovery_unigram.value == pytest.approx(ours.recovery_unigram.value, rel=1e-3)
    gauge = Gauge(mechanism, words, 1)
    assert gauge.exact
    read = gauge.read(9.0, Attacker())
    assert read.recovery.low == read.recovery.high


def test_a_law_of_fifty_thousand_words_is_at_hand():
    space = ToySpace(rows=56_000, dimensions=4, classes=("a",))
    law = law_of(WrappedWhole(space), space, 0)
    assert len(space.outputs[0]) > 50_000 and law is not None
    rows = law.rows(np.array([7, 40_000]), 6.0)
    exact = Exponential(space).channel(space.outputs[0][[7, 40_000]], np.full(2, 6.0))
    np.testing.assert_allclose(rows, exact[:, space.outputs[0]], rtol=2e-3, atol=1e-8)


def test_the_frontier_has_its_rows_on_a_grid_that_fits(installed):
    own, adaptive, mute = settings(["wrapped", "rungs", "mute"])
    by_name = {one.mechanism: one for one in (own, adaptive, mute)}
    bench = Bench(SPACE, QUICK)
    records = [r for one in by_name.values() for r in bench.measure(one)]
    wrapped = [r for r in records if r["mechanism"] == "wrapped"]
    assert [r["epsilon"] for r in wrapped] == [4.0, 8.0, 12.0]
    assert {r["recovery_how"] for r in wrapped} == {"exact"}
    rungs = [r for r in records if r["mechanism"] == "rungs"]
    assert {r["recovery_how"] for r in rungs} == {"exact"} and {r["metric"] for r in rungs} == {
        "rungs"
    }
    kept = [r["keep_weighted"] for r in rungs]
    assert kept == sorted(kept) and kept[0] < 0.15 and kept[-1] > 0.5, "a grid that covers the rise"
    told = [r for r in records if r["mechanism"] == "mute"]
    assert told and all(r["loss_worst"] is None for r in told)


def test_whoever_is_not_compared_at_equal_recovery_is_named(installed):
    [setting] = settings(["wrapped"])
    records = list(Bench(SPACE, QUICK).measure(setting))
    [content] = json.loads(as_json([Outcome("toy", {}, records)]))
    compared = {row["above_floor"] for row in content["at_equal_recovery"]}
    missing = {row["above_floor"]: row["why"] for row in content["not_at_equal_recovery"]}
    assert compared | set(missing) == {0.05, 0.1, 0.2} and not compared & set(missing)
    [content] = json.loads(as_json([Outcome("toy", {}, records[-1:])]))
    assert set(map(str, content["not_at_equal_recovery"][0])) == {"above_floor", "setting", "why"}
