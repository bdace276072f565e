"""Put many strings in the place of many others: whole words, longest first, in one pass.

A text is read as tokens (numbers with their separators, runs of letters, single other characters)
and matched along a tree of tokens, so that the time does not depend on how many strings there are
and what was put in is never read again. A string that could be anything, such as a short number,
is replaced only beside a word that it stood beside, or where it is the whole text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from privstamp.spaces.wordlists import FUNCTION_WORDS

Beside: TypeAlias = tuple[str, str]
"""The words before and after a string, as `words_beside` writes them."""
_CJK: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""Scripts written without blanks: each character is a token, and none is glued to its neighbour."""
TOKEN: Final = re.compile(rf"\d+(?:[.,]\d+)*|[^\W\d_{_CJK}]+|_+|\S")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_WORDY: Final = re.compile(rf"[^\W_{_CJK}]")
_VARIANTS: Final = str.maketrans("\u2018\u2019\u2010\u2011", "''--")
"""Characters that a language model exchanges freely."""


_WORD: Final = re.compile(rf"\d+(?:[.,]\d+)*|[^\W\d_{_CJK}]+|[{_CJK}]")
_MARKS: Final = re.compile(r"[.)](?=[ \t*]+\S)")
_ACRONYM: Final = 3
"""Letters of a word in capitals that keeps them: BBC."""
_NEAR: Final = 2
_REACH: Final = 60
"""Words on either side that count as beside a string, and the characters they are looked for in."""


@dataclass(frozen=True, repr=False, slots=True)
class Match:
    """A string that was found, the pair that it is one of, and what to write there.

    A string of several words that could stand for two things has no value, and none of its words
    is put back by itself.
    """

    start: int
    end: int
    source: str
    target: str
    value: str | None


class _Node:
    __slots__ = ("blocked", "carry", "children", "doubtful", "values")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.values: dict[str, str] = {}  # by exact writing
        self.blocked: set[str] = set()  # exact writings with two values
        self.carry: tuple[str, str] | None = None  # (from, to) for any other case
        self.doubtful: dict[str, dict[str, set[Beside]]] = {}  # by exact writing, then by value

    def match(self, text: str, start: int, end: int) -> Match | None:
        """What the string stands for, if it ends here."""
        matched = text[start:end]
        writing = plain(matched)
        if writing in self.blocked:
            return Match(start, end, writing, "", None)
        exact = self.values.get(writing)
        if exact is not None:
            return Match(start, end, writing, exact, exact)
        if self.carry is not None:
            source, target = self.carry
            other = matched.islower() and not (source.islower() or source.startswith("["))
            if not other:  # Will is not will
                return Match(start, end, source, target, in_case_of(matched, source, target))
        beside = self.beside(text, start, end)
        return None if beside is None else Match(start, end, writing, beside, beside)

    def beside(self, text: str, start: int, end: int) -> str | None:
        """The one value whose neighbours stand here; of a text of nothing else, the only one."""
        values = self.doubtful.get(plain(text[start:end]))
        if values is None or _numbers_a_point(text, start, end):
            return None
        here = words_beside(text, start, end)
        small = _fold(text[start:end]) in FUNCTION_WORDS
        fitting = [
            value
            for value, known in values.items()
            if any(_agree(here, one, small) for one in known)
        ]
        if not fitting and not small and _is_all(text, start, end):
            fitting = list(values)
        return fitting[0] if len(fitting) == 1 else None


class Substitution:
    """From strings to what they stand for.

    A string given two different values has none: it is in `ambiguous`. Those of `doubtful`
    come with the words that stood beside them, and are replaced beside one of these alone.
    """

    def __init__(
        self,
        pairs: Iterable[tuple[str, str]],
        doubtful: Iterable[tuple[str, str, Iterable[Beside]]] = (),
    ) -> None:
        self._root = _Node()
        for source, target, beside in doubtful:
            source = plain(source)
            meant = self._node(source).doubtful.setdefault(source, {})
            meant.setdefault(target, set()).update(beside)
        groups: dict[str, dict[str, list[str]]] = {}
        for source, target in pairs:
            source = plain(source)
            values = groups.setdefault(source.casefold(), {}).setdefault(source, [])
            if target not in values:
                values.append(target)
        self.ambiguous: set[str] = set()
        for group in groups.values():
            self._add(group)

    @property
    def left_out(self) -> int:
        """Strings without a value."""
        return len(self.ambiguous)

    def _node(self, source: str) -> _Node:
        node = self._root
        for key in _keys(source):
            node = node.children.setdefault(key, _Node())
        return node

    def _add(self, group: dict[str, list[str]]) -> None:
        """All writings of one string: they differ in case only."""
        meanings = {value.casefold() for values in group.values() for value in values}
        for source, values in group.items():
            if len({value.casefold() for value in values}) > 1:
                self.ambiguous.add(source)
                if " " in source:
                    self._node(source).blocked.add(source)
                continue
            node = self._node(source)
            node.values[source] = values[0]
            # A few letters in another case are another thing: US and us.
            if node.carry is None and len(source) > 3 and len(meanings) == 1:
                node.carry = source, values[0]

    def begins(self, token: str) -> bool:
        """Whether any string begins with this token."""
        return _fold(token) in self._root.children

    def match(self, text: str, at: int) -> tuple[int, Match | None]:
        """Where to go on after the first token from `at`, and the longest string that starts there.

        At the end of the text the place to go on is beyond it.
        """
        token = TOKEN.search(text, at)
        if token is None:
            return len(text) + 1, None
        node = self._root.children.get(_fold(token.group()))
        if node is None or _glued_before(text, token.start()):
            return token.end(), None
        longest = _longest(text, token, node)
        return (token.end() if longest is None else longest.end), longest

    def __call__(self, text: str) -> str:
        """The text with every whole occurrence replaced."""
        pieces: list[str] = []
        copied = position = 0
        while position <= len(text):
            position, match = self.match(text, position)
            if match is not None and match.value is not None:
                pieces += (text[copied : match.start], match.value)
                copied = match.end
        pieces.append(text[copied:])
        return "".join(pieces)


