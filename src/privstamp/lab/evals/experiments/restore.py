"""What replacing and noising cost a task, and what mapping answers back wins.

Annotated and detected spans apart: the difference is the detector's. A text is released once for
all questions about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from privstamp.lab.evals.experiments.options import Experiment, Options, Point
from privstamp.lab.evals.experiments.points import (
    LABEL_WORDS,
    THOROUGH,
    Spans,
    changed,
    mask,
    nothing,
    original,
    policy,
    presidio_placeholders,
    replacing,
)
from privstamp.policy import Policy

SELECTIVE: Final = Policy.preset("selective")
READABLE: Final = Policy.preset("readable")
MILD: Final = changed(
    READABLE,
    groups={"1": {"name": "surrogate"}, "2": {"name": "surrogate"}},
    budget={"epsilon": [0, 0, 8, 5.2], "metric": "hops"},
)
"""Noise on every unit, without a plateau: of ordinary content words about four in five stay."""


def points(task: str, options: Options) -> Iterator[Point]:
    """For labels there is nothing to map back."""
    qa = options.kind(task) == "qa"
    backs = (True, False) if qa else (False,)
    kinds: list[Spans] = ["gold", "detected"] if task in options.gold else ["detected"]
    yield original()
    yield nothing()
    for spans in kinds:
        yield mask(spans)
        for back in backs:
            for kind in ("surrogate", "placeholder"):
                given = replacing(kind)
                yield policy(f"{kind}s", given, spans=spans, restore=back)
        for name, given in (("readable", READABLE), ("every unit noised", noised(task))):
            yield policy(name, given, spans=spans, restore=qa)
    yield policy("selective", SELECTIVE, restore=qa)
    if qa:
        thorough = replacing("surrogate", THOROUGH)
        every = changed(noised(task), sensitivity=THOROUGH)
        for name, given in (("surrogates", thorough), ("every unit noised", every)):
            yield policy(f"{name}, dates and figures too", given, restore=True)
    for name, given in (
        ("Presidio surrogates", replacing("surrogate", "presidio")),
        ("Presidio placeholders", presidio_placeholders()),
    ):
        yield policy(name, given, restore=qa)


def noised(task: str) -> Policy:
    """Mild noise. For a fixed task, label words say what is important.

    These were chosen on training rows: news lose least without a plateau, reviews with one, since
    their words are common and would mostly stay without it. Under questions as many words stay.
    """
    if task not in LABEL_WORDS:
        return changed(MILD, budget={"epsilon": [0, 0, 9, 7], "metric": "hops"})
    labels = {"name": "task-match", "preset": LABEL_WORDS[task]}
    if task == "yelp":
        return changed(
            READABLE, importance=labels, budget={"epsilon": [0, 0, 7, 6], "metric": "hops"}
        )
    return changed(MILD, importance=labels)


RESTORE: Final = Experiment(
    "restore",
    "Surrogates, placeholders and noise, answers mapped back or not, annotated and detected spans",
    points,
    readers={"qa": ("qwen-1.5b",), "classification": ("tfidf", "minilm")},
    seconds={"qa": 4.0, "classification": 0.1},
)
