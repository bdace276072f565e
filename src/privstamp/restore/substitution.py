"""Put many strings in the place of many others: whole words, longest first, in one pass.

A text is read as tokens (numbers with their separators, runs of letters, single other characters)
and matched along a tree of tokens, so that the time does not depend on how many strings there are
and what was put in is never read again. A string that could be anything, such as a short number,
is replaced only beside a word that it stood beside, or where it is the whole text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.text.wordforms import STRAIGHT, compared

Beside: TypeAlias = tuple[str, str]
"""The words before and after a string, as `words_beside` writes them."""
_CJK: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""Scripts written without blanks: each character is a token, and none is glued to its neighbour."""
TOKEN: Final = re.compile(rf"\d+(?:[.,]\d+)*|[^\W\d_{_CJK}]+|_+|\S")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_WORDY: Final = re.compile(rf"[^\W_{_CJK}]")


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


class Given(NamedTuple):
    """What one giver has: strings and what they stand for, further writings, which count only where
    they are no string of anybody, and strings with the words that stood beside them."""

    pairs: tuple[tuple[str, str], ...] = ()
    writings: tuple[tuple[str, str], ...] = ()
    doubtful: tuple[tuple[str, str, Iterable[Beside]], ...] = ()


class _Node:
    """Where strings end that differ in case only. Once it is of an older version than the tree that
    is being made, it is copied instead of changed."""

    __slots__ = ("ambiguous", "blocked", "carry", "children", "doubtful", "given", "of", "values")

    def __init__(self, of: object) -> None:
        self.of = of
        self.children: dict[str, _Node] = {}
        self.given: dict[str, Given] = {}  # by giver: what ends here
        self.values: dict[str, str] = {}  # by exact writing
        self.blocked: set[str] = set()  # exact writings with two values
        self.carry: tuple[str, str] | None = None  # (from, to) for any other case
        self.doubtful: dict[str, dict[str, set[Beside]]] = {}  # by exact writing, then by value
        self.ambiguous: set[str] = set()

    def copy(self, of: object) -> _Node:
        """The same in another tree, until it is changed there."""
        node = _Node.__new__(_Node)
        for name in _Node.__slots__:
            setattr(node, name, getattr(self, name))
        node.of, node.children, node.given = of, dict(self.children), dict(self.given)
        return node

    def settle(self) -> None:
        """What strings here stand for, by what was given."""
        self.values, self.doubtful, self.carry = {}, {}, None
        self.blocked, self.ambiguous = set(), set()
        every = self.given.values()
        pairs = [pair for given in every for pair in given.pairs]
        if writings := [pair for given in every for pair in given.writings]:
            strings = {source for source, _ in pairs}
            pairs += [pair for pair in writings if pair[0] not in strings]
        group: dict[str, list[str]] = {}
        for source, target in pairs:
            values = group.setdefault(source, [])
            if target not in values:
                values.append(target)
        meanings = {compared(value) for values in group.values() for value in values}
        for source, values in group.items():
            if len(set(map(compared, values))) > 1:
                self.ambiguous.add(source)
                if " " in source:
                    self.blocked.add(source)
                continue
            self.values[source] = values[0]
            # A few letters in another case are another thing: US and us.
            if self.carry is None and len(source) > 3 and len(meanings) == 1:
                self.carry = source, values[0]
        for given in every:
            for source, target, beside in given.doubtful:
                meant = self.doubtful.setdefault(source, {})
                meant.setdefault(target, set()).update(beside)

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
            unlike = matched.islower() and not (source.islower() or source.startswith("["))
            if not unlike:  # Will is not will
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
            if any(_agree(here, sides, small) for sides in known)
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
        pairs: Iterable[tuple[str, str]] = (),
        doubtful: Iterable[tuple[str, str, Iterable[Beside]]] = (),
    ) -> None:
        self._version = object()
        self._root = _Node(self._version)
        self._givers: dict[str, Given] = {}
        self.ambiguous: set[str] = set()
        self._put({"": Given(tuple(pairs), (), tuple(doubtful))})

    @property
    def left_out(self) -> int:
        """Strings without a value."""
        return len(self.ambiguous)

    def more(self, givers: Mapping[str, Given]) -> Substitution:
        """Another, in which these givers have this instead of what they had. It takes as long as
        there is of them; all else is shared."""
        more = Substitution.__new__(Substitution)
        more._version = object()
        more._root = self._root.copy(more._version)
        more._givers, more.ambiguous = dict(self._givers), set(self.ambiguous)
        more._put(givers)
        return more

    def _put(self, givers: Mapping[str, Given]) -> None:
        changed: dict[tuple[str, ...], _Node] = {}
        for giver, given in givers.items():
            here = _by_place(given)
            before = _by_place(self._givers[giver]) if giver in self._givers else {}
            self._givers[giver] = given
            for keys in {**before, **here}:
                node = changed[keys] = changed.get(keys) or self._node(keys)
                if keys in here:
                    node.given[giver] = here[keys]
                else:
                    del node.given[giver]
        for node in changed.values():
            self.ambiguous -= node.ambiguous
            node.settle()
            self.ambiguous |= node.ambiguous

    def _node(self, keys: tuple[str, ...]) -> _Node:
        """Where a string ends, to be changed."""
        node = self._root
        for key in keys:
            child = node.children.get(key)
            if child is None or child.of is not self._version:
                child = _Node(self._version) if child is None else child.copy(self._version)
                node.children[key] = child
            node = child
        return node

    def begins(self, token: str) -> bool:
        """Whether any string begins with this token."""
        return _fold(token) in self._root.children

    def match(self, text: str, at: int) -> tuple[int, Match | None]:
        """Where to go on after the first token from `at`, and the longest string that starts there.

        At the end of the text the place to go on is beyond it.
        """
        after, longest, _ = self.look(text, at)
        return after, longest

    def look(self, text: str, at: int) -> tuple[int, Match | None, bool]:
        """The same, and whether it stays so whatever is added to the text."""
        token = TOKEN.search(text, at)
        if token is None:
            return len(text) + 1, None, False
        node = self._root.children.get(_fold(token.group()))
        if node is None or _glued_before(text, token.start()):
            return token.end(), None, _ends(token, text)
        longest, sure = _longest(text, token, node)
        return (token.end() if longest is None else longest.end), longest, sure

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
    sides = [
        (side.split(), known_side.split()) for side, known_side in zip(here, known, strict=True)
    ]
    (before, known_before), (after, known_after) = sides
    if before and after and before[-1:] == known_before[-1:] and after[:1] == known_after[:1]:
        return True
    return not both and any(
        set(side).intersection(known_side) - FUNCTION_WORDS for side, known_side in sides
    )


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
    return " ".join(text.translate(STRAIGHT).split())


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
    return compared(token)


