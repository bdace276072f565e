"""Public words with a capital that are no names where they stand: Bones from it, the Duchy fell.

A sentence begins with a capital whatever its first word is, and an article stands before nouns.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from privstamp.sensitivity.common import SMALL, common_words, fold
from privstamp.sensitivity.languages import WORDS, Words
from privstamp.sensitivity.lexicon import RARE
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.text.terms import words as listed
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

BODIES: Final = frozenset(
    listed("department dept ward unit clinic team office desk division committee board court room")
)
"""Ends of what many houses have: Emergency Department."""
_INSTITUTIONS: Final = BODIES | frozenset(
    listed(
        "abbey academy agency assembly association authority bank bureau cabinet chamber church "
        "city college commission company congress conservatory council county duchy embassy "
        "federation fund government guild hospital institute league library ministry museum "
        "observatory order parish parliament party police school senate society state tribunal "
        "treasury union university"
    )
)
"""What a house or a body is; which one, another word says."""
_ARTICLES: Final = frozenset(listed("the a an"))
_WEAK: Final = (FAMILY, PLACE)
AGENTS: Final = ("er", "or", "ist", "ian")
"""Ends of what people do."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+) \Z")
_SMALL_AFTER: Final = re.compile(r",? [a-z]")
_OPENING: Final = re.compile(
    r"(?:\A|[.!?:;\n\t\u00b7\u2022*>#|-]|\d[.)]| {2})"
    r"[\s\"'(\[\u2018\u201c\u201e\u00ab\u00bf\u00a1*_]*\Z"
)
_REACH: Final = 8
_LONGEST: Final = 40


def is_noun(text: str, finding: Finding, vocabulary: Vocabulary, people: Set[int]) -> bool:
    """Whether a public word that a list or no list has is a noun here, so that its capital tells
    nothing: a sentence begins with it or an article stands before it, and a small word follows.
    Of listed names this says so of family names and places; of others before one of `people`,
    which are where names begin, it says so of what they do: Enumerator Zubeida.
    """
    word = text[finding.start : finding.end]
    if finding.source != "lexicon" or finding.rule not in (RARE, *_WEAK):
        return False
    if not word[0].isupper() or not word[1:].islower():
        return False
    in_list = finding.rule in _WEAK
    if not vocabulary.knows(word.lower(), capital=in_list):
        return False
    if not in_list and word.endswith(AGENTS) and finding.end + 1 in people:
        return True
    if _SMALL_AFTER.match(text, finding.end) is None:
        return False
    return opens(text, finding.start) or (not in_list and _word_before(text, finding) in _ARTICLES)


def is_unnamed(text: str, finding: Finding) -> bool:
    """Whether one public word says what a body is and not which: the League office, and many of
    them where a sentence begins: Pilgrims have."""
    if _SMALL_AFTER.match(text, finding.end) is None:
        return False
    word = text[finding.start : finding.end].lower()
    if opens(text, finding.start):
        return word.endswith("s") and not word.endswith("ss")
    return word in _INSTITUTIONS and _word_before(text, finding) in _ARTICLES


def _word_before(text: str, finding: Finding) -> str:
    before = _WORD_BEFORE.search(text, max(0, finding.start - _LONGEST), finding.start)
    return before[1].lower() if before else ""


def opens(text: str, start: int) -> bool:
    """Whether a sentence or a line begins there."""
    before = text[max(0, start - _REACH) : start]
    return _OPENING.search(before if start > _REACH else f"\n{before}") is not None


def openings(language: str) -> frozenset[str]:
    """Words that open sentences and close letters, where a capital tells nothing."""
    frequent = (word for word, zipf in common_words(language).items() if zipf >= SMALL)
    closings = _WORD.findall(WORDS.get(language, Words()).closings)
    return frozenset([*frequent, *map(fold, closings)])
