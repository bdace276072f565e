"""What a recogniser takes for a name in a line in capitals: cut to words that lists confirm.

Where all words are in capitals a small model takes any of them for companies and people. There it
is believed of words that no public list has, and of two everyday words that are names side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from privstamp.sensitivity.capitals import INSTITUTIONS, is_shouted
from privstamp.sensitivity.confirm import firm_in
from privstamp.sensitivity.spans import spanning
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

_KINDS: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION"})
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_TITLED: Final = re.compile(r"(?<!\w)(?:MR|MRS|MS|MISS|MX|DR|PROF|SGT|REV)\.? \Z")
_NEAR: Final = 8
_DETERMINED: Final = re.compile(
    r"(?i)(?<!\w)(?:the|an?|this|that|these|those|my|your|our|their|its|every|each|no|any|some)"
    r"(?: (?:nice|good|bad|big|small|little|new|old|very|same|other|next|last|first|whole|lovely|"
    r"final|main|full|monthly|annual))? \Z"
)
_REACH: Final = 32
_AFTER: Final = re.compile(r"[ ,]{1,2}([^\W\d_]+)")


def confirmed(
    text: str, finding: Finding, vocabulary: Vocabulary, is_listed: Callable[[str], bool]
) -> Iterator[Finding]:
    """The finding, or what lists confirm of it where its line is in capitals: TYRONE of YOUNG MAN
    CALLED TYRONE. Companies by their form and houses by what they are (HILL SCHOOL) stay whole."""
    name = text[finding.start : finding.end]
    if finding.kind not in _KINDS or not name.isupper():
        yield finding
        return
    found = list(_WORD.finditer(text, finding.start, finding.end))
    if not found or not is_shouted(text, finding.start, finding.end) or _stays(text, finding):
        yield finding
        return
    kinds = [_evidence(match[0], vocabulary) for match in found]
    for plain, pairs in groupby(zip(kinds, found, strict=True), lambda pair: pair[0] == 0):
        run = list(pairs)
        if plain or sum(evidence for evidence, _ in run) < _ENOUGH:
            continue
        start, end = run[0][1].start(), run[-1][1].end()
        cut = spanning(finding, start, end)
        listed = all(is_listed(part.lower()) for _, match in run for part in _parts(match[0]))
        whole = len(run) == len(found)
        yield replace(cut, kind="PERSON") if listed and not whole else cut


_ENOUGH: Final = 2
"""One word that no public list has, or two that are names as well."""


def _evidence(word: str, vocabulary: Vocabulary) -> int:
    evidence = 0
    for part in map(str.lower, _parts(word)):
        if len(part) == 1 or part in FUNCTION_WORDS:
            continue
        if vocabulary.is_named(part):
            evidence = max(evidence, 1)
        elif not vocabulary.knows(part):
            evidence = _ENOUGH
    return evidence


def _parts(word: str) -> list[str]:
    return _LETTERS.findall(word.removesuffix("'S").removesuffix("\u2019S"))


def _stays(text: str, finding: Finding) -> bool:
    start, end = finding.start, finding.end
    if _TITLED.search(text, max(0, start - _NEAR), start):
        return True
    if finding.kind == "PERSON":
        return False
    last = _LETTERS.findall(text, start, end)[-1].lower()
    return last in INSTITUTIONS or firm_in(text, start, end) is not None


def is_determined(text: str, finding: Finding, vocabulary: Vocabulary) -> bool:
    """Whether an everyday word that is a name as well follows an article, and no name follows it,
    where all words are in capitals: THE BILL WAS, A NICE YOUNG MAN."""
    word = text[finding.start : finding.end].lower()
    if not vocabulary.is_named(word) or not is_shouted(text, finding.start, finding.end):
        return False
    if not _DETERMINED.search(text, max(0, finding.start - _REACH), finding.start):
        return False
    after = _AFTER.match(text, finding.end)
    return after is None or vocabulary.knows(after[1].lower())


def all_confirmed(
    text: str,
    findings: Sequence[Finding],
    vocabulary: Vocabulary,
    is_listed: Callable[[str], bool],
    lists: frozenset[str],
) -> list[Finding]:
    """The findings, with those of a recogniser confirmed; what `lists` found stays."""
    return [
        piece
        for finding in findings
        for piece in (
            (finding,)
            if finding.source in lists
            else confirmed(text, finding, vocabulary, is_listed)
        )
    ]
