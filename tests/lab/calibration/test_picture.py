"""A picture of the curves that were measured."""

import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.lab.calibration.gauge import Attacker
from privstamp.lab.calibration.outcome import draw
from privstamp.lab.calibration.plan import calibrate
from privstamp.policy import Policy


def test_curves_are_drawn(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)
    policy = Policy.of(
        {"extends": "stamp", "space": "toy", "mechanism": "exponential",
         "budget": Budget.stamp(1.0)}
    )  # fmt: skip
    plan = calibrate(policy, {1: 0.1, 4: 0.5}, Attacker("uniform", "mean"))
    draw(plan, tmp_path / "curve.svg")
    assert "</svg>" in (tmp_path / "curve.svg").read_text()
