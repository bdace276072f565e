"""Experiments as data: grids of conditions by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from privstamp.budget import PROTECTED, Budget
from privstamp.errors import UnknownName, suggest
from privstamp.lab.evals.experiments import (
    FILLER,
    LABEL_WORDS,
    THOROUGH,
    Experiment,
    ExperimentOptions,
    Point,
    Spans,
    changed,
    fill,
    mask,
    nothing,
    original,
    policy,
    presidio_placeholders,
    replacing,
    with_budget,
)
from privstamp.lab.frontier.grid import Setting
from privstamp.policy import Policy

STAMP: Final = Policy.preset("stamp")
READABLE: Final = Policy.preset("readable")
PIECES: Final = Policy.preset("paper")
WORDS: Final = changed(PIECES, space="glove", importance={"name": "task-cosine", "tau": "auto"})
"""As published but for the table, and for a threshold that fits it."""
VECTORS: Final = tuple(
    tuple(first + 50.0 * step for first in (150.0, 50.0, 450.0, 350.0)) for step in range(5)
)
"""Budgets of the paper's table."""
KINDS: Final = (
    ("polar", "angular"),
    ("polar", "chordal"),
    ("laplace-l2", "chordal"),
    ("laplace-coordinate", "l1"),
)
BASES: Final = (5.0, 10.0, 15.0, 20.0, 30.0)
"""Base budgets of the default word space, in the metric chordal; 15 is the preset's."""
UNIFORM: Final = (5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 65.0, 90.0, 110.0)
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
REPAIRER: Final = "qwen-0.5b"
"""The model that repairs where nobody names another: on this machine."""
REPAIRED: Final = {
    "paper": changed(PIECES, budget={"epsilon": list(VECTORS[-1]), "metric": "angular"}),
    "stamp": STAMP,
    "readable": READABLE,
}
MILD: Final = changed(
    READABLE,
    groups={"1": {"name": "surrogate"}, "2": {"name": "surrogate"}},
    budget={"epsilon": [0, 0, 8, 5.2], "metric": "hops"},
)
"""Noise on every unit, without a plateau: of ordinary content words about four in five stay."""


LADDERS: Final = (
    Setting("polar", "chordal", (13.0, 20.0, 26.0, 33.0, 40.0)),
    Setting("polar-radial", "chordal", (13.0, 20.0, 26.0, 33.0, 40.0)),
    Setting("laplace-l2", "chordal", (13.0, 17.0, 22.0, 27.0, 33.0)),
    Setting("laplace-coordinate", "l1", (150.0, 200.0, 250.0, 310.0, 380.0)),
    Setting("mahalanobis", "mahalanobis", (13.0, 17.0, 22.0, 27.0, 33.0)),
    Setting("vickrey", "chordal", (13.0, 17.0, 22.0, 27.0, 35.0)),
    Setting("polar-vocabulary", "chordal", (10.0, 15.0, 18.0, 22.0, 26.0)),
    Setting("exponential", "chordal", (8.0, 10.0, 12.0, 13.5, 15.0)),
    Setting("tem", "truncated", (11.0, 14.0, 16.0, 18.0, 20.0)),
    Setting("custext", "ldp", (0.5, 4.0, 8.0)),
    Setting("randomized-response", "ldp", (5.0, 7.0, 8.0, 9.0, 10.0)),
    Setting("clusters", "tree", (4.0, 5.5, 6.5, 8.0, 10.0)),
    Setting("neighbourhood", "hops", (1.0, 2.0, 2.5, 3.0, 3.5)),
    Setting("neighbourhood", "hops", (2.0, 3.0, 3.5, 4.5, 7.0), {"plateau": 1}),
    Setting(
        "neighbourhood", "hops", (2.5, 3.5, 4.5, 6.0, 9.0), {"k": 24, "alike": 48, "plateau": 1}
    ),
)
"""Each begins where an attacker who knows word frequencies names about one word in a hundred and
ends where he names about one in four (docs/lab/frontier.md), so that utility can be read off
between its rungs at 1, 5 and 20 %."""


def rung(ladder: Setting, epsilon: float) -> Point:
    """The mechanism at one strength, for all groups alike."""
    part = {"name": ladder.mechanism, **ladder.options}
    given = changed(STAMP, mechanism=part, budget=Budget.uniform(epsilon, metric=ladder.metric))
    return policy(f"{ladder.label} {epsilon:g}", given, mechanism=ladder.label,
                  metric=ladder.metric, epsilon=epsilon)  # fmt: skip


