"""What each preset has that `selective` has not, as plain data (docs/concepts/presets.md)."""

from __future__ import annotations

from typing import Any, Final

from privstamp.budget import Budget

SURROGATE: Final = {"name": "surrogate"}
_STAMP: Final[dict[str, Any]] = {
    "space": {"name": "glove"},
    "sensitivity": {"name": "union"},
    "importance": {"name": "relevance"},
    "groups": {},
    "budget": Budget.stamp(15.0),
    "numbers": "all",
    "format": "plain",
}


def _readable(**more: Any) -> dict[str, Any]:
    """Groups 1 and 2 become surrogates; the rest moves along the graph of neighbours."""
    steps = {"name": "neighbourhood", "k": 24, "alike": 48, **more}
    plateau = {**steps, "plateau": 1, "sharp": ["function"]}
    return {
        **_STAMP,
        "mechanism": steps,
        "groups": {"1": SURROGATE, "2": SURROGATE, "4": plateau},
        "budget": Budget.of([0, 0, 6, 6], metric="hops"),
    }


CHANGES: Final[dict[str, dict[str, Any]]] = {
    "selective": {},
    "stamp": _STAMP,
    "paper": {
        **_STAMP,
        "space": {"name": "smollm2", "preprocessing": "raw"},
        "sensitivity": {"name": "presidio"},
        "importance": {"name": "task-cosine", "tau": 0.5},
        "budget": Budget.of([250, 150, 550, 450], metric="angular"),
        "draws": "independent",
        "numbers": "perturb",
    },
    "readable": _readable(),
    "fluent": _readable(fluency=0.6),
}
"""selective: surrogates for what is sensitive, and every other word as it was written.
readable: surrogates for what is sensitive, near words for the rest. fluent: the same, with a
local language model that helps to choose among them. stamp: the paper's allocation on whole words.
paper: the published setting (token pieces, raw table, angular budgets)."""
