"""What decides a result is in its cell's fingerprints; models are opened once and closed."""

import pickle
from functools import partial
from types import SimpleNamespace

import pytest

import tiny_workshop as tiny
from privstamp.errors import InputError, NoAnswer
from privstamp.lab.evals import workshop
from privstamp.lab.evals.contracts import Cell, Condition
from privstamp.lab.evals.workshop import Workshop
from privstamp.policy import Policy
from privstamp.types import Usage


class Model:
    """An answerer that is never asked."""

    place = "somewhere"

    def __init__(self, name, log):
        self.name, self.fingerprint, self.usage, self._log = name, f"made of {name}", Usage(), log

    def close(self):
        self._log.append(f"closed {self.name}")


@pytest.fixture
def opened(monkeypatch):
    """A workshop with stand-ins for models and releases; `log` says what was opened and closed."""
    log, asked = [], {}

    def answerer(name, **settings):
        log.append((name, settings.get("model")))
        asked.update(settings)
        return Model(settings.get("model") or name, log)

    releaser = SimpleNamespace(
        fingerprints=lambda condition: {"space": condition.name},
        releases=lambda *_: [],
        usage=list,
        close=lambda: log.append("closed releaser"),
    )
    monkeypatch.setattr(workshop, "open_answerer", answerer)
    monkeypatch.setattr(workshop, "open_similarity", lambda: (None, ""))
    monkeypatch.setattr(workshop, "Releaser", lambda **_: releaser)
    monkeypatch.setattr(workshop, "load_task", lambda name: tiny.TinyTask(name, kind="qa"))

    def open_with(**settings):
        made = Workshop(**settings)
        made.log, made.asked = log, asked
        return made

    return open_with


def cell(policy="stamp", reader="qwen-0.5b", task="notes"):
    return Cell("toy", task, Condition(policy, "policy", Policy.preset(policy)), 1, reader)


def test_fingerprints_name_data_reader_parts_and_version(opened):
    found = opened().fingerprints(cell())
    assert found["task"] == "tiny 1" and found["space"] == "stamp"
    assert found["privstamp"] and "privstamp" in found["parts"]
    assert found["reader"] != opened().fingerprints(cell(reader="qwen-1.5b"))["reader"]
    assert found != opened().fingerprints(cell(policy="readable"))


def test_a_task_that_is_not_at_hand_is_looked_for_once(opened, monkeypatch):
    asked = []

    def load(name):
        asked.append(name)
        raise InputError("not at hand")

    monkeypatch.setattr(workshop, "load_task", load)
    made = opened()
    for _ in range(3):
        with pytest.raises(InputError, match="not at hand"):
            made.task("notes")
    assert asked == ["notes"]


def test_a_model_is_opened_once_for_all_tasks_and_closed(opened):
    made = opened()
    for task in ("notes", "letters"):
        made.reader(cell(task=task))
        made.reader(cell(task=task))
    assert made.log == [("qwen-0.5b", None)]
    assert made.usage() == {"somewhere": Usage()}
    made.close()
    assert "closed qwen-0.5b" in made.log


def test_an_endpoint_is_asked_for_the_model_by_its_name(opened):
    made = opened(endpoint="https://example.com/v1")
    made.reader(cell(reader="large"))
    assert made.log == [("https://example.com/v1", "large")]


def test_gaps_are_filled_here_or_where_it_is_said_whatever_readers_ask(opened, monkeypatch):
    given = {}
    releaser = SimpleNamespace(usage=list, close=lambda: None)
    monkeypatch.setattr(workshop, "Releaser", lambda **more: given.update(more) or releaser)
    made = opened(endpoint="https://example.com/v1")
    assert made._releaser is releaser
    assert given["opener"]("local", model=None).name == "local"
    away = given["opener"]("https://other.example", model="large")
    assert made.log == [("local", None), ("https://other.example", "large")]
    assert isinstance(away, workshop.Patient)


def test_how_an_endpoint_is_asked_reaches_it_and_no_model_here(opened):
    made = opened(endpoint="https://example.com/v1", timeout=7.0, concurrency=2)
    made.reader(cell(reader="large"))
    assert (made.asked["timeout"], made.asked["concurrency"]) == (7.0, 2)
    made.asked.clear()
    made = opened(timeout=7.0, concurrency=2)
    made.reader(cell())
    assert not {"timeout", "concurrency"} & set(made.asked)


class Silent(Model):
    """An answerer that never answers."""

    asked = 0

    def complete(self, *_, **__):
        Silent.asked += 1
        raise NoAnswer("did not answer")


def test_all_tasks_give_up_a_silent_endpoint_together(opened, monkeypatch):
    monkeypatch.setattr(workshop, "open_answerer", lambda _, **more: Silent(more["model"], []))
    monkeypatch.setattr(workshop.Patient, "__init__", _hasty)
    made = opened(endpoint="https://example.com/v1")
    for n in range(8):
        with pytest.raises(NoAnswer):
            made.reader(cell(task=f"notes {n % 2}")).read([], [])
    assert Silent.asked == workshop.GIVEN_UP


def _hasty(self, model, init=workshop.Patient.__init__):
    init(self, model, wait=lambda _: None)


def test_usage_is_added_up_by_place(opened, monkeypatch):
    made = opened()
    made.reader(cell())
    made.reader(cell(reader="qwen-1.5b"))
    for model, count in zip(made._models.values(), (3, 4), strict=True):
        model.usage = Usage(count, 0, 10 * count, count)
    assert made.usage() == {"somewhere": Usage(7, 0, 70, 7)}
    made._releaser.usage = lambda: [("host", Usage(1)), ("somewhere", Usage(2))]
    assert made.usage() == {"somewhere": Usage(9, 0, 70, 7), "host": Usage(1)}


def test_versions_name_packages_and_the_state_of_the_code(opened):
    found = opened().versions
    assert {"python", "privstamp", "numpy", "spacy"} <= set(found)
    assert len(found["code"]) == 16


def test_settings_travel_to_other_processes():
    opener = partial(Workshop, "https://example.com/v1", timeout=2.0)
    there = pickle.loads(pickle.dumps(opener))()
    assert (there.endpoint, there.timeout) == ("https://example.com/v1", 2.0)
