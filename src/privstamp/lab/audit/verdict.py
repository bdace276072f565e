"""What checks report: figures with intervals, lines of a table, remarks; and what it comes to.

Never a text, but in what is marked as private.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from privstamp.lab.estimate import Estimate, plain

SUMMARY: Final = {
    "promises_broken": "line",
    "recovery_uniform": "cells",
    "recovery_unigram": "cells",
    "recovery_contextual": "context",
    "keep_max": "cells",
    "sensitive_verbatim": "leakage",
    "empirical_epsilon_over_claim": "claims",
    "averaging_gain": "averaging",
}
"""Headline figures, and the check that each comes from."""


@dataclass(frozen=True)
class Section:
    """The outcome of one check."""

    name: str
    title: str
    figures: dict[str, Estimate] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    sound: bool = True  # False: the promise itself is refuted
    private: tuple[str, ...] = field(default=(), repr=False)  # with words of the sample: never kept
    broken: tuple[str, ...] = ()  # which promises, and by how much

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "sound": self.sound,
            "figures": {key: figure.as_json() for key, figure in self.figures.items()},
            "rows": [{key: plain(value) for key, value in row.items()} for row in self.rows],
            "remarks": list(self.remarks),
            "broken": list(self.broken),
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Section:
        """Read back what an interrupted audit had found."""
        figures = {key: Estimate.of_json(one) for key, one in data["figures"].items()}
        rows = [
            {
                key: Estimate.of_json(one) if isinstance(one, dict) else one
                for key, one in row.items()
            }
            for row in data["rows"]
        ]
        remarks = tuple(data["remarks"])
        broken = tuple(data.get("broken", ()))
        return cls(
            data["name"], data["title"], figures, rows, remarks, data["sound"], broken=broken
        )


def shares(
    hits: Sequence[Mapping[str, bool]], names: Iterable[str], none: str
) -> dict[str, Estimate]:
    """How often each name was a hit; `none` says why there is nothing to count."""
    count = len(hits)
    why = "" if hits else none
    return {name: Estimate.share(sum(hit[name] for hit in hits), count, why) for name in names}


@dataclass(frozen=True)
class Verdict:
    """In a word, why, and the exit code of a command that ends with it."""

    word: Literal["sound", "REFUTED", "not finished"]
    reasons: tuple[str, ...]
    code: int

    @property
    def text(self) -> str:
        return self.word if not self.reasons else f"{self.word}: {'; '.join(self.reasons)}"


@dataclass(frozen=True)
class Audit:
    """The sections that were finished, and those that time did not allow."""

    sections: tuple[Section, ...]
    skipped: tuple[str, ...]
    facts: dict[str, Any]

    @property
    def passed(self) -> bool:
        """No check refuted a promise, and those that could have were all made."""
        return self.verdict.word == "sound"

    @property
    def verdict(self) -> Verdict:
        """What was refuted and by how much; else what is missing, if anything is."""
        wrong = [section for section in self.sections if not section.sound]
        if wrong:
            reasons = [reason for one in wrong for reason in one.broken or (one.title,)]
            return Verdict("REFUTED", tuple(reasons), 1)
        if self.skipped:
            return Verdict("not finished", tuple(f"{name} is missing" for name in self.skipped), 3)
        return Verdict("sound", (), 0)

    @property
    def summary(self) -> dict[str, Estimate]:
        found = {section.name: section for section in self.sections}
        return {
            name: found[check].figures.get(name, Estimate.missing("not measured"))
            if check in found
            else Estimate.missing(self._why(check))
            for name, check in SUMMARY.items()
        }

    def _why(self, check: str) -> str:
        if check in self.skipped:
            return "not measured for want of time"
        return "not asked for"

    def as_json(self) -> dict[str, Any]:
        return {
            "summary": {name: figure.as_json() for name, figure in self.summary.items()}
            | {"passed": self.passed},
            "verdict": {"word": self.verdict.word, "reasons": list(self.verdict.reasons)},
            "facts": self.facts,
            "sections": [section.as_json() for section in self.sections],
            "skipped": list(self.skipped),
        }
