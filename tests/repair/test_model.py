"""Repair by a model: what it is asked, where it runs, and which one is taken."""

import pytest

from privstamp.errors import AssetError, PolicyError, UnknownName, UsageError
from privstamp.registry import REPAIRS
from privstamp.repair import rewriter as module
from privstamp.repair.checks import AGAIN, SYSTEM
from privstamp.repair.rewriter import ModelRepair
from privstamp.types import Reply


class Answers:
    """An answering model that repeats the question."""

    def __init__(self, place="this machine", fingerprint="f"):
        self.name, self.place, self.fingerprint = "echo", place, fingerprint
        self.asked = []

    closed = False

    def close(self):
        self.closed = True

    def complete(self, prompts, *, temperature, max_tokens):
        self.asked.append((list(prompts), temperature, max_tokens))
        return [Reply(one.text, 1, 1) for one in prompts]


def test_a_window_is_asked_alone_without_heat():
    answers = Answers()
    repair = ModelRepair(answers)
    assert repair.rewrite(["some words", "x" * 100]) == ["some words", "x" * 100]
    assert repair.rewrite(["some words"], again=True) == ["some words"]
    (first, heat, most), (second, _, _) = answers.asked
    assert [(one.text, one.system) for one in first] == [
        ("some words", SYSTEM),
        ("x" * 100, SYSTEM),
    ]
    assert [(one.text, one.system) for one in second] == [("some words", AGAIN)]
    assert heat == 0.0 and most == 32 + 50
    assert repair.rewrite([]) == []
    repair.close()
    assert answers.closed


def test_only_a_model_on_this_machine_is_repeatable():
    assert ModelRepair(Answers()).repeatable
    away = ModelRepair(Answers("example.com"))
    assert not away.repeatable and away.place == "example.com"
    assert "echo" in repr(away)
    rows = Answers()
    rows.name = "hf8:qwen-1.5b"
    assert not ModelRepair(rows).repeatable


def test_the_fingerprint_covers_model_and_wording(monkeypatch):
    one = ModelRepair(Answers()).fingerprint
    assert (
        one
        == ModelRepair(Answers()).fingerprint
        != ModelRepair(Answers(fingerprint="g")).fingerprint
    )
    monkeypatch.setattr(module, "SYSTEM", "Do it otherwise.")
    assert ModelRepair(Answers()).fingerprint != one


def pulled(monkeypatch, *names):
    def fake(name, **_settings):
        if name not in names:
            raise AssetError(f"{name} is not here")
        answers = Answers()
        answers.name = name
        return answers

    monkeypatch.setattr(module, "open_answerer", fake)


def test_names_reach_the_model_they_name(monkeypatch):
    asked = []

    def fake(name, **settings):
        asked.append((name, settings))
        return Answers()

    monkeypatch.setattr(module, "open_answerer", fake)
    for name in (
        "local",
        "qwen-1.5b",
        "qwen-0.5b",
        "gguf:some/file.gguf",
        "hf:folder",
        "hf8:qwen-1.5b",
    ):
        REPAIRS.build(name, {"threads": 2})
    for name in ("https://example.com/v1", "http://127.0.0.1:8080/v1"):
        REPAIRS.build(name, {"model": "some-model", "timeout": 5})
    assert [name for name, _ in asked] == [
        "local", "qwen-1.5b", "qwen-0.5b", "gguf:some/file.gguf", "hf:folder", "hf8:qwen-1.5b",
        "https://example.com/v1", "http://127.0.0.1:8080/v1",
    ]  # fmt: skip
    assert asked[0][1] == {"threads": 2, "timeout": module.TIMEOUT}
    assert asked[-1][1] == {"model": "some-model", "timeout": 5}


def test_a_wrong_configuration_is_refused_when_it_is_made():
    with pytest.raises(UnknownName, match='no repair "gpt-9"'):
        REPAIRS.build("gpt-9", {})
    with pytest.raises(UsageError, match="needs the name of a model"):
        REPAIRS.build("https://example.com/v1", {})
    with pytest.raises(UsageError, match="https"):
        REPAIRS.build("http://example.com/v1", {"model": "m"})
    with pytest.raises(AssetError, match="cannot be read as GGUF"):
        REPAIRS.build("gguf:/nowhere/at-all.gguf", {})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("threads", "two"), ("threads", 0), ("threads", True), ("timeout", "soon"),
        ("timeout", -1), ("timeout", float("nan")), ("timeout", float("inf")),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_by_its_name(monkeypatch, option, value):
    pulled(monkeypatch, "qwen-0.5b")
    with pytest.raises(PolicyError, match=f"repair.*{option} "):
        REPAIRS.build("qwen-0.5b", {option: value})
    with pytest.raises(PolicyError, match=r"repair.*: model must be a valid string"):
        REPAIRS.build("https://example.com/v1", {"model": 3})
