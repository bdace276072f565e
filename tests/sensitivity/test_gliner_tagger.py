"""A GLiNER model, played by a stand-in with the calls that the library documents."""

import re
import sys
from itertools import pairwise
from types import ModuleType

import pytest
from documents import as_units, said

from privstamp.errors import AssetError, MissingExtra, PolicyError
from privstamp.registry import SENSITIVITY
from privstamp.sensitivity.gliner_tagger import SHARED, windows

KNOWN = {"person": "Priya Raghunathan", "location": "Sheffield", "ward": "ward nine"}
LIMIT = 384


class GLiNER:
    """Finds known strings; like the library, it reads so many words and drops the rest."""

    asked: list[tuple[str, tuple[str, ...]]] = []  # noqa: RUF012

    @classmethod
    def from_pretrained(cls, model_id, model_dir=None, revision=None, *, map_location="cpu"):
        if "broken" in str(model_id):
            raise OSError("no such file: private/path")
        return cls()

    def predict_entities(self, text, labels, flat_ner=True, threshold=0.5, multi_label=False):
        self.asked.append((text, tuple(labels)))
        words = list(re.finditer(r"\w+(?:[-_]\w+)*|\S", text))
        read = text[: words[LIMIT - 1].end()] if len(words) > LIMIT else text
        return [
            {"start": m.start(), "end": m.end(), "text": m[0], "label": label, "score": 0.8}
            for label in labels
            for m in re.finditer(re.escape(KNOWN.get(label, "\0")), read)
            if threshold <= 0.8
        ]


@pytest.fixture(autouse=True)
def library(monkeypatch):
    module = ModuleType("gliner")
    module.GLiNER, module.__version__ = GLiNER, "0.2.test"
    hub = ModuleType("huggingface_hub")

    def snapshot_download(name, *, revision=None):
        raise OSError("offline")

    hub.snapshot_download = snapshot_download
    monkeypatch.setitem(sys.modules, "gliner", module)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr(GLiNER, "asked", [])


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gliner_config.json").write_text("{}")
    return tmp_path


def build(folder, **options):
    return SENSITIVITY.build(f"gliner:{folder}", options)


def test_labels_become_kinds(folder):
    text = "Then Priya Raghunathan left Sheffield."
    [findings] = build(folder).find([as_units(text)])
    assert said(text, findings) == {"Priya Raghunathan": "PERSON", "Sheffield": "LOCATION"}
    assert (findings[0].source, findings[0].rule) == ("gliner:", "label person")
    assert findings[0].score == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("labels", "kind"), [(["ward"], "WARD"), ({"ward": "NUMERIC_ID"}, "NUMERIC_ID")]
)
def test_labels_of_your_own(folder, labels, kind):
    text = "Priya Raghunathan lies in ward nine."
    [findings] = build(folder, labels=labels).find([as_units(text)])
    assert said(text, findings) == {"ward nine": kind}
    assert {labels for _, labels in GLiNER.asked} == {("ward",)}


def test_long_texts_are_read_in_full(folder):
    filler = "nothing of note happened that day, " * 80
    text = f"{filler}Priya Raghunathan {filler}Sheffield {filler}"
    [findings] = build(folder).find([as_units(text)])
    assert [text[one.start : one.end] for one in findings] == ["Priya Raghunathan", "Sheffield"]
    assert max(len(read.split()) for read, _ in GLiNER.asked) <= 128


@pytest.mark.parametrize("text", ["", "   ", "word", "a-b " * 300, "x" * 5000, "?!" * 400])
def test_windows_cover_every_word_and_overlap(text):
    made = list(windows(text, 60))
    covered = {index for start, end in made for index in range(start, end)}
    assert {index for index, char in enumerate(text) if not char.isspace()} <= covered
    for (_, end), (start, _) in pairwise(made):
        assert len(list(re.finditer(r"\w{1,32}|\S", text[start:end]))) >= SHARED


def test_the_threshold_reaches_the_model(folder):
    assert build(folder, threshold=0.9).find([as_units("in Sheffield")]) == [[]]


def test_the_fingerprint_follows_files_and_options(folder):
    first = build(folder).fingerprint
    assert build(folder).fingerprint == first
    assert build(folder, threshold=0.6).fingerprint != first
    assert build(folder, labels=["person"]).fingerprint != first
    (folder / "gliner_config.json").write_text("[]")
    assert build(folder).fingerprint != first


def test_spans_outside_of_the_text_are_refused(folder, monkeypatch):
    wild = [{"start": 2, "end": 900, "label": "person", "score": 0.9}]
    monkeypatch.setattr(GLiNER, "predict_entities", lambda *_, **__: wild)
    with pytest.raises(ValueError, match="outside of the text"):
        build(folder).find([as_units("some words")])


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 2},
        {"threshold": True},
        {"window": 5},
        {"labels": []},
        {"labels": "person"},
        {"labels": {"ward": 3}},
        {"labels": [" "]},
    ],
)
def test_bad_options_are_refused(folder, options):
    with pytest.raises(PolicyError):
        build(folder, **options)


def test_a_model_that_cannot_be_had_is_refused_without_its_reasons(tmp_path):
    (tmp_path / "broken").mkdir()
    for name in (tmp_path / "broken", "nobody/nothing@main"):
        with pytest.raises(AssetError, match="cannot be loaded") as caught:
            build(name)
        assert "private" not in str(caught.value) and caught.value.__context__ is None


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gliner", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[gliner\]"'):
        build("somebody/some-model")
