"""A classifier of the hub, played by stand-ins for transformers and torch."""

import sys
from types import SimpleNamespace

import pytest

from privstamp.errors import AssetError, MissingExtra, UsageError
from privstamp.lab.evals.classifiers import labels_of, open_classifier
from privstamp.lab.evals.contracts import Example, Release, Task

EXAMPLES = [
    Example(str(n), str(n), f"text {n}", "Which?", label="a" if n < 2 else "b") for n in range(3)
]
TASK = Task("toy", "classification", EXAMPLES, labels=["a", "b"])


@pytest.fixture
def played(monkeypatch):
    """Its model says B of every text; `asked` are the arguments of all calls."""
    asked = []
    config = SimpleNamespace(id2label={0: "A", 1: "B"}, _commit_hash="c0ffee")

    def loaded(where, **options):
        asked.append((where, options))
        return SimpleNamespace(config=config)

    def pipeline(kind, **parts):
        def run(texts, **options):
            asked.append((texts, options))
            return [{"label": "B", "score": 0.9} for _ in texts]

        return run

    loader = SimpleNamespace(from_pretrained=loaded)
    library = SimpleNamespace(
        AutoTokenizer=loader, AutoModelForSequenceClassification=loader, pipeline=pipeline
    )
    monkeypatch.setitem(sys.modules, "transformers", library)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    return asked


def test_it_reads_releases_and_its_labels_are_the_tasks(played):
    reader = open_classifier("hf:some/model@v1", TASK)
    found = reader.read(EXAMPLES, [Release(one.text, "?") for one in EXAMPLES])
    assert [one["predicted"] for one in found] == ["b", "b", "b"]
    assert [one["correct"] for one in found] == [0, 0, 1]
    assert reader.name == "hf:some/model" and len(reader.fingerprint) == 64
    where, options = played[1]
    assert where == "some/model" and options["revision"] == "v1"
    assert options["use_safetensors"] is True and options["trust_remote_code"] is False
    assert reader.read([], []) == []


def test_another_commit_is_another_fingerprint(played, monkeypatch):
    first = open_classifier("hf:some/model", TASK).fingerprint
    config = sys.modules["transformers"].AutoTokenizer.from_pretrained("x").config
    monkeypatch.setattr(config, "_commit_hash", "decaf")
    assert open_classifier("hf:some/model", TASK).fingerprint != first


def test_what_cannot_be_loaded_is_named(played, monkeypatch):
    def broken(where, **options):
        raise OSError("no such thing")

    monkeypatch.setattr(sys.modules["transformers"].AutoTokenizer, "from_pretrained", broken)
    with pytest.raises(AssetError, match=r'"some/model" cannot be loaded \(OSError\)') as caught:
        open_classifier("hf:some/model", TASK)
    assert caught.value.__context__ is None


def test_without_transformers_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    with pytest.raises(MissingExtra, match=r"privstamp\[transformers\]"):
        open_classifier("hf:some/model", TASK)


@pytest.mark.parametrize(
    ("named", "labels", "found"),
    [
        (["SPORTS", "World"], ("World", "Sports"), {"SPORTS": "Sports", "World": "World"}),
        (["1 star", "2 stars"], ("1", "2"), {"1 star": "1", "2 stars": "2"}),
        (["LABEL_0", "LABEL_1"], ("b", "a"), {"LABEL_0": "b", "LABEL_1": "a"}),
    ],
)
def test_labels_are_matched_by_name_first_word_or_place(named, labels, found):
    assert labels_of(named, labels) == found


@pytest.mark.parametrize("named", [["good", "bad"], ["a"], ["a", "b", "c"], ["LABEL_1", "LABEL_0"]])
def test_labels_that_do_not_fit_are_refused(named):
    with pytest.raises(UsageError, match="are not the task's"):
        labels_of(named, ("a", "b"))