def _by_place(given: Given) -> dict[tuple[str, ...], Given]:
    """In parts, by the tokens of the strings."""
    places: dict[tuple[str, ...], tuple[list[Any], list[Any], list[Any]]] = {}
    kinds: tuple[tuple[tuple[Any, ...], ...], ...] = given
    for number, rows in enumerate(kinds):
        for string, *rest in rows:
            source = plain(string)
            parts = places.setdefault(_keys(source), ([], [], []))
            parts[number].append((source, *rest))
    return {keys: Given(*map(tuple, parts)) for keys, parts in places.items()}


def _keys(text: str) -> tuple[str, ...]:
    """The tokens of a string; a leading blank marks those that follow spacing."""
    keys: list[str] = []
    end = 0
    for token in TOKEN.finditer(text):
        blank = " " if token.start() > end else ""
        keys.append(blank + _fold(token.group()))
        end = token.end()
    return tuple(keys)


def _ends(token: re.Match[str], text: str) -> bool:
    """Whether it ends here whatever follows: 12 may go on as 12,5."""
    return token.end() + 1 < len(text)


def _longest(text: str, first: re.Match[str], node: _Node) -> tuple[Match | None, bool]:
    """The longest string that starts here, and whether nothing that is added changes that."""
    best: Match | None = None
    last, sure = first, True
    while True:
        end = last.end()
        sure = sure and not node.doubtful and _ends(last, text)
        known = node.values or node.doubtful or node.blocked
        if known and not _glued_after(text, last, alone=last is first):
            best = node.match(text, first.start(), end) or best
        token = TOKEN.search(text, end) if node.children else None
        if token is None:
            return best, sure and not node.children
        blank = " " if token.start() > end else ""
        follower = node.children.get(blank + _fold(token.group()))
        if follower is None:
            return best, sure and _ends(token, text)
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
