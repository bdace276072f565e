from __future__ import annotations

import os
import subprocess
import zipfile
from dataclasses import replace
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from fake_wheels import MODEL, make_wheel, sha256
from privstamp.assets import fetch as module
from privstamp.assets.catalogue import Wheel
from privstamp.assets.fetch import fetch, pick
from privstamp.errors import AssetError

FILES = {"toy/__init__.py": b"raise SystemExit('imported')", "toy/model.bin": MODEL}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that the user's own settings of pip and uv point at, and no network."""
    folder = tmp_path / "index"
    folder.mkdir()
    for tool in ("PIP", "UV"):
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    def seen(name: str) -> ModuleSpec | None:
        return None if name in names else find_spec(name)

    monkeypatch.setattr(module, "find_spec", seen)
    if "uv" in names:
        monkeypatch.setattr(module.shutil, "which", lambda _: None)


def ignore(_: int) -> None:
    pass


def test_pip_fetches_the_wheel_alone(index: Path, work: Path) -> None:
    wheel = make_wheel(index, FILES)
    [path] = fetch("toy", [wheel], work, ignore)
    assert path.is_relative_to(work)
    assert sha256(path.read_bytes()) == wheel.sha256


def test_uv_serves_where_pip_is_absent(
    index: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, "pip")
    wheel = make_wheel(index, FILES)
    [folder] = fetch("toy", [wheel], work, ignore)
    assert (folder / "toy" / "model.bin").read_bytes() == MODEL


@pytest.mark.parametrize("hidden", [(), ("pip",)], ids=["pip", "uv"])
def test_a_wheel_with_another_hash_is_refused(
    index: Path, work: Path, monkeypatch: pytest.MonkeyPatch, hidden: tuple[str, ...]
) -> None:
    hide(monkeypatch, *hidden)
    wheel = replace(make_wheel(index, FILES), sha256="0" * 64)
    with pytest.raises(AssetError, match="toy could not be fetched") as caught:
        fetch("toy", [wheel], work, ignore)
    assert "--from FOLDER" in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("hidden", [(), ("pip",)], ids=["pip", "uv"])
def test_a_wheel_nobody_has_names_the_way_by_hand(
    index: Path, work: Path, monkeypatch: pytest.MonkeyPatch, hidden: tuple[str, ...]
) -> None:
    hide(monkeypatch, *hidden)
    wheel = Wheel("privstamp-toy", "1.0", "0" * 64, 10)
    with pytest.raises(AssetError, match=r"pip download .* privstamp-toy==1\.0 .*assets pull toy"):
        fetch("toy", [wheel], work, ignore)


def test_without_pip_and_uv_the_way_by_hand_is_named(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, "pip", "uv")
    wheel = Wheel("privstamp-toy", "1.0", "0" * 64, 10)
    with pytest.raises(AssetError, match=r"neither pip nor uv.*privstamp-toy==1\.0.*assets pull"):
        fetch("toy", [wheel], work, ignore)


def test_a_file_called_pip_in_the_working_folder_is_not_run(
    index: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("raise SystemExit('not pip')")
    monkeypatch.chdir(tmp_path)
    assert fetch("toy", [make_wheel(index, FILES)], work, ignore)


def test_an_interrupt_ends_the_child(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[subprocess.Popen[bytes]] = []

    class Slow(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, command: list[str], **options: object) -> None:
            sleep = [command[0], "-c", "import time; time.sleep(600)"]
            super().__init__(sleep, **options)  # type: ignore[call-overload]
            children.append(self)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.subprocess, "Popen", Slow)
    with pytest.raises(KeyboardInterrupt):
        fetch("toy", [Wheel("privstamp-toy", "1.0", "0" * 64, 10)], work, interrupt)
    assert children[0].returncode not in (None, 0)  # ended, long before it would have


def test_progress_counts_a_wheel_once_while_it_is_moved(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    class Downloading:
        """Two looks at a child: half a wheel in its scratch folder, then a whole one in both."""

        def __init__(self, *_: object, env: dict[str, str], **__: object) -> None:
            self.scratch, self.looks, self.returncode = Path(env["TMPDIR"]), 0, 0

        def poll(self) -> int | None:
            self.looks += 1
            (self.scratch / "a.whl").write_bytes(b"x" * 10 * self.looks)
            if self.looks == 2:
                (work / "arrived" / "a.whl").write_bytes(b"x" * 20)
            return None if self.looks < 3 else 0

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(module.subprocess, "Popen", Downloading)
    with pytest.raises(AssetError):  # what arrived is not the wheel
        fetch("toy", [Wheel("privstamp-toy", "1.0", "0" * 64, 20)], work, seen.append)
    assert seen == [10, 20]


def test_addresses_lose_their_credentials() -> None:
    log = "hello\nERROR: no route to https://me:secret@example.com/simple\nbye"
    said = module._last_words(log)
    assert said == "ERROR: no route to https://example.com/simple"
    assert module._last_words("") == "no message"


def test_given_wheels_are_told_by_hash_not_by_name(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, FILES)
    [original] = tmp_path.glob("*.whl")
    renamed = original.rename(tmp_path / "renamed.whl")
    assert pick("toy", [wheel], [renamed]) == [renamed]
    assert pick("toy", [wheel], [tmp_path]) == [renamed]


def test_a_given_wheel_of_another_content_is_refused(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, FILES)
    [path] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr("toy/more.py", "")
    with pytest.raises(AssetError, match=r"has not the SHA-256 of privstamp-toy==1\.0; refused"):
        pick("toy", [wheel], [path])
    same_size = bytearray(os.urandom(wheel.size))
    path.write_bytes(same_size)
    with pytest.raises(AssetError, match="refused"):
        pick("toy", [wheel], [path])
    with pytest.raises(AssetError, match=r"no wheel with the right SHA-256 for privstamp-toy==1"):
        pick("toy", [wheel], [tmp_path])


def test_missing_pieces_are_named(tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, {"a": bytes([n])}, f"toy-part-{n}") for n in range(3)]
    (tmp_path / "toy_part_1-1.0-py3-none-any.whl").unlink()
    with pytest.raises(AssetError, match=r"for toy-part-1==1\.0\. "):
        pick("toy", wheels, [tmp_path])
    with pytest.raises(AssetError, match="there is no file or folder"):
        pick("toy", wheels, [tmp_path / "nowhere"])
