"""Profiles name what must be covered: kinds of findings that a detector then has to look for.

At least these: a profile adds kinds and takes none away. What it asks for is data, profiles.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from privstamp.errors import PolicyError, suggest


@dataclass(frozen=True)
class Row:
    """One thing that a profile names; without kinds, nothing here covers it."""

    what: str
    kinds: tuple[str, ...]
    not_covered: str


@dataclass(frozen=True)
class Profile:
    """What must be covered, and values of a policy's keys that it does not go with."""

    name: str
    about: str
    rows: tuple[Row, ...]
    refuses: dict[str, tuple[str, ...]]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for row in self.rows for kind in row.kinds)


@cache
def profiles() -> dict[str, Profile]:
    """All that come with privstamp, by name."""
    text = (files("privstamp.policy") / "profiles.toml").read_text(encoding="utf-8")
    return {
        name: Profile(
            name=name,
            about=table["about"],
            rows=tuple(
                Row(row["what"], tuple(row["kinds"]), row["not_covered"]) for row in table["rows"]
            ),
            refuses={key: tuple(values) for key, values in table.get("refuses", {}).items()},
        )
        for name, table in tomllib.loads(text).items()
    }


def required(names: Iterable[str]) -> frozenset[str]:
    """The kinds that some profiles ask for together."""
    known = profiles()
    for name in names:
        if name not in known:
            raise PolicyError(f'profiles: there is no "{name}".{suggest(str(name), known)}')
    return frozenset(kind for name in names for kind in known[name].kinds)
