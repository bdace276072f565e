"""Conditions that several experiments share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, Literal

from privstamp.budget import Budget
from privstamp.lab.evals.contracts import Condition
from privstamp.lab.evals.experiments.options import Point
from privstamp.mechanisms._closed import POOLS
from privstamp.policy import Policy
from privstamp.sensitivity.presidio import DEFAULT

Spans = Literal["detected", "gold"]
FILLER: Final = "smollm2"
"""The model that fills gaps where nobody names another: on this machine, and small."""
LABEL_WORDS: Final[Mapping[str, str]] = {"ag_news": "topic-news", "yelp": "sentiment"}
"""Words that suit a fixed task, whose own wording names nothing that a text holds."""
THOROUGH: Final = {
    "name": "union",
    "parts": [
        {
            "name": "presidio",
            "entities": sorted(
                DEFAULT | {"DATE_TIME", "CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "NRP"}
            ),
        },
        {"name": "lexicon"},
    ],
    "custom": [
        {"kind": "CARDINAL", "words": [*POOLS["CARDINAL"], *POOLS["SCALE"]]},
        {"kind": "ID", "pattern": r"\b(?:[A-Z]{1,4}[-/]\d+|\d+[-/][A-Z]{1,4})\b"},
        {
            "kind": "ID",
            "pattern": r"\b(?i:model|number|page|volume|item|chapter|clause|exhibit|paper)(?= \d)",
        },
        {
            "kind": "DATE_TIME",
            "pattern": r"\d(?:st|nd|rd|th)? (?:and|to|until|on|at|of) (?=\d|\p{Lu})"
            r"|\bthe (?=\d{1,2}(?:st|nd|rd|th)\b)"
            r"|(?:day|\p{Lu}\p{Ll}+) (?:at|on) (?=\d)|\b(?:last|next|this|coming) (?=\p{Lu})",
        },
    ],
}
"""The default detector; dates, figures in words, letters attached to figures as well."""
SENSITIVE: Final = (0.0, 0.0, math.inf, math.inf)
"""Only what is sensitive is replaced; the rest is released unprotected."""


def original() -> Point:
    return Condition("original", "original"), {"method": "original"}


def nothing() -> Point:
    return Condition("no context", "nothing"), {"method": "no context"}


def mask(spans: Spans = "detected") -> Point:
    name = f"mask, {spans}"
    return Condition(name, "mask", spans=spans), {"method": "mask", "spans": spans}


def fill(name: str, model: str | None = None, *, spans: Spans = "detected") -> Point:
    """Filled by a model of this name, or by the `model` at a URL."""
    called = f"mask and fill, {spans}"
    condition = Condition(called, "fill", spans=spans, repair=name, repair_model=model)
    return condition, {"method": "mask and fill", "spans": spans}


def changed(policy: Policy, **values: Any) -> Policy:
    """The policy with other values, checked as those of a file are."""
    return Policy.of({**policy.model_dump(mode="python", exclude_none=True), **values})


def policy(
    name: str,
    given: Policy,
    *,
    spans: Spans = "detected",
    restore: bool = False,
    **labels: Any,
) -> Point:
    """A condition with a policy; its name says what the labels do not."""
    full = ", ".join(
        [name, *(["gold"] if spans == "gold" else []), *(["restored"] if restore else [])]
    )
    condition = Condition(full, "policy", given, spans=spans, restore=restore)
    return condition, {"method": name, "spans": spans, "restore": restore, **labels}


def replacing(replacement: str, sensitivity: str | Mapping[str, Any] = "union") -> Policy:
    """Only what is sensitive is replaced, by surrogates or placeholders."""
    part = {"name": replacement}
    return Policy.of(
        {
            "extends": "stamp",
            "sensitivity": sensitivity,
            "replacement": part,
            "groups": {"1": part, "2": part},
            "budget": {"epsilon": list(SENSITIVE), "metric": "chordal"},
        }
    )


def presidio_placeholders() -> Policy:
    """As Presidio is mostly used: typed placeholders, numbers that are no finding as they are.

    Words in no list are still replaced: the pipeline lets none of them through.
    """
    return changed(replacing("placeholder", "presidio"), numbers="perturb")


def with_budget(given: Policy, budget: Budget) -> Policy:
    return given.model_copy(update={"budget": budget})
