"""Names of a model, cut at what no name has inside of it, and in capitals to what lists confirm."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from privstamp.sensitivity.capitals import INSTITUTIONS, is_shouted, opens
from privstamp.sensitivity.confirm import firm_in
from privstamp.sensitivity.spans import spanning
from privstamp.sensitivity.wordrules import PARTICLES
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.calendar import WEEKDAYS
from privstamp.text.terms import fold
from privstamp.text.terms import words as listed
from privstamp.text.vocabulary import Vocabulary, is_word
from privstamp.types import Finding

_TRIMMED: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
_LISTS: Final = frozenset({"lexicon", "rules"})
_MAIDEN: Final = frozenset({"n\u00e9e", "n\u00e9", "nee"})
_WORD: Final = re.compile(r"[^\W\d_]+")
_WEEKDAYS: Final = frozenset(word for word in WEEKDAYS if len(word) > len("sun"))
"""Days of the week, and what is short for one and nobody's name."""
_ASKS: Final = frozenset(
    listed(
        "ask buy call choose click contact email follow join meet message open phone press rang "
        "ring see select tap tell text thank try use visit"
    )
)
"""Verbs that sentences begin with, before a name: Call Ridgeline Exteriors."""
_INITIAL_BEFORE: Final = re.compile(r"[ .][A-Z]\. \Z")
_SMALL_AFTER: Final = re.compile(r" [a-z]")
_VERBS: Final = FUNCTION_WORDS - set(listed("of the and for in at on by to a an with or from"))
_first = itemgetter(0)

_UNNAMED: Final = re.compile(
    r"[^\s=<>{}|\u00b7\u2022](?:(?:(?!:\s)[^=<>{}|\u00b7\u2022\t ]| (?! ))*"
    r"[^\s=<>{}|\u00b7\u2022])?"
)
"""Up to a sign or a gap that no name has."""
_UNNAMED_IN_LINE: Final = re.compile(_UNNAMED.pattern.replace(r"\t ", r"\t\n "))
_NEXT_LINE: Final = re.compile(r"\n[ \t]*(?:\n|[-*\u2022>#] ?|\d+[.)] |[A-Z][a-z]+:?\Z)")
"""The end of a paragraph or of a list's item, or the label of the next line: Sent of Sent:."""
_WRAPPED: Final = 45
"""Characters of a line before which no text is wrapped: what follows is another field or turn."""
_LABELLED: Final = re.compile(r"[^\n]{0,30}:(?:\s|\Z)")
_VERSUS: Final = re.compile(r" (?:v|vs)\.? ")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ANSWER: Final = re.compile(r"[QA]\.? (?=\w)")
"""Before what is said in a hearing."""
_QUESTIONS: Final = re.compile(r"^Q[.:]? ", re.MULTILINE)
_NUMBER_AFTER: Final = re.compile(r"(?:[\s#]+\d[\d.,:/-]*[)\]]?)+\Z")
_COLUMN: Final = re.compile(r"\S {3,}\S")
"""Columns: there a name ends with its line."""
_LONG: Final = 1000
"""Characters of a line that are looked at."""


def apart(text: str, finding: Finding) -> Iterator[Finding]:
    """What a model takes for one name, cut at signs that no name has (user=ana action=delete), at
    the end of a short line, and between the parties of a case; less a number behind it."""
    line = max(text.rfind("\n", 0, finding.start) + 1, finding.start - _LONG)
    start = finding.start
    if start == line and _ANSWER.match(text, start) and _QUESTIONS.search(text):
        start += text[start : start + 3].index(" ") + 1
    parted = (
        _ends_line(text, finding, line)
        or _COLUMN.search(text, line, finding.end)
        or _NEXT_LINE.search(text, start, finding.end)
    )
    pattern = _UNNAMED_IN_LINE if parted else _UNNAMED
    for piece in pattern.finditer(text, start, finding.end):
        begin = piece.start()
        ends = [(other.start(), other.end()) for other in _VERSUS.finditer(piece[0])]
        for end, following in [*ends, (len(piece[0]), 0)]:
            stop = piece.start() + end
            if finding.kind == "PERSON" and (number := _NUMBER_AFTER.search(text, begin, stop)):
                stop = number.start()
            if _LETTER.search(text, begin, stop):
                yield spanning(finding, begin, stop)
            begin = piece.start() + following


def _ends_line(text: str, finding: Finding, line: int) -> bool:
    """Whether a line ends within it that is too short to be wrapped, or a label stands below."""
    end = text.find("\n", finding.start, finding.end)
    if end < 0:
        return False
    return end - line < _WRAPPED or _LABELLED.match(text, end + 1) is not None


