"""A policy as a TOML file with comments that say what each key does."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import tomli_w

from privstamp.budget import GROUP_NAMES, METRICS, PROTECTED
from privstamp.policy import PRESETS, Policy
from privstamp.policy.presets import profiles
from privstamp.policy.trust import hosts, may_stay
from privstamp.registry import (
    DECODERS,
    IMPORTANCE,
    MECHANISMS,
    MODELS,
    REPAIRS,
    SENSITIVITY,
    SPACES,
    Table,
)

if TYPE_CHECKING:
    from privstamp.policy import Policy
    from privstamp.release.parts import Parts

HEADER: Final = """\
# A privstamp policy: this one file describes a whole configuration.
# Check it after every change: privstamp policy check
"""


REPLACEMENTS: Final = ("surrogate", "placeholder")


def _known(table: Table) -> str:
    names = [entry.name for entry in table.entries() if entry.name not in REPLACEMENTS]
    return "One of: " + ", ".join(names)


def _comments() -> dict[str, list[str]]:
    groups = [f"group {number}: {meaning}" for number, meaning in GROUP_NAMES.items()]
    return {
        "version": ["Version of this file's layout."],
        "extends": [
            f"Keys that are left out are taken from this preset: {', '.join(PRESETS)}.",
            "A table without a name changes options of the preset's part.",
        ],
        "format": ["How texts are written: auto (seen by itself), plain, json, jsonl ..."],
        "space": ["What text is cut into, and which vectors stand for it.", _known(SPACES)],
        "sensitivity": ["What must be protected.", _known(SENSITIVITY)],
        "importance": ["What the task needs.", _known(IMPORTANCE)],
        "mechanism": [
            "How a unit is randomised under its epsilon. fluency = 0.6 makes it read better.",
            _known(MECHANISMS),
        ],
        "language_model": ["Reads what was released, for mechanisms with fluency.", _known(MODELS)],
        "replacement": [
            "What stands in for a unit at epsilon 0.",
            f"One of: {', '.join(REPLACEMENTS)}",
        ],
        "decoder": [
            "How the word nearest to a noisy vector is found; faiss and hnsw approximate.",
            _known(DECODERS),
        ],
        "repair": [
            "Smooths what was released, in windows that are checked; the promise stays the same.",
            f"{_known(REPAIRS)}; a URL needs model = ...",
        ],
        "groups": [
            "A group may have a mechanism or a replacement of its own: [groups.2] name = ..."
        ],
        "budget": [
            "Epsilon of each group, with the metric in which it is a promise.",
            *groups,
            "0 replaces independently of the input; inf releases UNPROTECTED.",
            "In the place of epsilon: base = NUMBER and preset = one of",
            f"  {', '.join(PROTECTED)}, uniform",
            f"Metrics: {', '.join(METRICS)}; or a list of four, one per group",
            "Or a limit for attackers, turned into epsilons before use: target_recovery = 0.05,",
            '  prior = "unigram" or "uniform", statistic = "weighted", "mean" or "max"',
        ],
        "calibration": ["Where the numbers of the budget come from: privstamp calibrate."],
        "draws": [
            '"once": a sensitive word is drawn once per document, so that it cannot be averaged.',
            '"independent": the paper\'s rule, a fresh draw at every place.',
        ],
        "numbers": [
            '"identifiers": those that a detector finds; "all": every number gets random digits,',
            'whatever its budget; "perturb": a number is a word like any other.',
        ],
        "profiles": [f"What must be covered, at least: {', '.join(profiles())}."],
        "numeric": [
            "Kinds of numbers whose values get noise of their own: docs/reference/policy.md."
        ],
        "dates": [
            '"replace": exact dates become possible ones; "shift": all by one number of weeks,',
            'so that one known date reveals all; "keep": they leave as written.',
        ],
        "date_window": ["First and last day that a replaced date may become."],
        "attachments": ["What happens to parts of letters that are no text."],
        "other_languages": ["What happens to a text in a language that the parts do not read."],
        "grouping": [
            '"contextual": parts may read the whole text; the promise is given the labels.',
            '"public": parts that look at each word alone; the theorem as stated.',
        ],
        "allow": ["Words and phrases that are never sensitive."],
        "deny": ["Words and phrases that always are."],
        "keep": ["Words and phrases that the task needs, whatever it is."],
        "gateway": [
            "For privstamp serve: where to send, and what may pass. docs/guides/gateway.md"
        ],
    }


def commented(policy: Policy) -> str:
    """TOML that reads back as exactly this policy."""
    values = policy.written()
    if not values["groups"]:
        del values["groups"]
    comments = _comments()
    plain = [key for key, value in values.items() if not isinstance(value, dict)]
    tables = [key for key in values if key not in plain]
    blocks = [HEADER]
    for key in plain + tables:
        remarks = "".join(f"# {line}\n" for line in comments.get(key, []))
        written = tomli_w.dumps({key: values[key]})
        blocks.append(remarks + (_on_one_line(written) if key == "budget" else written))
    return "\n".join(blocks)


def _on_one_line(numbers: str) -> str:
    """A list of numbers, which the writer spreads over lines."""
    return re.sub(r"\[\n\s+([^]]*),\n\]", lambda m: f"[{' '.join(m[1].split())}]", numbers)


# What a policy does, and what a careful reader would object to, in words.


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
