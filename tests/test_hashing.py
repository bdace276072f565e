from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from privstamp.assets.cache import digest, digests, size, stamp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.txt").write_bytes(b"b")
    (tmp_path / "sub" / "a.txt").write_bytes(b"aa")
    return tmp_path


def test_a_file_has_its_plain_sha256(folder: Path) -> None:
    assert digest(folder / "b.txt") == hashlib.sha256(b"b").hexdigest()


def test_a_folder_hashes_names_and_contents_in_order(folder: Path) -> None:
    b, a = hashlib.sha256(b"b").hexdigest(), hashlib.sha256(b"aa").hexdigest()
    assert list(digests(folder).items()) == [("b.txt", b), ("sub/a.txt", a)]
    listing = f"{b}  b.txt\n{a}  sub/a.txt\n"
    assert digest(folder) == hashlib.sha256(listing.encode()).hexdigest()


def test_any_change_in_a_folder_changes_its_hash(folder: Path) -> None:
    seen = {digest(folder)}
    (folder / "b.txt").write_bytes(b"c")
    seen.add(digest(folder))
    (folder / "b.txt").rename(folder / "c.txt")
    seen.add(digest(folder))
    (folder / "extra").write_bytes(b"")
    seen.add(digest(folder))
    assert len(seen) == 4


@pytest.mark.parametrize("target", ["", "b.txt"])
def test_a_stamp_notices_a_rewrite_of_the_same_size(folder: Path, target: str) -> None:
    before = stamp(folder / target)
    assert stamp(folder / target) == before
    times = (folder / "b.txt").stat()
    (folder / "b.txt").unlink()
    (folder / "b.txt").write_bytes(b"x")
    # Even with its times put back: the moment of the last change cannot be set.
    os.utime(folder / "b.txt", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert stamp(folder / target) != before


def test_size_of_file_and_folder(folder: Path) -> None:
    assert (size(folder / "b.txt"), size(folder)) == (1, 3)


def test_what_python_compiled_is_no_part_of_a_folder(folder: Path) -> None:
    before = digest(folder)
    (folder / "sub" / "__pycache__").mkdir()
    (folder / "sub" / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"compiled")
    assert digest(folder) == before
    assert size(folder) == 3
