"""From what a user asks for to cells: a named experiment, or his own task under his own policy;
and what of it leaves this machine, counted beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from operator import add
from pathlib import Path
from typing import Final

from privstamp.errors import MissingExtra, PrivstampError, UsageError, suggest
from privstamp.lab.evals import conditions, workshop
from privstamp.lab.evals.answers import PHRASE_TOKENS, question
from privstamp.lab.evals.contracts import Cell, Condition, Example, Kind
from privstamp.lab.evals.experiments import (
    GOLD,
    TASKS,
    Experiment,
    ExperimentOptions,
    Point,
    mask,
    nothing,
    original,
    policy,
    reads,
)
from privstamp.lab.evals.grids import NETWORKS, experiment
from privstamp.lab.evals.runner import Limits, bundled
from privstamp.lab.evals.tasks import load_task
from privstamp.lab.progress import missing, require
from privstamp.models.answering import open_answerer
from privstamp.models.endpoint import checked
from privstamp.policy import Policy
from privstamp.registry import REPAIRS
from privstamp.repair.checks import SYSTEM, windows
from privstamp.repair.rewriter import most_tokens


@dataclass(frozen=True)
class PromptCount:
    """Prompts, their letters, and the tokens that may come back."""

    prompts: int = 0
    letters: int = 0
    tokens_out: int = 0

    def __add__(self, more: PromptCount) -> PromptCount:
        return PromptCount(*map(add, vars(self).values(), vars(more).values()))


def hosts(cells: Sequence[Cell]) -> tuple[list[str], list[str]]:
    """Who gets released texts to repair, and who gets texts with gaps to fill.

    A URL that cannot be one is refused.
    """
    conditions = [cell.condition for cell in cells]
    return _hosts([*map(_repairer, conditions)]), _hosts([*map(_filler, conditions)])


def sent(
    cells: Sequence[Cell], examples: dict[str, Sequence[Example]], limits: Limits
) -> PromptCount:
    """What models elsewhere that repair or fill are sent at least.

    Each window once, though one that is refused is asked for again; one gap of each text, since how
    many there are is not known before. Releases are taken to be as long as their texts; readers
    share them. `examples` are by task.
    """
    total = PromptCount()
    for first, *_ in bundled(cells):
        repaired = _repairer(first.condition) is not None
        if not repaired and _filler(first.condition) is None:
            continue
        known = examples.get(first.task)
        if known is None:
            total += PromptCount(limits.get(first.task, 0))
            continue
        for text in dict.fromkeys((example.whole or example).text for example in known):
            total += _windows(text) if repaired else _gap(text)
    return total


def _hosts(urls: Sequence[str | None]) -> list[str]:
    return list(dict.fromkeys(checked(url)[1] for url in urls if url is not None))


def _repairer(condition: Condition) -> str | None:
    """The URL of a model that repairs, if it is elsewhere."""
    part = None if condition.policy is None else condition.policy.repair
    return part.name if part is not None and "://" in part.name else None


def _filler(condition: Condition) -> str | None:
    """The URL of a model that fills gaps, if it is elsewhere."""
    return condition.repair if condition.repair is not None and "://" in condition.repair else None


def _gap(text: str) -> PromptCount:
    letters = min(len(text), conditions.LEFT) + len(conditions.REQUEST) + len(conditions.SYSTEM)
    return PromptCount(1, letters, conditions.TOKENS)


def _windows(text: str) -> PromptCount:
    sizes = [end - start for start, end in windows(text, ())] or [len(text)]
    letters = sum(sizes) + len(sizes) * len(SYSTEM)
    return PromptCount(len(sizes), letters, len(sizes) * most_tokens(max(sizes)))


FILES: Final = (".toml", ".jsonl")
_CHARACTERS: Final = 4
"""Of an English token, roughly."""


@dataclass(frozen=True)
class RunPlan:
    """What a run would do."""

    cells: list[Cell]
    limits: Limits
    hours: float | None  # about, on one core; None where nobody measured it
    left_out: Mapping[str, str] = field(default_factory=dict)  # readers not at hand; how to get it
    unmet: Mapping[str, int] = field(default_factory=dict)  # why cells are left out, and how many


@dataclass(frozen=True)
class Estimate:
    """What a plan comes to at most; what is already in the folder is not deducted."""

    cells: int
    items: int
    prompts: int
    repairs: int  # prompts by which texts are repaired or filled elsewhere, at least; besides
    tokens_in: int
    tokens_out: int
    hours: float | None
    absent: dict[str, str]  # tasks whose data is not at hand, and why; counted by their limit

    def cost(self, price: tuple[float, float]) -> float:
        """By a price per million tokens, in and out."""
        return (self.tokens_in * price[0] + self.tokens_out * price[1]) / 1e6


def plan(
    name: str,
    chosen: Callable[[], Policy],
    *,
    tasks: Sequence[str] = (),
    seeds: int = 1,
    limit: int | None = None,
    readers: Sequence[str] = (),
    only: Sequence[str] = (),
    repair: str | None = None,
    repair_model: str | None = None,
    called: str = "policy",
) -> RunPlan:
    """The cells of an experiment by name; of a task's file, those of a policy on it.

    `only` names conditions, as tables have them, or their methods; `called` is how tables are to
    call the policy.
    """
    is_file = Path(name).suffix in FILES
    if is_file and tasks:
        raise UsageError("--tasks belongs to a named experiment; a file is a task itself")
    grid = owned(name, chosen(), called) if is_file else experiment(name)
    wanted = tuple(dict.fromkeys(tasks)) or grid.tasks
    unknown = [task for task in wanted if task.partition("@")[0] not in TASKS]
    files = {name: load_task(name) for name in unknown}  # or it says which tasks there are
    kinds = {name: task.kind for name, task in files.items()}
    marked = {name for name, task in files.items() if task.examples(1)[0].spans is not None}
    how = {reader.name: reader.how for reader in workshop.readers() if not reader.here}
    options = ExperimentOptions(
        wanted, seeds, tuple(readers), kinds, GOLD | marked, repair, repair_model, frozenset(how)
    )
    for asked in readers:
        if not any(reads(asked, options.kind(task)) for task in wanted):
            raise UsageError(
                f'none of these tasks is for the reader "{asked}". Labels: tfidf, minilm or '
                "hf:NAME (--reader); questions: a model that answers (--model)"
            )
    numbers = {task: limit or grid.limits.get(options.kind(task)) for task in wanted}
    limits = {task: number for task, number in numbers.items() if number}
    hours = None if is_file or only else grid.hours(options, limit)
    absent = _readers(grid, replace(options, absent=frozenset())) - _readers(grid, options)
    left_out = {reader: how[reader] for reader in sorted(absent)}
    cells = _named(grid.cells(options), only)
    if repair is not None and not any(_asks(cell.condition, repair) for cell in cells):
        raise UsageError(
            "--repair: nothing in this run is repaired or filled. A policy of your own names who "
            "repairs in [repair]"
        )
    ready, unmet = _ready(cells)
    if is_file or repair is not None or not ready:  # what was asked for by name is not left out
        require(*(need for cell in cells for need in _needs(cell.condition)))
    return RunPlan(ready, limits, hours, left_out, unmet)


def _ready(cells: list[Cell]) -> tuple[list[Cell], dict[str, int]]:
    """The cells that can be run here, and why others can't: before the first, not one by one."""
    reasons: dict[str, list[str]] = {}
    ready, unmet = [], dict[str, int]()
    for cell in cells:
        condition = repr(cell.condition.data())
        if condition not in reasons:
            reasons[condition] = missing(*_needs(cell.condition))
        for reason in reasons[condition][:1]:
            unmet[reason] = unmet.get(reason, 0) + 1
        if not reasons[condition]:
            ready.append(cell)
    return ready, unmet


