"""Any value under any key of a policy: a policy that reads back as itself, or one clear line."""

from __future__ import annotations

import math

import pytest

from privstamp.errors import UsageError
from privstamp.policy import DEFAULT, PRESETS, Policy
from privstamp.policy.trust import hosts, may_stay, objections

FOUR = [1, 1, 1, 1]
ODD = (
    "x", "", "\x00", 3.5, -1, 0, True, None, [], [1], ["x"], [[]], {}, {"a": 1}, math.inf,
    -math.inf, 10**30, {"name": 3}, {"name": "x", "y": [{}]}, {"1": "x"}, {"9": {"name": "polar"}},
)  # fmt: skip
BUDGETS = (
    {"epsilon": "x"}, {"epsilon": [1, 2, 3, "x"]}, {"epsilon": [math.nan] * 4},
    {"epsilon": [1, 2, 3]}, {"base": "x"}, {"base": -1}, {"base": math.nan}, {"base": True},
    {"base": 1, "preset": []}, {"base": 1, "preset": 3}, {"base": 1, "preset": "nope"},
    {"epsilon": FOUR, "metric": []}, {"epsilon": FOUR, "metric": 3},
    {"epsilon": FOUR, "metric": ["hops"]}, {"epsilon": FOUR, "metric": [3] * 4},
    {"epsilon": FOUR, "base": 1}, {"target_recovery": "x"}, {"target_recovery": [0.1]},
    {"target_recovery": 0.1, "prior": []}, {"target_recovery": 0.1, "statistic": {}},
    {"target_recovery": math.nan}, {"target_recovery": 0}, {"prior": "unigram"}, {"nope": 1},
)  # fmt: skip
SENSITIVITIES = (
    {"name": "rules", "custom": [{"pattern": "("}]},
    {"name": "union", "parts": [{"name": "rules", "custom": [{"pattern": "["}]}]},
)


def made(key, value):
    """The policy, or nothing where it was refused; a refusal is one line that carries nothing."""
    try:
        return Policy.of({"extends": "stamp", key: value})
    except UsageError as error:
        told, context = str(error), error.__context__
    assert context is None and "\n" not in told and told
    return None


@pytest.mark.parametrize("key", sorted(Policy.model_fields))
def test_a_value_is_refused_in_one_line_or_reads_back(key):
    for value in ODD:
        policy = made(key, value)
        if policy is not None:
            assert Policy.from_toml(policy.to_toml()) == policy
            assert policy.fingerprint() == Policy.from_toml(policy.to_toml()).fingerprint()
            assert isinstance(hosts(policy), dict) and may_stay(policy) in ([], [1, 2], [1], [2])
            assert all("\n" not in told for told in objections(policy))


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_budgets_that_are_none(budget):
    assert made("budget", budget) is None


@pytest.mark.parametrize("sensitivity", SENSITIVITIES, ids=str)
def test_patterns_that_are_none(sensitivity):
    assert made("sensitivity", sensitivity) is None


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_weakens_as_it_says(name):
    preset = PRESETS[name]
    strong = all(epsilon == 0 for epsilon in preset.budget.epsilon[:2])
    assert (may_stay(preset) == []) == strong
    assert (objections(preset) == []) == strong
    assert preset.is_preset and not preset.has_lists and preset.unrepaired == preset


@pytest.mark.parametrize("url", ["https://[::1/v1", "https://", "http:///v1", "https://:443/v1"])
def test_an_address_that_cannot_be_read_is_an_objection(url):
    policy = Policy.of({"extends": DEFAULT, "repair": {"name": url, "model": "m"}})
    assert hosts(policy) == {"an address that cannot be read": "is sent released text"}
    assert any("cannot be read" in told for told in objections(policy))