def words_beside(text: str, start: int, end: int) -> Beside:
    """Up to two words before and after a stretch of text, on its line, as they are compared."""
    lead = text[max(0, start - _REACH) : start].rpartition("\n")[2]
    tail = text[end : end + _REACH].partition("\n")[0]
    before, after = _WORD.findall(lead)[-_NEAR:], _WORD.findall(tail)[:_NEAR]
    return " ".join(map(_stem, before)), " ".join(map(_stem, after))


def _stem(word: str) -> str:
    """A word in any case, one or many, a metre as a meter."""
    word = _fold(word).replace("metre", "meter").replace("litre", "liter")
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _agree(here: Beside, known: Beside, both: bool) -> bool:
    """Whether a word is the same on one side; small words (of, the) count only on both."""
    sides = [(mine.split(), other.split()) for mine, other in zip(here, known, strict=True)]
    (before, known_before), (after, known_after) = sides
    if before and after and before[-1:] == known_before[-1:] and after[:1] == known_after[:1]:
        return True
    return not both and any(set(mine).intersection(other) - FUNCTION_WORDS for mine, other in sides)


def _numbers_a_point(text: str, start: int, end: int) -> bool:
    """Whether it is the mark of a point in a list: "3. ", "3) " or "(3) " where a line starts."""
    lead = text[max(0, start - _REACH) : start].rpartition("\n")[2]
    return not lead.strip(" \t(*->#") and _MARKS.match(text, end) is not None


def _is_all(text: str, start: int, end: int) -> bool:
    """Whether a text holds no other number and no word but small ones."""
    if len(text) > _REACH or not _WORD.search(text, start, end):
        return False
    others = _WORD.findall(text[:start]) + _WORD.findall(text[end:])
    return FUNCTION_WORDS.issuperset(map(_fold, others))


def telling(text: str) -> bool:
    """Whether a string can be recognised in a text: a bare symbol, blank or nothing cannot."""
    return any(c.isalnum() or unicodedata.category(c) in ("Sc", "So") for c in text)


def plain(text: str) -> str:
    """One blank for any spacing, straight apostrophes and hyphens."""
    return " ".join(text.translate(_VARIANTS).split())


def in_case_of(matched: str, source: str, target: str) -> str:
    """The target, with the case that `matched` has where it differs from `source`.

    >>> in_case_of("OKAFOR", "Okafor", "Raghunathan")
    'RAGHUNATHAN'
    """
    if source.startswith("["):  # a placeholder's case says nothing
        return target
    if matched.isupper():
        return target.upper()
    if source.islower():
        return target[:1].upper() + target[1:]
    if source.isupper() and target.isupper():
        words = target.split(" ")
        return " ".join(word if len(word) <= _ACRONYM else word.capitalize() for word in words)
    return target


def _fold(token: str) -> str:
    """As tokens are compared: in any case, a number with or without commas between thousands."""
    if _THOUSANDS.fullmatch(token):
        return token.replace(",", "")
    return token.translate(_VARIANTS).casefold()


def _keys(text: str) -> list[str]:
    """The tokens of a string; a leading blank marks those that follow spacing."""
    keys: list[str] = []
    end = 0
    for token in TOKEN.finditer(text):
        blank = " " if token.start() > end else ""
        keys.append(blank + _fold(token.group()))
        end = token.end()
    return keys


def _longest(text: str, first: re.Match[str], node: _Node) -> Match | None:
    """The longest string that starts here."""
    best: Match | None = None
    last = first
    while True:
        end = last.end()
        known = node.values or node.doubtful or node.blocked
        if known and not _glued_after(text, last, alone=last is first):
            best = node.match(text, first.start(), end) or best
        token = TOKEN.search(text, end) if node.children else None
        if token is None:
            return best
        blank = " " if token.start() > end else ""
        follower = node.children.get(blank + _fold(token.group()))
        if follower is None:
            return best
        node, last = follower, token


def _glued_before(text: str, start: int) -> bool:
    """Whether what starts here is the inside of a longer word."""
    if not _WORDY.match(text, start):
        return False
    before = start - 1
    if text[start + 1 : start + 2] == "." and text[max(0, start - 2) : start].endswith("."):
        return _WORDY.match(text, start - 2) is not None  # the S of P.S.
    while before >= 0 and text[before] == "_":
        before -= 1
    return before >= 0 and _WORDY.match(text, before) is not None


def _glued_after(text: str, last: re.Match[str], *, alone: bool) -> bool:
    """Whether the word goes on after this token. A number may have its unit attached: 12mg."""
    if not _WORDY.match(last.group()):
        return False
    follower = TOKEN.match(text, last.end())
    if follower is not None and alone and last.group()[0].isdecimal():
        unit = follower.group()
        if unit.isalpha() and _WORDY.match(unit):
            return _goes_on(text, follower.end())
    return _goes_on(text, last.end())


def _goes_on(text: str, end: int) -> bool:
    while end < len(text) and text[end] == "_":
        end += 1
    return end < len(text) and _WORDY.match(text, end) is not None
