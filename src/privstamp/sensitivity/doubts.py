"""Names that a recogniser sees in public words, where a capital tells nothing.

A small model takes headings, drugs, file types and defined terms for persons and companies. What it
alone says of words that public lists know is believed only in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from privstamp.sensitivity import capitals, jargon
from privstamp.sensitivity.capitals import (
    BODIES,
    NOUNS,
    capitals_mean_nothing,
    has_article,
    opens,
)
from privstamp.sensitivity.checksums import is_example
from privstamp.sensitivity.confirm import firm_in
from privstamp.sensitivity.entity_cuts import Edges, all_confirmed, apart, is_determined
from privstamp.sensitivity.given_words import (
    CALLS,
    KIN,
    LETTERED,
    NUMBERED,
    PAIRS,
    RANKS,
    SEVERAL,
    TITLES,
    called,
    is_beside,
    is_called,
    is_greeted,
    is_letter,
    is_told_of,
    is_verb,
)
from privstamp.sensitivity.languages import WORDS, Words
from privstamp.sensitivity.languages import listed as words_of
from privstamp.sensitivity.lexicon import CAPITAL, INITIAL
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.sensitivity.lexicon_table import CALENDAR
from privstamp.sensitivity.public_terms import Tools, without_phrases
from privstamp.sensitivity.spans import marked
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.calendar import WEEKDAYS
from privstamp.text.languages import ENGLISH
from privstamp.text.vocabulary import Vocabulary, is_word
from privstamp.types import Finding

_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})
_LISTS: Final = frozenset({"lexicon", "rules"})
"""Parts that need no sentence: what they say of a word stands."""
_EVERYDAY: Final = ("medical", "legal")
"""Subjects whose terms name no company, also where there are several in a row."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_LABEL: Final = re.compile(r"[\"')\]*_]{0,2} ?[:=|]")
_COLUMN_AFTER: Final = re.compile(r" {3,}[^\W\d_]")
_ALONE: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_SHORT: Final = 5
_WEAK: Final = (FAMILY, PLACE)
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)\.?[ ,]{1,2}\Z")
_WORD_AFTER: Final = re.compile(r"\.?[ ,]{1,2}([^\W\d_]++)(?!\d)")
_GRADE: Final = re.compile(r"(?:I{1,3}|IV|V|VI{1,3})[A-E]")
"""A Roman number that is divided: stage IIIB."""
_NEAR: Final = 16
_LINE: Final = 200
"""Characters of a line that are looked at."""
_VALUE_AFTER: Final = re.compile(r" \d|:[ \t][^\n.:,!?]{1,30}(?:\n|\Z)")
"""Behind what is numbered or called: Ward 5, and Ward: with a short value on its line."""
_SMALL_AFTER: Final = re.compile(
    r" (?:a|an|the|of|by|for|from|in|into|on|onto|to|with|without|at|about|after|before|and|or|as|"
    r"is|are|was|were|this|that|these|those|all|any|each|every|no|your|our|my|its|their)\b"
)
"""Behind the first word of "Update by" and "Refund an"."""
_DAY_AFTER: Final = re.compile(r"[,.]? {1,3}\d|/")
"""Behind the day of a date: Mon,  3 Jun."""
_ON: Final = re.compile(r"(?i)(?<!\w)(?:on|by|until|till|this|next|last|every) \Z")
_CAPITAL_AFTER: Final = re.compile(r"\.? [A-Z]")
_SHORT_BEFORE: Final = re.compile(r"(?<!\w)[^\W\d_]{1,4}\. \Z")
"""Not the end of a sentence, but an initial or a title."""
_DEGREE: Final = re.compile(r"\b(?:[BM]Sc|[BM]A|[BM]Eng|Ph\.?D|MPhil|LLM|MRes)\.?,? (?:in )?\Z")
_DAYS: Final = frozenset(day for day in WEEKDAYS if len(day) <= _SHORT)
_SURE: Final = 0.7


