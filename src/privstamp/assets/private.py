"""Folders that nobody else can change: made 0700, refused if others can write or own them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from privstamp.errors import AssetError

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
