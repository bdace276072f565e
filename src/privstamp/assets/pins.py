"""SHA-256 of all that the presets derive: a folder in the cache never vouches for itself.

`make pins` derives everything again and writes `pins.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from privstamp.assets.hashing import digests

MANIFEST = "manifest.json"


def pinned(name: str) -> str | None:
    """What the package says that a derived folder holds; None if it knows no such folder."""
    found = _pins()["derived"].get(name)
    return None if found is None else str(found)


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
    found = digests(folder)
    found.pop(MANIFEST, None)
    return sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def _pins() -> dict[str, Any]:
    pins: dict[str, Any] = _read("pins.json")
    return pins


@cache
def _read(name: str) -> Any:
    return json.loads(files("privstamp.assets").joinpath(name).read_text(encoding="utf-8"))
