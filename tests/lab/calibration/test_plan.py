"""Calibration on the toy space: limits kept, conflicts told, seeds in agreement."""

import json

import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.errors import BudgetError
from privstamp.lab.calibration import Bench, calibrate
from privstamp.lab.calibration.gauge import Attacker, Gauge, GaugeReading
from privstamp.lab.calibration.outcome import as_json, in_words
from privstamp.lab.estimate import Estimate
from privstamp.policy import Policy

EVEN = Attacker("uniform", "mean")


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)


def policy(mechanism="exponential", **more):
    values = {"extends": "stamp", "space": "toy", "mechanism": mechanism,
              "budget": Budget.stamp(1.0), **more}  # fmt: skip
    return Policy.of(values)


def test_limits_are_kept_and_nearly_reached():
    plan = calibrate(policy(), {1: 0.1, 2: 0.1, 3: 0.6, 4: 0.6}, EVEN)
    assert plan.possible
    assert [one.groups for one in plan.outcomes] == [(1, 2), (3, 4)]
    for one in plan.outcomes:
        reached = max(each.reading.recovery.upper for each in one.classes)
        assert 0.9 * one.limit <= reached <= one.limit
        assert {point.name for point in one.curve} == {"a", "b"}
    assert plan.epsilon[0] == plan.epsilon[1] < plan.epsilon[2] == plan.epsilon[3]


def test_groups_without_a_limit_keep_their_epsilon_and_replaced_ones_stay_replaced():
    asked = policy(groups={"2": {"name": "surrogate"}}, budget=Budget.of([2, 0, 4, 3]))
    plan = calibrate(asked, {1: 0.1, 2: 0.1}, EVEN)
    assert plan.epsilon[1:] == (0.0, 4.0, 3.0) and plan.epsilon[0] not in (0.0, 2.0)
    assert plan.limits == {"1": 0.1}


def test_the_policy_says_where_its_numbers_come_from():
    made = calibrate(policy(), {1: 0.1}, EVEN).policy()
    assert made.calibrated is made.calibration is not None
    assert made.calibration.target_recovery == {"1": 0.1}
    assert made.calibration.saw == "public words"
    assert Policy.from_toml(made.to_toml()) == made
    changed = made.model_copy(update={"budget": Budget.uniform(3.0)})
    assert changed.calibration is not None and changed.calibrated is None
    other = made.model_copy(update={"mechanism": policy("polar").mechanism})
    assert other.calibrated is None


def test_a_limit_below_the_blind_guess_cannot_be_met():
    plan = calibrate(policy(), {2: 0.001}, Attacker("unigram", "weighted"))
    (one,) = plan.outcomes
    assert not plan.possible and one.epsilon is None
    assert "sees nothing" in one.cannot and one.best == pytest.approx(0.301, abs=0.001)
    assert "best achievable" in in_words(plan) and "epsilon of 0" in in_words(plan)
    assert as_json(plan)["possible"] is False and as_json(plan)["epsilon"] is None


def test_a_limit_that_no_epsilon_keeps_has_a_best():
    plan = calibrate(policy(), {2: 0.0075}, EVEN)  # 135 words: a blind guess is right .0074
    (one,) = plan.outcomes
    assert one.cannot and 0.0074 < one.best < 0.02


def test_keep_and_recovery_conflict():
    plan = calibrate(policy(), {3: 0.3}, EVEN, keep=0.9)
    (one,) = plan.outcomes
    assert not plan.possible and "under the limit words are kept" in one.cannot
    assert one.best == pytest.approx(0.3, abs=0.03)
    fine = calibrate(policy(), {3: 0.95}, EVEN, keep=0.9)
    assert fine.possible and fine.outcomes[0].keep >= 0.9


def test_keep_alone_finds_the_smallest_epsilon():
    plan = calibrate(policy(), {}, EVEN, keep=0.5)
    (one,) = plan.outcomes
    assert one.groups == (3,) and 0.5 <= one.keep < 0.6
    assert plan.epsilon[0] == 2.0


def test_a_mechanism_that_never_keeps_more_gets_the_smallest_epsilon_that_is_enough():
    plan = calibrate(policy(), {4: 1.0}, EVEN)
    assert plan.outcomes[0].keep > 0.99 and plan.epsilon[3] < 1000


