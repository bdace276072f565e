"""Targets as keys of a policy's budget."""

import pytest

from privstamp.errors import PolicyError
from privstamp.policy import Policy
from privstamp.policy.presets import Targets


def read(**budget):
    return Policy.of({"budget": budget}).budget


def test_one_limit_is_for_all_groups_and_four_are_for_each():
    one = read(target_recovery=0.05, prior="unigram")
    assert isinstance(one, Targets) and one.limits == (0.05,) * 4
    assert (one.prior, one.statistic, one.metric) == ("unigram", "weighted", "chordal")
    each = read(target_recovery=[0.01, 0.01, 0.5, 0.5], statistic="max", metric="hops")
    assert each.limits == (0.01, 0.01, 0.5, 0.5) and each.metric == "hops"


def test_it_comes_back_from_toml_and_changes_the_fingerprint():
    policies = [
        Policy.of({"budget": {"target_recovery": limits}})
        for limits in (0.05, [0.1, 0.1, 0.5, 0.5])
    ]
    for policy in policies:
        assert Policy.from_toml(policy.to_toml()) == policy
    assert policies[0].fingerprint() != policies[1].fingerprint() != Policy().fingerprint()


@pytest.mark.parametrize(
    ("budget", "complaint"),
    [
        ({"target_recovery": 0}, "above 0"),
        ({"target_recovery": 1.5}, "at most 1"),
        ({"target_recovery": [0.1, 0.1]}, "list of four"),
        ({"target_recovery": "low"}, "target_recovery is a share"),
        ({"target_recovery": True}, "target_recovery is a share"),
        ({"target_recovery": 0.1, "epsilon": [1, 1, 1, 1]}, "unknown key"),
        ({"target_recovery": 0.1, "prior": "unigramm"}, 'Did you mean "unigram"'),
        ({"target_recovery": 0.1, "statistic": "median"}, "Known: max, mean, weighted"),
        ({"target_recovery": 0.1, "prior": "contextual", "statistic": "max"}, "weighted"),
        ({"prior": "unigram", "base": 3.0}, "target_recovery"),
    ],
)
def test_wrong_targets_are_refused_with_the_fix(budget, complaint):
    with pytest.raises(PolicyError, match=complaint):
        read(**budget)
