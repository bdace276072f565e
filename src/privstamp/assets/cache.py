"""The cache folder: folders that appear whole or not at all, and are checked whenever opened.

What the presets derive is checked against hashes that come with the package (`pins`), the rest
against a manifest beside it, in folders that only their owner can write.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import platformdirs
from filelock import FileLock

from privstamp.errors import AssetError, trouble_of

# SHA-256 of files and of folders, and a stamp that changes when they may have changed.


def digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, that of the sorted list of its files and their hashes."""
    if path.is_dir():
        listing = "".join(f"{sha256}  {name}\n" for name, sha256 in digests(path).items())
        return hashlib.sha256(listing.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, by path; in threads, since hashing frees the GIL."""
    paths = _files(folder)
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return dict(zip(paths, pool.map(digest, paths.values()), strict=True))


def stamp(path: Path) -> str:
    """Size, times and inode of a file or of all files in a folder: the same means untouched."""
    facts = []
    for name, file in _files(path).items() if path.is_dir() else [("", path)]:
        seen = file.stat()
        facts.append((name, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino))
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = _files(path).values() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)


def _files(folder: Path) -> dict[str, Path]:
    """What lies below a folder, in order of path. Case counts, also where the system ignores it.

    What Python compiled there after installing is no part of it, and is never read.
    """
    files = (path for path in folder.rglob("*") if not path.is_dir() and path.suffix != ".pyc")
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in files))


# SHA-256 of all that the presets derive: a folder in the cache never vouches for itself.
#
# `make pins` derives everything again and writes `pins.json`.


MANIFEST = "manifest.json"


def pinned(name: str) -> str | None:
    """What the package says that a derived folder holds; None if it knows no such folder."""
    pin = _pins()["derived"].get(name)
    return None if pin is None else str(pin)


def keep_rates() -> list[Mapping[str, Any]]:
    """How often public words must leave as themselves, by space and mechanism."""
    rows: list[Mapping[str, Any]] = _pins()["keep_rates"]
    return rows


def label_loss() -> list[Mapping[str, Any]]:
    """How often a swapped word moves labels, by the parts that give them; `make labels` writes."""
    rows: list[Mapping[str, Any]] = _read("label_loss.json")
    return rows


def content(folder: Path) -> str:
    """SHA-256 of the names and contents of a derived folder, its manifest left out."""
    hashes = digests(folder)
    hashes.pop(MANIFEST, None)
    return sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


def _pins() -> dict[str, Any]:
    pins: dict[str, Any] = _read("pins.json")
    return pins


@cache
def _read(name: str) -> Any:
    return json.loads(files("privstamp.assets").joinpath(name).read_text(encoding="utf-8"))


# Folders that nobody else can change: made 0700, refused if others can write or own them.

_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def is_private(path: Path) -> bool:
    """Whether only this user (or root, who can do anything) can change a file or folder."""
    if os.name == "nt":
        return True  # the profile folder's own access list guards it
    seen = path.stat()
    return not seen.st_mode & _OTHERS and seen.st_uid in (os.geteuid(), 0)


def private_folder(path: Path) -> Path:
    """Make a folder that is nobody else's, or refuse the one that is there."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.mkdir(exist_ok=True, mode=0o700)
    require_private(path)
    return path


def require_private(path: Path) -> None:
    """Refuse a folder that others could have changed, and say what to do about it."""
    if os.name == "nt" or not path.exists():
        return
    seen = path.stat()
    if seen.st_uid not in (os.geteuid(), 0):
        raise AssetError(
            f"{path} belongs to another user (uid {seen.st_uid}), who could change what is "
            "released; refused. Set PRIVSTAMP_CACHE to a folder of your own"
        )
    if seen.st_mode & _OTHERS:
        raise AssetError(
            f"others can write to {path} and could change what is released; refused. "
            f"Run: rm -r '{path}' (it is made again), or, if nobody did: chmod -R go-w '{path}'"
        )
    for parent in path.absolute().parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise AssetError(
                f"anybody can replace {path}, because {parent} is open to all; refused. "
                f"Run: chmod o-w '{parent}', or set PRIVSTAMP_CACHE to a folder of your own"
            )


CACHE_FORMAT = 1
"""Part of every key: raise it when the layout of derived folders changes."""

Watcher = Callable[[str], AbstractContextManager[object]]
_watcher: Watcher = nullcontext


def announce(watcher: Watcher = nullcontext) -> None:
    """Let `watcher(label)` surround every piece of long work from now on: a command's spinner."""
    global _watcher
    _watcher = watcher


def cache_folder() -> Path:
    """Where privstamp keeps files: the platform's cache folder, or PRIVSTAMP_CACHE."""
    moved = os.environ.get("PRIVSTAMP_CACHE")
    if moved:
        return Path(moved).expanduser().absolute()
    return platformdirs.user_cache_path("privstamp", appauthor=False)


def derived(
    kind: str,
    recipe: Mapping[str, str],
    build: Callable[[Path], None],
    *,
    label: str,
    code: str = "",
) -> Path:
    """A folder of files made by `build` from what `recipe` names; made once, checked every time.

    A folder with a pin must hold just that, or is made again in every process that needs it.
    `code` only keeps apart what different versions of `build` made: no pin depends on it.
    """
    facts = json.dumps([CACHE_FORMAT, kind, dict(recipe)], sort_keys=True)
    key = hashlib.sha256(facts.encode()).hexdigest()
    name = f"{re.sub(r'[^A-Za-z0-9_.-]', '-', kind)[:40]}-{key[:32]}"
    target = cache_folder() / "derived" / (f"{name}.{code[:16]}" if code else name)
    for folder in (cache_folder(), target.parent):
        require_private(folder)

    def build_with_manifest(folder: Path) -> None:
        build(folder)
        files = {
            name: {"size": (folder / name).stat().st_size, "sha256": sha256}
            for name, sha256 in digests(folder).items()
        }
        manifest = json.dumps({"key": key, "files": files}, indent=1)
        (folder / MANIFEST).write_text(manifest, encoding="utf-8")
        _made_here[target] = content(folder)

    def intact() -> bool:
        return _is_vouched_for(target, name, key)

    if not intact():
        publish(target, intact, build_with_manifest, label=label)
    _opened[name] = target
    return target


_opened: dict[str, Path] = {}
_made_here: dict[Path, str] = {}
"""What this process derived itself, from verified files, and so need not be told about."""


def opened() -> dict[str, Path]:
    """The derived folders that this process has opened, by the name that a pin would have."""
    return dict(_opened)


def vouched() -> dict[Path, bool | None]:
    """Every derived folder: whether it holds what the package pins; None if it pins nothing."""
    root = cache_folder() / "derived"
    folders = sorted(path for path in root.glob("*") if (path / MANIFEST).is_file())
    names = {folder: re.sub(r"\.[0-9a-f]{16}$", "", folder.name) for folder in folders}
    wanted = {folder: pinned(name) for folder, name in names.items()}
    return {
        folder: None if pin is None else content(folder) == pin for folder, pin in wanted.items()
    }


def _is_vouched_for(target: Path, name: str, key: str) -> bool:
    """Whether it is whole, and somebody else says that it is right where there is such a one."""
    if not _agrees_with_manifest(target, key):
        return False
    if not all(is_private(path) for path in (target, *target.rglob("*"))):
        return False
    wanted = pinned(name)
    return wanted is None or content(target) in (wanted, _made_here.get(target))


def publish(
    target: Path, intact: Callable[[], bool], build: Callable[[Path], None], *, label: str
) -> None:
    """Put what `build` writes at `target` in one rename, unless another process just did.

    Whatever stops it, disk or Ctrl-C, leaves nothing behind; a crash's remains go at the next try.
    """
    try:
        with _watcher(label):
            _publish_locked(target, intact, build)
        return
    except OSError as error:
        trouble, place = _in_words(error), Path(str(error.filename or target.parent))
    if place.is_relative_to(target.parent):
        place = target.parent  # no more than the cache concerns the reader
    raise AssetError(
        f"{label}: {trouble} {place}. "
        "PRIVSTAMP_CACHE can move the cache to a writable folder with enough space"
    )


def _publish_locked(
    target: Path, intact: Callable[[], bool], build: Callable[[Path], None]
) -> None:
    for folder in (cache_folder(), target.parent):
        private_folder(folder)
    with FileLock(f"{target}.lock"):
        # The lock is ours, so a temporary folder of this target is nobody's.
        for leftover in target.parent.glob(f"{target.name}.tmp-*"):
            shutil.rmtree(leftover)
        if intact():
            return
        with TemporaryDirectory(prefix=f"{target.name}.tmp-", dir=target.parent) as temporary:
            fresh = Path(temporary, "fresh")
            fresh.mkdir(mode=0o700)
            build(fresh)
            for path in [*fresh.rglob("*"), fresh]:
                path.chmod(path.stat().st_mode & ~0o022)  # whatever the umask says
                _sync(path)
            if target.exists():
                target.rename(Path(temporary, "broken"))
            fresh.rename(target)
            _sync(target.parent)


def _sync(path: Path) -> None:
    """Push a file or folder to the disk, so that a rename never outruns its content."""
    if os.name == "nt" and path.is_dir():
        return  # Windows has no handle on folders to flush
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _in_words(error: OSError) -> str:
    if error.errno in (ENOSPC, EDQUOT):
        return f"{trouble_of(error)}:"
    if error.errno in (EACCES, EPERM, EROFS):
        return "no permission to use"
    return f"{error.strerror or 'short write'} ({type(error).__name__}) in"


def _agrees_with_manifest(folder: Path, key: str) -> bool:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = {
            name: (entry["size"], entry["sha256"]) for name, entry in manifest["files"].items()
        }
        if manifest["key"] != key:
            return False
        for name, (size, _) in files.items():
            if (folder / name).stat().st_size != size:
                return False
        hashes = digests(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    hashes.pop(MANIFEST, None)
    return hashes == {name: sha256 for name, (_, sha256) in files.items()}
