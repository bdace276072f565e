"""A policy as a TOML file with comments that say what each key does."""

from __future__ import annotations

import re
from typing import Final

import tomli_w

from privstamp.budget import GROUP_NAMES, METRICS, PROTECTED
from privstamp.policy import PRESETS, Policy
from privstamp.policy.profiles import profiles
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
