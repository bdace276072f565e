"""What reads one language: its parts, doubts, roles of numbers, and names that are repeated."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from privstamp.errors import Incompatible, PolicyError
from privstamp.policy.presets import required
from privstamp.protocols import Sensitivity
from privstamp.registry import SENSITIVITY
from privstamp.sensitivity.capitals import Capitals
from privstamp.sensitivity.consistency import Consistency
from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.numbers import NumberRoles
from privstamp.sensitivity.own_words import read_vocabulary
from privstamp.text.phrases import phrases_fingerprint

UNION: Final = "union"


@dataclass(frozen=True, repr=False)
class Tongue:
    """The detectors of one language."""

    language: str
    parts: list[Sensitivity]
    public: str  # fingerprint of the vocabulary
    doubts: Doubts | None
    numbers: NumberRoles | None
    consistency: Consistency | None
    capitals: Capitals | None  # where a part does without the recogniser that it should have


class TonguePlan:
    """How the policy wants tongues: one is made for each language, parts of all are shared."""

    def __init__(
        self,
        parts: Sequence[str | Mapping[str, Any]],
        *,
        vocabulary: Sequence[str] | None,
        needed: frozenset[str],
        apart: bool,
        accept: bool,
        consistency: bool,
        numbers: Callable[[str], NumberRoles] | None,
    ) -> None:
        if isinstance(parts, str) or not isinstance(parts, Sequence) or not parts:
            raise PolicyError('sensitivity.parts is a list, say parts = ["presidio", "lexicon"]')
        self._tables = [dict(table) for table in map(_table, count(1), parts)]
        self._vocabulary, self._needed = vocabulary, needed
        self._apart, self._accept = apart, accept
        self._consistency, self._numbers = consistency, numbers
        self._shared: dict[str, Sensitivity] = {}  # parts that know no language

    def tongue(self, language: str) -> Tongue:
        parts = [self._part(table, language) for table in self._chosen(language)]
        public = read_vocabulary(self._vocabulary, language)
        lists = [part.is_listed for part in parts if hasattr(part, "is_listed")]  # who knows names
        finders = min(2, len(parts))
        unread = any(getattr(part, "unread", False) for part in parts)
        return Tongue(
            language=language,
            parts=parts,
            public=public.fingerprint + phrases_fingerprint(),
            doubts=Doubts(public, language, lists[0]) if lists else None,
            numbers=self._numbers(language) if self._numbers else None,
            consistency=Consistency(language, public, finders) if self._consistency else None,
            capitals=Capitals(language, public) if unread else None,
        )

    def _chosen(self, language: str) -> list[dict[str, Any]]:
        """The parts for a language; `presidio` has all `rules` inside, and runs without them where
        both are named."""
        named = [table for table in self._tables if _reads(table, language)]
        tables = {str(table["name"]): dict(table) for table in named}
        if len(tables) < len(named):
            raise PolicyError("sensitivity.parts names a part twice")
        if not tables:
            raise PolicyError(f'sensitivity.parts has none for language "{language}"')
        if "presidio" in tables and "rules" in tables:
            if self._apart or len(tables["rules"]) > 1:
                tables["presidio"].setdefault("rules", False)
            else:
                del tables["rules"]
        return list(tables.values())

    def _part(self, table: dict[str, Any], language: str) -> Sensitivity:
        name = table.pop("name")
        known = inspect.signature(SENSITIVITY.load(name)).parameters
        if "language" not in known and name in self._shared:
            return self._shared[name]
        recogniser = "optional" if self._accept else None
        for option, value in (
            ("language", language),
            ("vocabulary", self._vocabulary),
            ("recogniser", recogniser),
        ):
            if option in known and value is not None:
                table.setdefault(option, value)
        if self._needed and "entities" in known:
            table["entities"] = _with_needed(name, table.get("entities"), self._needed)
        part: Sensitivity = SENSITIVITY.build(name, table)
        if "language" not in known:
            self._shared[name] = part
        return part


def needed_kinds(
    profiles: Sequence[str], mode: str, thresholds: Mapping[str, float] | None
) -> frozenset[str]:
    """The kinds that the policy's profiles ask for, which no vote or threshold may leave out."""
    needed = required(profiles)
    if needed and mode != "union":
        raise Incompatible('profiles take what any part finds: set mode = "union"')
    named = set(thresholds) if isinstance(thresholds, Mapping) else set()
    if held := sorted(needed & named):
        raise Incompatible(f"profiles ask for {', '.join(held)}: take them out of thresholds")
    return needed


def _with_needed(name: str, given: Sequence[str] | None, needed: frozenset[str]) -> list[str]:
    """The kinds that a part looks for, and those of the profiles that it knows."""
    known = sys.modules[SENSITIVITY.load(name).__module__]
    usual: frozenset[str] = getattr(known, "DEFAULT", frozenset())
    every: frozenset[str] = getattr(known, "ENTITIES", frozenset())
    return sorted({*(usual if given is None else given), *(needed & every)})


def _reads(table: Mapping[str, Any], language: str) -> bool:
    """Whether a part is for a language: for any, unless it names its own."""
    named = table.get("language", language)
    return named == language or not isinstance(named, str)


def _table(index: int, part: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(part, str):
        part = {"name": part}
    if not isinstance(part, Mapping) or not isinstance(part.get("name"), str):
        raise PolicyError(
            f'sensitivity.parts, entry {index}: a name, or a table such as {{ name = "rules" }}'
        )
    if part["name"] == UNION:
        raise Incompatible("a union cannot be a part of a union; list its parts instead")
    return part
