"""The parts that a policy names, built and checked against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privstamp.budget import GROUPS
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible
from privstamp.policy import Part, Policy
from privstamp.protocols import Importance, Mechanism, Replacement, Sensitivity, Space
from privstamp.registry import IMPORTANCE, MECHANISMS, SENSITIVITY, SPACES
from privstamp.spaces.projection import project


@dataclass(frozen=True, repr=False)
class Parts:
    """What a policy names, built. Mechanisms and replacements by group; groups may share one."""

    space: Space
    sensitivity: Sensitivity
    importance: Importance
    mechanisms: Mapping[int, Mechanism]
    replacements: Mapping[int, Replacement]


def assemble(policy: Policy) -> Parts:
    """Build the parts, and refuse here what could not work together later."""
    if not _replaces(policy.replacement):
        raise Incompatible(
            f'"{policy.replacement.name}" is not a replacement. Known: placeholder, surrogate'
        )
    if _replaces(policy.mechanism):
        raise Incompatible(
            f'mechanism "{policy.mechanism.name}" replaces at epsilon 0 and has no strength; '
            "name it as replacement, or under [groups.N] with an epsilon of 0"
        )
    for group in GROUPS:
        _check_group(policy, group)
    space = open_space(policy.space)
    return Parts(
        space=space,
        sensitivity=SENSITIVITY.build(policy.sensitivity.name, policy.sensitivity.options),
        importance=IMPORTANCE.build(policy.importance.name, policy.importance.options, space=space),
        mechanisms=_mechanisms(policy, space),
        replacements=_replacements(policy),
    )


def open_space(part: Part) -> Space:
    """The space that a part names; `project = N` takes the N main directions of any of them."""
    options = part.options
    dimensions = options.pop("project", None)
    space: Space = SPACES.build(part.name, options)
    return space if dimensions is None else project(space, dimensions)


def providers(policy: Policy) -> list[str]:
    """Package and version behind every part: noise is never reused by another version of one."""
    parts = [policy.mechanism_of(group) for group in GROUPS]
    parts += [policy.mechanism, policy.replacement]
    return [
        SPACES.provider(policy.space.name),
        SENSITIVITY.provider(policy.sensitivity.name),
        IMPORTANCE.provider(policy.importance.name),
        *(MECHANISMS.provider(part.name) for part in parts),
    ]


def _replaces(part: Part) -> bool:
    return hasattr(MECHANISMS.load(part.name), "draw")


def _check_group(policy: Policy, group: int) -> None:
    """A group's epsilon must be one that its mechanism can keep."""
    part, epsilon = policy.mechanism_of(group), policy.budget.epsilon[group - 1]
    if _replaces(part):
        if epsilon != 0:
            raise BudgetError(
                f'group {group} names "{part.name}", which has no strength: its epsilon must be 0'
            )
        return
    known, metric = MECHANISMS.load(part.name).metrics, policy.budget.metrics[group - 1]
    if metric not in known:
        raise BudgetError(
            f'mechanism "{part.name}" of group {group} has no budget in the metric "{metric}". '
            f"Known: {', '.join(known)}"
        )


def _mechanisms(policy: Policy, space: Space) -> dict[int, Mechanism]:
    """One mechanism for each distinct description; a group that only replaces has the default's."""
    made: list[tuple[Part, str, Mechanism]] = []
    found: dict[int, Mechanism] = {}
    decoder = Exact(space)
    for group in GROUPS:
        part, metric = policy.mechanism_of(group), policy.budget.metrics[group - 1]
        if _replaces(part):
            continue
        known = [one for which, name, one in made if (which, name) == (part, metric)]
        if not known:
            given: dict[str, Any] = {"space": space, "metric": metric}
            if MECHANISMS.load(part.name).decodes:
                given["decoder"] = decoder
            known = [MECHANISMS.build(part.name, part.options, **given)]
            made.append((part, metric, known[0]))
        found[group] = known[0]
    return found


def _replacements(policy: Policy) -> dict[int, Replacement]:
    default = MECHANISMS.build(policy.replacement.name, policy.replacement.options)
    own = {group: policy.mechanism_of(group) for group in GROUPS}
    return {
        group: MECHANISMS.build(part.name, part.options) if _replaces(part) else default
        for group, part in own.items()
    }
