"""From what is asked for to cells, counted before anything is measured."""

import pytest

from privstamp.assets import store
from privstamp.errors import AssetError, UnknownName, UsageError
from privstamp.lab.evals import plan as plan_module
from privstamp.lab.evals import workshop
from privstamp.lab.evals.grids import EXPERIMENTS
from privstamp.lab.evals.plan import estimate, owned, plan
from privstamp.policy import Policy

POLICY = Policy.preset("stamp")


def chosen():
    return POLICY


@pytest.fixture(autouse=True)
def whatever_was_pulled(request, monkeypatch):
    """Plans are the same on every machine, but where a test is about what is missing."""
    if "no_models" not in request.fixturenames:
        monkeypatch.setattr(plan_module, "missing", lambda *_: [])
        monkeypatch.setattr(plan_module, "require", lambda *_: None)


@pytest.fixture
def own(tmp_path):
    (tmp_path / "data.jsonl").write_text(
        "".join(
            f'{{"text": "note {n}", "question": "which?", "answers": "{n}", "marks": []}}\n'
            for n in range(6)
        )
    )
    path = tmp_path / "notes.toml"
    path.write_text(
        'kind = "qa"\ndata = "data.jsonl"\n[columns]\ntask = "question"\nspans = "marks"\n'
    )
    return str(path)


def test_an_experiment_is_its_cells_with_its_own_limits():
    found = plan("table1", chosen, tasks=["fantasy", "ag_news"], seeds=2)
    grid = EXPERIMENTS["table1"]
    assert found.limits == {"fantasy": grid.limits["qa"], "ag_news": grid.limits["classification"]}
    assert {cell.task for cell in found.cells} == {"fantasy", "ag_news"}
    assert {cell.seed for cell in found.cells} == {1, 2}
    assert all(cell.condition.policy != POLICY for cell in found.cells)


def test_readers_go_to_the_tasks_they_can_do():
    found = plan("restore", chosen, tasks=["fantasy", "ag_news"], readers=["tfidf", "gguf:m.gguf"])
    readers = {(cell.task, cell.reader) for cell in found.cells}
    assert readers == {("fantasy", "gguf:m.gguf"), ("ag_news", "tfidf")}


def test_a_reader_that_no_task_is_for_is_refused():
    for unread in ("nobody", "gguf:m.gguf"):
        with pytest.raises(UsageError, match=unread):
            plan("restore", chosen, tasks=["ag_news"], readers=["tfidf", unread])
    with pytest.raises(UsageError, match="tfidf"):
        plan("restore", chosen, tasks=["fantasy"], readers=["tfidf"])


def test_a_task_of_ones_own_is_measured_whole_under_the_policy(own):
    found = plan(own, chosen)
    assert found.limits == {} and found.hours is None
    names = [cell.condition.name for cell in found.cells]
    assert names == ["original", "no context", "mask, detected", "policy", "policy, restored"]
    assert [cell.condition.policy for cell in found.cells[3:]] == [POLICY, POLICY]
    assert {cell.experiment for cell in found.cells} == {"notes"}
    assert plan(own, chosen, limit=3).limits == {own: 3}


def test_labels_are_not_mapped_back():
    from privstamp.lab.evals.experiments import ExperimentOptions

    options = ExperimentOptions(tasks=("t",), kinds={"t": "classification"})
    assert len(owned("t", POLICY).cells(options)) == 4 * 2  # two classifiers


def test_a_file_can_be_a_task_of_an_experiment_with_its_annotated_spans(own):
    found = plan("restore", chosen, tasks=[own])
    assert {cell.condition.spans for cell in found.cells} == {"gold", "detected"}


def test_estimates_count_cells_items_and_prompts(own):
    found = estimate(plan(own, chosen, limit=4, seeds=3))
    assert found.cells == 3 + 2 * 3
    assert found.items == found.prompts == found.cells * 4
    assert found.cost((1e6, 0)) == found.tokens_in > 0
    labels = estimate(plan("overhead", chosen, tasks=["fantasy"], limit=2))
    assert labels.items == 2 * labels.cells


def test_tasks_whose_data_is_absent_are_counted_by_their_limit(monkeypatch, tmp_path):
    import sys

    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    found = estimate(plan("tau", chosen, tasks=["yelp"], limit=7))
    assert found.items == 7 * found.cells and found.prompts == 0
    assert "PRIVSTAMP_DATA" in found.absent["yelp"]


