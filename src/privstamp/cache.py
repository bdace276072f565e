"""The cache folder: folders that appear whole or not at all, and are checked whenever opened."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs
from filelock import FileLock

from privstamp.errors import AssetError
from privstamp.hashing import digests

CACHE_FORMAT = 1
"""Part of every key: raise it when the layout of derived folders changes."""
MANIFEST = "manifest.json"

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
    kind: str, recipe: Mapping[str, str], build: Callable[[Path], None], *, label: str
) -> Path:
    """A folder of files made by `build` from what `recipe` names; made once, checked every time."""
    content = json.dumps([CACHE_FORMAT, kind, dict(recipe)], sort_keys=True)
    key = hashlib.sha256(content.encode()).hexdigest()
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", kind)[:40]
    target = cache_folder() / "derived" / f"{name}-{key[:32]}"

    def build_with_manifest(folder: Path) -> None:
        build(folder)
        files = {
            name: {"size": (folder / name).stat().st_size, "sha256": sha256}
            for name, sha256 in digests(folder).items()
        }
        manifest = json.dumps({"key": key, "files": files}, indent=1)
        (folder / MANIFEST).write_text(manifest, encoding="utf-8")

    def intact() -> bool:
        return _agrees_with_manifest(target, key)

    if not intact():
        publish(target, intact, build_with_manifest, label=label)
    return target


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
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        # The lock is ours, so a temporary folder of this target is nobody's.
        for leftover in target.parent.glob(f"{target.name}.tmp-*"):
            shutil.rmtree(leftover)
        if intact():
            return
        with TemporaryDirectory(prefix=f"{target.name}.tmp-", dir=target.parent) as temporary:
            fresh = Path(temporary, "fresh")
            fresh.mkdir()
            build(fresh)
            for path in [*fresh.rglob("*"), fresh]:
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
        return "no space left in"
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
        found = digests(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    found.pop(MANIFEST, None)
    return found == {name: sha256 for name, (_, sha256) in files.items()}
