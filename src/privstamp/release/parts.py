"""The parts that a policy names, built and checked against each other."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from privstamp.budget import GROUPS
from privstamp.errors import BudgetError, Incompatible, PolicyError
from privstamp.policy import Part, Policy
from privstamp.policy.presets import Targets, profiles, required
from privstamp.protocols import (
    Decoder,
    Fluent,
    Importance,
    LanguageModel,
    Mechanism,
    Repair,
    Replacement,
    Sensitivity,
    Space,
    Valued,
)
from privstamp.registry import (
    DECODERS,
    IMPORTANCE,
    MECHANISMS,
    MODELS,
    REPAIRS,
    REPLACING,
    SENSITIVITY,
    SPACES,
    VALUES,
    Table,
)
from privstamp.release.selfcheck import check_keep_rates, described
from privstamp.text.languages import KNOWN
from privstamp.types import Kind

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Parts:
    """What a policy names, built. Mechanisms and replacements by group; groups may share one."""

    space: Space
    sensitivity: Sensitivity
    importance: Importance
    mechanisms: Mapping[int, Mechanism]
    replacements: Mapping[int, Replacement]
    language_model: LanguageModel | None = None  # only where a mechanism has fluency
    repair: Repair | None = None  # only where the policy has one
    values: tuple[Valued, ...] = ()  # numbers and dates that are released by their value


_TOLD = ("numbers", "dates", "marked", "profiles", "other_languages")
"""What the line tells a detector: from the top of the policy, where it is checked."""


class PartShelf:
    """Parts by what names them: policies that are used side by side need not build one twice."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Shelf({len(self._held)} parts)"

    def take(self, build: Callable[[], T], *named: Any) -> T:
        """What was built under these names, or is now."""
        key = json.dumps([_named(name) for name in named], sort_keys=True, default=str)
        if key not in self._held:
            self._held[key] = build()
        part: T = self._held[key]
        return part


def _named(name: Any) -> Any:
    return name.model_dump(mode="json") if isinstance(name, Part) else name


def assemble(policy: Policy, shelf: PartShelf | None = None) -> Parts:
    """Build the parts, and refuse here what could not work together later."""
    shelf = PartShelf() if shelf is None else shelf
    if isinstance(policy.budget, Targets):
        raise PolicyError(
            "the budget is a target that has no epsilons yet. Try: privstamp calibrate, or "
            "privstamp.lab.calibration.resolve(policy)"
        )
    if not _replaces(policy.replacement):
        raise Incompatible(
            f'"{policy.replacement.name}" is not a replacement. Known: placeholder, surrogate'
        )
    if _replaces(policy.mechanism):
        raise Incompatible(
            f'mechanism "{policy.mechanism.name}" replaces at epsilon 0 and has no strength; '
            "name it as replacement, or under [groups.N] with an epsilon of 0"
        )
    check_budget(policy)
    space = shelf.take(lambda: open_space(policy.space), "space", policy.space)
    searched, scored = policy.sensitivity, policy.importance
    if twice := [key for key in searched.options if key in _TOLD]:
        raise PolicyError(
            f"{', '.join(twice)}: no option of [sensitivity]; say it at the top of the policy, "
            "where all parts are told of it"
        )
    values = _values(policy)
    about = _about_numbers(policy, values) | {"other_languages": policy.other_languages}
    if policy.profiles:
        check_profiles(policy)
        about["profiles"] = policy.profiles
    told = _accepted(SENSITIVITY, searched, about)
    sensitivity: Sensitivity = shelf.take(
        lambda: SENSITIVITY.build(searched.name, searched.options, **told),
        "sensitivity",
        searched,
        told,
    )
    importance: Importance = shelf.take(
        lambda: IMPORTANCE.build(scored.name, scored.options, space=space),
        *("importance", policy.space, scored),
    )
    if policy.grouping == "public":
        _check_public(policy, space, sensitivity, importance)
    strong = [group for group in GROUPS if 0 < policy.budget.epsilon[group - 1] < math.inf]
    mechanisms = build_mechanisms(policy, space, shelf, strong)
    for group, mechanism in mechanisms.items():
        of = described(policy, group)
        shelf.take(partial(check_keep_rates, of, space, mechanism), "keep rates", of)
    return Parts(
        space=space,
        sensitivity=sensitivity,
        importance=importance,
        mechanisms=mechanisms,
        replacements=_replacements(policy),
        language_model=_language_model(policy, mechanisms, shelf),
        repair=_repair(policy, shelf),
        values=values,
    )


