"""Programming languages and tools that are called like people or like nothing listed."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from privstamp.sensitivity.eponyms import NAMES
from privstamp.text.terms import read_lists
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

_CALLED: Final = read_lists("privstamp.sensitivity", "names.toml")["tools"]
"""Those that have the name of somebody, or of something else."""
_BEFORE: Final = re.compile(
    r"(?:(?<!\w)(?:[Ww]ritten|[Cc]oded|[Ii]mplemented|[Pp]rogrammed|[Rr]ewritten|[Pp]orted|"
    r"[Cc]ompiled|[Rr]ewrote|[Rr]ewrite|[Pp]ort)(?: it| this| that| everything)? (?:in|to|with)|"
    r"[Pp]rogramming languages?,?(?: such as| like)?) \Z"
)
_AFTER: Final = re.compile(
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
        if called and (_BEFORE.search(before) or _AFTER.match(text, end)):
            return True
        after = text[end : end + _REACH].partition("\n")[0]
        beside = [word.lower() for word in _ITEM.findall(f"{before} . {after}")]
        known = sum(map(self._vocabulary.is_term, beside))
        if called:
            return known + sum(word in _CALLED for word in beside) >= _SERIES
        joined = before.endswith((", ", "and ", "or ", "/")) or _NEXT.match(after) is not None
        return joined and known >= _SERIES
