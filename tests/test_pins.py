"""A folder in the cache never vouches for itself: the package does."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from privstamp import Privatizer
from privstamp.assets import cache
from privstamp.assets import cache as pins
from privstamp.assets.cache import MANIFEST, cache_folder, derived, vouched
from privstamp.errors import AssetError
from privstamp.policy import PRESETS, Policy

RECIPE = {"table": "0" * 64}
RENEW = (
    "what the presets derive has changed: run `make pins`, commit src/privstamp/assets/pins.json"
)


def build(target: Path) -> None:
    (target / "words.txt").write_text("public words")


def rewrite(folder: Path, name: str, content: bytes) -> None:
    """Change a file and renew the manifest beside it, as an attacker would."""
    (folder / name).write_bytes(content)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["files"][name] = {"size": len(content), "sha256": sha256(content).hexdigest()}
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.fixture
def fresh_process(monkeypatch):
    """What this process made itself is forgotten, as in the next one."""
    monkeypatch.setattr(cache, "_made_here", {})
    return cache._made_here.clear


def test_a_rewritten_manifest_convinces_nobody(tmp_path, monkeypatch, fresh_process):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    folder = derived("toy", RECIPE, build, label="toy")
    monkeypatch.setattr(cache, "pinned", {folder.name: pins.content(folder)}.get)
    assert vouched() == {folder: True}
    fresh_process()
    rewrite(folder, "words.txt", b"changed")
    assert vouched() == {folder: False}
    assert derived("toy", RECIPE, build, label="toy") == folder
    assert (folder / "words.txt").read_text() == "public words"


def test_what_disagrees_with_its_pin_is_made_again_in_every_process(
    tmp_path, monkeypatch, fresh_process
):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "pinned", lambda _: "0" * 64)
    builds = []

    def counted(target: Path) -> None:
        builds.append(target)
        build(target)

    for _ in range(3):
        derived("toy", RECIPE, counted, label="toy")
    assert len(builds) == 1
    fresh_process()
    derived("toy", RECIPE, counted, label="toy")
    assert len(builds) == 2


def test_code_keeps_folders_apart_and_no_pin_depends_on_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    one = derived("toy", RECIPE, build, label="toy", code="a" * 64)
    other = derived("toy", RECIPE, build, label="toy", code="b" * 64)
    assert one != other
    monkeypatch.setattr(cache, "pinned", {one.name.partition(".")[0]: pins.content(one)}.get)
    assert vouched() == {one: True, other: True}


@pytest.mark.parametrize("name", ["readable", "stamp"])
def test_all_that_a_preset_derives_is_pinned_and_as_pinned(name, monkeypatch):
    monkeypatch.setattr(cache, "_opened", {})
    Privatizer(Policy.preset(name))
    for folder, path in cache.opened().items():
        assert pins.pinned(folder) == pins.content(path), RENEW


@pytest.fixture
def changed_graph(tmp_path, monkeypatch, fresh_process):
    """A copy of the cache in which every word of the graph is alone: all would leave verbatim."""
    Privatizer(PRESETS["readable"])
    opened = {name: path for name, path in cache.opened().items() if pins.pinned(name)}
    root = tmp_path / "cache" / "derived"
    root.mkdir(parents=True, mode=0o700)
    for path in opened.values():
        shutil.copytree(path, root / path.name, copy_function=os.link)
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(root.parent))
    fresh_process()
    [graph] = root.glob("graph-*")
    for file in graph.glob("*-shells.npy"):
        shells = np.load(file)
        shells[:, 1:] = 0
        file.unlink()
        np.save(file, shells)
        rewrite(graph, file.name, file.read_bytes())
    return graph


def test_a_changed_graph_is_made_again(changed_graph):
    before = pins.content(changed_graph)
    line = Privatizer(PRESETS["readable"], seed=1)
    assert pins.content(changed_graph) == pins.pinned(changed_graph.name) != before
    text = "The committee read the annual report about rivers, bridges and winter weather."
    assert line.privatize(text).text != text


def test_the_self_check_notices_tables_that_nobody_pins(changed_graph, monkeypatch):
    monkeypatch.setattr(cache, "pinned", lambda _: None)
    with pytest.raises(AssetError, match=r"self-check failed.*assets verify"):
        Privatizer(PRESETS["readable"])
    assert cache_folder() in changed_graph.parents


def test_the_graph_s_fingerprint_tells_of_shells(changed_graph, monkeypatch):
    from privstamp.registry import SPACES
    from privstamp.spaces.graph import neighbour_graph

    monkeypatch.setattr(cache, "pinned", lambda _: None)
    space = SPACES.build("glove", {})
    changed = neighbour_graph(space, 24, 48).fingerprint
    shutil.rmtree(changed_graph)
    assert neighbour_graph(space, 24, 48).fingerprint != changed


def test_assets_verify_notices_a_rewritten_manifest(changed_graph, monkeypatch):
    from typer.testing import CliRunner

    from privstamp.assets import store as assets
    from privstamp.cli.app import app

    monkeypatch.setattr(assets, "verify", lambda _: None)
    done = CliRunner().invoke(app, ["assets", "verify"])
    assert f"{changed_graph.name}: WRONG" in done.output
    assert done.exit_code != 0
