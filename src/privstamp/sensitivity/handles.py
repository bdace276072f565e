"""User names of which a list knows one part: tobi.o, s.okafor, and hae-won before a turn of talk.

Splitters cut such a name at its signs, and what is left of it would tell who was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from privstamp.types import Finding

SOURCE: Final = "handles"
_SCORE: Final = 0.6
_PARTS: Final = frozenset({"PERSON", "RARE", "HANDLE"})
_AFTER: Final = re.compile(r"[\w.-]*\w")
_BEFORE: Final = re.compile(r"\w[\w.-]*\Z")
_REACH: Final = 40
_SPEAKER: Final = re.compile(r"(?:\A|\n)[ \t]*(?:[\[(][^\])\n]{1,30}[\])])?[ \t<]*\Z")
_SPEAKS: Final = re.compile(r">?(?::(?!\S)|[ \t]*(?:\n|\Z))|>")
_FILE: Final = re.compile(r"\.[a-z]\w\Z")
"""Endings of files have two letters, or more."""
_INITIAL: Final = 2
"""Letters or digits of a part that only abbreviates."""


def whole(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The whole user name, where a finding is one part of it; in small letters only."""
    for finding in findings:
        if finding.kind in _PARTS and text[finding.start : finding.end].islower():
            start, end = _run(text, finding.start, finding.end)
            if (start, end) != (finding.start, finding.end) and _is_handle(text, start, end):
                yield Finding(start, end, "HANDLE", _SCORE, SOURCE, "rest of a user name")


def _run(text: str, start: int, end: int) -> tuple[int, int]:
    """What is joined to a finding by dots, hyphens and underscores."""
    before = _BEFORE.search(text, max(0, start - _REACH), start)
    after = _AFTER.match(text, end, end + _REACH)
    return before.start() if before else start, after.end() if after else end


def _is_handle(text: str, start: int, end: int) -> bool:
    run = text[start:end]
    if not run.islower():
        return False
    parts = re.split(r"[._]", run)
    if _FILE.search(run):
        return False
    if len(parts) > 1 and "-" not in run and len(parts) <= 3:
        short = sum(len(part) <= _INITIAL for part in parts)
        if short == len(parts) - 1:
            return True
    before = _SPEAKER.search(text, max(0, start - _REACH), start)
    return before is not None and _SPEAKS.match(text, end) is not None
