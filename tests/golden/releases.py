"""Releases of many texts under many policies, as one hash for each stage that they went through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final, TypeVar

from golden.digest import digest
from golden.texts import OWN, PLAIN, Text
from mender import Mender
from privstamp import Policy, Privatizer
from privstamp.lab.evals.samples import load
from privstamp.policy.presets import SURROGATE
from privstamp.registry import MECHANISMS
from privstamp.release.parts import Parts, PartShelf, assemble
from privstamp.result import Result
from toy_lm import ToyLM

Part = TypeVar("Part")
Stages = dict[str, str]
TASKS: Final = ("none", "public", "private")
SECRET: Final = b"no secret at all"
SPACE: Final = {"name": "vectors:words.txt", "preprocessing": "raw"}
"""Of `golden.words`: whoever builds it stands in that folder."""
DETECTORS: Final = {"name": "union", "parts": ["rules", "lexicon"]}
SELECTIVE: Final[dict[str, dict[str, Any]]] = {
    "placeholder": {"replacement": "placeholder",
                    "groups": {"1": {"name": "placeholder"}, "2": {"name": "placeholder"}}},
    "shift": {"dates": "shift"},
    "numeric": {"numeric": [{"kind": "MONEY", "epsilon": 0.01, "low": 0, "high": 20000,
                             "step": 10}]},
    "lists": {"allow": ["Leeds"], "deny": ["library"], "keep": ["deposit"]},
    "independent": {"draws": "independent"},
    "numbers": {"numbers": "all"},
    "hipaa": {"profiles": ["hipaa"]},
}  # fmt: skip
"""What may be changed of the default preset, one thing at a time."""
_SHELF: Final = PartShelf()


def releases() -> Iterator[tuple[str, Stages]]:
    """Every case and its stages."""
    samples = [Text(sample.id, sample.text, sample.task) for sample in load()]
    yield from _cases("selective", Policy(), [*samples, *OWN])
    for name, changes in SELECTIVE.items():
        yield from _cases(f"selective {name}", Policy.of(changes), OWN[:3] + OWN[14:16])
    for name in ("readable", "stamp"):
        yield from _cases(name, Policy.preset(name), [*OWN[:4], *PLAIN])
    public = {"extends": "stamp", "grouping": "public", "importance": "task-match",
              "sensitivity": "lexicon"}  # fmt: skip
    yield from _cases("stamp public", Policy.of(public), PLAIN)
    for name, policy in lines().items():
        yield from _cases(name, policy, PLAIN)
    yield from _cases("repair", Policy(), OWN[:3] + OWN[14:15], repair=Mender(_mend))


def lines() -> dict[str, Policy]:
    """On the small table: each mechanism in each of its metrics, and what presets do with it."""
    budget = {"preset": "stamp", "base": 2.0}
    common = {"extends": "stamp", "space": SPACE, "sensitivity": DETECTORS,
              "importance": "task-cosine"}  # fmt: skip
    policies = {}
    for entry in MECHANISMS.entries():
        part = MECHANISMS.load(entry.name)
        for metric in () if hasattr(part, "draw") else part.metrics:
            policies[f"{entry.name} {metric}"] = Policy.of(
                {**common, "mechanism": entry.name, "budget": {**budget, "metric": metric}}
            )
    for name, power in (("readable", 0.0), ("fluent", 0.6)):
        steps = {"name": "neighbourhood", "k": 6, "alike": 8, "fluency": power}
        groups = {"1": SURROGATE, "2": SURROGATE, "4": {**steps, "plateau": 1}}
        policies[f"small {name}"] = Policy.of(
            {**common, "extends": name, "mechanism": steps, "groups": groups}
        )
    return policies | {"small paper": Policy.of({**common, "extends": "paper"})}


def _cases(
    name: str, policy: Policy, texts: Sequence[Text], repair: Mender | None = None
) -> Iterator[tuple[str, Stages]]:
    """Kinds of task take turns, and so do a seed and a secret."""
    if repair is not None:
        policy = policy.model_copy(update={"repair": policy.replacement})
    parts = _pinned(_parts(policy.unrepaired))
    parts = replace(parts, repair=repair) if repair is not None else parts
    made: Mapping[str, Privatizer] = {
        "seed": Privatizer(policy, parts=parts, seed=1),
        "secret": Privatizer(policy, parts=parts, secret=SECRET),
    }
    yield f"{name} | facts", {"key": sha256(b"\0".join(made["seed"].facts)).hexdigest()[:8]}
    for number, text in enumerate(texts):
        task = TASKS[number % len(TASKS)]
        noise = ("seed", "secret")[number % 2]
        result = made[noise].privatize(
            text.text,
            None if task == "none" else text.task,
            private_task=task == "private",
            trace=True,
            format=text.format if policy.format == "auto" else None,
        )
        yield f"{name} | {text.name}, {task} task, {noise}", stages(result)


def stages(result: Result) -> Stages:
    """In the order in which a text meets them: the first that differs is the one that changed."""
    trace = result.trace
    assert trace is not None
    units, grouping = trace.units, trace.grouping
    return {
        "1 units": digest([units.starts, units.ends, units.rows, units.kinds, units.labels]),
        "2 findings": digest(grouping.findings),
        "3 importance": digest([trace.scores.values, trace.scores.threshold, trace.scores.note]),
        "4 groups": digest([grouping.groups, grouping.spans, grouping.by_rule]),
        "5 epsilon": digest(trace.epsilon),
        "6 draws": digest(trace.rows),
        "7 text": digest([result.text, result.unrepaired]),
        **({} if result.task is None else {"8 task": digest(result.task)}),
        "9 map": digest([result.map.entries, result.map.releases, result.changes]),
        "certificate": digest(certified(result.certificate.to_dict())),
    }


def certified(values: dict[str, Any]) -> dict[str, Any]:
    """A certificate less its time, and what is keyed or changes with every version."""
    return {key: values[key] for key in values.keys() - {"time", "package", "fingerprints"}}


def _parts(policy: Policy) -> Parts:
    """Of one shelf; a language model that is small enough stands in for the real one."""
    _SHELF.take(ToyLM, "language model", policy.language_model)
    return assemble(policy, _SHELF)


def _pinned(parts: Parts) -> Parts:
    """The same parts under fixed fingerprints: noise then depends on text and policy alone, and a
    word list that grows changes only the texts in which one of its words stands."""
    pinned = {id(one): _named(one, "replacement") for one in parts.replacements.values()}
    return replace(
        parts,
        space=_named(parts.space, "space"),
        sensitivity=_named(parts.sensitivity, "sensitivity"),
        importance=_named(parts.importance, "importance"),
        replacements={group: pinned[id(one)] for group, one in parts.replacements.items()},
    )


def _named(part: Part, fingerprint: str) -> Part:
    """A copy that says so of itself, whether it kept it or works it out."""
    twin = copy(part)
    vars(twin).pop("fingerprint", None)
    twin.__class__ = type(type(part).__name__, (type(part),), {"fingerprint": fingerprint})
    return twin


def _mend(window: str) -> str:
    return window.replace(" was ", " is ")
