"""Importance by the unit's type: its best match among the words that the task is about."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
import snowballstemmer

from privstamp.errors import PolicyError, UnknownName, suggest, trouble_of
from privstamp.importance.shares import (
    NO_TASK,
    TAU,
    Common,
    Raw,
    RunningWords,
    check_tau,
    fingerprint,
    nothing,
)
from privstamp.protocols import Space
from privstamp.types import UNKNOWN, Ids, Rows, Scope, Scores, Table, Units

# What labelled examples teach about words: weights by type, generalised over the table.

FEWEST: Final = 10
SHRINK: Final = 10.0
"""Mentions that a word needs before its own record weighs as much as that of words like it."""


class WordOdds:
    """How far a word moves the odds between the labels.

    Ridge regression of the labels on the mean vector of a text tells what directions say; a
    word that the examples hold moves from there towards its own record, the more the more texts
    hold it. Small words count by their record: "not" decides reviews.
    """

    def __init__(self, space: Space, examples: Sequence[tuple[str, str]]) -> None:
        self._space = space
        self._common = Common(space)
        labels = sorted({label for _, label in examples})
        if len(examples) < FEWEST or len(labels) < 2:
            raise PolicyError(
                f"importance: examples hold at least {FEWEST} texts with two labels or more"
            )
        known = np.array([[label == one for one in labels] for _, label in examples], dtype=float)
        target = known - known.mean(axis=0)
        types = [_types(space, text) for text, _ in examples]
        self._directions = self._regress(types, target)
        self._keep_records(types, target)

    def raw(self, rows: Ids) -> Raw:
        """Length of each row's move over all labels."""
        moves = self._along(rows)
        place = np.minimum(np.searchsorted(self._seen, rows), len(self._seen) - 1)
        seen = self._seen[place] == rows
        moves[seen] = self._moves[place[seen]]
        lengths: Raw = np.sqrt((moves * moves).sum(axis=1)).astype(np.float32)
        lengths[self._space.prior[rows] == 0] = 0
        return lengths

    def _along(self, rows: Ids) -> Rows:
        """What directions say of rows; summed row by row, so that a type is the same everywhere."""
        unit = np.asarray(self._space.unit[rows], dtype=np.float64)
        along = [(unit * direction).sum(axis=1) for direction in self._directions.T]
        return np.stack(along, axis=1)

    def _regress(self, types: Sequence[Ids], target: Rows) -> Rows:
        means = np.zeros((len(types), self._space.unit.shape[1]))
        for line, rows in enumerate(types):
            if len(rows):
                weight = np.maximum(self._common.information(rows), 0.1)
                means[line] = weight @ self._space.unit[rows] / np.sqrt(len(rows))
        means -= means.mean(axis=0)
        square = means.T @ means
        ridge = max(float(np.trace(square)) / len(square), 1e-9)
        solved = np.linalg.solve(square + ridge * np.eye(len(square)), means.T @ target)
        return solved.astype(np.float64)

    def _keep_records(self, types: Sequence[Ids], target: Rows) -> None:
        """Mean label of the texts that hold a word, drawn towards what its direction says."""
        every = np.concatenate(types)
        texts = np.repeat(np.arange(len(types)), [len(rows) for rows in types])
        self._seen, which, counts = np.unique(every, return_inverse=True, return_counts=True)
        if not len(self._seen):
            raise PolicyError("importance: the examples hold no word that the space knows")
        sums = np.zeros((len(self._seen), target.shape[1]))
        np.add.at(sums, which, target[texts])
        guess = self._along(self._seen)
        fit = float((guess * sums).sum() / max((counts[:, None] * guess**2).sum(), 1e-12))
        self._directions = self._directions * max(fit, 0.0)
        guess = self._along(self._seen)
        self._moves = (sums + SHRINK * guess) / (counts[:, None] + SHRINK)


def _types(space: Space, text: str) -> Ids:
    rows = space.split(text).rows
    return np.unique(rows[rows != UNKNOWN])