def _needs(condition: Condition) -> Iterator[Callable[[], object]]:
    """What would fail in every example of a condition; looked up by name, nothing is started."""
    if condition.method == "fill" and condition.repair is not None:
        yield partial(open_answerer, condition.repair, model=condition.repair_model)
    if condition.policy is None:
        return
    part = condition.policy.repair
    if part is not None:
        yield partial(REPAIRS.build, part.name, part.options)
    if condition.policy.importance.name in NETWORKS:
        yield _networks


def _networks() -> None:
    if any(find_spec(package) is None for package in ("torch", "transformers")):
        raise MissingExtra("transformers", f"importance by {' or '.join(sorted(NETWORKS))}")


def owned(name: str, given: Policy, called: str = "policy") -> Experiment:
    """What a policy costs a task: beside the text itself, none of it, and a plain mask."""

    def points(task: str, options: ExperimentOptions) -> Iterator[Point]:
        yield original()
        yield nothing()
        yield mask()
        yield policy(called, given, method="policy")
        if options.kind(task) == "qa":
            yield policy(called, given, restore=True, method="policy")

    return Experiment(Path(name).stem, "What a policy costs a task", points, (name,), limits={})


def estimate(plan: RunPlan) -> Estimate:
    """Count without measuring; texts are as long as their originals."""
    examples: dict[str, Sequence[Example]] = {}
    kinds: dict[str, Kind] = {}
    absent = {}
    for name in dict.fromkeys(cell.task for cell in plan.cells):
        kinds[name] = TASKS.get(name.partition("@")[0], "classification")
        try:
            task = load_task(name)
            examples[name], kinds[name] = task.examples(plan.limits.get(name)), task.kind
        except PrivstampError as error:
            absent[name] = str(error)
    items = prompts = tokens = 0
    for cell in plan.cells:
        known = examples.get(cell.task)
        number = plan.limits.get(cell.task, 0) if known is None else len(known)
        items += number
        if kinds[cell.task] == "qa":
            prompts += number
            tokens += 0 if known is None else sum(map(_tokens, known))
    repairs = sent(plan.cells, examples, plan.limits)
    return Estimate(
        len(plan.cells),
        items,
        prompts,
        repairs.prompts,
        tokens + repairs.letters // _CHARACTERS,
        prompts * PHRASE_TOKENS + repairs.tokens_out,
        plan.hours,
        absent,
    )


def _named(cells: list[Cell], only: Sequence[str]) -> list[Cell]:
    names = {cell.condition.name: {cell.condition.name} for cell in cells}
    for cell in cells:
        names.setdefault(str(cell.labels.get("method", "")), set()).add(cell.condition.name)
    for name in only:
        if name not in names:
            raise UsageError(f'no condition "{name}".{suggest(name, names)}')
    wanted = set().union(*(names[wish] for wish in only))
    return [cell for cell in cells if not only or cell.condition.name in wanted]


def _asks(condition: Condition, name: str) -> bool:
    part = None if condition.policy is None else condition.policy.repair
    return name in (condition.repair, None if part is None else part.name)


def _readers(grid: Experiment, options: ExperimentOptions) -> set[str]:
    return {reader for task in options.tasks for reader in grid.readers_of(task, options)}


def _tokens(example: Example) -> int:
    asked = question(example.text, example.task)
    return (len(asked.text) + len(asked.system or "")) // _CHARACTERS
