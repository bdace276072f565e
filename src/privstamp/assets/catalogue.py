"""Which assets exist: pinned packages and the files in them, as rows of data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final


@dataclass(frozen=True)
class Wheel:
    """A pinned package. `piece` is the file in it that continues something cut into pieces."""

    distribution: str
    version: str
    sha256: str
    size: int = 0  # of the download; 0 where it is a dependency and never fetched
    piece: str | None = None

    @property
    def pin(self) -> str:
        return f"{self.distribution}=={self.version}"


@dataclass(frozen=True)
class Member:
    """A file, or a folder with all that is in it, by path inside its package."""

    path: str
    sha256: str  # of a folder: see cache.digest
    size: int


@dataclass(frozen=True)
class Asset:
    """Something to be had as packages. Bundled: they are dependencies of privstamp.

    Plain: the pieces joined are the one member itself, not an archive that holds the members.
    """

    name: str
    about: str
    licence: str
    parts: tuple[Wheel, ...]
    members: Mapping[str, Member]
    bundled: bool
    plain: bool = False

    @property
    def size(self) -> int:
        return sum(member.size for member in self.members.values())

    @property
    def pins(self) -> str:
        return " ".join(wheel.pin for wheel in self.parts)

    @property
    def fix(self) -> str:
        if self.bundled:
            return f"Try: pip install --force-reinstall --no-deps {self.pins}"
        return f"Try: privstamp assets pull {self.name}"


def _wheels(row: dict[str, Any]) -> tuple[Wheel, ...]:
    """The packages of a row; of what is cut into pieces they are counted from 1."""
    if "parts" in row:
        return tuple(Wheel(**part) for part in row["parts"])
    return tuple(
        Wheel(
            row["packages"].format(number=number),
            row["version"],
            sha256,
            size,
            row["piece"].format(number=number),
        )
        for number, (size, sha256) in enumerate(row["pins"], start=1)
    )


def _read() -> dict[str, Asset]:
    text = files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {
        name: Asset(
            name=name,
            about=row["about"],
            licence=row["licence"],
            parts=_wheels(row),
            members={key: Member(**member) for key, member in row["members"].items()},
            bundled=row.get("bundled", False),
            plain=row.get("plain", False),
        )
        for name, row in tomllib.loads(text).items()
    }


ASSETS: Final[dict[str, Asset]] = _read()
"""By name, as catalogue.toml has them."""