def _repair(policy: Policy, shelf: PartShelf) -> Repair | None:
    part = policy.repair
    if part is None:
        return None
    repair: Repair = shelf.take(lambda: REPAIRS.build(part.name, part.options), "repair", part)
    return repair


def open_space(part: Part) -> Space:
    """The space that a part names; `project = N` takes the N main directions of any of them."""
    options = part.options
    dimensions = options.pop("project", None)
    space: Space = SPACES.build(part.name, options)
    if dimensions is None:
        return space
    from privstamp.spaces.words import project  # with word spaces, which the default has not

    return project(space, dimensions)


def providers(policy: Policy) -> list[str]:
    """Package and version behind every part: noise is never reused by another version of one."""
    parts = [policy.mechanism_of(group) for group in GROUPS]
    parts += [policy.mechanism, policy.replacement]
    return [
        SPACES.provider(policy.space.name),
        SENSITIVITY.provider(policy.sensitivity.name),
        IMPORTANCE.provider(policy.importance.name),
        MODELS.provider(policy.language_model.name),
        DECODERS.provider(policy.decoder.name),
        *(MECHANISMS.provider(part.name) for part in parts),
    ]


def _check_public(
    policy: Policy, space: Space, sensitivity: Sensitivity, importance: Importance
) -> None:
    """A public map of groups reads each unit's type and the task, and nothing else."""
    for what, part, instead in (
        ("sensitivity", sensitivity, "lexicon"),
        ("importance", importance, "task-match"),
    ):
        if part.scope.contextual:
            raise Incompatible(
                f'grouping = "public" looks at each word alone, and {what} "{part.name}" does not '
                f'({part.scope.reason}). Name "{instead}", or set grouping = "contextual"'
            )
    if policy.has_own_words:
        raise Incompatible(
            'grouping = "public" takes no words of its owner (allow, deny, keep, custom): they '
            'tell what the texts are about. Remove them, or set grouping = "contextual"'
        )
    if (space.split("privatisation").kinds == Kind.PIECE).any():
        raise Incompatible(
            f'grouping = "public" needs words as units, and space "{space.name}" has pieces of '
            'them. Take the space "glove", or set grouping = "contextual"'
        )


def check_profiles(policy: Policy) -> None:
    """Refuse profiles beside a detector or a key that they do not go with."""
    part = policy.sensitivity
    if "profiles" not in inspect.signature(SENSITIVITY.load(part.name)).parameters:
        raise Incompatible(
            f'profiles need a detector that takes kinds, and sensitivity "{part.name}" does not. '
            'Take sensitivity = "union"'
        )
    named = [profiles()[name] for name in policy.profiles]
    hidden = required(policy.profiles).union(
        *(profile.refuses.get("numeric", ()) for profile in named)
    )
    if noisy := sorted({str(row.get("kind")) for row in policy.numeric} & hidden):
        raise Incompatible(
            f"profiles {', '.join(policy.profiles)} ask for {', '.join(noisy)}, and noise "
            "on values does not hide them: take them out of numeric"
        )
    for name in policy.profiles:
        for key, refused in profiles()[name].refuses.items():
            if getattr(policy, key, None) in refused:
                raise Incompatible(
                    f'profile "{name}" does not go with {key} = "{getattr(policy, key)}"'
                )


def comes_with_us(mechanism: Mechanism) -> bool:
    """Whether it, and what it was made of, is part of this package, whose tests audit it."""
    kinds = [type(mechanism)]
    if isinstance(mechanism, Fluent):
        kinds.append(type(mechanism.mechanism))
    return all(kind.__module__.partition(".")[0] == "privstamp" for kind in kinds)


def _replaces(part: Part) -> bool:
    """Of ours it is known by name: none is loaded that nothing uses."""
    if part.name in MECHANISMS:
        return part.name in REPLACING
    return hasattr(MECHANISMS.load(part.name), "draw")


def check_budget(policy: Policy) -> None:
    """Refuse an epsilon or a metric that a group's mechanism does not know."""
    for group in GROUPS:
        _check_group(policy, group)


def _check_group(policy: Policy, group: int) -> None:
    """A group's epsilon must be one that its mechanism can keep."""
    part, epsilon = policy.mechanism_of(group), policy.budget.epsilon[group - 1]
    if _replaces(part):
        if epsilon != 0:
            raise BudgetError(
                f'group {group} names "{part.name}", which has no strength: its epsilon must be 0'
            )
        return
    if epsilon in (0, math.inf):
        return
    known, metric = MECHANISMS.load(part.name).metrics, policy.budget.metrics[group - 1]
    if metric not in known:
        raise BudgetError(
            f'mechanism "{part.name}" of group {group} has no budget in the metric "{metric}". '
            f"Known: {', '.join(known)}"
        )


