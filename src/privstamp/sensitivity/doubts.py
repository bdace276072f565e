"""Names that a recogniser sees in public words, where a capital tells nothing.

A small model takes headings, drugs, file types and defined terms for persons and companies. What it
alone says of words that public lists know is believed only in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from privstamp.sensitivity.lexicon import CAPITAL, INITIAL
from privstamp.sensitivity.lexicon_claims import FAMILY, PLACE
from privstamp.text.terms import words as listed
from privstamp.text.vocabulary import Vocabulary, all_public, is_code
from privstamp.types import Finding

_NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})
_TRIMMED: Final = frozenset({"LOCATION", "ORGANIZATION"})
_LISTS: Final = frozenset({"lexicon", "rules"})
"""Parts that need no sentence: what they say of a word stands."""
_EVERYDAY: Final = ("medical", "legal")
"""Subjects whose terms name no company, also where there are several in a row."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = re.compile(r"(?:\A|[.!?:;\n\t\u2022*>#|-]| {3})[\s\"'(\[\u2018\u201c*_]*\Z")
_LABEL: Final = re.compile(r"[\"')\]*_]{0,2} ?[:=|]")
_ALONE: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_SHORT: Final = 5
_BODIES: Final = frozenset(
    listed("department dept ward unit clinic team office desk division committee board court room")
)
"""Ends of what many houses have: Emergency Department."""
_WEAK: Final = (FAMILY, PLACE)
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)\.?[ ,]{1,2}\Z")
_WORD_AFTER: Final = re.compile(r"\.?[ ,]{1,2}([^\W\d_]++)(?!\d)")
_JOINED: Final = re.compile(r"-([a-z]+)")
_UNNAMED: Final = re.compile(r"[^\s=<>{}|](?:(?:[^=<>{}|\t ]| (?!  ))*[^\s=<>{}|])?")
"""Up to a sign or a gap that no name has."""
_RUN: Final = re.compile(r"\w*")
_RUN_BEFORE: Final = re.compile(r"\w*\Z")
_REACH: Final = 8
_LINE, _LONG, _MANY, _FEW = 200, 4, 3, 0.2
"""Of a line: characters looked at, letters of a word that counts, words, share in small letters."""


class Doubts:
    """Sorts out what one recogniser alone takes for names."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._everyday = Vocabulary([name for name in vocabulary.lists if name in _EVERYDAY])

    def kept(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings less the doubtful ones; those that a list or rule has a part in all stay."""
        findings = [piece for one in findings for piece in _apart(text, one)]
        findings = [self._trimmed(text, one) for one in findings if not _in_identifier(text, one)]
        findings = [one for one in findings if not self._is_role(text, one)]
        sure = [one for one in findings if one.source in _LISTS and one.kind in _NAMES]
        covered = bytearray(len(text))
        for one in sure:
            covered[one.start : one.end] = b"\1" * (one.end - one.start)
        return [one for one in findings if not self._is_doubtful(text, one, covered)]

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
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        after = _WORD_AFTER.match(text, finding.end)
        beside = [match[1] for match in (before, after) if match]
        return all(other[0].islower() or self._is_public(other) for other in beside)

    def _is_letter(self, text: str, finding: Finding) -> bool:
        """Whether a capital letter is a part of a term: C-reactive, hepatitis C, K+."""
        if text.startswith("+", finding.end):
            return True
        joined = _JOINED.match(text, finding.end)
        if joined:
            return self._is_public(joined[1])
        before = _WORD_BEFORE.search(text, max(0, finding.start - _LINE), finding.start)
        after = _WORD_AFTER.match(text, finding.end)
        alone = after is None or after[1].islower()
        return before is not None and alone and self._vocabulary.is_term(before[1].lower())

    def _trimmed(self, text: str, finding: Finding) -> Finding:
        """A place or organisation less the small public words around it: "pardoning", "walks"."""
        if finding.kind not in _TRIMMED or finding.source in _LISTS:
            return finding
        words = list(_WORD.finditer(text, finding.start, finding.end))
        if not any(word[0][0].isupper() for word in words):
            return finding
        first, last = 0, len(words) - 1
        while words[first][0].islower() and self._is_public(words[first][0]):
            first += 1
        while words[last][0].islower() and self._is_public(words[last][0]):
            last -= 1
        start = finding.start if not first else words[first].start()
        end = finding.end if last == len(words) - 1 else words[last].end()
        return replace(finding, start=start, end=end)

    def _is_doubtful(self, text: str, finding: Finding, covered: bytearray) -> bool:
        if finding.source == "lexicon" and finding.rule == CAPITAL:
            return _opens(text, finding) or _capitals_mean_nothing(text, finding)
        if finding.kind not in _NAMES or finding.source in _LISTS:
            return False
        if any(covered[finding.start : finding.end]):
            return False
        end = finding.end  # a model may cut a word in two
        while end < len(text) and text[end - 1].isalpha() and text[end].isalpha():
            end += 1
        words = _WORD.findall(text, finding.start, end)
        if not words or not all(map(self._is_public, words)):
            return False
        if all(map(self._is_term, words)) and self._is_common(words):
            return True
        if all(map(str.islower, words)):
            return finding.kind != "PERSON" or _in_code(text, finding)
        if finding.kind == "ORGANIZATION" and words[-1].lower() in _BODIES and len(words) > 1:
            return True
        heads = _LABEL.match(text, finding.end) is not None
        heads |= len(words) == 1 and _ALONE.match(text, finding.end) is not None
        if heads and _opens(text, finding):
            return True
        return all(map(str.isupper, words)) and _capitals_mean_nothing(text, finding)

    def _is_public(self, word: str) -> bool:
        if self._vocabulary.knows(word.lower(), capital=not word.islower()):
            return True
        return is_code(word)

    def _is_term(self, word: str) -> bool:
        return self._vocabulary.is_term(word.lower())

    def _is_common(self, words: Sequence[str]) -> bool:
        """Whether terms name a thing: products of two capitalised words are often companies."""
        capitals = sum(not word.islower() for word in words)
        return capitals < 2 or all(self._everyday.is_term(word.lower()) for word in words)


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


def _opens(text: str, finding: Finding) -> bool:
    """Whether a sentence or a line begins with it."""
    before = text[max(0, finding.start - _REACH) : finding.start]
    return _OPENING.search(before if finding.start > _REACH else f"\n{before}") is not None


def _capitals_mean_nothing(text: str, finding: Finding) -> bool:
    """Whether a line is a heading or shouted: nearly all of its longer words have a capital."""
    start = max(text.rfind("\n", 0, finding.start) + 1, finding.start - _LINE)
    end = text.find("\n", finding.end, finding.end + _LINE)
    end = min(len(text), finding.end + _LINE) if end < 0 else end
    words = [word for word in _WORD.findall(text, start, end) if len(word) >= _LONG]
    return len(words) >= _MANY and sum(map(str.islower, words)) <= len(words) * _FEW
