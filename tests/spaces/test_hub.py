"""From a name or a path to a model folder; the hub itself is played by a function."""

import fnmatch
import json
import sys
from types import SimpleNamespace

import pytest

from privstamp.errors import AssetError, MissingExtra
from privstamp.spaces import pieces
from privstamp.spaces.pieces import model_folder


def test_a_folder_stands_for_itself(tmp_path):
    assert model_folder(str(tmp_path)) == tmp_path


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "~/nowhere-at-all", "a/b/c", ""])
def test_paths_are_never_fetched(name, monkeypatch):
    monkeypatch.setattr(pieces, "_downloader", lambda *_: pytest.fail("asked the hub"))
    with pytest.raises(AssetError, match="neither a folder nor the name"):
        model_folder(name)


def play_hub(monkeypatch, folder, files, cached=()):
    """A hub with these files; what is asked for and exists lands in the folder."""
    asked = []
    for name in cached:
        (folder / name).write_text(files[name])

    def snapshot_download(name, *, revision, allow_patterns, local_files_only):
        asked.append((name, revision, allow_patterns, local_files_only))
        if not local_files_only:
            for pattern in allow_patterns:
                for file in fnmatch.filter(files, pattern):
                    (folder / file).write_text(files[file])
        return str(folder)

    fake = SimpleNamespace(snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    return asked


SINGLE = {"tokenizer.json": "{}", "model.safetensors": "w", "pytorch_model.bin": "p"}
SHARDS = {"lm_head.weight": "b.safetensors", "model.embed_tokens.weight": "a.safetensors"}
SPLIT = {
    "tokenizer.json": "{}",
    "model.safetensors.index.json": json.dumps({"weight_map": SHARDS}),
    "a.safetensors": "w",
    "b.safetensors": "w",
}


def test_name_and_revision_reach_the_hub(monkeypatch, tmp_path):
    asked = play_hub(monkeypatch, tmp_path, SINGLE)
    assert model_folder("some-org/some.model@v1.0") == tmp_path
    assert {one[:2] for one in asked} == {("some-org/some.model", "v1.0")}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "model.safetensors",
        "tokenizer.json",
    ]
    model_folder("gpt2")
    assert asked[-1][:2] == ("gpt2", None)


def test_only_the_shard_with_the_embedding_is_fetched(monkeypatch, tmp_path):
    play_hub(monkeypatch, tmp_path, SPLIT)
    model_folder("gpt2")
    assert (tmp_path / "a.safetensors").is_file()
    assert not (tmp_path / "b.safetensors").exists()


def test_an_index_without_known_names_needs_all_shards(monkeypatch, tmp_path):
    index = json.dumps({"weight_map": {"x.odd": "a.safetensors", "y.odd": "b.safetensors"}})
    play_hub(monkeypatch, tmp_path, SPLIT | {"model.safetensors.index.json": index})
    model_folder("gpt2")
    assert (tmp_path / "b.safetensors").is_file()


def test_a_second_start_needs_no_network(monkeypatch, tmp_path):
    asked = play_hub(monkeypatch, tmp_path, SINGLE, cached=["tokenizer.json", "model.safetensors"])
    model_folder("gpt2")
    assert all(offline for *_, offline in asked)


def test_a_half_filled_cache_is_completed(monkeypatch, tmp_path):
    play_hub(monkeypatch, tmp_path, SPLIT, cached=["tokenizer.json"])
    model_folder("gpt2")
    assert (tmp_path / "a.safetensors").is_file()


def test_pickles_are_not_fetched(monkeypatch, tmp_path):
    play_hub(monkeypatch, tmp_path, {"tokenizer.json": "{}", "pytorch_model.bin": "p"})
    with pytest.raises(AssetError, match="never fetched"):
        model_folder("gpt2")
    assert not (tmp_path / "pytorch_model.bin").exists()


def test_the_extra_is_named_when_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r'pip install "privstamp\[hub\]"'):
        model_folder("gpt2")


def test_trouble_with_the_hub_is_an_asset_error(monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("no route")

    fake = SimpleNamespace(snapshot_download=broken)
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    with pytest.raises(AssetError, match="cannot be fetched from the hub"):
        model_folder("gpt2@main")
