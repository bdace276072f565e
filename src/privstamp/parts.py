"""The parts that a policy names, built and checked against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible
from privstamp.policy import Policy
from privstamp.protocols import Importance, Mechanism, Replacement, Sensitivity, Space
from privstamp.registry import IMPORTANCE, MECHANISMS, SENSITIVITY, SPACES


@dataclass(frozen=True, repr=False)
class Parts:
    """What a policy names, built."""

    space: Space
    sensitivity: Sensitivity
    importance: Importance
    mechanism: Mechanism
    replacement: Replacement


def assemble(policy: Policy) -> Parts:
    """Build the parts, and refuse here what could not work together later."""
    kind = MECHANISMS.load(policy.mechanism.name)
    if not hasattr(kind, "privatize"):
        raise Incompatible(
            f'mechanism "{policy.mechanism.name}" replaces at epsilon 0 and has no strength; '
            "name it as replacement, and set to 0 the epsilon of groups that it should replace"
        )
    if not hasattr(MECHANISMS.load(policy.replacement.name), "draw"):
        raise Incompatible(
            f'"{policy.replacement.name}" is not a replacement. Known: placeholder, surrogate'
        )
    if policy.budget.metric not in kind.metrics:
        raise BudgetError(
            f'mechanism "{policy.mechanism.name}" has no budget in the metric '
            f'"{policy.budget.metric}". Known: {", ".join(kind.metrics)}'
        )
    space = SPACES.build(policy.space.name, policy.space.options)
    given: dict[str, Any] = {"space": space, "metric": policy.budget.metric}
    if kind.decodes:
        given["decoder"] = Exact(space)
    return Parts(
        space=space,
        sensitivity=SENSITIVITY.build(policy.sensitivity.name, policy.sensitivity.options),
        importance=IMPORTANCE.build(policy.importance.name, policy.importance.options, space=space),
        mechanism=MECHANISMS.build(policy.mechanism.name, policy.mechanism.options, **given),
        replacement=MECHANISMS.build(policy.replacement.name, policy.replacement.options),
    )
