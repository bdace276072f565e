import math
from collections import Counter

import pytest

from privstamp.errors import UnknownName, UsageError
from privstamp.lab.evals.experiments import (
    TASKS,
    ExperimentOptions,
    presidio_placeholders,
    reads,
    replacing,
)
from privstamp.lab.evals.grids import EXPERIMENTS, LADDERS, VECTORS, experiment, noised
from privstamp.registry import IMPORTANCE, MECHANISMS
from privstamp.release.parts import check_budget

ALL = list(EXPERIMENTS.values())
NAMES = [one.name for one in ALL]
each = pytest.mark.parametrize("grid", ALL, ids=NAMES)


def conditions(name, task):
    return {
        cell.condition.name: cell for cell in experiment(name).cells(ExperimentOptions((task,)))
    }


def test_the_experiments_that_are_promised_are_there():
    assert {
        "table1", "stamp-vs-uniform", "tau", "overhead", "repair", "mechanisms", "restore",
        "baselines",
    } == set(NAMES)  # fmt: skip


def test_an_unknown_experiment_lists_the_known_ones():
    with pytest.raises(UnknownName, match="table1"):
        experiment("table2")


@each
def test_names_tell_conditions_apart(grid):
    cells = grid.cells(ExperimentOptions(seeds=2))
    named = Counter((cell.task, cell.condition.name, cell.seed, cell.reader) for cell in cells)
    assert max(named.values()) == 1
    made = {(cell.task, repr(cell.condition.data()), cell.seed, cell.reader) for cell in cells}
    assert len(made) == len(named)


@pytest.mark.parametrize("name", ["repair", "overhead", "baselines"])
def test_another_model_repairs_or_fills(name):
    usual, other = (
        experiment(name).cells(ExperimentOptions(repair=one)) for one in (None, "hf8:qwen-1.5b")
    )
    changed = [
        (one.condition.name, named.condition)
        for one, named in zip(usual, other, strict=True)
        if one.condition != named.condition
    ]
    assert changed
    for was, condition in changed:
        assert "repaired" in was or "fill" in was
        part = None if condition.policy is None else condition.policy.repair
        assert "hf8:qwen-1.5b" in (condition.repair, part and part.name)


@pytest.mark.parametrize("name", ["repair", "overhead", "baselines"])
def test_a_model_elsewhere_repairs_or_fills_by_its_name_there(name):
    url = "https://example.com/v1"
    cells = experiment(name).cells(ExperimentOptions(repair=url, repair_model="large"))
    parts = [cell.condition.policy.repair for cell in cells if cell.condition.policy is not None]
    asked = {(part.name, part.options["model"]) for part in parts if part is not None}
    asked |= {(c.condition.repair, c.condition.repair_model) for c in cells if c.condition.repair}
    assert asked == {(url, "large")}


@each
def test_every_policy_has_a_budget_that_its_mechanisms_keep(grid):
    for cell in grid.cells():
        if cell.condition.policy is not None:
            check_budget(cell.condition.policy)


@each
def test_seeds_repeat_only_what_is_drawn(grid):
    once, thrice = (
        Counter(c.condition.name for c in grid.cells(ExperimentOptions(seeds=n))) for n in (1, 3)
    )
    drawn = {c.condition.name for c in grid.cells() if c.condition.method == "policy"}
    assert all(thrice[name] == once[name] * (3 if name in drawn else 1) for name in once)


@each
def test_an_experiment_says_what_it_costs(grid):
    assert 0.01 < grid.hours() < 24
    assert grid.hours(ExperimentOptions(seeds=3)) > 2 * grid.hours() * 0.8
    assert grid.hours(limit=1) < grid.hours()
    assert len(grid.about) < 100


def test_readers_do_the_tasks_that_they_can():
    options = ExperimentOptions(("fantasy", "ag_news"), readers=("tfidf", "gguf:model.gguf"))
    found = {(cell.task, cell.reader) for cell in experiment("table1").cells(options)}
    assert found == {("fantasy", "gguf:model.gguf"), ("ag_news", "tfidf")}
    assert reads("hf:model", "classification") and reads("hf:model", "qa")
    assert reads("hf:qwen-0.5b", "qa") and not reads("hf:qwen-0.5b", "classification")