def build_mechanisms(
    policy: Policy,
    space: Space,
    shelf: PartShelf | None = None,
    groups: Iterable[int] = GROUPS,
) -> dict[int, Mechanism]:
    """One mechanism for each distinct description; none for a group that only ever replaces."""
    shelf = PartShelf() if shelf is None else shelf
    mechanisms: dict[int, Mechanism] = {}
    for group in groups:
        part, metric = policy.mechanism_of(group), policy.budget.metrics[group - 1]
        if not _replaces(part):
            if not sum(map(len, space.outputs)):
                raise Incompatible(
                    f'group {group} has an epsilon, and space "{space.name}" has no words to move '
                    'to. Take space = "glove", or an epsilon of 0 or inf'
                )
            mechanisms[group] = shelf.take(
                partial(_mechanism, part, metric, space, partial(decoder_of, policy, space, shelf)),
                *("mechanism", policy.space, policy.decoder, part, metric),
            )
    return mechanisms


def decoder_of(
    policy: Policy,
    space: Space,
    shelf: PartShelf,
    wrap: Callable[[Any], Decoder] = lambda decoder: decoder,
) -> Decoder:
    """The decoder of a policy; whoever takes it first may wrap it for those that follow."""
    part = policy.decoder
    return shelf.take(
        lambda: wrap(DECODERS.build(part.name, part.options, space=space)),
        *("decoder", policy.space, part),
    )


def _mechanism(part: Part, metric: str, space: Space, decoder: Callable[[], Decoder]) -> Mechanism:
    given: dict[str, Any] = {"space": space, "metric": metric}
    if MECHANISMS.load(part.name).decodes:
        given["decoder"] = decoder()
    options = part.options
    power, by = options.pop("fluency", 0), options.pop("fluency_by", "decoding")
    from privstamp.mechanisms.fluency import fluent  # where anything is drawn at all

    return fluent(space, MECHANISMS.build(part.name, options, **given), power, by)


def _language_model(
    policy: Policy, mechanisms: Mapping[int, Mechanism], shelf: PartShelf
) -> LanguageModel | None:
    """Opened only where a mechanism has fluency: it is large."""
    if not any(isinstance(mechanism, Fluent) for mechanism in mechanisms.values()):
        return None
    part = policy.language_model
    model: LanguageModel = shelf.take(
        lambda: MODELS.build(part.name, part.options), "language model", part
    )
    return model


def _replacements(policy: Policy) -> dict[int, Replacement]:
    default = _replacement(policy, policy.replacement)
    by_group = {group: policy.mechanism_of(group) for group in GROUPS}
    return {
        group: _replacement(policy, part) if _replaces(part) else default
        for group, part in by_group.items()
    }


def _replacement(policy: Policy, part: Part) -> Replacement:
    languages = policy.sensitivity.options.get("languages", ["en"])
    known = [language for language in languages if language in KNOWN]
    about = {"date_window": policy.date_window, "language": next(iter(known), "en")}
    told = _accepted(MECHANISMS, part, about)
    replacement: Replacement = MECHANISMS.build(part.name, part.options, **told)
    return replacement


def _values(policy: Policy) -> tuple[Valued, ...]:
    """What releases numbers and dates by their value, in the policy's order."""
    parts = [VALUES.build("numeric", table) for table in policy.numeric]
    if policy.dates == "shift":
        parts.append(VALUES.build("shift", {}))
    if parts and policy.numbers == "perturb":
        raise Incompatible(
            'numeric and dates = "shift" need roles of numbers, and numbers is "perturb"'
        )
    return tuple(parts)


def _about_numbers(policy: Policy, values: Sequence[Valued]) -> dict[str, Any]:
    """What a detector is told of numbers; a public map of groups knows no roles."""
    if policy.grouping == "public":
        if values:
            raise Incompatible('grouping = "public" knows no roles of numbers: numeric, dates')
        return {}
    marked = tuple((value.kind, value.unit) for value in values)
    return {"numbers": policy.numbers, "dates": policy.dates, "marked": marked}


def _accepted(table: Table, part: Part, told: dict[str, Any]) -> dict[str, Any]:
    """What the policy says that this part asks for, unless its own options say otherwise."""
    known = inspect.signature(table.load(part.name)).parameters
    return {key: value for key, value in told.items() if key in known and key not in part.options}
