"""What experiments are made of: what a user may choose, how conditions become cells, and the
conditions that several of them share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from privstamp.budget import Budget
from privstamp.errors import UsageError
from privstamp.lab.evals.contracts import Cell, Condition, Kind, Labels
from privstamp.models.answering import BATCHED, HUB
from privstamp.policy import Policy
from privstamp.sensitivity.presidio import DEFAULT as DETECTED
from privstamp.text.closed import POOLS

TASKS: Final[Mapping[str, Kind]] = {
    "fantasy": "qa",
    "squad": "qa",
    "ag_news": "classification",
    "yelp": "classification",
}
GOLD: Final = frozenset({"fantasy"})
"""Tasks whose sensitive spans people annotated."""
READERS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "qa": ("qwen-0.5b",),
    "classification": ("tfidf", "minilm"),
}
LIMITS: Final[Mapping[Kind, int]] = {"qa": 100, "classification": 500}
SECONDS: Final[Mapping[Kind, float]] = {"qa": 1.5, "classification": 0.1}
Point: TypeAlias = tuple[Condition, Labels]
"""A condition and where it stands in its experiment."""


@dataclass(frozen=True)
class ExperimentOptions:
    """Without tasks or readers: those of the experiment. `kinds` and `gold` know tasks of files.

    `repair` is the model that repairs releases, or fills gaps, in the place of the usual one: its
    name, or a URL and `repair_model`, as the server there calls it.
    Readers that are `absent` from this machine are left out where nobody named them.
    """

    tasks: tuple[str, ...] = ()
    seeds: int = 1
    readers: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    gold: frozenset[str] = GOLD
    repair: str | None = None
    repair_model: str | None = None
    absent: frozenset[str] = frozenset()

    def kind(self, task: str) -> Kind:
        """Of a task; a revision of a known one is no other kind."""
        known = {**TASKS, **self.kinds}
        kind = known.get(task) or known.get(task.partition("@")[0])
        if kind is None:
            raise UsageError(f'the kind of task "{task}" is not known: qa or classification')
        return kind

    def repairer(self, usual: str) -> dict[str, str]:
        """Who repairs, as a policy names it."""
        served = {} if self.repair_model is None else {"model": self.repair_model}
        return {"name": self.repair or usual, **served}


DEFAULT: Final = ExperimentOptions()


@dataclass(frozen=True)
class Experiment:
    """A grid by name; `points` gives the conditions of a task.

    `limits` are the examples of a task where nobody says otherwise. `seconds` is a
    rough guess of what an example takes under one condition, all readers of its kind included.
    """

    name: str
    about: str
    points: Callable[[str, ExperimentOptions], Iterable[Point]]
    tasks: tuple[str, ...] = tuple(TASKS)
    limits: Mapping[Kind, int] = field(default_factory=lambda: LIMITS)
    seconds: Mapping[Kind, float] = field(default_factory=lambda: SECONDS)
    readers: Mapping[Kind, tuple[str, ...]] = field(default_factory=lambda: READERS)

    def cells(self, options: ExperimentOptions = DEFAULT) -> list[Cell]:
        """Every condition of every task with every seed, done by every reader."""
        return [
            Cell(self.name, task, condition, seed, reader, labels)
            for task in options.tasks or self.tasks
            for condition, labels in self.points(task, options)
            for seed in seeds_of(condition, options.seeds)
            for reader in self.readers_of(task, options)
        ]

    def readers_of(self, task: str, options: ExperimentOptions = DEFAULT) -> tuple[str, ...]:
        """Those named that can do the task, or the experiment's own: those at hand, or all."""
        kind = options.kind(task)
        named = tuple(reader for reader in options.readers if reads(reader, kind))
        here = tuple(reader for reader in self.readers[kind] if reader not in options.absent)
        return named or here or self.readers[kind]

    def hours(self, options: ExperimentOptions = DEFAULT, limit: int | None = None) -> float:
        """About how long a run takes."""
        spent = 0.0
        for cell in self.cells(options):
            kind = options.kind(cell.task)
            readers = len(self.readers_of(cell.task, options))
            spent += (limit or self.limits[kind]) * self.seconds[kind] / readers
        return spent / 3600


def reads(reader: str, kind: Kind) -> bool:
    """Classifiers give labels, models answer; an `hf:` name but those of models may be either."""
    if reader.startswith(HUB) and reader.removeprefix(HUB) not in BATCHED:
        return True
    classifies = reader in READERS["classification"]
    return classifies == (kind == "classification")


def seeds_of(condition: Condition, seeds: int) -> range:
    """1, 2, ...; where nothing is drawn, the first alone."""
    return range(1, 1 + (seeds if condition.method == "policy" else 1))


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
                DETECTED | {"DATE_TIME", "CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "NRP"}
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


def fill(name: str, model: str | None = None) -> Point:
    """Filled by a model of this name, or by the `model` at a URL."""
    called = "mask and fill, detected"
    condition = Condition(called, "fill", repair=name, repair_model=model)
    return condition, {"method": "mask and fill", "spans": "detected"}


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
