"""Utility over the threshold of importance, for each method that scores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import LABEL_WORDS, changed, original, policy
from privstamp.policy import Policy

TAUS: Final = (0.3, 0.4, 0.5, 0.6, 0.7)
"""The paper's axis. But for task-cosine a threshold is the share of words that matter less."""
METHODS: Final[Mapping[str, Mapping[str, Any]]] = {
    "task-cosine": {"name": "task-cosine"},
    "task-match": {"name": "task-match"},
    "relevance": {"name": "relevance"},
    "relevance minilm": {"name": "relevance", "encoder": "minilm"},
    "saliency": {"name": "saliency"},
    "attention": {"name": "attention"},
}
NETWORKS: Final = frozenset({"saliency", "attention"})
"""They take seconds for a text, and packages that few have: only a small task gets them."""
STAMP: Final = Policy.preset("stamp")
READABLE: Final = Policy.preset("readable")


def points(task: str, options: Options) -> Iterator[Point]:
    """Every method at every threshold; a fixed task also by its label words.

    Answers are mostly names, of which noise leaves little whatever is important. So under questions
    every method is tried with replaced names and restored answers as well.
    """
    yield original()
    methods = dict(METHODS)
    if task in LABEL_WORDS:
        methods["task-match labels"] = {"name": "task-match", "preset": LABEL_WORDS[task]}
    for method, part in methods.items():
        if method in NETWORKS and task != "fantasy":
            continue
        for tau in TAUS:
            name, chosen = f"{method} {tau:g}", {**part, "tau": tau}
            yield policy(name, changed(STAMP, importance=chosen), importance=method, tau=tau)
            if options.kind(task) == "qa":
                given, line = changed(READABLE, importance=chosen), f"{method}, restored"
                yield policy(name, given, restore=True, importance=line, tau=tau)


TAU: Final = Experiment(
    "tau",
    "Utility over the threshold of importance, for each method",
    points,
    tasks=("fantasy", "ag_news", "yelp"),
    seconds={"qa": 3.0, "classification": 0.15},
)
