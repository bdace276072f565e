"""Several detectors as one: what any of them finds, or what enough of them agree on."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final, Literal, get_args

from privstamp.errors import Incompatible, PolicyError, suggest
from privstamp.policy.profiles import required
from privstamp.protocols import PublicWords, Sensitivity
from privstamp.registry import SENSITIVITY
from privstamp.sensitivity.consistency import Consistency
from privstamp.sensitivity.context import Context
from privstamp.sensitivity.custom import custom as own
from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.handles import whole as whole_handles
from privstamp.sensitivity.numbers import KINDS as NUMBER_KINDS
from privstamp.sensitivity.numbers import VERSION as ROLES
from privstamp.sensitivity.numbers import NumberRoles, Which
from privstamp.sensitivity.own_words import read_vocabulary
from privstamp.sensitivity.people import renamed_people
from privstamp.sensitivity.rules import fingerprint
from privstamp.sensitivity.scripts import mixed
from privstamp.sensitivity.spans import agreed, merge, outer, with_reasons
from privstamp.types import Finding, Scope, Units

Mode = Literal["union", "vote"]
DEFAULT_PARTS: Final = ("presidio", "lexicon")


class Union:
    """Parts by name, thresholds per kind, context words, and names repeated in a document.

    `numbers` and `dates` are the policy's: numbers by role, or as the parts find them ("perturb").
    `marked` are kinds of numbers, and their units, that are sensitive as well.
    """

    name: Final = "union"

    def __init__(
        self,
        *,
        parts: Sequence[str | Mapping[str, Any]] = DEFAULT_PARTS,
        mode: Mode = "union",
        votes: int = 2,
        thresholds: Mapping[str, float] | None = None,
        context: Mapping[str, Sequence[str]] | None = None,
        custom: Sequence[Mapping[str, Any]] | None = None,
        consistency: bool = True,
        threshold: float = 0.4,
        language: str = "en",
        numbers: Which = "perturb",
        vocabulary: Sequence[str] | None = None,
        dates: str = "replace",
        marked: Sequence[tuple[str, str | None]] = (),
        profiles: Sequence[str] = (),
    ) -> None:
        self.languages: Final = frozenset({language})
        needed = _needed(profiles, mode, thresholds)
        self._parts = _built(parts, language, vocabulary, needed, apart=mode == "vote")
        self._votes = _votes(mode, votes, len(self._parts))
        self._threshold = _between(threshold, "sensitivity.threshold")
        self._thresholds = _thresholds(thresholds)
        self._custom = own(custom)
        self._context = Context(context)
        if not isinstance(consistency, bool):
            raise PolicyError("sensitivity.consistency is true or false")
        public = read_vocabulary(vocabulary, language)
        lists = any(part.name == "lexicon" for part in self._parts)  # who else knows names?
        self._doubts = Doubts(public) if lists else None
        finders = min(2, len(self._parts))
        self._consistency = Consistency(language, public, finders) if consistency else None
        if numbers not in get_args(Which):
            raise PolicyError(f"sensitivity.numbers:{suggest(str(numbers), get_args(Which))}")
        self._numbers = None
        if numbers != "perturb":
            self._numbers = NumberRoles(numbers, language, dates=dates != "keep", marked=marked)
        self.kinds = _kinds(self._parts) | (NUMBER_KINDS if self._numbers else frozenset())
        _check_covered(profiles, needed, self.kinds | {one.kind for one in self._custom})
        self.scope = self._scope()
        self.fingerprint = fingerprint(
            self.name,
            [[SENSITIVITY.provider(part.name), part.fingerprint] for part in self._parts],
            self._votes,
            [self._threshold, self._thresholds],
            self._context.facts,
            [one.facts for one in self._custom],
            [consistency, language],
            [numbers, dates, list(marked), ROLES],
            public.fingerprint,
        )

    def _scope(self) -> Scope:
        for part in self._parts:
            if part.scope.contextual:
                return Scope.context(f"{part.name}: {part.scope.reason}")
        if self._custom:
            return Scope.context("a pattern or a list of the policy reads whole texts")
        if self._context.facts:
            return Scope.context("a word nearby can raise a finding's score")
        if self._numbers:
            return Scope.context("the words beside a number tell its role")
        if self._consistency:
            return Scope.context("a name found once is looked for in the whole document")
        return Scope.unit_type("; ".join(part.scope.reason for part in self._parts))

    def is_public(self, word: str) -> bool:
        """Whether every part that knows public words says so; none, if no part knows any."""
        asked = [part for part in self._parts if isinstance(part, PublicWords)]
        return bool(asked) and all(part.is_public(word) for part in asked)

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, without overlaps; each names all who found it."""
        found = [part.find(batch) for part in self._parts]
        return [
            self._combined(units, [one[index] for one in found])
            for index, units in enumerate(batch)
        ]

    def across(
        self, first: tuple[Units, list[Finding]], second: tuple[Units, list[Finding]]
    ) -> tuple[list[Finding], list[Finding]]:
        """Findings of two texts that are read together, with names that the other one holds."""
        if not self._consistency:
            return first[1], second[1]
        (one, ours), (other, theirs) = (first[0].text, first[1]), (second[0].text, second[1])
        more = self._consistency.repeats(one, ours, other=(other, theirs))
        others = self._consistency.repeats(other, theirs, other=(one, ours))
        return (
            with_reasons(merge(outer([*ours, *more])), [*ours, *more]),
            with_reasons(merge(outer([*theirs, *others])), [*theirs, *others]),
        )

    def _combined(self, units: Units, found: list[list[Finding]]) -> list[Finding]:
        text = units.text
        everything = agreed([self._sure(text, findings) for findings in found], self._votes)
        if self._doubts:
            kept = self._doubts.kept(text, everything)
            kept = renamed_people(text, kept, self._doubts.is_title)
            everything = [*kept, *mixed(text)]
        if self._numbers:
            everything = self._numbers.settled(text, everything)
        for one in self._custom:  # the policy's own word needs no other vote
            everything += self._sure(text, one.find(text))
        everything += list(whole_handles(text, everything))
        if self._consistency:
            seen = with_reasons(merge(outer(everything)), everything)
            everything += self._consistency.repeats(text, seen)
        return with_reasons(merge(outer(everything)), everything)

    def _sure(self, text: str, findings: Iterable[Finding]) -> list[Finding]:
        return [
            one
            for one in self._context.raised(text, findings)
            if one.score >= self._thresholds.get(one.kind, self._threshold)
        ]


