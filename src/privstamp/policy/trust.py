"""Policies that nobody named: what one would do, and which of them their owner has trusted.

A policy that lies in the working folder may come with somebody else's files. Unless it is named or
trusted it may only protect more than a preset does: it may not send, fetch or weaken.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Final
from urllib.parse import urlsplit

import platformdirs
from filelock import FileLock

from privstamp.assets.cache import digest
from privstamp.assets.catalogue import ASSETS
from privstamp.errors import PolicyError
from privstamp.policy import PRESETS, Policy

WORDS: Final = ("allow", "deny", "keep")
HUB_PREFIXES: Final = ("hf", "hf8", "gliner")
_HARMLESS: Final = {"extends", "deny", "profiles"}
"""A name, and what can only make more units sensitive."""


def may_stay(policy: Policy) -> list[int]:
    """Sensitive groups whose units may leave as themselves with a probability above .01.

    Only a replacement, drawn without looking, is sure not to: whatever has a strength counts, and
    so does noise on the values of numbers.
    """
    noisy = bool(policy.numeric)
    return [group for group in (1, 2) if noisy or policy.budget.epsilon[group - 1] > 0]


def hosts(policy: Policy) -> dict[str, str]:
    """Machines that a policy may have to do with, and what for."""
    names: dict[str, str] = {}
    for name in _strings(_parts(policy.model_dump(mode="python", exclude_none=True))):
        prefix, _, rest = name.partition(":")
        if prefix in ("http", "https"):
            host = _host(name) or "an address that cannot be read"
            names[host] = "is sent released text"
        elif prefix in HUB_PREFIXES and rest not in ASSETS and not Path(rest).exists():
            hub = _host(os.environ.get("HF_ENDPOINT") or "https://huggingface.co")
            names.setdefault(hub or "the hub", f"may be asked for {rest}")
    return names


def _host(url: str) -> str | None:
    with suppress(ValueError):
        return urlsplit(url).hostname
    return None


def objections(policy: Policy) -> list[str]:
    """What a policy does that it must be named or trusted for; empty if it only protects more."""
    told = [f"{host} {use}" for host, use in hosts(policy).items()]
    strong = [preset for preset in PRESETS.values() if not may_stay(preset)]
    differs = min((_differences(policy, preset) for preset in strong), key=len)
    if differs:
        told.append(f"it sets {', '.join(differs)}")
    return told


def _differences(policy: Policy, preset: Policy) -> list[str]:
    """Keys with other values than in a preset, but for those that can only protect more."""
    return [
        key
        for key in Policy.model_fields
        if getattr(policy, key) != getattr(preset, key)
        and key not in _HARMLESS
        and not (key == "numbers" and policy.numbers == "all")
    ]


class Trust:
    """The policies that their owner trusts, by place and content; a file that only he can write."""

    def __init__(self, file: Path | None = None) -> None:
        folder = platformdirs.user_config_path("privstamp", appauthor=False)
        self.file = folder / "trusted.json" if file is None else file

    def __repr__(self) -> str:
        return f"Trust({self.file})"

    def holds(self, path: Path, content: bytes) -> bool:
        """Whether this file, with this content and all that it names, is the one trusted."""
        known = self._read().get(str(path.resolve()))
        return known is not None and known == seal(path, content)

    def add(self, path: Path, content: bytes) -> None:
        self._write({str(path.resolve()): seal(path, content)})

    def remove(self, path: Path) -> bool:
        """Forget a file; false if it was not trusted."""
        known = str(path.resolve()) in self._read()
        if known:
            self._write({str(path.resolve()): None})
        return known

    def _read(self) -> dict[str, str]:
        try:
            with self.file.open("rb") as file:
                facts = os.fstat(file.fileno())
                content = file.read()
            seals = json.loads(content)["trusted"]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError):
            seals = None
        else:
            if not _private(facts):
                seals = None
        if isinstance(seals, dict):
            return {str(path): str(seal) for path, seal in seals.items()}
        raise PolicyError(
            f"{self.file} cannot be relied on: it must be yours, and nobody else may write to it. "
            "Delete it, and trust your policies again"
        )

    def _write(self, changes: dict[str, str | None]) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(f"{self.file}.lock", mode=0o600):
            seals = {**self._read(), **changes}
            kept = {path: seal for path, seal in sorted(seals.items()) if seal is not None}
            handle, name = mkstemp(dir=self.file.parent, prefix=".trusted.")  # mode 0600
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump({"trusted": kept}, file, indent=1)
                Path(name).replace(self.file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise


def _private(facts: os.stat_result) -> bool:
    """Whether a file is its reader's own, and nobody else can write to it."""
    return os.name == "nt" or (facts.st_uid == os.getuid() and not facts.st_mode & 0o022)


def seal(path: Path, content: bytes) -> str:
    """SHA-256 of a policy's place, of its bytes, and of every file or folder that they name.

    A file that is not there yet counts as absent, so that it cannot be slipped in later.
    """
    files = sorted(set(_files(tomllib.loads(content.decode()), path.resolve().parent)))
    facts = [str(path.resolve()), hashlib.sha256(content).hexdigest(), files]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _files(values: dict[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    for text in _strings(_parts(values)):
        for name in {text, text.partition(":")[2]} - {""}:
            try:
                place = folder / Path(name).expanduser()
                content = digest(place) if place.is_file() or place.is_dir() else "absent"
            except (OSError, ValueError, RuntimeError):
                content = "unreadable"
            yield name, content


def _parts(values: dict[str, Any]) -> dict[str, Any]:
    """What names parts, files and hosts: all but the lists of words."""
    return {key: value for key, value in values.items() if key not in WORDS}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
