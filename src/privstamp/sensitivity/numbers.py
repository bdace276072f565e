"""Numbers by role: which of them are sensitive, and which findings were only numbers.

By default identifiers, exact dates and ages over 89 are sensitive; telephones, addresses and the
like have rules of their own. Doses, counts, sections, versions, years and times are not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from privstamp.sensitivity.number_roles import Number, Numbers, Role
from privstamp.sensitivity.number_words import WORDS
from privstamp.sensitivity.postal import addresses
from privstamp.sensitivity.spans import spanning
from privstamp.types import Finding

Which = Literal["identifiers", "all", "perturb"]
SOURCE: Final = "numbers"
VERSION: Final = 14
"""Raise it when a rule decides another way: releases are comparable only under the same rules."""
_SCORE: Final = 0.8
KINDS: Final = frozenset({"NUMERIC_ID", "DATE", "AGE", "ADDRESS"})
"""What is sensitive by its role, whichever detectors there are."""
_BY_SHAPE: Final = frozenset({"NUMBER", "CODE", "NUMERIC_ID"})
"""Kinds that say little more than that there are digits."""
_WEAK: Final = _BY_SHAPE | {
    *("RARE", "POSTCODE", "PHONE_NUMBER", "PERSON", "LOCATION", "ORGANIZATION"),
    *("NRP", "MEDICAL_LICENSE", "UK_NHS", "US_BANK_NUMBER", "US_DRIVER_LICENSE", "US_ITIN"),
    *("US_PASSPORT", "NL_BSN", "CA_SIN", "HANDLE", "URL"),
}
"""Kinds that give way to a unit, a currency or a word that says what a number is."""
_FIGURES: Final = re.compile(r"\d(?:.*\d)?")
_MODEL: Final = "spaCy: "
_NAMED: Final = tuple(f"{_MODEL}{label}" for label in ("PERSON", "ORG", "GPE", "NORP", "LOC"))
"""The model's names, which a number at their end is no part of."""


class NumberRoles:
    """Settles what the numbers of a text are, over what the detectors found."""

    def __init__(
        self,
        which: Which,
        language: str,
        *,
        dates: bool = True,
        marked: Sequence[tuple[str, str | None]] = (),
    ) -> None:
        self._which, self._dates, self._marked = which, dates, marked
        self._numbers = Numbers(language)

    def settled(self, text: str, findings: Iterable[Finding]) -> list[Finding]:
        """The findings less those that are plain numbers, and with the sensitive ones."""
        every = self._which == "all"
        worded = self._numbers.in_words(text, every=every or bool(self._marked))
        numbers = [
            number._replace(sensitive=self._is_sensitive(text, number))
            for number in (*self._numbers.of(text), *worded)
        ]
        numbers.sort()
        findings = list(findings)
        sensitive = [_finding(number) for number in numbers if number.sensitive]
        sensitive += addresses(text, [*findings, *sensitive], numbers)
        plain = [
            _finding(_alone(text, number)) for number in numbers if every and not number.sensitive
        ]
        return [*_not_plain(text, findings, numbers), *sensitive, *plain]

    def _is_sensitive(self, text: str, number: Number) -> bool:
        if number.role is Role.DATE:
            return self._dates
        return number.sensitive or any(
            kind == number.role.value
            and (unit is None or text.endswith(unit, number.start, number.end))
            for kind, unit in self._marked
        )


def _alone(text: str, number: Number) -> Number:
    """A number without its unit and the words that gave it its role."""
    figures = _FIGURES.search(text, number.start, number.end) or WORDS.search(
        text, number.start, number.end
    )
    return number._replace(start=figures.start(), end=figures.end()) if figures else number


def _finding(number: Number) -> Finding:
    rule = f"number: {number.role.name.lower().replace('_', ' ')}"
    return Finding(number.start, number.end, number.role.value, _SCORE, SOURCE, rule)


def _not_plain(text: str, findings: Iterable[Finding], numbers: list[Number]) -> Iterator[Finding]:
    """Findings that are more than a number which counts, measures or orders.

    The model's names lose such a number at their end: Samsung in Samsung S22.
    """
    starts = [number.start for number in numbers]
    for finding in findings:
        last = bisect_left(starts, finding.end) - 1
        number = numbers[last] if last >= 0 else None
        if number is None or number.end < finding.end or number.role is Role.IDENTIFIER:
            yield finding
        elif number.start <= finding.start or _is_sign(text, finding.start, number.start):
            by_model = finding.rule.startswith(_MODEL)  # which takes codes for names
            if finding.kind not in (_WEAK if number.sure or by_model else _BY_SHAPE):
                yield finding
        elif finding.rule.startswith(_MODEL if number.sure else _NAMED) and not number.sensitive:
            yield spanning(finding, finding.start, number.start)
        else:
            yield finding


def _is_sign(text: str, start: int, end: int) -> bool:
    """Whether only a bracket or the like stands before a number."""
    return end - start <= 2 and not any(map(str.isalnum, text[start:end]))
