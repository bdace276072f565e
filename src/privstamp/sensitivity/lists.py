"""Words that a person allows or denies, laid over what a detector found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from privstamp.errors import PolicyError
from privstamp.text.confusables import as_latin
from privstamp.types import Finding, Units

# Scripts written without blanks between words: each character is a token of its own.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks (accents, vowel signs) are no word characters to `re`, but belong to their word.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
    "\u1ab0-\u1aff\u20d0-\u20ff"
)
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}]|[{_MARKS}])+|\S")
_DASHES: Final = frozenset("-_\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_APOSTROPHES: Final = frozenset("'\u2019\u02bc\uff07")


class Token(NamedTuple):
    start: int
    end: int
    word: str


@dataclass
class _Node:
    """Terms that share a beginning; `allow` and `deny` say whether one ends here."""

    next: dict[str, _Node] = field(default_factory=dict)
    allow: bool = False
    deny: bool = False


def apply_lists(
    units: Units, findings: Sequence[Finding], allow: Sequence[str], deny: Sequence[str]
) -> list[Finding]:
    """Findings less those made of allowed words only, and every denied word; deny wins.

    Terms are words or phrases; case, dashes and spacing do not matter, a possessive may follow.
    """
    if not allow and not deny:
        return list(findings)
    root = _planted(tuple(allow), tuple(deny))
    tokens = list(tokens_of(units.text))
    allowed, denied = _matches(root, tokens)
    if deny and not units.text.isascii():  # a denied word is denied also by its looks
        seen = [token._replace(word=as_latin(token.word)) for token in tokens]
        denied = sorted({*denied, *_matches(root, seen)[1]})
    kept = _not_allowed(findings, tokens, allowed) if any(allowed) else list(findings)
    return kept + [Finding(start, end, "DENIED", 1.0, "lists", "deny") for start, end in denied]


@lru_cache(maxsize=4)
def _planted(allow: tuple[str, ...], deny: tuple[str, ...]) -> _Node:
    """All terms as one tree; made once for the lists of a policy."""
    root = _Node()
    for name, terms in (("allow", allow), ("deny", deny)):
        for index, term in enumerate(terms):
            _plant(root, name, index, term)
    return root


def _plant(root: _Node, name: str, index: int, term: str) -> None:
    words = [token.word for token in tokens_of(term)]
    if not words:
        # The term itself may be private: only its place is named.
        raise PolicyError(f"entry {index + 1} of the {name} list is empty; remove it")
    node = root
    for word in words:
        node = node.next.setdefault(word, _Node())
    setattr(node, name, True)


def tokens_of(text: str, *, case: bool = False) -> Iterator[Token]:
    """Words and signs of a text, without dashes, as they are compared; `case` keeps capitals."""
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word in _DASHES:
            continue
        if word in _APOSTROPHES:
            word = "'"
        elif word.isascii():
            word = word if case else word.lower()
        else:
            word = unicodedata.normalize("NFKC", word)
            word = word if case else unicodedata.normalize("NFKC", word.casefold())
        yield Token(match.start(), match.end(), word)


def _matches(root: _Node, tokens: list[Token]) -> tuple[bytearray, list[tuple[int, int]]]:
    """Which tokens are allowed, and the denied spans; the longest term at each place."""
    allowed = bytearray(len(tokens))
    denied: list[tuple[int, int]] = []
    for first, token in enumerate(tokens):
        node, index = root.next.get(token.word), first
        allow_end = deny_end = -1
        while node is not None:
            allow_end = index if node.allow else allow_end
            deny_end = index if node.deny else deny_end
            index += 1
            node = node.next.get(tokens[index].word) if index < len(tokens) else None
        if allow_end >= 0:
            stop = _past_possessive(tokens, allow_end + 1)
            allowed[first:stop] = b"\x01" * (stop - first)
        if deny_end >= 0:
            denied.append((token.start, tokens[deny_end].end))
    return allowed, denied


def _past_possessive(tokens: list[Token], index: int) -> int:
    """The index behind a possessive ending that begins here."""
    if index < len(tokens) and tokens[index].word == "'":
        glued = tokens[index].start == tokens[index - 1].end
        after = index + 1
        if glued and after < len(tokens) and tokens[after].word == "s":
            return after + 1 if tokens[after].start == tokens[index].end else after
        return after if glued else index
    return index


def _not_allowed(
    findings: Sequence[Finding], tokens: list[Token], allowed: bytearray
) -> list[Finding]:
    """Findings that hold a word which is not allowed, or nothing that is."""
    ordered = sorted(findings, key=lambda finding: finding.start)
    kept: list[Finding] = []
    first = 0
    for finding in ordered:
        while first < len(tokens) and tokens[first].end <= finding.start:
            first += 1
        index, some, every = first, False, True
        while index < len(tokens) and tokens[index].start < finding.end and every:
            some = some or bool(allowed[index])
            every = bool(allowed[index]) or not any(map(str.isalnum, tokens[index].word))
            index += 1
        if not (some and every):
            kept.append(finding)
    return kept
