"""How words are written: in which script, and in which case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from privstamp.sensitivity.frequencies import OPENING, common_words
from privstamp.sensitivity.languages import WORDS, Words, listed
from privstamp.sensitivity.lexicon import RARE
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.sensitivity.lexicon_table import WITH_CAPITALS
from privstamp.text.invisible import as_latin
from privstamp.text.terms import fold, words
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

SOURCE: Final = "scripts"
CAPITAL: Final = "[A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017f\u0386-\u03ab\u0400-\u042f]"
"""Letters of which a name may begin with one; those without a capital are sorted out later."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_GREEK: Final = re.compile(r"[\u0370-\u03ff]")
_LATIN: Final = re.compile(r"[A-Za-z]")


def mixed(text: str) -> Iterator[Finding]:
    """Every such word. A Greek letter at an end (TNF-alpha as one word) is a sign, no disguise."""
    if text.isascii():
        return
    for match in _WORD.finditer(text):
        word = match[0]
        inner = word if not _GREEK.search(word) else _GREEK.sub("", word[0]) + word[1:-1]
        if word.isascii() or inner.isascii() or not _LATIN.search(word):
            continue
        if as_latin(word.lower()).isascii():
            yield Finding(match.start(), match.end(), "RARE", 0.5, SOURCE, "letters of two scripts")


# Whether whoever wrote a line uses capitals: where they do, a small letter tells as much.


_LINE: Final = 600
"""Characters looked at, before a place and behind it."""
_BEGINNING: Final = re.compile(
    r"(?:\A|\n|(?<=\w\w[.!?])[\"')\u2019\u201d]? )[\s\"'(\[\u2018\u201c*_#>-]*([^\W\d_])"
)
_LONG: Final = re.compile(r"[^\W\d_]{4,}")
_NEAR, _MANY, _FEW = 200, 3, 0.2
"""Of a heading: characters looked at, words that count, share of them in small letters."""
_SMALL_I: Final = re.compile(r"(?<![\w.'-])i(?=['\u2019 ])")
_LARGE_I: Final = re.compile(r"(?<![\w.'-])I(?=['\u2019 ])")


def writes_capitals(text: str, start: int, end: int) -> bool:
    """Whether the line around a span begins its sentences, and says I, with capitals: more than
    twice as many as small letters."""
    low = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    high = text.find("\n", end, end + _LINE)
    line = text[low : min(len(text), end + _LINE) if high < 0 else high]
    letters = _BEGINNING.findall(line)
    capital = sum(map(str.isupper, letters)) + len(_LARGE_I.findall(line))
    small = sum(map(str.islower, letters)) + 2 * len(_SMALL_I.findall(line))
    return capital > 2 * small and not line.isupper()


def capitals_mean_nothing(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading or shouted: nearly all of its longer words have a capital."""
    low = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
    high = text.find("\n", end, end + _NEAR)
    high = min(len(text), end + _NEAR) if high < 0 else high
    words = _LONG.findall(text, low, high)
    return len(words) >= _MANY and sum(map(str.islower, words)) <= len(words) * _FEW


def is_shouted(text: str, start: int, end: int) -> bool:
    """Whether a line is in capitals: most of its other words of some length are."""
    low = max(text.rfind("\n", 0, start) + 1, start - _NEAR)
    high = text.find("\n", end, end + _NEAR)
    high = min(len(text), end + _NEAR) if high < 0 else high
    words = [*_LONG.findall(text, low, start), *_LONG.findall(text, end, high)]
    return sum(map(str.isupper, words)) * 2 > len(words) or (not words and text[low:high].isupper())


# Public words with a capital that are no names where they stand: Bones from it, the Duchy fell.
#
# A sentence begins with a capital whatever its first word is, and an article stands before nouns.


BODIES: Final = frozenset(
    words("department dept ward unit clinic team office desk division committee board court room")
)
"""Ends of what many houses have: Emergency Department."""
INSTITUTIONS: Final = BODIES | frozenset(
    words(
        "abbey academy agency assembly association authority bank bureau cabinet chamber church "
        "city college commission company congress conservatory council county duchy embassy "
        "federation fund government guild hospital institute league library ministry museum "
        "observatory order parish parliament party police school senate society state tribunal "
        "treasury union university"
    )
)
"""What a house or a body is; which one, another word says."""
_ARTICLES: Final = frozenset(words("the a an"))
_WEAK: Final = (FAMILY, PLACE)
AGENTS: Final = ("er", "or", "ist", "ian")
"""Ends of what people do."""
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


NOUNS: Final = re.compile(r"(?<!\w)(?:the|an?) [a-z]+(?!\w)")
"""A word behind an article, in small letters."""


def has_article(text: str, finding: Finding) -> bool:
    """Whether it is one word behind an article, also where all are in capitals: IN THE PARK."""
    phrase = text[max(0, finding.start - len("the ")) : finding.end].lower()
    noun = NOUNS.search(phrase)
    return noun is not None and noun.end() == len(phrase)


def is_unnamed(text: str, finding: Finding) -> bool:
    """Whether one public word says what a body is and not which: the League office, and many of
    them where a sentence begins: Pilgrims have."""
    if _SMALL_AFTER.match(text, finding.end) is None:
        return False
    word = text[finding.start : finding.end].lower()
    if opens(text, finding.start):
        return word.endswith("s") and not word.endswith("ss")
    return word in INSTITUTIONS and _word_before(text, finding) in _ARTICLES


def _word_before(text: str, finding: Finding) -> str:
    before = _WORD_BEFORE.search(text, max(0, finding.start - _LONGEST), finding.start)
    return before[1].lower() if before else ""


def opens(text: str, start: int) -> bool:
    """Whether a sentence or a line begins there."""
    before = text[max(0, start - _REACH) : start]
    return _OPENING.search(before if start > _REACH else f"\n{before}") is not None


def openings(language: str) -> frozenset[str]:
    """Words that open sentences and close letters, where a capital tells nothing."""
    frequent = (word for word, zipf in common_words(language).items() if zipf >= OPENING)
    closings = _WORD.findall(WORDS.get(language, Words()).closings)
    return frozenset([*frequent, *map(fold, closings)])


# Capitals within sentences of a language that has no recogniser here: what is not frequent there
# may be a name, whatever lists of words say.


_BY: Final = "capitals"
_SCORE: Final = 0.5
_ALONE: Final = re.compile(r"(?<![\w@.])[^\W\d_]+(?![\w@])")


class Capitals:
    """Finds them, but for frequent words, titles, terms of subjects and heads of forms."""

    def __init__(self, language: str, vocabulary: Vocabulary) -> None:
        words = WORDS.get(language, Words())
        known = (words.titles, words.addressed, words.forms, words.months)
        self._known = {fold(word) for field in known for word in listed(field)}
        self._known |= common_words(language).keys()
        self._vocabulary = vocabulary
        self._tells = language not in WITH_CAPITALS

    def find(self, text: str) -> Iterator[Finding]:
        for match in _ALONE.finditer(text) if self._tells else ():
            word = match[0]
            if not word[0].isupper() or fold(word) in self._known or len(word) == 1:
                continue
            if self._vocabulary.is_term(word.lower()) or opens(text, match.start()):
                continue
            if not capitals_mean_nothing(text, *match.span()):
                yield Finding(*match.span(), "RARE", _SCORE, _BY, "capital within a sentence")
