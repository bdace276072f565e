"""What is called like people and is nobody: diseases, laws and devices (Turner syndrome, Bayes'
theorem), languages and tools (written in Rust), what everybody calls so (Black Friday)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

from privstamp.sensitivity.capitals import is_shouted
from privstamp.sensitivity.confirm import firm_in
from privstamp.sensitivity.spans import spanning
from privstamp.text.phrases import phrases
from privstamp.text.terms import read_lists
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

NAMES: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "RARE"})
_LISTS: Final = read_lists("privstamp.sensitivity", "names.toml")
_NAMED: Final = _LISTS["diseases"]
_COMMON: Final = _LISTS["common_scientists"]
"""Names of scientists that many people have."""
_SCIENTISTS: Final = _LISTS["scientists"] | _COMMON
_BORNE: Final = _LISTS["borne"]
_AFTER: Final = re.compile(
    r"(?:-[^\W\d_]+| [^\W\d_]+(?= (?:disease|syndrome)))?(?:['\u2019]s?)? (?i:disease|syndrome|"
    r"palsy|sign|test|tumou?r|lymphoma|sarcoma|oesophagus|esophagus|thyroiditis|chorea|contracture|"
    r"encephalopathy|granulomatosis|phenomenon|dystrophy|gangrene|score|scale|anomaly|malformation|"
    r"dementia|cyst|fracture|manoeuvre|maneuver|ulcer|nodes?|bodies|hernia|infections?)(?!\w)"
)
_THEOREM_AFTER: Final = re.compile(
    r"(?:-[A-Z][a-z]+)?(?:['\u2019]s?)?(?: [a-z]+)? (?:theorems?|lemma|razor|conjectures?|"
    r"inequality|inequalities|paradox|constant|hypothesis)(?!\w)"
)
"""Behind whom something of science is called after, whoever that is."""
_LAW_AFTER: Final = re.compile(
    r"(?:['\u2019]s?|-[A-Z][a-z]+)? (?:(?:second|third|first|last|little|great) )?(?:laws?|theorem|"
    r"equations?|series|transforms?|distributions?|constant|correlation|coefficient)(?!\w)"
)
_SCIENCE_AFTER: Final = re.compile(
    r"(?:['\u2019]s?|-[A-Z][a-z]+)? (?:method|number|principle|rules?|algorithm|filters?|process|"
    r"machines?|chains?|scale|counter|burner|dish|dishes|diagrams?|effect|test|criterion|index|"
    r"space|matrix|cycle|sequence|triangle|limit|telescope|cage|coil|experiment|cat|curve|noise|"
    r"coding|distance|integral|sum|product|prior|code)(?!\w)"
)
_BORNE_AFTER: Final = re.compile(
    r"['\u2019]?s? ?(?:[.,;:!?)\n]|\Z|(?:and|or|is|was|runs|in|since|with)\b)"
)


def is_eponym(text: str, finding: Finding) -> bool:
    """Whether a name stands for a disease or a thing of science, not for somebody."""
    name = text[finding.start : finding.end].lower().removesuffix("'s").removesuffix("\u2019s")
    parts = re.split(r"[ -]", name)
    end = finding.start + len(name)
    if " " not in name and finding.kind in NAMES and text[finding.start].isupper():
        if _THEOREM_AFTER.match(text, end):
            return True
        if name in _SCIENTISTS and _LAW_AFTER.match(text, end):
            return True
        if name in _SCIENTISTS - _COMMON and _SCIENCE_AFTER.match(text, end):
            return True
        if name in _BORNE and _BORNE_AFTER.match(text, end) and text[end : end + 1] in "'\u2019":
            return True
    named = [part for part in parts if part != "von"]
    if not named or not all(part in _NAMED for part in named):
        return False
    return _AFTER.match(text, end) is not None


_CALLED: Final = _LISTS["tools"]
"""Those that have the name of somebody, or of something else."""
_CODED_BEFORE: Final = re.compile(
    r"(?:(?<!\w)(?:[Ww]ritten|[Cc]oded|[Ii]mplemented|[Pp]rogrammed|[Rr]ewritten|[Pp]orted|"
    r"[Cc]ompiled|[Rr]ewrote|[Rr]ewrite|[Pp]ort)(?: it| this| that| everything)? (?:in|to|with)|"
    r"[Pp]rogramming languages?,?(?: such as| like)?) \Z"
)
_CODE_AFTER: Final = re.compile(
    r" (?:compiler|crates?|code|codebase|developers?|programmers?|programs?|runtime|interpreter|"
    r"plugins?|scripts?|modules?|package|framework|library|\d+(?:\.\d+)+)(?!\w)"
)
_ITEM: Final = re.compile(r"(?<![\w.])[A-Z][A-Za-z+#]*(?!\w)")
_NEXT: Final = re.compile(r" ?(?:,|and|or|/|&|\(|from|to|with)")
_REACH: Final = 80
_SERIES: Final = 2
"""Tools nearby that make others out of what stands among them."""


class Tools:
    """Knows those that public lists have, and takes others for what stands beside them."""

    def __init__(self, lists: Sequence[str]) -> None:
        known = [name for name in lists if name in ("technical", "product")]
        self._vocabulary = Vocabulary(known)

    def without(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less those of languages and tools: written in Rust; Jira, Notion and Miro.
        Nobody's given or family name is one, but for those that tools have."""
        listed = {
            finding.start
            for finding in findings
            if finding.kind == "PERSON" and finding.source != "presidio"
        }
        return [finding for finding in findings if not self._are_tools(text, finding, listed)]

    def _are_tools(self, text: str, finding: Finding, listed: Set[int]) -> bool:
        if finding.kind not in NAMES or not text[finding.start].isupper():
            return False
        items = list(_ITEM.finditer(text, finding.start, finding.end))
        return len(items) > 0 and all(
            (len(items) > 1 and self._vocabulary.is_term(item[0].lower()))
            or self._is_tool(text, item, listed)
            for item in items
        )

    def _is_tool(self, text: str, item: re.Match[str], listed: Set[int]) -> bool:
        start, end = item.span()
        called = item[0].lower() in _CALLED
        if not called and start in listed:
            return False
        before = text[max(0, start - _REACH) : start].rpartition("\n")[2]
        if called and (_CODED_BEFORE.search(before) or _CODE_AFTER.match(text, end)):
            return True
        after = text[end : end + _REACH].partition("\n")[0]
        beside = [word.lower() for word in _ITEM.findall(f"{before} . {after}")]
        known = sum(map(self._vocabulary.is_term, beside))
        if called:
            return known + sum(word in _CALLED for word in beside) >= _SERIES
        joined = before.endswith((", ", "and ", "or ", "/")) or _NEXT.match(after) is not None
        return joined and known >= _SERIES


