"""Recognisers written in the policy: a pattern, a list of words, or a file of terms."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import regex

from privstamp.errors import PolicyError, StageFailed, suggest
from privstamp.sensitivity.checksums import CHECKSUMS
from privstamp.sensitivity.spans import Token, tokens_of
from privstamp.text.expressions import compiled
from privstamp.types import Finding

# Long lists of terms, found in one pass over a text.
#
# A term is a run of words. Only 64-bit hashes are kept, some 20 bytes a term, and looked up all at
# once; a false hit has odds of one in 10^13 or so for each word and only marks too much.


LONGEST: Final = 32
"""Words of a term."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9 ]+")


class Dictionary:
    """Terms of one to 32 words; dashes and spacing do not matter, nor case unless asked for."""

    def __init__(self, terms: Iterable[str], where: str, *, case: bool = False) -> None:
        self._case = case
        ends = array("q")
        first: dict[int, int] = {}  # hash of a term's first word: its lengths, as bits
        for index, term in enumerate(terms):
            words = _words(term, case)
            if not 1 <= len(words) <= LONGEST:
                # The term itself may be private: only its place is named.
                raise PolicyError(f"{where}, entry {index + 1}: a term has 1 to {LONGEST} words")
            head = hash(words[0])
            first[head] = first.get(head, 0) | 1 << len(words) - 1
            ends.append(hash(" ".join(words)) if len(words) > 1 else head)
        self._whole = np.unique(np.frombuffer(ends, dtype=np.int64))
        heads = np.fromiter(first, dtype=np.int64, count=len(first))
        order = np.argsort(heads)
        self._heads = heads[order]
        self._lengths = np.fromiter(first.values(), dtype=np.uint32, count=len(first))[order]

    def __len__(self) -> int:
        return len(self._whole)

    def __repr__(self) -> str:
        return f"Dictionary({len(self)} terms)"

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of the longest term at each place; what begins inside one is passed by."""
        return self.spans_of(list(tokens_of(text, case=self._case)))

    def spans_of(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """The same in a text that is cut already."""
        if not len(self._heads) or not tokens:
            return
        words = [token.word for token in tokens]
        hashes = np.fromiter(map(hash, words), dtype=np.int64, count=len(words))
        place = np.minimum(np.searchsorted(self._heads, hashes), len(self._heads) - 1)
        starts = np.flatnonzero(self._heads[place] == hashes)
        firsts, lengths, runs = _candidates(words, hashes, starts, self._lengths[place[starts]])
        at = np.minimum(np.searchsorted(self._whole, runs), len(self._whole) - 1)
        end = 0
        for index in np.flatnonzero(self._whole[at] == runs).tolist():
            if firsts[index] >= end:  # the longest of a place comes first
                end = firsts[index] + lengths[index]
                yield tokens[firsts[index]].start, tokens[end - 1].end


def _words(term: str, case: bool) -> list[str]:
    if _PLAIN.fullmatch(term):  # most terms, and much quicker
        return (term if case else term.lower()).split()
    return [token.word for token in tokens_of(term, case=case)]


def _candidates(
    words: Sequence[str],
    hashes: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    masks: npt.NDArray[np.uint32],
) -> tuple[list[int], list[int], npt.NDArray[np.int64]]:
    """Runs of words that have the length of a term with that first word, and their hashes."""
    firsts: list[int] = []
    lengths: list[int] = []
    runs: list[int] = []
    for start, mask in zip(starts.tolist(), masks.tolist(), strict=True):
        length = mask.bit_length()
        while length:
            if mask >> length - 1 & 1 and start + length <= len(words):
                firsts.append(start)
                lengths.append(length)
                run = words[start : start + length]
                runs.append(hash(" ".join(run)) if length > 1 else int(hashes[start]))
            length -= 1
    return firsts, lengths, np.array(runs, dtype=np.int64)


# Words that make a finding near them more credible.


GAIN: Final = 0.35
REACH: Final = 60
"""Characters before and after a finding in which a word counts."""
_WORD: Final = re.compile(r"[^\W_]+")


class Context:
    """Words per kind; case does not matter. A finding near one of them gains 0.35, up to 1."""

    def __init__(
        self, words: Mapping[str, Sequence[str]] | None, where: str = "sensitivity.context"
    ) -> None:
        if words is not None and not isinstance(words, Mapping):
            raise PolicyError(f'{where} is a table, say {{ US_SSN = ["social", "ssn"] }}')
        self._words = {
            kind: frozenset(_checked(f"{where}.{kind}", some))
            for kind, some in (words or {}).items()
        }
        self.facts = {kind: sorted(some) for kind, some in self._words.items()}

    def raised(self, text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings, with the scores that their surroundings leave them."""
        for finding in findings:
            words = self._words.get(finding.kind)
            if words and not words.isdisjoint(_near(text, finding)):
                yield replace(
                    finding,
                    score=min(1.0, finding.score + GAIN),
                    rule=f"{finding.rule}, in context",
                )
            else:
                yield finding


def _near(text: str, finding: Finding) -> Iterator[str]:
    """Lower-case words around a finding, not those inside it."""
    for low, high in (
        (max(0, finding.start - REACH), finding.start),
        (finding.end, finding.end + REACH),
    ):
        for match in _WORD.finditer(text, low, min(high, len(text))):
            yield match[0].lower()


def _checked(where: str, words: Sequence[str]) -> Iterator[str]:
    if isinstance(words, str) or not isinstance(words, Sequence) or not words:
        raise PolicyError(f"{where} is a list of words")
    for word in words:
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            raise PolicyError(f"{where}: every entry is one word of letters and digits")
        yield word.lower()


