"""Targets in policies become numbers once, and never by accident."""

import pytest

from privstamp import Privatizer, registry
from privstamp.errors import PolicyError
from privstamp.lab import calibration as plan
from privstamp.lab.calibration import resolve
from privstamp.policy import Policy
from privstamp.policy.presets import Targets

TOML = """
extends = "stamp"
space = "toy"
sensitivity = "rules"
mechanism = "exponential"
[budget]
target_recovery = [0.1, 0.1, 0.5, 0.5]
prior = "uniform"
statistic = "mean"
"""


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))


def test_a_target_becomes_epsilons_that_a_privatizer_takes():
    policy = Policy.from_toml(TOML)
    found = resolve(policy)
    assert not isinstance(found.budget, Targets)
    first, second, third, fourth = found.budget.epsilon
    assert 0 < first == second < third == fourth
    assert found.calibrated is not None and found.calibrated.saw == "public words"
    assert found.calibrated.target_recovery == {"1": 0.1, "2": 0.1, "3": 0.5, "4": 0.5}
    Privatizer(found, seed=1).privatize("w1 w2 w3")


def test_it_is_worked_out_once(monkeypatch):
    policy = Policy.from_toml(TOML)
    first = resolve(policy)
    monkeypatch.setattr(plan, "calibrate", None)
    assert resolve(policy) == first
    other = Policy.from_toml(TOML.replace("0.5, 0.5", "0.6, 0.6"))
    with pytest.raises(TypeError):
        resolve(other)


def test_lists_of_the_owner_do_not_matter_to_it(monkeypatch, tmp_path):
    resolve(Policy.from_toml(TOML))
    monkeypatch.setattr(plan, "calibrate", None)
    found = resolve(Policy.from_toml('deny = ["Quixworth"]\n' + TOML))
    assert found.deny == ("Quixworth",)
    assert not any("Quixworth" in p.read_text() for p in tmp_path.rglob("*.json"))


def test_numbers_stay_as_they_are():
    assert resolve(Policy()) is not None and resolve(Policy()) == Policy()


def test_a_target_that_cannot_be_met_says_so_every_time():
    policy = Policy.from_toml(TOML.replace("0.1, 0.1", "0.001, 0.1"))
    for _ in range(2):
        with pytest.raises(PolicyError, match=r"cannot be met.*best achievable"):
            resolve(policy)


def test_an_unresolved_policy_is_refused_and_lets_nothing_through():
    policy = Policy.from_toml(TOML)
    with pytest.raises(
        PolicyError, match=r"privstamp calibrate, or privstamp\.lab\.calibration\.resolve"
    ):
        Privatizer(policy)
    assert policy.budget.epsilon == (0.0, 0.0, 0.0, 0.0)
