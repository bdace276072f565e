from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath

import pytest

from privstamp.assets.catalogue import ASSETS

ROOT = Path(__file__).parents[1]
SHA256 = re.compile(r"[0-9a-f]{64}")


def test_bundled_assets_are_the_pinned_dependencies() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = {line for line in pyproject["project"]["dependencies"] if "==" in line}
    for asset in ASSETS.values():
        for part in asset.parts:
            assert (part.pin in pinned) == asset.bundled


def test_bundled_archives_are_those_of_the_lock_file() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for part in (part for asset in ASSETS.values() if asset.bundled for part in asset.parts):
        assert re.search(rf"^{re.escape(part.pin)} [^=]*(\\\n.*)*{part.sha256}", lock, re.M), part


@pytest.mark.parametrize("name", ASSETS)
def test_rows_are_complete(name: str) -> None:
    asset = ASSETS[name]
    assert asset.name == name
    assert asset.about
    assert asset.licence
    for pinned in (*asset.parts, *asset.members.values()):
        assert SHA256.fullmatch(pinned.sha256)
    assert all(member.size > 0 for member in asset.members.values())
    assert all(part.size > 0 for part in asset.parts) != asset.bundled
    assert len({part.piece is None for part in asset.parts}) == 1  # one thing cut, or none
    assert not asset.plain or (asset.parts[0].piece and len(asset.members) == 1)
    assert len(asset.parts) == 1 or not asset.bundled
    files = {PurePosixPath(member.path).name for member in asset.members.values()}
    assert len(files) == len(asset.members)  # a fetched asset is one flat folder