class Doubts:
    """Sorts out what one recogniser alone takes for names."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        language: str = "en",
        is_listed: Callable[[str], bool] = str.isdigit,
    ) -> None:
        self._vocabulary = vocabulary
        self._is_listed = is_listed
        self._openings = capitals.openings(language)
        self._titles = frozenset(words_of(WORDS.get(language, Words()).titles))
        self._english = language == ENGLISH
        self._edges = Edges(vocabulary, is_listed, self._openings, english=self._english)
        self._medical = Vocabulary([name for name in vocabulary.lists if name == "medical"])
        self._tools = Tools(vocabulary.lists)
        self._everyday = Vocabulary([name for name in vocabulary.lists if name in _EVERYDAY])

    def kept(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less the doubtful ones; those that a list or rule has a part in all stay."""
        if self._english:
            findings = without_phrases(text, findings)
            findings = all_confirmed(text, findings, self._vocabulary, self._is_listed, _LISTS)
        findings = [
            piece
            for finding in findings
            for piece in (apart(text, finding) if _read(finding) else (finding,))
            if piece is finding or not self._is_plain(text, piece)
        ]
        findings = [
            piece
            for finding in findings
            if not jargon.in_identifier(text, finding)
            for piece in self._edges.named(text, finding)
        ]
        findings = [finding for finding in findings if not self._is_role(text, finding)]
        findings = jargon.without_laws(text, self._without_words(text, findings))
        findings = jargon.without_clinical(text, findings, self._medical.is_term)
        findings = self._tools.without(text, findings)
        sure = [
            finding for finding in findings if finding.source in _LISTS and finding.kind in _NAMES
        ]
        covered = marked(text, sure)
        findings = self._without_nouns(text, findings)
        return [finding for finding in findings if not self._is_doubtful(text, finding, covered)]

    def called(self, text: str, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Everyday words that somebody is called by: uncle ray, Will said."""

        def is_unlisted(word: str) -> bool:
            return self._is_listed(word) and not self._vocabulary.has(word)

        named = self._vocabulary.is_named
        yield from called(text, findings, named, is_unlisted, self._is_listed, self.is_title)

    def _without_nouns(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less public words with a capital that nobody who reads sentences takes for
        names, and that are none elsewhere in the text."""
        read = marked(text, [finding for finding in findings if _read(finding)])
        people = {finding.start for finding in findings if finding.kind == "PERSON"}
        nouns = [
            finding
            for finding in findings
            if not any(read[finding.start : finding.end])
            and capitals.is_noun(text, finding, self._vocabulary, people)
        ]
        names = [finding for finding in findings if finding.kind in _NAMES and finding not in nouns]
        named = {word for name in names for word in _WORD.findall(text, name.start, name.end)}
        words = [noun for noun in nouns if text[noun.start : noun.end] not in named]
        return [finding for finding in findings if finding not in words]

    def is_title(self, word: str) -> bool:
        """Whether a word may stand beside a name and be no part of it: a role, a day, a term."""
        if word in CALENDAR or word in FUNCTION_WORDS or word in CALLS or word in RANKS:
            return True
        if word.endswith(capitals.AGENTS) and self._vocabulary.has(word):
            return True
        return self._vocabulary.is_role(word) or self._vocabulary.is_term(word)

    def _without_words(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less names that are words here: brown rice, where lines have capitals."""
        small = [finding for finding in findings if self._may_be_word(text, finding)]
        if not small:
            return list(findings)
        others = [
            finding for finding in findings if finding.kind in _NAMES and finding not in small
        ]
        people = [(finding.start, finding.end) for finding in others if finding.kind == "PERSON"]
        others = [finding for finding in others if text[finding.start].islower()]
        named = {finding.end for finding in others} | {-finding.start for finding in others}
        words = [finding for finding in small if not is_beside(text, finding, named)]
        words = [
            finding
            for finding in words
            if not any(start <= finding.start and finding.end <= end for start, end in people)
        ]
        return [finding for finding in findings if finding not in words]

    def _may_be_word(self, text: str, finding: Finding) -> bool:
        """Whether a list of names has an everyday word, written as one."""
        word, listed = text[finding.start : finding.end], finding.source == "lexicon"
        if finding.kind not in _NAMES or not self._vocabulary.is_named(
            word.lower().removesuffix("'s")
        ):
            return False
        if is_verb(text, finding.start, finding.end, named=not listed):
            return True
        if not listed or not word.islower():
            return False
        told = is_told_of(text, finding.start)
        return not told and capitals.writes_capitals(text, finding.start, finding.end)

    def _is_role(self, text: str, finding: Finding) -> bool:
        """Whether a list of names has a role (Doctor), a head of a form (Date), a term or its
        abbreviation (Docker, TIA), and no other name stands beside it."""
        if finding.source != "lexicon" or finding.kind not in _NAMES:
            return False
        word = text[finding.start : finding.end]
        if jargon.is_header(text, finding) or self._is_call(text, finding):
            return True
        on = _ON.search(text, max(0, finding.start - _NEAR), finding.start)
        if word.lower() in WEEKDAYS and (on or _DAY_AFTER.match(text, finding.end)):
            return True
        if finding.rule == INITIAL:
            return is_letter(text, finding, self._vocabulary)
        if word.lower() in SEVERAL | CALLS or is_greeted(text, finding):
            return True
        if word.lower() in NUMBERED and _VALUE_AFTER.match(text, finding.end):
            return True
        if word.isupper() and self._english and is_determined(text, finding, self._vocabulary):
            return True
        shouted = word.isupper() and finding.score < _SURE and not is_called(text, finding)
        if shouted and (self._is_heading(text, finding) or self._is_shouted(text, finding)):
            return True
        term = self._vocabulary.is_term(word.lower()) and (
            (word.isupper() and len(word) <= _SHORT) or finding.rule in _WEAK
        )
        if not term and not self._vocabulary.is_role(word.lower()):
            return False
        if is_called(text, finding):
            return False
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        after = _WORD_AFTER.match(text, finding.end)
        pairs = [match for match in (before, after) if match]
        if word.isupper() and len(word) <= _SHORT:  # an abbreviation among others: FZE, IBAN
            pairs = [pair for pair in pairs if not (pair[1].isupper() and "," in pair[0])]
        beside = [pair[1] for pair in pairs]
        return all(
            neighbour[0].islower() or (len(neighbour) > 1 and self._is_public(neighbour))
            for neighbour in beside
        )

    def _is_call(self, text: str, finding: Finding) -> bool:
        """Whether it is a title alone, before a name (Cousin Ade), or kin without one: Mum's op."""
        if finding.source in _LISTS and finding.score >= _SURE:
            return False
        words = _WORD.findall(text.lower(), finding.start, finding.end)
        if (KIN | CALLS).issuperset(words) and finding.source not in _LISTS:
            return True
        return (
            self._titles.issuperset(words) and _CAPITAL_AFTER.match(text, finding.end) is not None
        )

    def _is_shouted(self, text: str, finding: Finding) -> bool:
        """Whether an everyday word stands among others in capitals, beside no name and no title."""
        start, end = finding.start, finding.end
        if self._may_be_somebody(text[start:end]) or not capitals.is_shouted(text, start, end):
            return False
        before = _WORD_BEFORE.search(text, max(0, start - _LINE), start)
        after = _WORD_AFTER.match(text, end)
        beside = [match[1].lower() for match in (before, after) if match]
        return len(beside) > 0 and not any(
            len(word) == 1
            or self._vocabulary.is_role(word)
            or word in TITLES
            or word in RANKS
            or self._may_be_somebody(word)
            for word in beside
        )

    def _is_plain(self, text: str, piece: Finding) -> bool:
        """Whether a piece of a cut name has everyday words in small letters alone."""
        words = _WORD.findall(text, piece.start, piece.end)
        return all(word.islower() and not self._may_be_somebody(word) for word in words)

    def _may_be_somebody(self, word: str) -> bool:
        """Whether a word is unknown, or better known as a name."""
        word = word.lower()
        return not self._vocabulary.has(word) or self._vocabulary.is_named(word)

    def _is_doubtful(self, text: str, finding: Finding, covered: bytearray) -> bool:
        if finding.kind == "URL":
            address = text[finding.start : finding.end]
            return is_example(address) or jargon.is_call(text, finding)
        graded = _GRADE.fullmatch(text, finding.start, finding.end)
        day = text[finding.start : finding.end].lower() in WEEKDAYS
        if finding.kind == "RARE" and (graded or day or jargon.is_attribute(text, finding)):
            return True
        if finding.source == "lexicon" and finding.rule == CAPITAL:
            return opens(text, finding.start) or capitals_mean_nothing(
                text, finding.start, finding.end
            )
        if finding.kind not in _NAMES or finding.kind == "NRP" or finding.source in _LISTS:
            return False
        if finding.kind == "ORGANIZATION" and firm_in(text, finding.start, finding.end) is not None:
            return False
        if self._is_call(text, finding):
            return True
        if finding.end - finding.start == 1 and is_letter(text, finding, self._vocabulary):
            return True
        if any(covered[finding.start : finding.end]):
            return False
        end, stop = finding.end, min(len(text), finding.end + _LINE)  # a word may be cut in two
        while end < stop and text[end - 1].isalpha() and text[end].isalpha():
            end += 1
        words = _WORD.findall(text, finding.start, end)
        if not words:
            return False
        if text[finding.start : end] in PAIRS or all(word.lower() in _DAYS for word in words):
            return True
        if len(words) > 2 and all(len(w) == 1 for w in words) and self._is_term("".join(words)):
            return True  # D.O.B.
        head = words[0].lower()
        ordered = head in LETTERED or (len(head) > 2 and self._medical.has(head))
        if ordered and finding.kind == "ORGANIZATION" and len(words) > 1:
            return all(len(word) < 3 or self._is_word(word) for word in words)
        if has_article(text, finding) and self._is_heading(text, finding):
            return True
        if not all(map(self._is_word, words)):
            small = len(words) > 1 and all(map(str.islower, words))
            return finding.kind == "PERSON" and small and self._is_public(words[-1])
        parted = text.find(",", finding.start, end) > 0  # products, one by one
        if all(map(self._is_term, words)) and (parted or self._is_common(words)):
            return not is_called(text, finding)
        if self._openings.issuperset(map(str.lower, words)) and all(map(str.isupper, words)):
            return len(words) > 1  # BEFORE ME
        if all(map(str.islower, words)):
            long = [word for word in words if len(word) > 1]
            if len(words) > 1 and not any(
                self._may_be_somebody(word) or self._is_listed(word) for word in long
            ):
                return True
            plain = all(map(self._is_public, words)) and capitals.writes_capitals(
                text, finding.start, end
            )
            return finding.kind != "PERSON" or plain or jargon.in_code(text, finding)
        if finding.kind == "ORGANIZATION" and words[-1].lower() in BODIES and len(words) > 1:
            return True
        if (
            finding.kind == "ORGANIZATION"
            and len(words) == 1
            and capitals.is_unnamed(text, finding)
        ):
            return True
        if len(words) == 1 and self._edges.merely_opens(words[0]) and opens(text, finding.start):
            return True
        if len(words) == 1 and _SMALL_AFTER.match(text, finding.end) and opens(text, finding.start):
            return _SHORT_BEFORE.search(text, max(0, finding.start - _NEAR), finding.start) is None
        if finding.kind == "ORGANIZATION" and self._is_work(text, finding, words):
            return True
        heads = _LABEL.match(text, finding.end) is not None
        heads |= len(words) == 1 and _ALONE.match(text, finding.end) is not None
        heads |= len(words) == 1 and _COLUMN_AFTER.match(text, finding.end) is not None
        if heads and opens(text, finding.start):
            return True
        shouted = all(map(str.isupper, words))
        if shouted and self._is_heading(text, finding):
            return True
        return shouted and capitals_mean_nothing(text, finding.start, finding.end)

    def _is_work(self, text: str, finding: Finding, words: Sequence[str]) -> bool:
        """Whether public words say what somebody does or learnt: Senior Data Engineer, MSc Computer
        Science."""
        learnt = _DEGREE.search(text, max(0, finding.start - _NEAR), finding.start)
        return learnt is not None or (
            len(words) > 1 and self._vocabulary.is_role(words[-1].lower())
        )

    def _is_heading(self, text: str, finding: Finding) -> bool:
        """Whether its line is in capitals all through, of several words that are nobody's name."""
        low = max(text.rfind("\n", 0, finding.start) + 1, finding.start - _LINE)
        high = text.find("\n", finding.end, finding.end + _LINE)
        line = text[low : finding.end + _LINE if high < 0 else high]
        words = _WORD.findall(NOUNS.sub("the", line.lower()))
        if len(words) < 2 or not line.isupper():
            return False
        return all(self._vocabulary.has(word, capital=True) for word in words) and not any(
            map(self._vocabulary.is_named, words)
        )

    def _is_public(self, word: str) -> bool:
        return is_word(self._vocabulary, word)

    def _is_word(self, word: str) -> bool:
        return self._is_public(word) or (word.islower() and self._vocabulary.is_named(word))

    def _is_term(self, word: str) -> bool:
        return self._vocabulary.is_term(word.lower())

    def _is_common(self, words: Sequence[str]) -> bool:
        """Whether terms name a thing: products of two capitalised words are often companies."""
        titled = sum(not word.islower() for word in words)
        return titled < 2 or all(self._everyday.is_term(word.lower()) for word in words)


def _read(finding: Finding) -> bool:
    """Whether somebody read the sentence for it."""
    return finding.kind in _NAMES and finding.source not in _LISTS