def test_own_tasks_say_their_kind():
    options = ExperimentOptions(("mine.toml",), kinds={"mine.toml": "qa"})
    assert experiment("restore").cells(options)[0].reader == "qwen-1.5b"
    with pytest.raises(UsageError, match="qa or classification"):
        experiment("restore").cells(ExperimentOptions(("mine.toml",)))
    assert ExperimentOptions().kind("squad@main") == "qa"


def test_the_table_has_the_papers_vectors():
    assert VECTORS[0] == (150, 50, 450, 350)
    assert VECTORS[-1] == (350, 250, 650, 550)
    cells = conditions("table1", "ag_news").values()
    found = {(c.labels["mechanism"], c.labels["metric"], c.labels["space"], c.labels["vector"])
             for c in cells if c.condition.policy}  # fmt: skip
    assert len(found) == 4 * 2 * 5
    assert ("polar", "angular", "pieces", 1) in found
    policy = conditions("table1", "ag_news")["polar angular on pieces, vector 1"].condition.policy
    assert policy.sensitivity.name == "presidio"
    assert policy.importance.options == {"tau": 0.5}
    assert policy.space.options == {"preprocessing": "raw"}


def test_variants_leave_their_other_groups_unprotected():
    cells = conditions("stamp-vs-uniform", "ag_news")
    assert cells["private-low 15"].condition.policy.budget.epsilon == (
        math.inf, 15, math.inf, math.inf,
    )  # fmt: skip
    assert cells["stamp 15"].condition.policy.budget.epsilon == (30, 15, 60, 45)
    uniform = [cell.labels["base"] for name, cell in cells.items() if name.startswith("uniform")]
    assert min(uniform) <= 5
    assert max(uniform) >= 90  # so that the mean of stamp's largest budget lies inside


def test_every_method_of_importance_has_its_thresholds():
    cells = conditions("tau", "fantasy").values()
    found = {c.condition.policy.importance.name for c in cells if c.condition.policy}
    # occlusion needs a function, and none has no threshold
    assert found == {entry.name for entry in IMPORTANCE.entries()} - {"occlusion", "none"}


def test_every_mechanism_that_randomises_has_a_ladder():
    randomises = {
        entry.name for entry in MECHANISMS.entries() if not hasattr(entry_class(entry), "draw")
    }
    assert {ladder.mechanism for ladder in LADDERS} == randomises
    for ladder in LADDERS:
        assert list(ladder.budgets) == sorted(ladder.budgets)


def entry_class(entry):
    return MECHANISMS.load(entry.name)


def test_answers_are_mapped_back_and_not_for_questions_alone():
    restored = {name for name, c in conditions("restore", "fantasy").items() if c.condition.restore}
    assert {
        "surrogates, gold, restored",
        "placeholders, restored",
        "readable, restored",
    } <= restored
    assert "surrogates, gold" in conditions("restore", "fantasy")
    assert not any(c.condition.restore for c in conditions("restore", "yelp").values())


def test_only_annotated_tasks_have_gold_spans():
    for task in TASKS:
        gold = any(c.condition.spans == "gold" for c in conditions("restore", task).values())
        assert gold == (task == "fantasy")


def test_only_what_is_sensitive_is_replaced():
    policy = replacing("surrogate")
    assert policy.budget.epsilon == (0, 0, math.inf, math.inf)
    assert policy.mechanism_of(1).name == "surrogate"
    assert presidio_placeholders().numbers == "perturb"


def test_every_unit_is_noised_where_it_is_said():
    for task in TASKS:
        assert all(math.isfinite(epsilon) for epsilon in noised(task).budget.epsilon)


def test_repaired_releases_have_the_noise_of_the_others():
    cells = conditions("repair", "fantasy")
    plain, repaired = (
        next(c.condition for n, c in cells.items() if n.startswith(name))
        for name in ("readable, restored", "readable, repaired")
    )
    assert repaired.policy.repair is not None
    assert repaired.policy.unrepaired == plain.policy


def test_all_baselines_are_in_one_run():
    methods = {cell.labels["method"] for cell in conditions("baselines", "fantasy").values()}
    assert methods >= {
        "original", "no context", "mask", "mask and fill", "Presidio placeholders", "uniform",
        "private-low", "private-only", "all-but-important", "stamp", "readable", "paper",
        "surrogates", "placeholders",
    }  # fmt: skip
