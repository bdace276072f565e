"""The job's secret: read where the work runs, never carried by an engine's configuration."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from hashlib import scrypt
from pathlib import Path
from typing import Final

from privstamp.errors import VaultError, trouble_of

LEAST: Final = 16
MAKE: Final = "(umask 077; openssl rand -hex 32 > job.key)"
FILE, ENVIRONMENT = "file:", "env:"


def read(place: str | None) -> bytes:
    """The secret at `file:PATH` (its owner's alone) or `env:NAME`."""
    if place is None:
        raise VaultError(f'a job needs a secret: secret = "file:job.key". Make one: {MAKE}')
    if place.startswith(FILE):
        content = _of_file(Path(place.removeprefix(FILE)))
    elif place.startswith(ENVIRONMENT):
        name = place.removeprefix(ENVIRONMENT)
        content = os.environ.get(name, "").encode()
        if not content:
            raise VaultError(
                f"the environment has no {name} where the work runs: set it there, or keep the "
                "secret in a file: --secret file:PATH"
            )
    else:
        raise VaultError("a secret is named by its place, file:PATH or env:NAME, never written out")
    secret = content.strip()
    if len(secret) < LEAST:
        raise VaultError(f"the secret is shorter than {LEAST} bytes. Make one: {MAKE}")
    return secret


def _of_file(path: Path) -> bytes:
    content, mode, trouble = b"", 0, None
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(4096)
    except (OSError, ValueError) as error:
        trouble = trouble_of(error)
    if trouble is not None:
        raise VaultError(
            f"cannot read the secret {path} where the work runs: {trouble}. Make one: {MAKE}, and "
            "keep it; or name its place: --secret file:PATH"
        )
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise VaultError(f"the secret {path} is open to others. Try: chmod 600 {path}")
    return content


def check_value(secret: bytes) -> str:
    """Tells in a manifest whether a secret is the same. It is slow to make, so that a secret of
    words is slow to guess by it."""
    return scrypt(secret, salt=b"privstamp check", n=1 << 14, r=8, p=1, dklen=16).hex()


def refuse_configured(place: str | None, names: Iterable[str], engine: str) -> None:
    """A variable that the engine's configuration sets shows on its pages and in its logs."""
    if place is not None and place.startswith(ENVIRONMENT):
        name = place.removeprefix(ENVIRONMENT)
        if name in set(names):
            raise VaultError(
                f"{engine} sets {name} by its configuration, which its pages and logs show. Take "
                "another secret, in a file on every machine: file:PATH"
            )
