"""Recognisers written in the policy: a pattern, a list of words, or a file of terms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import regex

from privstamp.errors import PolicyError, StageFailed, suggest
from privstamp.sensitivity.checksums import CHECKSUMS
from privstamp.sensitivity.context import Context
from privstamp.sensitivity.dictionary import Dictionary
from privstamp.text.expressions import compiled
from privstamp.types import Finding

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

    def _holds(self, found: str) -> bool:
        code = "".join(filter(str.isalnum, found))
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
    return [Custom(one, f"sensitivity.custom {index}") for index, one in enumerate(entries, 1)]


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
