"""Folders of the cache belong to one user alone."""

from __future__ import annotations

import os
import stat

import pytest

from privstamp.assets.cache import derived, private_folder, require_private
from privstamp.errors import AssetError

RECIPE = {"table": "0" * 64}
pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX modes")


def build(target):
    (target / "words.txt").write_text("public words")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_whatever_the_umask_nobody_else_can_write(folder, umask):
    before = os.umask(umask)
    try:
        target = derived("toy", RECIPE, build, label="toy")
    finally:
        os.umask(before)
    for path in (folder, folder / "derived"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in (target, *target.rglob("*")):
        assert not path.stat().st_mode & 0o022
    assert derived("toy", RECIPE, lambda _: pytest.fail("built again"), label="toy") == target


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("inner", ["", "derived"])
def test_a_cache_that_others_can_write_is_refused_with_the_fix(folder, mode, inner):
    derived("toy", RECIPE, build, label="toy")
    (folder / inner).chmod(mode)
    with pytest.raises(AssetError, match=r"others can write.*chmod -R go-w"):
        derived("toy", RECIPE, build, label="toy")


def test_a_file_that_others_can_write_is_made_again(folder):
    target = derived("toy", RECIPE, build, label="toy")
    (target / "words.txt").chmod(0o666)
    assert derived("toy", RECIPE, build, label="toy") == target
    assert not (target / "words.txt").stat().st_mode & 0o022


def test_a_cache_of_somebody_else_is_refused_but_not_root_s(folder, monkeypatch):
    private_folder(folder)
    owner = folder.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner:
        with pytest.raises(AssetError, match=r"belongs to another user.*PRIVSTAMP_CACHE"):
            require_private(folder)
    else:
        require_private(folder)
        os.chown(folder, 1234, 1234)
        with pytest.raises(AssetError, match=r"belongs to another user.*PRIVSTAMP_CACHE"):
            require_private(folder)


def test_a_parent_that_is_open_to_all_is_refused_unless_sticky(folder, tmp_path):
    private_folder(folder)
    tmp_path.chmod(0o1777)
    require_private(folder)
    tmp_path.chmod(0o777)
    with pytest.raises(AssetError, match="open to all"):
        require_private(folder)