SOURCE: Final = "custom"
KEYS: Final = ("kind", "pattern", "words", "file", "case", "checksum", "score", "context", "name")
SECONDS, PER_CHARACTER = 1.0, 2e-5
"""Time that a pattern may take on one text. One that takes longer stops the release."""


class Custom:
    """One recogniser: everything wrong with it is said when it is made, by key."""

    def __init__(self, options: Mapping[str, Any], where: str) -> None:
        _check_keys(options, where)
        self.kind = _kind(options, where)
        self.rule = _text(options, "name", where, f"entry {where.rpartition(' ')[2]}")
        self._score = _score(options, where)
        self._checksum = _checksum(options, where)
        self._context = Context(
            {self.kind: options["context"]} if "context" in options else None, where
        )
        self._spans: Callable[[str], Iterator[tuple[int, int]]]
        if "pattern" in options:
            self._pattern = compiled(options["pattern"], f"{where}: pattern")
            self._spans = self._matches
            content = self._pattern.pattern
        else:
            terms, content = _terms(options, where)
            case = options.get("case", False)
            if not isinstance(case, bool):
                raise PolicyError(f"{where}: case is true or false")
            self._spans = Dictionary(terms, where, case=case).spans
        self.facts = [
            self.kind,
            self.rule,
            self._score,
            str(options.get("checksum")),
            self._context.facts,
            hashlib.sha256(content.encode()).hexdigest(),
            bool(options.get("case")),
        ]

    def find(self, text: str) -> Iterator[Finding]:
        """Its findings in one text, with the scores that their surroundings leave them."""
        findings = (
            Finding(start, end, self.kind, self._score, SOURCE, self.rule)
            for start, end in self._spans(text)
            if self._checksum is None or self._holds(text[start:end])
        )
        return self._context.raised(text, findings)

    def _matches(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of the pattern, or of its group `value`."""
        group = "value" if "value" in self._pattern.groupindex else 0
        limit = SECONDS + PER_CHARACTER * len(text)
        try:
            spans = [match.span(group) for match in self._pattern.finditer(text, timeout=limit)]
        except TimeoutError:
            spans = None
        if spans is None:
            raise StageFailed(
                f"the pattern for {self.kind} in the policy took too long; nothing was released. "
                "Bound its repeats, or make them possessive: \\w{1,40}, \\w++"
            )
        return (span for span in spans if span[0] < span[1])

    def _holds(self, string: str) -> bool:
        code = "".join(filter(str.isalnum, string))
        if self._checksum is None or len(code) < 2 or not code.isascii():
            return False
        try:
            return self._checksum(code)
        except (ValueError, IndexError):
            return False  # letters where digits should be, or too short


def custom(entries: Sequence[Mapping[str, Any]] | None) -> list[Custom]:
    """The recognisers of `[[sensitivity.custom]]`."""
    if entries is None:
        return []
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise PolicyError("sensitivity.custom is a list of tables: [[sensitivity.custom]]")
    return [Custom(entry, f"sensitivity.custom {index}") for index, entry in enumerate(entries, 1)]


def _check_keys(options: Mapping[str, Any], where: str) -> None:
    if not isinstance(options, Mapping):
        raise PolicyError(f"{where}: a table with a kind, say [[sensitivity.custom]]")
    for key in options:
        if key not in KEYS:
            raise PolicyError(f'{where}: unknown key "{key}".{suggest(str(key), KEYS)}')
    if sum(key in options for key in ("pattern", "words", "file")) != 1:
        raise PolicyError(f"{where}: give one of pattern, words, file")


def _kind(options: Mapping[str, Any], where: str) -> str:
    kind = _text(options, "kind", where)
    if not regex.fullmatch(r"[A-Z][A-Z0-9_]{1,40}", kind):
        raise PolicyError(f'{where}: kind is in capitals, say kind = "CASE_NUMBER"')
    return kind


def _text(options: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = options.get(key, default)
    if not isinstance(value, str) or not value:
        raise PolicyError(f"{where}: {key} is a text in quotes")
    return value


def _score(options: Mapping[str, Any], where: str) -> float:
    score = options.get("score", 0.8)
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 < score <= 1:
        raise PolicyError(f"{where}: score is above 0 and at most 1")
    return float(score)


def _checksum(options: Mapping[str, Any], where: str) -> Callable[[str], bool] | None:
    if "checksum" not in options:
        return None
    name = options["checksum"]
    if name not in CHECKSUMS:
        raise PolicyError(f'{where}: no checksum "{name}".{suggest(str(name), CHECKSUMS)}')
    return CHECKSUMS[name]


def _terms(options: Mapping[str, Any], where: str) -> tuple[Sequence[str], str]:
    """The terms, and all of them as one text."""
    if "words" in options:
        words = options["words"]
        if isinstance(words, str) or not isinstance(words, Sequence) or not words:
            raise PolicyError(f"{where}: words is a list of texts")
        if not all(isinstance(word, str) for word in words):
            raise PolicyError(f"{where}: words is a list of texts")
        return words, "\n".join(words)
    name = _text(options, "file", where)
    try:
        content = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = type(error).__name__
    else:
        terms = [line for line in map(str.strip, content.splitlines()) if line]
        if not terms:
            raise PolicyError(f"{where}: the file {name} is empty; it has one term per line")
        return terms, content
    raise PolicyError(f"{where}: the file {name} cannot be read as UTF-8 text ({problem})")
