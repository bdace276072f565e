"""A name that is sure is sensitive wherever the document repeats it, in whole or in part.

One pass over the words of a text, each looked up in a set: time is linear in its length.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from privstamp.sensitivity.frequencies import OPENING, common_words
from privstamp.sensitivity.languages import WORDS, Words, listed
from privstamp.sensitivity.wordrules import PARTICLES
from privstamp.text.terms import fold
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

SOURCE: Final = "consistency"
SCORE: Final = 0.7
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 3
"""Letters of a name that also counts in lower case, or glued to another."""
_LONGEST: Final = 8
"""Words of a place or an organisation that are compared."""
_AFTER_NAMES: Final = frozenset({"jr", "sr", "phd", "md", "esq", "ii", "iii", "the", "of", "and"})
_WHOLE: Final = frozenset({"LOCATION", "ORGANIZATION"})
_ARTICLE: Final = re.compile(r"(?i)(?<!\w)(?:the|an?|his|her|our|their|your|my) \Z")
_NEAR: Final = 8
_OPENING: Final = re.compile(r"(?:\A|[.!?:\n\u2022*>-])[\s\"'(\[\u2018\u201c]*\Z")


_Word = tuple[int, int, str]
"""Start, end, folded."""


class Consistency:
    """Looks for what repeats a finding's name, knowing the common words of a language.

    A name is sure if so many `finders` agree on it, or if it is found twice. Words of the public
    `vocabulary` never spread by themselves ("Subject"), only beside a name ("Will Thornbury").
    """

    def __init__(
        self, language: str, vocabulary: Vocabulary | None = None, finders: int = 1
    ) -> None:
        self._vocabulary = vocabulary or Vocabulary(())
        self._finders = finders
        words = WORDS.get(language, Words())
        self._common = common_words(language)
        self._no_names = PARTICLES.union(
            map(fold, listed(words.titles)), map(fold, listed(words.particles)), _AFTER_NAMES
        )

    def repeats(
        self,
        text: str,
        findings: Sequence[Finding],
        *,
        other: tuple[str, Sequence[Finding]] | None = None,
    ) -> list[Finding]:
        """Further spans that repeat a finding's name; `findings` are in order, without overlaps.

        The names are those of the text itself, or of the `other` one. Persons by each part of
        their name, also inside addresses and paths ("p.raghunathan", "praghunathan"); places and
        organisations whole. A part that is a common word counts only with a capital, a very common
        one ("Will") not where a sentence begins.
        """
        source, known = (text, findings) if other is None else other
        known = self._sure(source, known)
        persons = [finding for finding in known if finding.kind == "PERSON"]
        names = [finding for finding in known if finding.kind in _WHOLE]
        if not persons and not names:
            return []
        parts, glued = self._parts(source, persons)
        phrases = self._phrases(source, names)
        words = list(_words(text))
        repeated = [
            _finding(word[0], word[1], "PERSON")
            for word in words
            if word[2] in glued or (word[2] in parts and self._is_name(text, word))
        ]
        repeated += self._again(text, words, phrases)
        return list(_outside(repeated, findings))

    def _sure(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """Those that several finders have a part in, and those that are found again."""
        names = [
            finding for finding in findings if finding.kind == "PERSON" or finding.kind in _WHOLE
        ]
        times = Counter(fold(text[name.start : name.end]) for name in names)
        return [
            name
            for name in names
            if len(name.source.split(" + ")) >= self._finders
            or times[fold(text[name.start : name.end])] > 1
        ]

    def _is_public(self, word: str) -> bool:
        return self._vocabulary.knows(word, capital=True)

    def _parts(self, text: str, persons: Iterable[Finding]) -> tuple[set[str], set[str]]:
        """Parts of names, and the ways in which user names glue them together."""
        parts: set[str] = set()
        glued: set[str] = set()
        for person in persons:
            words = [folded for _, _, folded in _words(text, person.start, person.end)]
            named = [
                word
                for word in words
                if word not in self._no_names and (len(word) > 1 or not word.isascii())
            ]
            if all(map(self._is_public, named)):
                continue
            parts.update(named)
            long = [word for word in named if len(word) >= _SHORTEST]
            if len(long) > 1:
                first, last = long[0], long[-1]
                glued |= {first + last, last + first, first[0] + last, last + first[0]}
                glued.add(first + last[0])
        return parts, {word for word in glued if word not in self._common}

    def _phrases(self, text: str, names: Iterable[Finding]) -> dict[tuple[str, ...], str]:
        """Places and organisations by their words; not a single public word."""
        phrases: dict[tuple[str, ...], str] = {}
        for name in names:
            words = tuple(folded for _, _, folded in _words(text, name.start, name.end))
            plain = len(words) == 1 and self._is_public(words[0])
            if len(words) <= _LONGEST and sum(map(len, words)) >= _SHORTEST and not plain:
                phrases[words] = name.kind
        return phrases

    def _is_name(self, text: str, word: _Word) -> bool:
        """Whether a word spelt like a part of a name is likely meant as one."""
        start, _, folded = word
        capital = not text[start].islower()
        if (
            not capital
            and self._is_thing(folded)
            and _ARTICLE.search(text, max(0, start - _NEAR), start)
        ):
            return False  # Art Deacon, the deacon
        frequency = self._common.get(folded, 0.0)
        if frequency >= OPENING or self._is_public(folded):
            return capital and not _OPENING.search(text, max(0, start - 8), start)
        if capital:
            return True
        return bool(self._common) and not frequency and len(folded) >= _SHORTEST

    def _is_thing(self, word: str) -> bool:
        """Whether a word in small letters is an everyday one, whoever is called so."""
        return self._vocabulary.has(word) or self._vocabulary.is_named(word)

    def _again(
        self, text: str, words: Sequence[_Word], phrases: dict[tuple[str, ...], str]
    ) -> Iterator[Finding]:
        lengths: dict[str, set[int]] = {}
        for phrase in phrases:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        for index, word in enumerate(words):
            for length in sorted(lengths.get(word[2], ()), reverse=True):
                run = words[index : index + length]
                kind = phrases.get(tuple(folded for _, _, folded in run))
                if kind is None:
                    continue
                plain = text[word[0]].islower() and all(self._is_public(w) for _, _, w in run)
                if not plain and (length > 1 or self._is_name(text, word)):
                    yield _finding(word[0], run[-1][1], kind)
                    break


def _words(text: str, start: int = 0, end: int | None = None) -> Iterator[_Word]:
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        yield match.start(), match.end(), fold(match[0])


def _finding(start: int, end: int, kind: str) -> Finding:
    return Finding(start, end, kind, SCORE, SOURCE, f"repeats a {kind}")


def _outside(findings: list[Finding], taken: Sequence[Finding]) -> Iterator[Finding]:
    """Those that do not lie inside a span that is there already."""
    findings.sort(key=lambda finding: finding.start)
    index = 0
    for one in findings:
        while index < len(taken) and taken[index].end <= one.start:
            index += 1
        inside = index < len(taken) and taken[index].start <= one.start
        if not (inside and one.end <= taken[index].end):
            yield one
