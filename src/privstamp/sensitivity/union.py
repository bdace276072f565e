"""Several detectors as one: what any of them finds, or what enough of them agree on.

Each passage of a text is read by the detectors of its own language, if the policy names several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np

from privstamp.errors import Incompatible, PolicyError, suggest
from privstamp.protocols import PublicWords, Sensitivity
from privstamp.registry import SENSITIVITY
from privstamp.sensitivity.capitals import mixed
from privstamp.sensitivity.custom import Context
from privstamp.sensitivity.custom import custom as own
from privstamp.sensitivity.jargon import without_laws
from privstamp.sensitivity.numbers import KINDS as NUMBER_KINDS
from privstamp.sensitivity.numbers import VERSION as ROLES
from privstamp.sensitivity.numbers import NumberRoles, Which
from privstamp.sensitivity.people import renamed_people
from privstamp.sensitivity.people import whole as whole_handles
from privstamp.sensitivity.rules import fingerprint
from privstamp.sensitivity.spans import agreed, merge, outer, with_reasons
from privstamp.sensitivity.tongue import UNION, Tongue, TonguePlan, needed_kinds
from privstamp.text.languages import routes
from privstamp.types import Finding, Scope, Units

Mode = Literal["union", "vote"]
DEFAULT_PARTS: Final = ("presidio", "lexicon")


class Union:
    """Parts by name, thresholds per kind, context words, and names repeated in a document.

    `languages` are those that the policy serves, the usual one first; a part with a `language` of
    its own reads that one alone. `numbers`, `dates` and `other_languages` are the policy's: numbers
    by role, or as the parts find them ("perturb"); whether a language may lack its recogniser.
    `marked` are kinds of numbers, and their units, that are sensitive as well.
    """

    name: Final = UNION

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
        languages: Sequence[str] = ("en",),
        numbers: Which = "perturb",
        vocabulary: Sequence[str] | None = None,
        dates: str = "replace",
        marked: Sequence[tuple[str, str | None]] = (),
        profiles: Sequence[str] = (),
        other_languages: str = "refuse",
    ) -> None:
        if not isinstance(consistency, bool):
            raise PolicyError("sensitivity.consistency is true or false")
        if numbers not in get_args(Which):
            raise PolicyError(f"sensitivity.numbers:{suggest(str(numbers), get_args(Which))}")
        needed = needed_kinds(profiles, mode, thresholds)
        roles = partial(NumberRoles, numbers, dates=dates != "keep", marked=marked)
        plan = TonguePlan(
            parts,
            vocabulary=vocabulary,
            needed=needed,
            apart=mode == "vote",
            accept=other_languages == "accept",
            consistency=consistency,
            numbers=None if numbers == "perturb" else roles,
        )
        self._tongues = [plan.tongue(language) for language in _distinct(languages)]
        self.languages: Final = frozenset(tongue.language for tongue in self._tongues)
        self.unread: Final = frozenset(
            tongue.language for tongue in self._tongues if tongue.capitals
        )
        self._votes = min(_votes(mode, votes, len(tongue.parts)) for tongue in self._tongues)
        self._threshold = _between(threshold, "sensitivity.threshold")
        self._thresholds = _thresholds(thresholds)
        self._custom = own(custom)
        self._context = Context(context)
        self.kinds = frozenset.intersection(*(_kinds(tongue) for tongue in self._tongues))
        _check_covered(profiles, needed, self.kinds | {rule.kind for rule in self._custom})
        self.scope = self._scope()
        self.fingerprint = fingerprint(
            self.name,
            [
                [SENSITIVITY.provider(part.name), part.fingerprint]
                for tongue in self._tongues
                for part in tongue.parts
            ],
            self._votes,
            [self._threshold, self._thresholds],
            self._context.facts,
            [rule.facts for rule in self._custom],
            [consistency, *(tongue.language for tongue in self._tongues)],
            [numbers, dates, list(marked), ROLES],
            *(tongue.public for tongue in self._tongues),
        )

    @property
    def _parts(self) -> list[Sensitivity]:
        return [part for tongue in self._tongues for part in tongue.parts]

    def _scope(self) -> Scope:
        for part in self._parts:
            if part.scope.contextual:
                return Scope.context(f"{part.name}: {part.scope.reason}")
        if self._custom:
            return Scope.context("a pattern or a list of the policy reads whole texts")
        if self._context.facts:
            return Scope.context("a word nearby can raise a finding's score")
        if len(self._tongues) > 1:
            return Scope.context("the language of a paragraph tells who reads it")
        if self._tongues[0].numbers:
            return Scope.context("the words beside a number tell its role")
        if self._tongues[0].consistency:
            return Scope.context("a name found once is looked for in the whole document")
        return Scope.unit_type("; ".join(part.scope.reason for part in self._parts))

    def is_public(self, word: str) -> bool:
        """Whether every part that knows public words of a language says so; none, if no part knows
        any."""
        asked = [
            [part for part in tongue.parts if isinstance(part, PublicWords)]
            for tongue in self._tongues
        ]
        return any(parts and all(part.is_public(word) for part in parts) for parts in asked)

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        """Sensitive spans of each document, without overlaps; each names all who found it."""
        shared = [_shares(units, self._tongues) for units in batch]
        findings: list[list[list[Finding]]] = [[] for _ in batch]
        for tongue in self._tongues:
            of = [
                (index, units)
                for index, pages in enumerate(shared)
                for reader, units in pages
                if reader is tongue
            ]
            by_detector = [part.find([units for _, units in of]) for part in tongue.parts]
            for place, (index, units) in enumerate(of):
                by_part = [pages[place] for pages in by_detector]
                findings[index].append(self._combined(tongue, units.text, by_part))
        return [
            self._together(units, pages, several)
            for units, pages, several in zip(batch, shared, findings, strict=True)
        ]

    def across(
        self, first: tuple[Units, list[Finding]], second: tuple[Units, list[Finding]]
    ) -> tuple[list[Finding], list[Finding]]:
        """Findings of two texts that are read together, with names that the other one holds."""
        return self._repeated(first, second), self._repeated(second, first)

    def _repeated(
        self, page: tuple[Units, list[Finding]], other: tuple[Units, list[Finding]]
    ) -> list[Finding]:
        """The findings of a page and whatever repeats a name of the other one."""
        units, findings = page
        known = other[0].text, other[1]
        more = [
            finding
            for tongue, share in _shares(units, self._tongues)
            if tongue.consistency
            for finding in tongue.consistency.repeats(share.text, findings, other=known)
        ]
        everything = [*findings, *more]
        return with_reasons(merge(outer(everything)), everything) if more else findings

    def _together(
        self, units: Units, pages: list[tuple[Tongue, Units]], findings: list[list[Finding]]
    ) -> list[Finding]:
        """The findings of all tongues; a name that one of them found is known to the others."""
        if len(pages) == 1:
            return findings[0]
        everything = [finding for several in findings for finding in several]
        merged = with_reasons(merge(outer(everything)), everything)
        return self._repeated((units, merged), (units, merged))

    def _combined(self, tongue: Tongue, text: str, by_part: list[list[Finding]]) -> list[Finding]:
        everything = agreed([self._sure(text, findings) for findings in by_part], self._votes)
        if tongue.doubts:
            kept = tongue.doubts.kept(text, everything)
            kept = renamed_people(text, kept, tongue.doubts.is_title)
            everything = [*kept, *tongue.doubts.called(text, kept), *mixed(text)]
        if tongue.capitals:
            everything += tongue.capitals.find(text)
        if tongue.numbers:
            everything = tongue.numbers.settled(text, everything)
        for rule in self._custom:  # the policy's own word needs no other vote
            everything += self._sure(text, rule.find(text))
        everything += list(whole_handles(text, everything))
        if tongue.consistency:
            seen = with_reasons(merge(outer(everything)), everything)
            everything += without_laws(text, tongue.consistency.repeats(text, seen))
        return with_reasons(merge(outer(everything)), everything)

    def _sure(self, text: str, findings: Iterable[Finding]) -> list[Finding]:
        raised = self._context.raised(text, findings) if self._context.facts else findings
        return [
            finding
            for finding in raised
            if finding.score >= self._thresholds.get(finding.kind, self._threshold)
        ]


def _shares(units: Units, tongues: Sequence[Tongue]) -> list[tuple[Tongue, Units]]:
    """A text for each tongue that some of it is in: all else is blank, and places are the same."""
    if len(tongues) == 1:
        return [(tongues[0], units)]
    stretches = routes(units.text, [tongue.language for tongue in tongues])
    return [
        (tongue, _blanked(units, stretches, tongue.language))
        for tongue in tongues
        if any(language == tongue.language for *_, language in stretches)
    ]


def _blanked(units: Units, stretches: Sequence[tuple[int, int, str]], language: str) -> Units:
    """The units of one language, in a text of the same length."""
    pieces = [
        units.text[start:end] if tongue == language else " " * (end - start)
        for start, end, tongue in stretches
    ]
    starts = np.array([start for start, *_ in stretches])
    inside = np.array([tongue == language for *_, tongue in stretches])
    within = inside[np.searchsorted(starts, units.starts, side="right") - 1]
    within &= inside[np.searchsorted(starts, units.ends - 1, side="right") - 1]
    columns = (units.starts, units.ends, units.rows, units.kinds, units.labels)
    return Units("".join(pieces), *(column[within] for column in columns))


def _distinct(languages: Sequence[str]) -> list[str]:
    codes = [] if isinstance(languages, str) else list(languages)
    if not codes or not all(isinstance(code, str) for code in codes):
        raise PolicyError('sensitivity.languages is a list of codes, say languages = ["en", "es"]')
    return list(dict.fromkeys(codes))


def _kinds(tongue: Tongue) -> frozenset[str]:
    """What the parts of a tongue say that they look for."""
    kinds = {kind for part in tongue.parts for kind in getattr(part, "entities", ())}
    return frozenset(kinds | (NUMBER_KINDS if tongue.numbers else frozenset()))


def _check_covered(profiles: Sequence[str], needed: frozenset[str], kinds: frozenset[str]) -> None:
    if missing := sorted(needed - kinds):
        raise Incompatible(
            f"profiles {', '.join(profiles)} ask for {', '.join(missing)}, which no part of the "
            'detector looks for. Take parts = ["presidio", "lexicon"] and numbers = "identifiers"'
        )


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
