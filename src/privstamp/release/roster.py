"""PRIVATE. Names and identifiers that earlier texts held, looked for in the next one.

A detector may miss in one text what it found in another; released there as it is, it would tell
what its surrogate stands for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

import numpy as np

from privstamp.protocols import Across, Sensitivity
from privstamp.restore.substitution import TOKEN
from privstamp.sensitivity.spans import is_identifier
from privstamp.text.terms import fold
from privstamp.types import Finding, Units

_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 5
"""Letters and digits of an identifier that is told from other text by itself."""
RARE: Final = "RARE"
SOURCE: Final = "known"


class Roster:
    """Grows by what each text held. Names spread as within one text; identifiers stand as they
    were."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str, str], int] = {}  # text, kind and finders; how often
        self._kinds: dict[str, str] = {}  # of each name, as it was first found
        self._identifiers: dict[str, dict[str, str]] = {}  # kind by text, by their first token
        self._words: set[str] = set()  # of keys and tags that were replaced
        self._index: dict[str, list[tuple[str, str, str]]] | None = None  # names by their words

    def __repr__(self) -> str:
        return (
            f"Roster(private, {len(self._names) + sum(map(len, self._identifiers.values()))} known)"
        )

    def learn(self, text: str, findings: Iterable[Finding], keys: Iterable[str] = ()) -> None:
        """Take what a text held, and the words of its keys and tags that were replaced."""
        self._words.update(word for key in keys for word in key.split())
        for finding in findings:
            words = " ".join(text[finding.start : finding.end].split())
            if finding.kind in _NAMES:
                self._kinds.setdefault(words, finding.kind)
                name = words, finding.kind, finding.source
                if self._names.get(name, 0) < 2:  # found twice, it is sure
                    if name not in self._names and self._index is not None:
                        self._enter(name, self._index)
                    self._names[name] = self._names.get(name, 0) + 1
            elif is_identifier(finding, text) and sum(map(str.isalnum, words)) >= _SHORTEST:
                first = TOKEN.match(words)
                alike = self._identifiers.setdefault("" if first is None else first[0], {})
                alike.setdefault(words, finding.kind)

    def more(self, page: Units, findings: list[Finding], sensitivity: Sensitivity) -> list[Finding]:
        """The findings of a text, and what it holds of those before it."""
        if not (self._names or self._identifiers or self._words):
            return findings
        known = self._known(page.text) if isinstance(sensitivity, Across) else None
        if known is not None and isinstance(sensitivity, Across):
            findings = list(sensitivity.across(known, (page, findings))[1])
        findings = [self._as_before(page.text, finding) for finding in findings]
        return findings + self._repeated(page.text, findings)

    def _as_before(self, text: str, finding: Finding) -> Finding:
        """A name that stood in an earlier text is of the kind that it had there: else one person
        would get two surrogates."""
        if finding.kind not in _NAMES:
            return finding
        kind = self._kinds.get(" ".join(text[finding.start : finding.end].split()), finding.kind)
        return finding if kind == finding.kind else replace(finding, kind=kind)

    def _known(self, text: str) -> tuple[Units, list[Finding]] | None:
        """The names that this text may hold, as if they stood in a text, one on a line: those of
        which it has a word, or two glued together. All of them would take longer every time."""
        if self._index is None:
            self._index = {}
            for name in self._names:
                self._enter(name, self._index)
        words = {fold(word) for word in _WORD.findall(text)}
        near = {name for word in words for name in self._index.get(word, ())}
        if not near:
            return None
        lines: list[str] = []
        findings: list[Finding] = []
        place = 0
        for name in sorted(near):
            words_, kind, finders = name
            for _ in range(self._names[name]):
                findings.append(Finding(place, place + len(words_), kind, 1.0, finders, SOURCE))
                lines.append(words_)
                place += len(words_) + 1
        none = np.zeros(0, dtype=np.int64)
        rows, kinds = none.astype(np.int32), none.astype(np.uint8)
        return Units("\n".join(lines), none, none, rows, kinds, kinds), findings

    def _enter(
        self, name: tuple[str, str, str], index: dict[str, list[tuple[str, str, str]]]
    ) -> None:
        """By each of its words, and by the ways in which user names glue two of them."""
        words = [fold(word) for word in _WORD.findall(name[0])]
        glued = {
            form
            for first, last in permutations(words, 2)
            for form in (first + last, first[:1] + last, first + last[:1])
        }
        for word in {*words, *glued}:
            index.setdefault(word, []).append(name)

    def _repeated(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """Identifiers, and words of keys, that nobody found here."""
        more: list[Finding] = []
        spans = sorted((finding.start, finding.end) for finding in findings)
        end = 0
        for token in TOKEN.finditer(text) if self._identifiers or self._words else ():
            start = token.start()
            if start < end:
                continue
            alike = self._identifiers.get(token[0], {})
            if token[0].casefold() in self._words:
                alike = {token[0]: RARE, **alike}
            here = [words for words in alike if _stands(words, text, start)]
            if not here:
                continue
            end = start + len(longest := max(here, key=len))
            before = bisect_right(spans, (start, len(text))) - 1
            if before < 0 or spans[before][1] < end:
                more.append(Finding(start, end, alike[longest], 1.0, SOURCE, "known from before"))
        return more


def _stands(words: str, text: str, start: int) -> bool:
    """Whether they stand there, and go on neither before nor after."""
    around = text[max(0, start - 1) : start] + text[start + len(words) :][:1]
    return text.startswith(words, start) and not any(map(str.isalnum, around))
