"""Names that a list or a recogniser sees in what everybody calls so: Black Friday, the Cox model,
Head of Mortgage Service."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from privstamp.sensitivity.capitals import is_shouted
from privstamp.sensitivity.confirm import firm_in
from privstamp.sensitivity.spans import spanning
from privstamp.text.phrases import phrases
from privstamp.types import Finding

_KINDS: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "NRP", "RARE"})
_TITLED: Final = re.compile(r"(?i)(?<!\w)(?:mr|mrs|ms|miss|mx|dr|prof)\.? \Z")
_INITIAL: Final = re.compile(r"(?<!\w)(?:[B-HJ-Z]|[A-Z]\.) \Z")
_NEAR: Final = 8
_RANKS: Final = re.compile(
    r"(?<![\w-])(?:(?:DI|DCI|DS|DC|DSI|PC|PS|WPC|PCSO|ADI|SW|CPN|OT|SLT|HCA|SHO|SpR|FY[12]|ST[1-8])"
    r"|(?:Det|Insp|Supt|Sgt|Cpl|Pte|Const|Cllr|Snr|Asst)\.)(?= [A-Z][a-z])"
)
"""What stands before the name of somebody who works as that: DI Nowicki."""
_NAMED: Final = re.compile(r"[^\W\d_](?:.*[^\W\d_])?", re.DOTALL)
"""What is left of a finding, from its first letter to its last."""


def without_phrases(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings less public phrases, and what is left of those that reach beyond one. A title
    or an initial before it says that somebody is called so: Mr Cox."""
    if not any(finding.kind in _KINDS for finding in findings):
        return list(findings)
    spans = [span for span in phrases(text) if not _is_somebody(text, *span)]
    spans = sorted([*spans, *(match.span() for match in _RANKS.finditer(text))])
    return [piece for finding in findings for piece in _outside(text, finding, spans)]


def _is_somebody(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _NEAR) : start]
    if _TITLED.search(before) or _INITIAL.search(before):
        return True
    return text[start:end].isupper() and end - start > 1 and _alone_in_capitals(text, start, end)


def _alone_in_capitals(text: str, start: int, end: int) -> bool:
    """Whether a single word stands among others in capitals, where it may be a name: RAM SINGH."""
    return text[start:end].isalpha() and is_shouted(text, start, end)


def _outside(text: str, finding: Finding, spans: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    within = [span for span in spans if span[0] < finding.end and finding.start < span[1]]
    if not within or finding.kind not in _KINDS:
        yield finding
        return
    if finding.kind == "ORGANIZATION" and firm_in(text, finding.start, finding.end) is not None:
        yield finding
        return
    edges = [finding.start, *(edge for span in within for edge in span), finding.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end and (left := _NAMED.search(text, start, end)):
            yield spanning(finding, *left.span())