def test_seeds_agree_within_the_interval():
    attacker = Attacker("unigram", "weighted")
    one, two = (
        calibrate(policy("polar"), {2: 0.5}, attacker, seed=seed).outcomes[0] for seed in (1, 2)
    )
    assert one.edge != two.edge  # other draws, another edge
    (low, high), (other, top) = one.edge, two.edge
    assert low <= top and other <= high
    for each in one.classes:
        assert each.reading.recovery.upper <= 0.5
    wrong = calibrate(policy("polar"), {2: 0.8}, attacker, seed=2).outcomes[0]
    assert wrong.edge[0] > high


def test_what_was_read_is_shared_and_progress_told():
    asked, told = policy("polar"), []
    bench = Bench(asked, 1)
    calibrate(asked, {1: 0.2, 3: 0.5}, EVEN, bench=bench, progress=lambda *what: told.append(what))
    assert any("polar, a: epsilon" in what for what, _ in told)
    assert [done for _, done in told] == sorted(done for _, done in told)
    assert len({id(bench.gauges(one)) for one in bench.mechanisms.values()}) == 1


def test_a_metric_that_the_mechanism_does_not_know_is_refused():
    with pytest.raises(BudgetError, match="hops"):
        Bench(policy(budget=Budget.uniform(1.0, metric="hops")), 1)


def test_json_is_plain():
    plan = calibrate(policy(), {1: 0.1, 2: 0.1, 3: 0.5, 4: 0.5}, EVEN)
    data = json.loads(json.dumps(as_json(plan), allow_nan=False))
    assert data["possible"] and len(data["epsilon"]) == 4
    assert data["outcomes"][0]["classes"][0]["recovery"]["value"] <= 0.1


def test_groups_share_a_search_only_if_mechanism_and_limit_are_one():
    asked = policy(groups={"3": {"name": "polar-vocabulary"}})
    plan = calibrate(asked, {1: 0.2, 2: 0.2, 3: 0.2, 4: 0.4}, EVEN)
    assert [one.groups for one in plan.outcomes] == [(1, 2), (3,), (4,)]
    assert [one.mechanism for one in plan.outcomes] == ["exponential", "polar-vocabulary",
                                                         "exponential"]  # fmt: skip
    assert plan.limits == {"1": 0.2, "2": 0.2, "3": 0.2, "4": 0.4}


def test_what_is_found_by_luck_is_given_up(monkeypatch):
    """The first draws are a little too kind; fresh ones are not, and they decide."""

    def lucky(self, epsilon, attacker, *, fresh=False):
        true = 1.0 - 2.0 ** (-epsilon)
        share = Estimate(true, 0.97 * true, 1.03 * true, 100)
        kind = Estimate(0.96 * true, 0.93 * true, 0.99 * true, 100)
        recovery = share if fresh else kind
        found = GaugeReading(recovery, recovery, Estimate.exact(0.5))
        self._held[epsilon, attacker, fresh] = found
        return found

    monkeypatch.setattr(Gauge, "read", lucky)
    monkeypatch.setattr(Gauge, "exact", False)
    plan = calibrate(policy(), {1: 0.5}, EVEN)
    (one,) = plan.outcomes
    assert 1.0 - 2.0 ** (-one.epsilon) <= 0.5 / 1.03
    assert one.epsilon > 0.85  # given up no more than it takes
    assert one.classes[0].reading.recovery.upper <= 0.5


def test_the_curve_has_every_epsilon_that_was_tried_in_order():
    (one,) = calibrate(policy(), {1: 0.2}, EVEN).outcomes
    for name in ("a", "b"):
        tried = [point.epsilon for point in one.curve if point.name == name]
        assert tried == sorted(tried) and one.epsilon in tried
    rising = [point.recovery.value for point in one.curve if point.name == "a"]
    assert rising == sorted(rising)


def test_the_edge_brackets_the_limit():
    (one,) = calibrate(policy("polar"), {1: 0.3}, Attacker("uniform", "mean")).outcomes
    low, high = one.edge
    assert one.epsilon <= high and low <= high
    assert any(point.recovery.lower > 0.3 for point in one.curve)