class Edges:
    """Takes the words from a model's names that are none: those around a name, and between two.

    `is_listed` knows names in small letters; `openings` are words that open sentences.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        is_listed: Callable[[str], bool],
        openings: Set[str],
        *,
        english: bool,
    ) -> None:
        self._vocabulary, self._is_listed = vocabulary, is_listed
        self._openings, self._english = openings, english

    def named(self, text: str, finding: Finding) -> Iterator[Finding]:
        """The names in what a model takes for one: "Ravi fixes", "ASK ROSALEE AT", "née Adjei"."""
        if finding.kind not in _TRIMMED or finding.source in _LISTS:
            yield finding
            return
        begin = finding.start
        finding = self._trimmed(text, finding)
        firm = firm_in(text, finding.start, finding.end)
        if finding.kind == "ORGANIZATION" and firm is not None:
            yield spanning(finding, firm, finding.end)
            return
        words = list(_WORD.finditer(text, finding.start, finding.end))
        if finding.start > begin and finding.kind == "ORGANIZATION" and self._are_plain(words):
            return  # Click Export
        written = any(word[0][0].isupper() for word in words)
        body = finding.kind != "PERSON"
        none = [self._is_none(text, word) for word in words] if self._english and written else []
        if body:  # KWAME ASANTE WERE
            none = [
                bare and word[0].lower() in _VERBS for bare, word in zip(none, words, strict=False)
            ]
        for at in range(1, len(none) - 1):
            if words[at][0].lower() == "the":  # Dora the Explorer
                none[at] = none[at - 1] or none[at + 1]
        shouted = all(word[0].isupper() for word in words)
        if (body and not shouted) or not any(none) or all(none):
            yield finding
            return
        for plain, pairs in groupby(zip(none, words, strict=True), _first):
            if plain:
                continue
            run = [word for _, word in pairs]
            start = finding.start if run[0] is words[0] else run[0].start()
            end = finding.end if run[-1] is words[-1] else run[-1].end()
            yield spanning(finding, start, end)

    def _are_plain(self, words: Sequence[re.Match[str]]) -> bool:
        """Whether words with a capital are everyday ones, and nobody's names."""
        return all(
            self._is_public(word[0]) and not self._is_listed(word[0].lower()) for word in words
        )

    def _is_none(self, text: str, match: re.Match[str]) -> bool:
        """Whether a word inside a person's name is none of it: a public one in small letters, or
        where all words are in capitals."""
        word = match[0].lower()
        if word in _MAIDEN:
            return True
        if len(word) == 1 or word in PARTICLES or self._vocabulary.is_named(word):
            return False
        if word in _WEEKDAYS or self._begins(text, match):
            return True
        shouted = match[0].isupper() and is_shouted(text, *match.span())
        if not shouted and not match[0].islower():
            return False
        if word in FUNCTION_WORDS or self._vocabulary.is_role(word):
            return True
        return self._vocabulary.has(word) and not self._is_listed(word)

    def _begins(self, text: str, match: re.Match[str]) -> bool:
        """Whether a sentence begins with it, behind an initial: by Rosa T. Skin was torn."""
        if not match[0].istitle() or not _INITIAL_BEFORE.search(
            text, max(0, match.start() - 4), match.start()
        ):
            return False
        if _SMALL_AFTER.match(text, match.end()) is None or self._is_listed(match[0].lower()):
            return False
        return self._vocabulary.has(match[0].lower(), capital=True)

    def _trimmed(self, text: str, finding: Finding) -> Finding:
        """A name less the small public words around it: "pardoning", "walks", "née"."""
        words = list(_WORD.finditer(text, finding.start, finding.end))
        if not any(word[0][0].isupper() for word in words):
            return finding
        first, last = 0, len(words) - 1
        if last and not self._english and self.merely_opens(words[0][0]):
            first = int(opens(text, finding.start))  # "Soy Ana Ruiz"
        if finding.kind != "LOCATION" and last - first > 1 and not self._is_public(words[last][0]):
            first += self._vocabulary.is_role(words[first][0].lower())  # "Driver Joachim Ntare"
        if last > first and self._is_asked(text, finding, words[first][0], words[first + 1][0]):
            first += 1
        plain = _MAIDEN.__contains__ if finding.kind == "PERSON" else self._is_public
        while words[first][0].islower() and plain(words[first][0]):
            first += 1
        while words[last][0].islower() and plain(words[last][0]):
            last -= 1
        start = finding.start if not first else words[first].start()
        end = finding.end if last == len(words) - 1 else words[last].end()
        return spanning(finding, start, end)

    def _is_asked(self, text: str, finding: Finding, word: str, following: str) -> bool:
        """Whether a line begins with a small public word before a name: ask Vandersloot."""
        if not following[0].isupper() or not opens(text, finding.start):
            return False
        if word.lower() in _ASKS:
            return True
        if not word.islower():
            return False
        return self._is_public(word) and word != "will" and not self._vocabulary.is_named(word)

    def merely_opens(self, word: str) -> bool:
        """Whether a capital where a sentence begins tells nothing of a word: of a language other
        than English no ordinary word, since their small models take verbs for names there."""
        if fold(word) in self._openings or (self._english and word.lower() in _ASKS):
            return True
        return not self._english and self._is_public(word)

    def _is_public(self, word: str) -> bool:
        return is_word(self._vocabulary, word)


# In a line in capitals a small model takes any word for a company or a person. There it is believed
# of words that no public list has, and of two everyday words that are names side by side.

_WHOLE_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
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
    if finding.kind not in _TRIMMED or not name.isupper():
        yield finding
        return
    matches = list(_WHOLE_WORD.finditer(text, finding.start, finding.end))
    if not matches or not is_shouted(text, finding.start, finding.end) or _stays(text, finding):
        yield finding
        return
    kinds = [_evidence(match[0], vocabulary) for match in matches]
    for plain, pairs in groupby(zip(kinds, matches, strict=True), lambda pair: pair[0] == 0):
        run = list(pairs)
        if plain or sum(evidence for evidence, _ in run) < _ENOUGH:
            continue
        start, end = run[0][1].start(), run[-1][1].end()
        cut = spanning(finding, start, end)
        all_listed = all(is_listed(part.lower()) for _, match in run for part in _parts(match[0]))
        whole = len(run) == len(matches)
        yield replace(cut, kind="PERSON") if all_listed and not whole else cut


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