def _table1(_task: str, _options: ExperimentOptions) -> Iterator[Point]:
    """On pieces with the raw table, as published, and on the default word space; beside them the
    text itself, and none.

    A number in the metric `angular` buys polar a concentration smaller by a factor of pi than in
    `chordal`.
    """
    yield original()
    yield nothing()
    for space, base in (("pieces", PIECES), ("words", WORDS)):
        for mechanism, metric in KINDS:
            for number, vector in enumerate(VECTORS, start=1):
                budget = {"epsilon": list(vector), "metric": metric}
                given = changed(base, mechanism=mechanism, budget=budget)
                yield policy(
                    f"{mechanism} {metric} on {space}, vector {number}",
                    given,
                    mechanism=mechanism, metric=metric, space=space, vector=number,
                    epsilon=vector[0],
                )  # fmt: skip


def _variants(_task: str, _options: ExperimentOptions) -> Iterator[Point]:
    """From fewest protected groups to all four, then one budget for all.

    `uniform` is measured over a range wide enough to be read off at the mean epsilon of any
    variant, and at its recovery of sensitive units: uniform wins at an equal mean by leaking what
    is sensitive.
    """
    yield original()
    yield nothing()
    for variant in sorted(PROTECTED, key=lambda name: len(PROTECTED[name])):
        for base in BASES:
            given = with_budget(STAMP, Budget.preset(variant, base))
            protected = len(PROTECTED[variant])
            yield policy(f"{variant} {base:g}", given, variant=variant, base=base,
                         protected=protected)  # fmt: skip
    for epsilon in UNIFORM:
        given = with_budget(STAMP, Budget.uniform(epsilon))
        yield policy(f"uniform {epsilon:g}", given, variant="uniform", base=epsilon, protected=4)


def _thresholds(task: str, options: ExperimentOptions) -> Iterator[Point]:
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


def _overheads(_task: str, options: ExperimentOptions) -> Iterator[Point]:
    """The published mechanisms on both tables, the presets, and a repair; the score is beside the
    point."""
    for space, base in (("pieces", PIECES), ("words", WORDS)):
        for mechanism, metric in (KINDS[0], *KINDS[2:]):
            budget = {"epsilon": list(VECTORS[2]), "metric": metric}
            given = changed(base, mechanism=mechanism, budget=budget)
            yield policy(f"{mechanism} on {space}", given, mechanism=mechanism, space=space)
    for preset in ("stamp", "readable", "fluent"):
        yield policy(preset, Policy.preset(preset), preset=preset)
    repaired = changed(READABLE, repair=options.repairer(REPAIRER))
    yield policy("readable, repaired", repaired, preset="readable", repair=True)


def _repairs(task: str, options: ExperimentOptions) -> Iterator[Point]:
    """Each with and without; the noise is the same in both."""
    yield original()
    back = options.kind(task) == "qa"
    for name, given in REPAIRED.items():
        restore = back and name != "paper"
        yield policy(name, given, restore=restore, repair=False)
        repaired = changed(given, repair=options.repairer(REPAIRER))
        yield policy(f"{name}, repaired", repaired, restore=restore, repair=True)


def _mechanisms(_task: str, _options: ExperimentOptions) -> Iterator[Point]:
    """Mechanisms that only replace have no strength: see the experiment restore."""
    yield original()
    yield nothing()
    yield from (rung(ladder, epsilon) for ladder in LADDERS for epsilon in ladder.budgets)


def _restored(task: str, options: ExperimentOptions) -> Iterator[Point]:
    """Annotated and detected spans apart: the difference is the detector's. For labels there is
    nothing to map back."""
    qa = options.kind(task) == "qa"
    backs = (True, False) if qa else (False,)
    kinds: list[Spans] = ["gold", "detected"] if task in options.gold else ["detected"]
    yield original()
    yield nothing()
    for spans in kinds:
        yield mask(spans)
        for back in backs:
            for kind in ("surrogate", "placeholder"):
                yield policy(f"{kind}s", replacing(kind), spans=spans, restore=back)
        for name, given in (("readable", READABLE), ("every unit noised", noised(task))):
            yield policy(name, given, spans=spans, restore=qa)
    yield policy("selective", Policy.preset("selective"), restore=qa)
    if qa:
        thorough = replacing("surrogate", THOROUGH)
        every = changed(noised(task), sensitivity=THOROUGH)
        for name, given in (("surrogates", thorough), ("every unit noised", every)):
            yield policy(f"{name}, dates and figures too", given, restore=True)
    yield policy("Presidio surrogates", replacing("surrogate", "presidio"), restore=qa)
    yield policy("Presidio placeholders", presidio_placeholders(), restore=qa)


