"""From what a user asks for to cells: a named experiment, or his own task under his own policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from privstamp.errors import PrivstampError, UsageError, suggest
from privstamp.lab.evals import at_hand
from privstamp.lab.evals.contracts import Cell, Condition, Example, Kind
from privstamp.lab.evals.experiments import experiment
from privstamp.lab.evals.experiments.options import GOLD, TASKS, Experiment, Options, Point, reads
from privstamp.lab.evals.experiments.points import mask, nothing, original, policy
from privstamp.lab.evals.leaving import sent
from privstamp.lab.evals.prompts import PHRASE_TOKENS, question
from privstamp.lab.evals.runner import Limits
from privstamp.lab.evals.tasks import load_task
from privstamp.policy import Policy

FILES: Final = (".toml", ".jsonl")
_CHARACTERS: Final = 4
"""Of an English token, roughly."""


@dataclass(frozen=True)
class Plan:
    """What a run would do."""

    cells: list[Cell]
    limits: Limits
    hours: float | None  # about, on one core; None where nobody measured it
    left_out: Mapping[str, str] = field(default_factory=dict)  # readers not at hand; how to get it


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
) -> Plan:
    """The cells of an experiment by name; of a task's file, those of a policy on it.

    `only` names conditions, as tables have them, or their methods; `called` is how tables are to
    call the policy.
    """
    own = Path(name).suffix in FILES
    if own and tasks:
        raise UsageError("--tasks belongs to a named experiment; a file is a task itself")
    grid = owned(name, chosen(), called) if own else experiment(name)
    wanted = tuple(dict.fromkeys(tasks)) or grid.tasks
    unknown = [one for one in wanted if one.partition("@")[0] not in TASKS]
    files = {one: load_task(one) for one in unknown}  # or it says which tasks there are
    kinds = {one: task.kind for one, task in files.items()}
    marked = {one for one, task in files.items() if task.examples(1)[0].spans is not None}
    how = {one.name: one.how for one in at_hand.readers() if not one.here}
    options = Options(
        wanted, seeds, tuple(readers), kinds, GOLD | marked, repair, repair_model, frozenset(how)
    )
    for one in readers:
        if not any(reads(one, options.kind(task)) for task in wanted):
            raise UsageError(
                f'none of these tasks is for the reader "{one}". Labels: tfidf, minilm or hf:NAME '
                "(--reader); questions: a model that answers (--model)"
            )
    limits = {one: number for one in wanted if (number := limit or _limit(grid, options, one))}
    hours = None if own or only else grid.hours(options, limit)
    missing = _readers(grid, replace(options, absent=frozenset())) - _readers(grid, options)
    left_out = {one: how[one] for one in sorted(missing)}
    cells = _named(grid.cells(options), only)
    if repair is not None and not any(_asks(cell.condition, repair) for cell in cells):
        raise UsageError(
            "--repair: nothing in this run is repaired or filled. A policy of your own names who "
            "repairs in [repair]"
        )
    return Plan(cells, limits, hours, left_out)


def owned(name: str, given: Policy, called: str = "policy") -> Experiment:
    """What a policy costs a task: beside the text itself, none of it, and a plain mask."""

    def points(task: str, options: Options) -> Iterator[Point]:
        yield original()
        yield nothing()
        yield mask()
        yield policy(called, given, method="policy")
        if options.kind(task) == "qa":
            yield policy(called, given, restore=True, method="policy")

    return Experiment(Path(name).stem, "What a policy costs a task", points, (name,), limits={})


def estimate(plan: Plan) -> Estimate:
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
    for one in only:
        if one not in names:
            raise UsageError(f'no condition "{one}".{suggest(one, names)}')
    wanted = set().union(*(names[one] for one in only))
    return [cell for cell in cells if not only or cell.condition.name in wanted]


def _asks(condition: Condition, name: str) -> bool:
    part = None if condition.policy is None else condition.policy.repair
    return name in (condition.repair, None if part is None else part.name)


def _readers(grid: Experiment, options: Options) -> set[str]:
    return {one for task in options.tasks for one in grid.readers_of(task, options)}


def _limit(grid: Experiment, options: Options, task: str) -> int | None:
    return grid.limits.get(options.kind(task))


def _tokens(example: Example) -> int:
    asked = question(example.text, example.task)
    return (len(asked.text) + len(asked.system or "")) // _CHARACTERS