def read_examples(path: str) -> tuple[list[tuple[str, str]], str]:
    """Texts and labels of a JSONL file, one {"text": ..., "label": ...} a line, and its hash."""
    problem, data = "", b""
    try:
        data = Path(path).read_bytes()
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    except (OSError, ValueError) as error:  # ValueError: not a file name
        problem = f"cannot be read: {trouble_of(error)}"
    if problem:
        raise PolicyError(f"importance: examples {path} {problem}")
    words = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _parsed(line)
        if row is None:
            raise PolicyError(
                f'importance: examples {path}, line {number} is not {{"text": "...", "label": ...}}'
            )
        words.append(row)
    return words, hashlib.sha256(data).hexdigest()


def _parsed(line: str) -> tuple[str, str] | None:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or "label" not in row:
        return None
    return row["text"], str(row["label"])


ALGORITHMS: Final = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word as written to its stem."""
    if language not in ALGORITHMS:
        raise PolicyError(
            f'importance: no stemmer for the language "{language}".{suggest(language, ALGORITHMS)}'
        )
    return _stemmer(language)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    stem = snowballstemmer.stemmer(ALGORITHMS[language]).stemWord

    def stemmed(surface: str) -> str:
        word = surface.strip().casefold().removesuffix("'s").removesuffix("\u2019s")
        return str(stem(word.rstrip(".") or word))

    return stemmed


Wanted: TypeAlias = Literal["time", "amount", "person", "place", "other"]

_CUES: Final[dict[Wanted, str]] = {
    "time": r"when|how (?:long|old)|(?:what|which) (?:year|date|day|month|century|decade|time)",
    "amount": r"how (?:many|much|far|large|big|tall|high|often|fast)"
    r"|(?:what|which) (?:percent|percentage|number|amount|rate|size|price|cost)",
    "person": r"who|whom|whose"
    r"|(?:what|which) (?:person|king|queen|president|team|player|author|company|name)"
    r"|what (?:is|was) the name",
    "place": r"where|(?:what|which) (?:city|country|place|state|region|town|location|area|street"
    r"|river|hospital|school)",
}
_KINDS: Final = {kind: re.compile(rf"\b(?:{cue})\b", re.IGNORECASE) for kind, cue in _CUES.items()}
_NUMBER_WORDS: Final = """
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
    hundred thousand million billion dozen first second third half quarter
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
"""
NUMBER_WORDS: Final = frozenset(_NUMBER_WORDS.split())


def wanted(task: str) -> Wanted:
    """The kind of answer that a question asks for; "other" where no cue says so."""
    return next((kind for kind, cue in _KINDS.items() if cue.search(task)), "other")


PRESETS: Final[dict[str, str]] = tomllib.loads(
    files(__package__).joinpath("tasks.toml").read_text(encoding="utf-8")
)
"""topic-news: world, sports, business, science. sentiment: how a review is meant, stars included.
intent: what a customer wants. medical: what a clinical note is about."""


NO_CONTENT: Final = "the task has no content word: nothing counts as important"
VERSION: Final = "1"
STEPS: Final = 2048


@dataclass(frozen=True, repr=False)
class _Words:
    """What a task is about: the scores of rows, and the stems that count in full."""

    shares: Callable[[Ids], Raw]
    stems: frozenset[str]


class TaskMatch:
    """A word is important if it is near one of the task's content words; small words never are.

    `preset`, `labels` and `examples` fix the task instead: label words of common tasks, your own,
    or a JSONL file of texts with labels. The score is the share of public running words that
    match less.
    """

    name = "task-match"

    def __init__(
        self,
        space: Space,
        *,
        tau: float = TAU,
        language: str = "en",
        preset: str | None = None,
        labels: Sequence[str] = (),
        examples: str | None = None,
        examples_public: bool = False,
    ) -> None:
        self._tau = check_tau(tau)
        self._space = space
        self._stem = stemmer(language)
        self._common = Common(space)
        self._public = RunningWords(space)
        self._public_steps = _in_steps(space.unit[self._public.rows])
        if sum((preset is not None, bool(labels), examples is not None)) > 1:
            raise PolicyError("importance: give one of preset, labels and examples")
        if isinstance(labels, str) or not all(isinstance(label, str) for label in labels):
            raise PolicyError('importance: labels is a list of words, say ["sports", "business"]')
        if not isinstance(examples_public, bool):
            raise PolicyError("importance: examples_public is true or false")
        if preset is not None and preset not in PRESETS:
            raise UnknownName(f'no task preset "{preset}".{suggest(preset, PRESETS)}')
        self.scope = Scope.unit_type("best match of the unit's type with the task's words")
        self._fixed: _Words | None = None
        source = ""
        if preset is not None or labels:
            source = PRESETS[preset] if preset is not None else "\n".join(labels)
            self._fixed = self._matched(source)
            if self._fixed is None:
                raise PolicyError("importance: labels hold no word that the space knows")
        elif examples is not None:
            texts, source = read_examples(examples)
            learned = WordOdds(space, texts)
            scale = self._public.scale(learned.raw(self._public.rows))
            self._fixed = _Words(lambda rows: scale(learned.raw(rows)), frozenset())
            self.scope = _scope_of_examples(public=examples_public)
        digest = hashlib.sha256(source.encode()).hexdigest()
        self.fingerprint = fingerprint(
            self.name, version=VERSION, tau=self._tau, language=language, words=digest
        )

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        done: dict[str, _Words | None] = {}
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            key = (task or "").strip()
            if self._fixed is None and key not in done:
                done[key] = self._matched(key)
            words = self._fixed or done[key]
            if words is None:
                scores.append(nothing(len(units), NO_CONTENT if key else NO_TASK))
            else:
                scores.append(self._one(units, words))
        return scores

    def _matched(self, text: str) -> _Words | None:
        """The content words of a task, if it has any."""
        units = self._space.split(text)
        known = units.rows != UNKNOWN
        content = ~known | (self._common.information(units.rows) > 0)
        if not content.any():
            return None
        surfaces = units.surfaces()
        stems = {self._stem(surfaces[i]) for i in np.flatnonzero(content).tolist()}
        rows = np.unique(units.rows[content & known])
        columns = _in_steps(self._space.unit[rows]).T.copy()
        weight = np.sqrt(self._common.information(rows))

        def raw(rows: Ids, steps: Table | None = None) -> Raw:
            """Best cosine to any of the words, weighted by what both say by being there."""
            if steps is None:
                steps = _in_steps(self._space.unit[rows])
            best = (steps @ columns / STEPS**2 * weight).max(axis=1, initial=0)
            scores: Raw = best * np.sqrt(self._common.information(rows))
            return scores

        shares = self._public.scale(raw(self._public.rows, self._public_steps))
        return _Words(lambda rows: shares(raw(rows)), frozenset(stems - {""}))

    def _one(self, units: Units, words: _Words) -> Scores:
        values = np.full(len(units), np.nan, dtype=np.float32)
        known = units.rows != UNKNOWN
        types, inverse = np.unique(units.rows[known], return_inverse=True)
        values[known] = words.shares(types)[inverse]
        if words.stems:
            self._in_full(units, words.stems, values)
        return Scores(values, self._tau)

    def _in_full(self, units: Units, stems: frozenset[str], values: Raw) -> None:
        """A unit with the stem of a task's word is as important as can be."""
        heads = {stem[:2] for stem in stems}
        for index, surface in enumerate(units.surfaces()):
            # Stems keep the first letters: most words need no stemming to be told apart.
            if surface.strip()[:2].casefold() in heads and self._stem(surface) in stems:
                values[index] = 1.0


def _in_steps(unit: Table) -> Table:
    """Whole steps: float32 sums of their products are exact, so a type scores alike everywhere."""
    steps: Table = np.rint(unit * np.float32(STEPS)).astype(np.float32)
    return steps


def _scope_of_examples(*, public: bool) -> Scope:
    if public:
        return Scope.unit_type("weight of the unit's type, learned from public examples")
    return Scope.context("weight of the unit's type, learned from examples that may be private")
