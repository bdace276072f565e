"""Names that a recogniser sees in public words, where a capital tells nothing.

A small model takes headings, drugs, file types and defined terms for persons and companies. What it
alone says of words that public lists know is believed only in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Final

from privstamp.sensitivity.common import SMALL, common_words, fold
from privstamp.sensitivity.jurisdictions import jurisdictions
from privstamp.sensitivity.languages import WORDS, Words
from privstamp.sensitivity.letter_case import capitals_mean_nothing, writes_capitals
from privstamp.sensitivity.lexicon import CAPITAL, INITIAL
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.sensitivity.lexicon_table import CALENDAR
from privstamp.sensitivity.nouns import AGENTS, BODIES, is_noun, is_unnamed, opens
from privstamp.sensitivity.quantities import SECTIONS
from privstamp.sensitivity.reserved_hosts import is_example
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.languages import ENGLISH
from privstamp.text.terms import words as listed
from privstamp.text.vocabulary import Vocabulary, all_public, is_code
from privstamp.types import Finding

_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})
_TRIMMED: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
_MAIDEN: Final = frozenset({"n\u00e9e", "n\u00e9", "nee"})
_LISTS: Final = frozenset({"lexicon", "rules"})
"""Parts that need no sentence: what they say of a word stands."""
_EVERYDAY: Final = ("medical", "legal")
"""Subjects whose terms name no company, also where there are several in a row."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_LABEL: Final = re.compile(r"[\"')\]*_]{0,2} ?[:=|]")
_ALONE: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_SHORT: Final = 5
_CALLS: Final = frozenset(
    listed("mr mrs ms miss dr prof sir madam hi hey hello dear thanks cheers")
)
"""Words before a name, also before one in small letters."""
_RANKS: Final = frozenset(
    listed(
        "minister governor general emperor empress king queen prince princess duke duchess count "
        "countess sheikh sultan pope bishop archbishop ambassador chancellor mayor hurricane storm"
    )
)
"""Words before a name that tell what it is of, and are no part of it."""
_BEFORE_NOUNS: Final = frozenset(
    listed("the a an this that these those my your his her its our their every each no some any")
)
_HABIT: Final = 2
"""Capitals that show somebody's habit, where no article says that a word is one."""
_WEAK: Final = (FAMILY, PLACE)
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)\.?[ ,]{1,2}\Z")
_WORD_AFTER: Final = re.compile(r"\.?[ ,]{1,2}([^\W\d_]++)(?!\d)")
_JOINED: Final = re.compile(r"-([a-z]+)")
_UNNAMED: Final = re.compile(r"[^\s=<>{}|](?:(?:[^=<>{}|\t ]| (?!  ))*[^\s=<>{}|])?")
"""Up to a sign or a gap that no name has."""
_FILE: Final = re.compile(r"\w+\.(?:zip|mov|sh|py|rs|md)")
_GRADE: Final = re.compile(r"(?:I{1,3}|IV|V|VI{1,3})[A-E]")
"""A Roman number that is divided: stage IIIB."""
_CITED: Final = re.compile(r"(?<!\w)\d+ (?:[A-Z]\.){2,5} ?(?:\u00a7+ ?)?\d")
"""A law by title, code and section: 18 U.S.C. 1030."""
_DOTTED: Final = re.compile(r"\w+(?:\.\w+)+")
_RUN: Final = re.compile(r"\w*")
_RUN_BEFORE: Final = re.compile(r"\w*\Z")
_NEAR: Final = 16
_LINE: Final = 200
"""Characters of a line that are looked at."""


_SIGNED: Final = re.compile(
    r"\+|:[\\/]|:(?= [A-Z][a-z]+ (?:is|are|was|were|do|does|did)\b)|-\d| \d+[.,]?\d*(?![\w])"
)
"""Behind a letter that is no initial: a drive, a form's number, a value."""
_TITLES: Final = frozenset(listed("mr mrs ms miss mx dr prof sir dame sr sra herr frau mme mlle"))
_SIGNS: Final = ("-", "/", "\\", "+", "^")
_LETTERED: Final = SECTIONS | frozenset(
    listed("drive form plan type grade class group team phase level category model hall block")
)
"""Before a letter that orders or grades."""