def noised(task: str) -> Policy:
    """Mild noise. For a fixed task, label words say what is important.

    These were chosen on training rows: news lose least without a plateau, reviews with one, since
    their words are common and would mostly stay without it. Under questions as many words stay.
    """
    if task not in LABEL_WORDS:
        return changed(MILD, budget={"epsilon": [0, 0, 9, 7], "metric": "hops"})
    labels = {"name": "task-match", "preset": LABEL_WORDS[task]}
    if task == "yelp":
        budget = {"epsilon": [0, 0, 7, 6], "metric": "hops"}
        return changed(READABLE, importance=labels, budget=budget)
    return changed(MILD, importance=labels)


def _baselines(task: str, options: ExperimentOptions) -> Iterator[Point]:
    """From nothing hidden to everything noised; mapped back or not where there are answers.

    Mechanisms stand in the middle of their ranges, with one epsilon for all units.
    """
    yield original()
    yield nothing()
    yield mask()
    yield fill(options.repair or FILLER, options.repair_model)
    base = BASES[2]
    for back in (True, False) if options.kind(task) == "qa" else (False,):
        yield policy("Presidio placeholders", presidio_placeholders(), restore=back)
        yield policy("placeholders", replacing("placeholder"), restore=back)
        yield policy("surrogates", replacing("surrogate"), restore=back)
        for preset in ("stamp", "readable", "selective"):
            yield policy(preset, Policy.preset(preset), restore=back, preset=preset)
    yield policy("paper", PIECES, preset="paper")
    yield policy("uniform", with_budget(STAMP, Budget.uniform(3 * base)), variant="uniform")
    for variant in ("private-low", "private-only", "all-but-important"):
        given = with_budget(STAMP, Budget.preset(variant, base))
        yield policy(variant, given, variant=variant)
    yield from (rung(ladder, ladder.budgets[len(ladder.budgets) // 2]) for ladder in LADDERS)


EXPERIMENTS: Final[dict[str, Experiment]] = {
    grid.name: grid
    for grid in (
        Experiment(
            "table1",
            "The paper's table: polar and Laplace at five budgets, on pieces and words",
            _table1,
            seconds={"qa": 1.8, "classification": 0.25},
        ),
        Experiment(
            "stamp-vs-uniform",
            "STAMP's variants against one budget for all, over the base budget",
            _variants,
        ),
        Experiment(
            "tau",
            "Utility over the threshold of importance, for each method",
            _thresholds,
            tasks=("fantasy", "ag_news", "yelp"),
            seconds={"qa": 3.0, "classification": 0.15},
        ),
        Experiment(
            "overhead",
            "Seconds by stage and unit, next to the paper's",
            _overheads,
            tasks=("yelp",),
            limits={"qa": 20, "classification": 40},
            seconds={"qa": 5.0, "classification": 3.0},
            readers={"qa": ("qwen-0.5b",), "classification": ("tfidf",)},
        ),
        Experiment(
            "repair",
            "Releases with and without coherence repair",
            _repairs,
            limits={"qa": 50, "classification": 100},
            seconds={"qa": 8.0, "classification": 4.0},
        ),
        Experiment(
            "mechanisms",
            "Every mechanism, to be compared at equal recovery of sensitive units",
            _mechanisms,
            tasks=("fantasy", "ag_news"),
        ),
        Experiment(
            "restore",
            "Surrogates, placeholders and noise, answers mapped back or not, annotated and "
            "detected spans",
            _restored,
            readers={"qa": ("qwen-1.5b",), "classification": ("tfidf", "minilm")},
            seconds={"qa": 4.0, "classification": 0.1},
        ),
        Experiment(
            "baselines",
            "All baselines, presets and mechanisms in one run, answers mapped back or not",
            _baselines,
        ),
    )
}


def experiment(name: str) -> Experiment:
    """Look one up."""
    if name not in EXPERIMENTS:
        raise UnknownName(f'no experiment "{name}".{suggest(name, EXPERIMENTS)}')
    return EXPERIMENTS[name]
