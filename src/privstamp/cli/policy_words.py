"""What a policy does, and what a careful reader would object to, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from privstamp.cli.policy_file import REPLACEMENTS
from privstamp.policy.profiles import profiles
from privstamp.policy.trust import hosts, may_stay

if TYPE_CHECKING:
    from privstamp.policy import Policy
    from privstamp.release.parts import Parts


def in_words(policy: Policy) -> list[str]:
    """What happens to a text, one sentence a line."""
    sensitive, others = (_fate(policy, groups) for groups in ((1, 2), (3, 4)))
    lines = [
        f"names and identifiers {sensitive}; "
        + ("all other words leave as they are" if others == _OPEN else f"all other words {others}"),
        _NUMBERS[policy.numbers],
    ]
    if policy.profiles:
        known = (f"{name} ({profiles()[name].about})" for name in policy.profiles)
        lines.append(f"covered at least: {'; '.join(known)}")
    for terms, fate in ((policy.deny, "always"), (policy.allow, "never")):
        if terms:
            lines.append(f"{len(terms)} terms of the owner are {fate} sensitive")
    lines += [f"{host} {use}" for host, use in hosts(policy).items()]
    return lines


_OPEN: Final = "leave as they are"
_NUMBERS: Final = {
    "identifiers": "numbers that a detector finds are replaced, other numbers leave like words",
    "all": "every number is replaced",
    "perturb": "numbers are treated like words",
}


def _fate(policy: Policy, groups: Sequence[int]) -> str:
    """What becomes of the units of some groups."""
    fates = []
    for group in groups:
        epsilon, name = policy.budget.epsilon[group - 1], policy.mechanism_of(group).name
        if math.isinf(epsilon):
            fates.append(_OPEN)
        elif epsilon == 0:
            replaced = name if name in REPLACEMENTS else policy.replacement.name
            fates.append(f"are replaced by {replaced}s")
        else:
            metric = policy.budget.metrics[group - 1]
            fates.append(f"are moved at random by {name} at ε = {epsilon:g} {metric}")
    if len(set(fates)) == 1:
        return fates[0]
    return f"{fates[0]} where the task needs them, else {fates[1]}"


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
    if policy.profiles and policy.allow:
        told.append(f"{len(policy.allow)} terms in allow leave as they are, whatever the profiles")
    if policy.profiles and may_stay(policy):
        told.append("profiles name what is found; under this budget it may leave as itself")
    if policy.numbers == "perturb":
        told.append(
            'numbers = "perturb": a number that no detector marks has the budget of an ordinary '
            "word, and rare ones often survive"
        )
    return told