def _built(
    parts: Sequence[str | Mapping[str, Any]],
    language: str,
    vocabulary: Sequence[str] | None,
    needed: frozenset[str],
    *,
    apart: bool,
) -> list[Sensitivity]:
    """The parts; `presidio` has all `rules` inside, and runs without them where both are named."""
    if isinstance(parts, str) or not isinstance(parts, Sequence) or not parts:
        raise PolicyError('sensitivity.parts is a list, say parts = ["presidio", "lexicon"]')
    tables = {str(table["name"]): dict(table) for table in map(_table, count(1), parts)}
    if len(tables) < len(parts):
        raise PolicyError("sensitivity.parts names a part twice")
    if "presidio" in tables and "rules" in tables:
        if apart or len(tables["rules"]) > 1:
            tables["presidio"].setdefault("rules", False)
        else:
            del tables["rules"]
    made: list[Sensitivity] = []
    for name, table in tables.items():
        del table["name"]
        options = inspect.signature(SENSITIVITY.load(name)).parameters
        for option, value in (("language", language), ("vocabulary", vocabulary)):
            if option in options and value is not None:
                table.setdefault(option, value)
        if needed and "entities" in options:
            table["entities"] = _with_needed(name, table.get("entities"), needed)
        made.append(SENSITIVITY.build(name, table))
    return made


def _needed(
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


def _kinds(parts: Sequence[Sensitivity]) -> frozenset[str]:
    """What the parts say that they look for."""
    return frozenset(kind for part in parts for kind in getattr(part, "entities", ()))


def _check_covered(profiles: Sequence[str], needed: frozenset[str], kinds: frozenset[str]) -> None:
    if missing := sorted(needed - kinds):
        raise Incompatible(
            f"profiles {', '.join(profiles)} ask for {', '.join(missing)}, which no part of the "
            'detector looks for. Take parts = ["presidio", "lexicon"] and numbers = "identifiers"'
        )


def _table(index: int, part: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(part, str):
        part = {"name": part}
    if not isinstance(part, Mapping) or not isinstance(part.get("name"), str):
        raise PolicyError(
            f'sensitivity.parts, entry {index}: a name, or a table such as {{ name = "rules" }}'
        )
    if part["name"] == Union.name:
        raise Incompatible("a union cannot be a part of a union; list its parts instead")
    return part


def _votes(mode: str, votes: int, parts: int) -> int:
    if mode not in get_args(Mode):
        raise PolicyError(f"sensitivity.mode:{suggest(str(mode), get_args(Mode))}")
    if mode == "union":
        return 1
    if isinstance(votes, bool) or not isinstance(votes, int) or not 1 <= votes <= parts:
        raise PolicyError(f"sensitivity.votes is a whole number from 1 to {parts}, one per part")
    return votes


def _thresholds(given: Mapping[str, float] | None) -> dict[str, float]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise PolicyError("sensitivity.thresholds is a table, say { PERSON = 0.5 }")
    return {
        str(kind): _between(value, f"sensitivity.thresholds.{kind}")
        for kind, value in given.items()
    }


def _between(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise PolicyError(f"{where} must lie between 0 and 1")
    return float(value)
