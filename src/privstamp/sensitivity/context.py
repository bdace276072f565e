"""Words that make a finding near them more credible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from privstamp.errors import PolicyError
from privstamp.types import Finding

GAIN: Final = 0.35
REACH: Final = 60
"""Characters before and after a finding in which a word counts."""
_WORD: Final = re.compile(r"[^\W_]+")


class Context:
    """Words per kind; case does not matter. A finding near one of them gains 0.35, up to 1."""

    def __init__(
        self, words: Mapping[str, Sequence[str]] | None, where: str = "sensitivity.context"
    ) -> None:
        if words is not None and not isinstance(words, Mapping):
            raise PolicyError(f'{where} is a table, say {{ US_SSN = ["social", "ssn"] }}')
        self._words = {
            kind: frozenset(_checked(f"{where}.{kind}", some))
            for kind, some in (words or {}).items()
        }
        self.facts = {kind: sorted(some) for kind, some in self._words.items()}

    def raised(self, text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings, with the scores that their surroundings leave them."""
        for one in findings:
            words = self._words.get(one.kind)
            if words and not words.isdisjoint(_near(text, one)):
                yield replace(one, score=min(1.0, one.score + GAIN), rule=f"{one.rule}, in context")
            else:
                yield one


def _near(text: str, finding: Finding) -> Iterator[str]:
    """Lower-case words around a finding, not those inside it."""
    for low, high in (
        (max(0, finding.start - REACH), finding.start),
        (finding.end, finding.end + REACH),
    ):
        for match in _WORD.finditer(text, low, min(high, len(text))):
            yield match[0].lower()


def _checked(where: str, words: Sequence[str]) -> Iterator[str]:
    if isinstance(words, str) or not isinstance(words, Sequence) or not words:
        raise PolicyError(f"{where} is a list of words")
    for word in words:
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            raise PolicyError(f"{where}: every entry is one word of letters and digits")
        yield word.lower()