class Doubts:
    """Sorts out what one recogniser alone takes for names."""

    def __init__(self, vocabulary: Vocabulary, language: str = "en") -> None:
        self._vocabulary = vocabulary
        self._openings = openings(language)
        self._english = language == ENGLISH
        self._everyday = Vocabulary([name for name in vocabulary.lists if name in _EVERYDAY])

    def kept(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less the doubtful ones; those that a list or rule has a part in all stay."""
        findings = [piece for one in findings for piece in _apart(text, one)]
        findings = [self._trimmed(text, one) for one in findings if not _in_identifier(text, one)]
        findings = [one for one in findings if not self._is_role(text, one)]
        findings = _without_laws(text, self._without_words(text, findings))
        sure = [one for one in findings if one.source in _LISTS and one.kind in _NAMES]
        covered = _marked(text, sure)
        findings = self._without_nouns(text, findings)
        return [one for one in findings if not self._is_doubtful(text, one, covered)]

    def _without_nouns(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less public words with a capital that nobody who reads sentences takes for
        names, and that are none elsewhere in the text."""
        read = _marked(text, [one for one in findings if _read(one)])
        people = {one.start for one in findings if one.kind == "PERSON"}
        nouns = [
            one
            for one in findings
            if not any(read[one.start : one.end]) and is_noun(text, one, self._vocabulary, people)
        ]
        names = [one for one in findings if one.kind in _NAMES and one not in nouns]
        named = {word for one in names for word in _WORD.findall(text, one.start, one.end)}
        words = [one for one in nouns if text[one.start : one.end] not in named]
        return [one for one in findings if one not in words]

    def is_title(self, word: str) -> bool:
        """Whether a word may stand beside a name and be no part of it: a role, a day, a term."""
        if word in CALENDAR or word in FUNCTION_WORDS or word in _CALLS or word in _RANKS:
            return True
        if word.endswith(AGENTS) and self._vocabulary.has(word):
            return True
        return self._vocabulary.is_role(word) or self._vocabulary.is_term(word)

    def _without_words(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less names that are words here: brown rice, where lines have capitals."""
        small = [one for one in findings if self._may_be_word(text, one)]
        if not small:
            return list(findings)
        others = [one for one in findings if one.kind in _NAMES and one not in small]
        people = [(one.start, one.end) for one in others if one.kind == "PERSON"]
        others = [one for one in others if text[one.start].islower()]
        named = {one.end for one in others} | {-one.start for one in others}
        words = [one for one in small if not _beside(text, one, named)]
        words = [
            one
            for one in words
            if not any(start <= one.start and one.end <= end for start, end in people)
        ]
        return [one for one in findings if one not in words]

    def _may_be_word(self, text: str, finding: Finding) -> bool:
        """Whether a list of names has an everyday word, written as one."""
        if finding.source != "lexicon" or finding.kind not in _NAMES:
            return False
        word = text[finding.start : finding.end]
        if not word.islower() or not self._vocabulary.is_named(word.removesuffix("'s")):
            return False
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        capital = before is not None and before[1][0].isupper() and not self._is_public(before[1])
        noun = before is not None and before[1].lower() in _BEFORE_NOUNS
        least = 1 if noun or capital else _HABIT
        return writes_capitals(text, finding.start, finding.end, least=least)

    def _is_role(self, text: str, finding: Finding) -> bool:
        """Whether a list of names has a role (Doctor), a head of a form (Date), a term or its
        abbreviation (Docker, TIA), and no other name stands beside it."""
        if finding.source != "lexicon" or finding.kind not in _NAMES:
            return False
        word = text[finding.start : finding.end]
        if finding.rule == INITIAL:
            return self._is_letter(text, finding)
        term = self._vocabulary.is_term(word.lower()) and (
            (word.isupper() and len(word) <= _SHORT) or finding.rule in _WEAK
        )
        if not term and not self._vocabulary.is_role(word.lower()):
            return False
        if _is_called(text, finding):
            return False
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        after = _WORD_AFTER.match(text, finding.end)
        beside = [match[1] for match in (before, after) if match]
        return all(other[0].islower() or self._is_public(other) for other in beside)

    def _is_letter(self, text: str, finding: Finding) -> bool:
        """Whether a capital letter is no initial: C-reactive, hepatitis C, K+, Part B, T 37, or
        that of a drive."""
        if _SIGNED.match(text, finding.end) or text[finding.start - 1 : finding.start] in _SIGNS:
            return True
        cited = _CITED.search(text, max(0, finding.start - _NEAR), finding.end + _NEAR)
        if cited and cited.start() < finding.start < cited.end():
            return True
        joined = _JOINED.match(text, finding.end)
        if joined:
            return self._is_public(joined[1])
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        after = _WORD_AFTER.match(text, finding.end)
        beside = [match[1] for match in (before, after) if match]
        dotted = text.startswith(".", finding.end) and before is not None
        apart = before is None or len(before[1]) == 1 or text[before.end(1)] == ","
        if apart and not dotted and not any(map(self._may_be_named, beside)):
            return True  # 25 C, Ctrl+C, y/o M
        alone = after is None or after[1].islower()
        if before is None or not alone:
            return False
        word = before[1].lower()
        return word in _LETTERED or self._vocabulary.is_term(word)

    def _may_be_named(self, word: str) -> bool:
        """Whether a letter beside this word may be somebody's: Roth, Mr, patient."""
        if self._vocabulary.is_role(word.lower()) or word.lower() in _TITLES:
            return True
        return word[0].isupper() and not self._is_public(word)

    def _trimmed(self, text: str, finding: Finding) -> Finding:
        """A name less the small public words around it: "pardoning", "walks", "née"."""
        if finding.kind not in _TRIMMED or finding.source in _LISTS:
            return finding
        words = list(_WORD.finditer(text, finding.start, finding.end))
        if not any(word[0][0].isupper() for word in words):
            return finding
        first, last = 0, len(words) - 1
        if last and not self._english and self._merely_opens(words[0][0]):
            first = int(_opens(text, finding))  # "Soy Ana Ruiz"
        if finding.kind != "LOCATION" and last - first > 1 and not self._is_public(words[last][0]):
            first += self._vocabulary.is_role(words[first][0].lower())  # "Driver Joachim Ntare"
        plain = _MAIDEN.__contains__ if finding.kind == "PERSON" else self._is_public
        while words[first][0].islower() and plain(words[first][0]):
            first += 1
        while words[last][0].islower() and plain(words[last][0]):
            last -= 1
        start = finding.start if not first else words[first].start()
        end = finding.end if last == len(words) - 1 else words[last].end()
        return replace(finding, start=start, end=end)

    def _merely_opens(self, word: str) -> bool:
        """Whether a capital where a sentence begins tells nothing of a word: of a language other
        than English no ordinary word, since their small models take verbs for names there."""
        return fold(word) in self._openings or (not self._english and self._is_public(word))

    def _is_doubtful(self, text: str, finding: Finding, covered: bytearray) -> bool:
        if finding.kind == "URL":
            address = text[finding.start : finding.end]
            return is_example(address) or _is_call(text, finding)
        graded = _GRADE.fullmatch(text, finding.start, finding.end)
        if finding.kind == "RARE" and (graded or _is_attribute(text, finding)):
            return True
        if finding.source == "lexicon" and finding.rule == CAPITAL:
            return _opens(text, finding) or capitals_mean_nothing(text, finding.start, finding.end)
        if finding.kind not in _NAMES or finding.kind == "NRP" or finding.source in _LISTS:
            return False
        if finding.end - finding.start == 1 and self._is_letter(text, finding):
            return True
        if any(covered[finding.start : finding.end]):
            return False
        end = finding.end  # a model may cut a word in two
        while end < len(text) and text[end - 1].isalpha() and text[end].isalpha():
            end += 1
        words = _WORD.findall(text, finding.start, end)
        if not words or not all(map(self._is_word, words)):
            return False
        if all(map(self._is_term, words)) and self._is_common(words):
            return not _is_called(text, finding)
        if all(map(str.islower, words)):
            plain = all(map(self._is_public, words)) and writes_capitals(text, finding.start, end)
            return finding.kind != "PERSON" or plain or _in_code(text, finding)
        if finding.kind == "ORGANIZATION" and words[-1].lower() in BODIES and len(words) > 1:
            return True
        if finding.kind == "ORGANIZATION" and len(words) == 1 and is_unnamed(text, finding):
            return True
        if len(words) == 1 and self._merely_opens(words[0]) and _opens(text, finding):
            return True
        heads = _LABEL.match(text, finding.end) is not None
        heads |= len(words) == 1 and _ALONE.match(text, finding.end) is not None
        if heads and _opens(text, finding):
            return True
        return all(map(str.isupper, words)) and capitals_mean_nothing(
            text, finding.start, finding.end
        )

    def _is_public(self, word: str) -> bool:
        if self._vocabulary.knows(word.lower(), capital=not word.islower()):
            return True
        return is_code(word)

    def _is_word(self, word: str) -> bool:
        return self._is_public(word) or (word.islower() and self._vocabulary.is_named(word))

    def _is_term(self, word: str) -> bool:
        return self._vocabulary.is_term(word.lower())

    def _is_common(self, words: Sequence[str]) -> bool:
        """Whether terms name a thing: products of two capitalised words are often companies."""
        capitals = sum(not word.islower() for word in words)
        return capitals < 2 or all(self._everyday.is_term(word.lower()) for word in words)


def _read(finding: Finding) -> bool:
    """Whether somebody read the sentence for it."""
    return finding.kind in _NAMES and finding.source not in _LISTS


def _marked(text: str, findings: Sequence[Finding]) -> bytearray:
    """A flag for each character that lies in one of the findings."""
    flags = bytearray(len(text))
    for one in findings:
        flags[one.start : one.end] = b"\1" * (one.end - one.start)
    return flags


def _without_laws(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings less places that are named as law or court."""
    spans = jurisdictions(text)
    return [
        one
        for one in findings
        if one.kind not in _NAMES
        or not any(start <= one.start and one.end <= end for start, end in spans)
    ]


def _is_called(text: str, finding: Finding) -> bool:
    """Whether a title or a greeting stands before it: Mr Welsh."""
    before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
    return before is not None and before[1].lower() in _CALLS


def _beside(text: str, finding: Finding, named: Set[int]) -> bool:
    """Whether a name in small letters ends just before it or begins just behind it, or a title or
    a greeting stands before: a set of ends, and of starts below zero. Who writes the one with a
    capital writes the other so: Drummond rose."""
    before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
    if (before and before.end(1) in named) or _is_called(text, finding):
        return True
    after = _WORD_AFTER.match(text, finding.end)
    return after is not None and -after.start(1) in named


def openings(language: str) -> frozenset[str]:
    """Words that open sentences and close letters, where a capital tells nothing."""
    frequent = (word for word, zipf in common_words(language).items() if zipf >= SMALL)
    closings = _WORD.findall(WORDS.get(language, Words()).closings)
    return frozenset([*frequent, *map(fold, closings)])


def _in_identifier(text: str, finding: Finding) -> bool:
    """Whether it is a word of a name such as API_KEY, all of whose words are public."""
    if finding.kind not in _NAMES and finding.kind != "RARE":
        return False
    low, high = max(0, finding.start - _LINE), finding.end + _LINE
    before, after = (
        _RUN_BEFORE.search(text[low : finding.start]),
        _RUN.match(text, finding.end, high),
    )
    run = f"{before[0]}{text[finding.start : finding.end]}{after[0]}"  # type: ignore[index]
    return "_" in run and _RUN.fullmatch(run) is not None and all_public(run)


def _apart(text: str, finding: Finding) -> Iterator[Finding]:
    """What a model takes for one name, cut at signs that no name has: user=ana action=delete."""
    if finding.kind not in _NAMES or finding.source in _LISTS:
        yield finding
        return
    for piece in _UNNAMED.finditer(text, finding.start, finding.end):
        yield replace(finding, start=piece.start(), end=piece.end())


def _in_code(text: str, finding: Finding) -> bool:
    """Whether a sign of source code or of settings is joined to it: action=delete, get(width)."""
    before, after = text[max(0, finding.start - 2) : finding.start], text[finding.end :][:2]
    if before[-1:] and before[-1] in "=(._[$@&/<":
        return True
    return after[:1] in ("=", "(", "_", "[") or (after[:1] in (".", "/") and after[1:].isalpha())


def _is_attribute(text: str, finding: Finding) -> bool:
    """Whether public words are written together behind a dot or before a bracket, as programs do
    it: decimal.InvalidOperation."""
    word = text[finding.start : finding.end]
    joined = text[max(0, finding.start - 2) : finding.start]
    code = (joined[-1:] == "." and joined[:1].isalnum()) or text[finding.end :][:1] == "("
    return code and not word[1:].islower() and word.isalpha() and all_public(word)


def _is_call(text: str, finding: Finding) -> bool:
    """Whether it is a function of a program (log.info) or a file with an ending that domains have
    as well (a.zip), all of public words."""
    name = text[finding.start : finding.end]
    code = text[finding.end :][:1] == "(" or _FILE.fullmatch(name) is not None
    return code and _DOTTED.fullmatch(name) is not None and all_public(name)


def _opens(text: str, finding: Finding) -> bool:
    return opens(text, finding.start)