def test_what_cannot_be_planned(own):
    with pytest.raises(UnknownName, match="table1"):
        plan("tabel1", chosen)
    with pytest.raises(UnknownName, match="squad"):
        plan("table1", chosen, tasks=["squid"])
    with pytest.raises(UsageError, match="a file is a task itself"):
        plan(own, chosen, tasks=["fantasy"])


@pytest.fixture
def nothing_pulled(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "nothing"))


def test_a_usual_reader_that_is_not_here_is_left_out_and_said(nothing_pulled):
    found = plan("table1", chosen, tasks=["ag_news"])
    assert {cell.reader for cell in found.cells} == {"tfidf"}
    assert found.left_out == {"minilm": "privstamp assets pull minilm"}
    assert plan("table1", chosen, tasks=["ag_news"], readers=["tfidf"]).left_out == {}


def test_a_reader_that_was_named_or_is_the_only_one_stays(nothing_pulled):
    named = plan("table1", chosen, tasks=["ag_news"], readers=["minilm"])
    assert {cell.reader for cell in named.cells} == {"minilm"} and not named.left_out
    only = plan("table1", chosen, tasks=["fantasy"])
    assert {cell.reader for cell in only.cells} == {"qwen-0.5b"} and not only.left_out


def test_a_usual_reader_that_is_here_takes_part(monkeypatch):
    monkeypatch.setattr(workshop, "_asset", lambda *_: (True, ""))
    found = plan("table1", chosen, tasks=["ag_news"])
    assert {cell.reader for cell in found.cells} == {"tfidf", "minilm"} and not found.left_out


def test_a_model_for_repairs_is_refused_where_there_are_none(own):
    for name, tasks in (("table1", ["fantasy"]), (own, [])):
        with pytest.raises(UsageError, match="nothing in this run is repaired"):
            plan(name, chosen, tasks=tasks, repair="local")
    with pytest.raises(UsageError, match="nothing in this run"):
        plan("repair", chosen, tasks=["fantasy"], repair="local", only=["original"])
    assert plan("baselines", chosen, tasks=["fantasy"], repair="local", only=["mask and fill"])


def test_conditions_may_be_chosen_by_name_or_by_method():
    one = plan("restore", chosen, tasks=["fantasy"], only=["original", "surrogates, gold"])
    assert {cell.condition.name for cell in one.cells} == {"original", "surrogates, gold"}
    method = plan("restore", chosen, tasks=["fantasy"], only=["surrogates"])
    assert {cell.labels["method"] for cell in method.cells} == {"surrogates"}
    assert len(method.cells) > 1
    with pytest.raises(UsageError, match="no condition"):
        plan("restore", chosen, only=["surogates"])


@pytest.fixture
def no_models(monkeypatch, tmp_path):
    """A machine without a model that answers, and without torch."""
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(plan_module, "find_spec", lambda _name: None)


def test_cells_that_cannot_be_run_are_left_out_before_the_first(no_models):
    found = plan("repair", chosen, tasks=["ag_news"], readers=["tfidf"])
    names = {cell.condition.name for cell in found.cells}
    assert names == {"original", "paper", "stamp", "readable"}
    (reason,) = found.unmet
    assert "qwen-0.5b" in reason and found.unmet[reason] == 3
    importance = plan("tau", chosen, tasks=["fantasy"])
    assert not {"saliency", "attention"} & {
        str(cell.labels.get("importance")).partition(",")[0] for cell in importance.cells
    }
    assert any("privstamp[transformers]" in reason for reason in importance.unmet)


def test_what_was_named_is_not_left_out_but_refused(no_models):
    with pytest.raises(AssetError, match=r"qwen-1\.5b"):
        plan("repair", chosen, tasks=["ag_news"], repair="qwen-1.5b")
    with pytest.raises(AssetError, match="smollm2"):
        plan("baselines", chosen, tasks=["fantasy"], only=["mask and fill"])


def test_a_model_elsewhere_is_not_asked_beforehand(no_models):
    found = plan("repair", chosen, tasks=["ag_news"], readers=["tfidf"],
                 repair="https://example.com/v1", repair_model="m")  # fmt: skip
    assert len(found.cells) == 7 and not found.unmet
