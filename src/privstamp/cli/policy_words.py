"""What a policy does, and what a careful reader would object to, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privstamp.parts import Parts
    from privstamp.policy import Policy


def warnings(policy: Policy, parts: Parts) -> list[str]:
    """Careless budgets, lists that contradict each other, numbers that may stay."""
    from privstamp.budget import GROUPS, careless, cliff

    outputs = sum(len(rows) for rows in parts.space.outputs)
    edge = cliff(parts.space.unit.shape[1], outputs)
    names = [policy.mechanism_of(group).name for group in GROUPS]
    edges = [edge if name in ("polar", "polar-radial") else math.inf for name in names]
    # That what is not sensitive leaves as it is written is what `selective` is for.
    told = [] if policy.budget.replaces_sensitive_only else careless(policy.budget, edges)
    if both := {term.casefold() for term in policy.allow} & {t.casefold() for t in policy.deny}:
        told.append(f"{len(both)} terms are both in allow and in deny: deny wins")
    if policy.numbers == "perturb":
        told.append(
            'numbers = "perturb": a number that no detector marks has the budget of an ordinary '
            "word, and rare ones often survive"
        )
    return told