_PUBLIC: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "NRP", "RARE"})
_TITLED: Final = re.compile(r"(?i)(?<!\w)(?:mr|mrs|ms|miss|mx|dr|prof)\.? \Z")
_INITIAL: Final = re.compile(r"(?<!\w)(?:[B-HJ-Z]|[A-Z]\.) \Z")
_NEAR: Final = 8
RANKS_BEFORE: Final = re.compile(
    r"(?<![\w-])(?:(?:DI|DCI|DS|DC|DSI|PC|PS|WPC|PCSO|ADI|SW|CPN|OT|SLT|HCA|SHO|SpR|FY[12]|ST[1-8])"
    r"|(?:Det|Insp|Supt|Sgt|Cpl|Pte|Const|Cllr|Snr|Asst)\.)(?= [A-Z][a-z])"
)
"""What stands before the name of somebody who works as that: DI Nowicki."""
_FIRST_TO_LAST: Final = re.compile(r"[^\W\d_](?:.*[^\W\d_])?", re.DOTALL)
"""What is left of a finding, from its first letter to its last."""


def without_phrases(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings less public phrases, and what is left of those that reach beyond one. A title
    or an initial before it says that somebody is called so: Mr Cox."""
    if not any(finding.kind in _PUBLIC for finding in findings):
        return list(findings)
    spans = [span for span in phrases(text) if not _is_somebody(text, *span)]
    spans = sorted([*spans, *(match.span() for match in RANKS_BEFORE.finditer(text))])
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
    if not within or finding.kind not in _PUBLIC:
        yield finding
        return
    if finding.kind == "ORGANIZATION" and firm_in(text, finding.start, finding.end) is not None:
        yield finding
        return
    edges = [finding.start, *(edge for span in within for edge in span), finding.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end and (left := _FIRST_TO_LAST.search(text, start, end)):
            yield spanning(finding, *left.span())
