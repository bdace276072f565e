import sys
from types import SimpleNamespace

import pytest

from privstamp.errors import AssetError, MissingExtra, UsageError
from privstamp.models.transformer import WANTED, TransformerModel, model_folder


def test_a_folder_stands_for_itself(tmp_path):
    assert model_folder(str(tmp_path)) == tmp_path


@pytest.mark.parametrize("argument", ["", "./absent", "/absent", "~/absent", "a/b/c", "a b"])
def test_what_is_neither_folder_nor_name_is_refused(argument):
    with pytest.raises(AssetError, match="neither a folder nor the name of a model"):
        model_folder(argument)


def hub(monkeypatch, tmp_path, *, cached: bool, files: tuple[str, ...]) -> list[dict]:
    calls: list[dict] = []

    def snapshot_download(name, **options):
        calls.append({"name": name, **options})
        if options["local_files_only"] and not cached:
            raise OSError("not here")
        for file in files:
            (tmp_path / file).write_text("x")
        return str(tmp_path)

    fake = SimpleNamespace(snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    return calls


WHOLE = ("config.json", "tokenizer.json", "model.safetensors")


def test_names_are_fetched_once_and_never_as_pickles(monkeypatch, tmp_path):
    calls = hub(monkeypatch, tmp_path, cached=False, files=WHOLE)
    assert model_folder("owner/name@v1") == tmp_path
    assert [call["local_files_only"] for call in calls] == [True, False]
    assert calls[1]["name"] == "owner/name" and calls[1]["revision"] == "v1"
    assert calls[1]["allow_patterns"] == list(WANTED)
    assert not any(pattern.endswith((".bin", ".py", "*")) for pattern in WANTED)


def test_what_is_here_needs_no_network(monkeypatch, tmp_path):
    calls = hub(monkeypatch, tmp_path, cached=True, files=WHOLE)
    model_folder("name")
    assert [call["local_files_only"] for call in calls] == [True]


def test_a_model_without_safetensors_is_refused(monkeypatch, tmp_path):
    hub(monkeypatch, tmp_path, cached=False, files=WHOLE[:2])
    with pytest.raises(AssetError, match="no safetensors weights"):
        model_folder("name")


def test_without_the_extra_the_install_line_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[transformers\]"'):
        model_folder("owner/name")


def test_threads_are_counted_from_one(tmp_path):
    with pytest.raises(UsageError, match="threads must be 1 or more, not 0"):
        TransformerModel(str(tmp_path), threads=0)
