from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EROFS
from pathlib import Path

import platformdirs
import pytest

from privstamp.assets import cache
from privstamp.assets.cache import MANIFEST, announce, cache_folder, derived
from privstamp.errors import AssetError

RECIPE = {"table": "0" * 64}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def build(target: Path) -> None:
    (target / "table.npy").write_bytes(b"numbers" * 1000)
    (target / "sub").mkdir()
    (target / "sub" / "words.txt").write_text("words")


def refuse(_: Path) -> None:
    raise AssertionError("built again")


def contents(target: Path) -> bytes:
    return (target / "table.npy").read_bytes()


def everything_but_locks(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_the_environment_moves_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    assert cache_folder() == folder
    assert derived("toy", RECIPE, build, label="toy").is_relative_to(folder)
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("PRIVSTAMP_CACHE")
        else:
            monkeypatch.setenv("PRIVSTAMP_CACHE", unset)
        assert cache_folder() == platformdirs.user_cache_path("privstamp", appauthor=False)


def test_a_relative_cache_does_not_follow_the_working_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIVSTAMP_CACHE", "here")
    assert cache_folder() == tmp_path / "here"


def test_built_once_then_opened(folder: Path) -> None:
    first = derived("toy", RECIPE, build, label="toy")
    assert derived("toy", RECIPE, refuse, label="toy") == first
    assert contents(first) == b"numbers" * 1000


def test_kind_recipe_and_format_each_make_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [derived("toy", RECIPE, build, label="toy")]
    made.append(derived("toy2", RECIPE, build, label="toy"))
    made.append(derived("toy", {"table": "1" * 64}, build, label="toy"))
    monkeypatch.setattr(cache, "CACHE_FORMAT", cache.CACHE_FORMAT + 1)
    made.append(derived("toy", RECIPE, build, label="toy"))
    assert len(set(made)) == 4


def test_a_kind_may_hold_any_character() -> None:
    assert contents(derived("hf:a/../b\x00*", RECIPE, build, label="toy"))


def flip_a_byte(target: Path) -> None:
    (target / "table.npy").write_bytes(b"N" + contents(target)[1:])


def truncate(target: Path) -> None:
    (target / "table.npy").write_bytes(contents(target)[:-1])


def lose_a_file(target: Path) -> None:
    (target / "sub" / "words.txt").unlink()


def gain_a_file(target: Path) -> None:
    (target / "more").write_text("")


def lose_the_manifest(target: Path) -> None:
    (target / MANIFEST).unlink()


def spoil_the_manifest(target: Path) -> None:
    (target / MANIFEST).write_bytes(b"\xff[1")


def empty_the_manifest(target: Path) -> None:
    (target / MANIFEST).write_text('{"files": []}')


def become_a_file(target: Path) -> None:
    target.rename(target.with_suffix(".away"))
    target.write_text("")


@pytest.mark.parametrize(
    "damage",
    [
        flip_a_byte,
        truncate,
        lose_a_file,
        gain_a_file,
        lose_the_manifest,
        spoil_the_manifest,
        empty_the_manifest,
        become_a_file,
    ],
)
def test_damage_is_noticed_and_repaired(damage: Callable[[Path], None]) -> None:
    target = derived("toy", RECIPE, build, label="toy")
    damage(target)
    built: list[Path] = []

    def rebuild(path: Path) -> None:
        built.append(path)
        build(path)

    assert derived("toy", RECIPE, rebuild, label="toy") == target
    assert len(built) == 1
    assert contents(target) == b"numbers" * 1000
    assert derived("toy", RECIPE, refuse, label="toy") == target
    assert not list(target.parent.glob("*.tmp-*"))


def test_another_folders_content_is_not_taken() -> None:
    one = derived("toy", RECIPE, build, label="toy")
    other = derived("toy", {"table": "other"}, build, label="toy")
    other.rename(other.with_suffix(".away"))
    one.rename(other)
    with pytest.raises(AssertionError, match="built again"):
        derived("toy", {"table": "other"}, refuse, label="toy")


@pytest.mark.parametrize("stop", [ValueError, KeyboardInterrupt])
def test_an_interrupted_build_leaves_nothing(folder: Path, stop: type[BaseException]) -> None:
    def interrupted(target: Path) -> None:
        build(target)
        raise stop

    with pytest.raises(stop):
        derived("toy", RECIPE, interrupted, label="toy")
    assert everything_but_locks(folder) == []
    assert contents(derived("toy", RECIPE, build, label="toy"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named_and_leaves_nothing(folder: Path) -> None:
    def overflow(target: Path) -> None:
        build(target)
        with Path("/dev/full").open("wb", buffering=0) as full:
            full.write(b"x")

    with pytest.raises(
        AssetError, match=r"toy table: the disk is full: .*PRIVSTAMP_CACHE"
    ) as caught:
        derived("toy", RECIPE, overflow, label="toy table")
    assert caught.value.__context__ is None
    assert everything_but_locks(folder) == []


def test_a_cache_that_is_no_folder_is_named(folder: Path) -> None:
    folder.write_text("a file")
    with pytest.raises(AssetError, match=r"toy: .* in .*PRIVSTAMP_CACHE"):
        derived("toy", RECIPE, build, label="toy")


def test_trouble_with_another_file_names_that_file(tmp_path: Path) -> None:
    def read(_: Path) -> None:
        (tmp_path / "source.gguf").read_bytes()

    with pytest.raises(AssetError, match=r"toy: No such file .* in .*source\.gguf\."):
        derived("toy", RECIPE, read, label="toy")


def test_a_read_only_cache_is_named_and_still_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = derived("toy", RECIPE, build, label="toy")

    def read_only(_: str) -> None:
        raise OSError(EROFS, os.strerror(EROFS))

    monkeypatch.setattr(cache, "FileLock", read_only)
    assert derived("toy", RECIPE, refuse, label="toy") == good
    with pytest.raises(AssetError, match=r"no permission to use .*PRIVSTAMP_CACHE"):
        derived("other", RECIPE, build, label="other")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_named(folder: Path) -> None:
    folder.mkdir(mode=0o555)
    with pytest.raises(AssetError, match=r"no permission to use .*PRIVSTAMP_CACHE"):
        derived("toy", RECIPE, build, label="toy")


def test_long_work_is_announced_and_only_that() -> None:
    told: list[str] = []

    @contextmanager
    def watcher(label: str) -> Iterator[None]:
        told.append(f"{label} begins")
        yield
        told.append(f"{label} ends")

    announce(watcher)
    try:
        derived("toy", RECIPE, build, label="word table")
        derived("toy", RECIPE, refuse, label="word table")
    finally:
        announce()
    assert told == ["word table begins", "word table ends"]


WORKER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from privstamp.assets.cache import derived

    log, seconds = Path(sys.argv[1]), float(sys.argv[2])

    def build(folder):
        with log.open("a") as file:
            file.write("built\\n")
        (folder / "one").write_text("first half")
        time.sleep(seconds)
        (folder / "two").write_text("second half")

    folder = derived("toy", {}, build, label="toy")
    print((folder / "one").read_text() + (folder / "two").read_text())
    """
)


def start(log: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, str(log), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_processes_starting_at_once_build_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [start(log, 0.5) for _ in range(4)]
    assert [worker.communicate()[0] for worker in workers] == ["first halfsecond half\n"] * 4
    assert log.read_text() == "built\n"


def test_a_killed_build_is_cleared_away_by_the_next(tmp_path: Path, folder: Path) -> None:
    log = tmp_path / "log"
    with start(log, 60) as worker:
        deadline = time.monotonic() + 30
        while not list(folder.rglob("one")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        worker.kill()
    assert list(folder.glob("derived/*.tmp-*"))
    assert start(log, 0).communicate()[0] == "first halfsecond half\n"
    assert not list(folder.glob("derived/*.tmp-*"))
    assert len(everything_but_locks(folder)) == 3


def test_import_creates_and_fetches_nothing(folder: Path) -> None:
    code = """
    import sys, socket, subprocess
    def refuse(*_, **__): raise SystemExit("touched the outside at import")
    socket.socket.connect = subprocess.Popen.__init__ = refuse
    import privstamp.assets.store, privstamp.assets.cache
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
    assert not folder.exists()
