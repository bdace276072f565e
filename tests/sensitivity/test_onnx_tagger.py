"""A tagger in ONNX form, on a model of eight tokens made here."""

import sys

import pytest
from documents import as_units
from tiny_taggers import save_onnx

from privstamp.errors import AssetError, MissingExtra, PolicyError
from privstamp.registry import SENSITIVITY
from privstamp.testing import check_sensitivity

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_onnx(tmp_path_factory.mktemp("tagger"))


def build(folder, **options):
    return SENSITIVITY.build(f"onnx:{folder}", options)


def found(part, text):
    return [(text[f.start : f.end], f.kind) for f in part.find([as_units(text)])[0]]


def test_runs_of_labels_become_spans_of_whole_words(folder):
    text = "Then Priya Raghunathan left Sheffield for New York."
    assert found(build(folder), text) == [
        ("Priya Raghunathan", "PERSON"),
        ("Sheffield", "LOCATION"),
        ("New York", "LOCATION"),
    ]


def test_findings_say_who_and_how_sure(folder):
    (one,) = build(folder).find([as_units("\U0001f600 Sheffield")])[0]
    assert (one.start, one.end, one.source, one.rule) == (2, 11, "onnx:", "label of LOCATION")
    assert 0.9 < one.score < 1


def test_long_texts_in_full(folder):
    text = "word " * 700 + "Priya " + "word " * 900 + "Sheffield"
    assert found(build(folder, window=200), text) == [
        ("Priya", "PERSON"),
        ("Sheffield", "LOCATION"),
    ]


def test_kinds_and_threshold(folder):
    assert found(build(folder, entities=["PERSON"]), "Priya, Sheffield") == [("Priya", "PERSON")]
    assert found(build(folder, threshold=0.99), "Priya, Sheffield") == []
    with pytest.raises(PolicyError, match=r'finds no "PERSONS".*Did you mean "PERSON"'):
        build(folder, entities=["PERSONS"])


def test_keeps_the_contract(folder, tmp_path):
    class Space:
        split = staticmethod(as_units)

    part = build(folder)
    check_sensitivity(part, Space())
    assert part.fingerprint != build(folder, entities=["PERSON"]).fingerprint
    assert part.fingerprint == build(save_onnx(tmp_path)).fingerprint


def test_what_is_missing_is_named(folder, tmp_path):
    with pytest.raises(AssetError, match=r"has no model\.onnx, tokenizer\.json, config\.json"):
        build(tmp_path)
    save_onnx(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(AssetError, match="cannot be loaded"):
        build(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    save = (folder / "model.onnx").read_bytes()
    (tmp_path / "model.onnx").write_bytes(save)
    with pytest.raises(AssetError, match="id2label"):
        build(tmp_path)


def test_without_the_extra_the_install_line_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as if it were not installed
    with pytest.raises(MissingExtra, match=r"privstamp\[encoder\]"):
        build(folder)
