"""SHA-256 of files and of folders, and a stamp that changes when they may have changed."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


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
    found = (path for path in folder.rglob("*") if not path.is_dir() and path.suffix != ".pyc")
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in found))
