"""Shares of groups, curves of meaning, and a mean shared out, on the toy space."""

import numpy as np
import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.errors import BudgetError
from privstamp.lab.audit.subject import SampleText
from privstamp.lab.calibration import Bench, calibrate
from privstamp.lab.calibration.gauge import Attacker
from privstamp.lab.calibration.groups import for_group, meaning, mix, share_out, shares_of
from privstamp.policy import Policy

TEXTS = [SampleText("w1 w2 w3 w4 w5 w6"), SampleText("w11 w12", "w11?")]
EVEN = Attacker("uniform", "mean")


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)


def policy(**more):
    values = {"extends": "stamp", "space": "toy", "sensitivity": "rules",
              "mechanism": "exponential",
              "budget": Budget.stamp(1.0), **more}  # fmt: skip
    return Policy.of(values)


def test_shares_count_words_and_take_no_group_for_impossible():
    shares = shares_of(policy(deny=["w2", "w3"]), TEXTS)
    assert sum(shares) == pytest.approx(1.0) and min(shares) > 0
    # Six words without a task, two with: what the task names is important.
    assert shares[0] == pytest.approx(1 / (8 + 4 + 1), abs=0.02) and shares[3] == max(shares)


def test_meaning_ends_where_nothing_changes():
    bench = Bench(policy(), 1)
    curve = meaning(bench.gauges(bench.mechanisms[1]))
    assert curve.cosine[-1] > 0.98 and np.all(np.diff(curve.cosine) >= 0)
    assert abs(curve.cosine[0]) < 0.1


def test_sensitive_groups_are_read_on_names_and_places():
    class Read:
        def __init__(self, name):
            self.words = type("Words", (), {"name": name})

    gauges = [Read("place"), Read("name"), Read("content")]
    assert [one.words.name for one in for_group(gauges, 2)] == ["place", "name"]
    assert [one.words.name for one in for_group(gauges, 3)] == ["content"]
    assert for_group(gauges[2:], 1) == gauges[2:]


def test_a_mean_is_shared_out_under_the_limits():
    asked = policy()
    bench = Bench(asked, 1, texts=TEXTS)
    plan = calibrate(asked, {1: 0.1, 2: 0.1}, EVEN, bench=bench)
    assert plan.saw == "public words"
    shared = share_out(plan, bench, 8.0)
    assert shared.epsilon[0] <= plan.epsilon[0] and shared.epsilon[1] <= plan.epsilon[1]
    assert max(shared.epsilon[2:]) > max(plan.epsilon[:2])
    made = shared.policy()
    assert made.calibrated is not None and made.calibrated.saw == "private sample"
    shares = shares_of(plan.policy(), TEXTS, 1)
    assert np.dot(shares, shared.epsilon) <= 8.0 + 1e-6


def test_replaced_groups_get_nothing_and_two_metrics_no_mean():
    asked = policy(groups={"2": {"name": "surrogate"}}, budget=Budget.of([2, 0, 4, 3]))
    bench = Bench(asked, 1, texts=TEXTS)
    plan = calibrate(asked, {1: 0.3}, EVEN, bench=bench)
    assert share_out(plan, bench, 6.0).epsilon[1] == 0.0
    assert mix(bench, (0.25,) * 4).curves[1].most == 0.0
    metrics = ("chordal", "angular", "chordal", "chordal")
    two = policy(budget=Budget.of([1, 1, 1, 1], metric=metrics))
    with pytest.raises(BudgetError, match="one metric"):
        share_out(calibrate(two, {}, EVEN, keep=0.1), Bench(two, 1), 6.0)
