"""What a user may choose about an experiment, and how its conditions become cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from privstamp.errors import UsageError
from privstamp.lab.evals.contracts import Cell, Condition, Kind, Labels
from privstamp.models.answering import BATCHED, HUB

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
class Options:
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
        found = known.get(task) or known.get(task.partition("@")[0])
        if found is None:
            raise UsageError(f'the kind of task "{task}" is not known: qa or classification')
        return found

    def repairer(self, usual: str) -> dict[str, str]:
        """Who repairs, as a policy names it."""
        served = {} if self.repair_model is None else {"model": self.repair_model}
        return {"name": self.repair or usual, **served}


DEFAULT: Final = Options()


@dataclass(frozen=True)
class Experiment:
    """A grid by name; `points` gives the conditions of a task.

    `limits` are the examples of a task where nobody says otherwise. `seconds` is a
    rough guess of what an example takes under one condition, all readers of its kind included.
    """

    name: str
    about: str
    points: Callable[[str, Options], Iterable[Point]]
    tasks: tuple[str, ...] = tuple(TASKS)
    limits: Mapping[Kind, int] = field(default_factory=lambda: LIMITS)
    seconds: Mapping[Kind, float] = field(default_factory=lambda: SECONDS)
    readers: Mapping[Kind, tuple[str, ...]] = field(default_factory=lambda: READERS)

    def cells(self, options: Options = DEFAULT) -> list[Cell]:
        """Every condition of every task with every seed, done by every reader."""
        return [
            Cell(self.name, task, condition, seed, reader, labels)
            for task in options.tasks or self.tasks
            for condition, labels in self.points(task, options)
            for seed in seeds_of(condition, options.seeds)
            for reader in self.readers_of(task, options)
        ]

    def readers_of(self, task: str, options: Options = DEFAULT) -> tuple[str, ...]:
        """Those named that can do the task, or the experiment's own: those at hand, or all."""
        kind = options.kind(task)
        named = tuple(one for one in options.readers if reads(one, kind))
        here = tuple(one for one in self.readers[kind] if one not in options.absent)
        return named or here or self.readers[kind]

    def hours(self, options: Options = DEFAULT, limit: int | None = None) -> float:
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
