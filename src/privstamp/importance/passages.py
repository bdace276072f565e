"""A text as sentences and words, laid beside a task: what speaks for each of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.importance.shares import Common
from privstamp.importance.task_match import NUMBER_WORDS
from privstamp.protocols import Space
from privstamp.spaces.wordlists import ABBREVIATIONS, INITIALS
from privstamp.types import UNKNOWN, Ids, Kind, Label, Table, Units

_END: Final = re.compile(r"[.!?\u2026\u3002\u061f]+[\"'\u201d\u2019)\]]*+(?=\s|$)|\n")
_LAST_WORD: Final = re.compile(r"\S+\Z")
_LETTER: Final = re.compile(r"[^\W\d_]\.\Z")
_LONGEST: Final = 24
MOST_UNITS: Final = 60
"""A longer stretch without an end is cut: lists and tables are no sentences."""


def sentence_numbers(units: Units) -> npt.NDArray[np.intp]:
    """The number of each unit's sentence: 0, 1, 2, ... without gaps."""
    starts = sentence_starts(units.text)
    number = np.searchsorted(starts, units.starts, side="right")
    if not len(number):
        return number
    _, number = np.unique(number, return_inverse=True)
    place = np.arange(len(number)) - np.searchsorted(number, number)
    cut = (place > 0) & (place % MOST_UNITS == 0)
    numbers: npt.NDArray[np.intp] = number + np.cumsum(cut)
    return numbers


def sentence_starts(text: str) -> list[int]:
    """Where a new sentence may begin."""
    spans = []
    for match in _END.finditer(text):
        if match[0] == ".":
            before = text[max(0, match.start() - _LONGEST) : match.end()]
            word = _LAST_WORD.search(before)
            last = "" if word is None else word[0].lstrip("(['\"").casefold()
            if last in ABBREVIATIONS or last in INITIALS or _LETTER.fullmatch(last):
                continue
        following = text[match.end() : match.end() + 2].lstrip()
        if match[0] != "\n" and following[:1].islower():
            continue
        spans.append(match.end())
    return spans


Flags: TypeAlias = npt.NDArray[np.bool_]
Values: TypeAlias = npt.NDArray[np.float64]

K1, B = 1.2, 0.75
ALIKE: Final = 0.3
"""Cosines below are noise, not likeness."""
TASK_WORDS: Final = 64
"""Content words of a task that are looked for: the most telling ones of a longer task."""
REMEMBERED: Final = 50_000
REACH: Final = 10.0
"""Units over which a matched word makes its neighbours likelier to answer."""


@dataclass(frozen=True, repr=False)
class PassageWords:
    """The words of a text or task, as matching sees them. Private."""

    stems: npt.NDArray[np.int64]  # equal where words have the same stem, in this process
    vectors: Table  # zero where a word is unknown
    information: Values  # 0 for small words, 1 for the rarest and the unknown
    sentence: npt.NDArray[np.intp]
    first: Flags  # first of its sentence
    number: Flags
    capital: Flags  # capitalised inside a sentence, and small words between two such
    listed: Flags  # of the space's classes of names and places
    unknown: Flags

    def __len__(self) -> int:
        return len(self.stems)


class PassageReader:
    """Cuts units into sentences and looks up what the space knows of their words."""

    def __init__(self, space: Space, stem: Callable[[str], str]) -> None:
        self._space = space
        self._of_written = stem
        self._of_row = lru_cache(maxsize=REMEMBERED)(self._stem_of_row)
        self._common = Common(space)
        numbers = [space.classes.index(name) for name in ("name", "place") if name in space.classes]
        self._listed = np.isin(space.class_of, numbers)

    def read(self, units: Units) -> PassageWords:
        surfaces = units.surfaces()
        unknown = units.rows == UNKNOWN
        rows: Ids = np.maximum(units.rows, 0)
        information = np.where(unknown, 1.0, self._common.information(rows))
        sentence = sentence_numbers(units)
        first = np.ones(len(units), dtype=bool)
        first[1:] = sentence[1:] != sentence[:-1]
        named = np.array([s.strip().casefold() in NUMBER_WORDS for s in surfaces], dtype=bool)
        capital = (units.labels & (Label.TITLE | Label.UPPER) != 0) & ~first
        return PassageWords(
            stems=self._stems(units, surfaces),
            vectors=np.where(unknown[:, None], np.float32(0), self._space.unit[rows]),
            information=information,
            sentence=sentence,
            first=first,
            number=named | np.isin(units.kinds, (Kind.NUMBER, Kind.ORDINAL, Kind.CODE)),
            capital=capital | (_flanked(capital) & (information == 0)),
            listed=self._listed[rows] & ~unknown,
            unknown=unknown,
        )

    def _stems(self, units: Units, surfaces: list[str]) -> npt.NDArray[np.int64]:
        """Public words by row, and remembered; what else a text holds is not kept."""
        seen: dict[str, int] = {}
        stems = np.empty(len(units), dtype=np.int64)
        for index, (row, surface) in enumerate(zip(units.rows.tolist(), surfaces, strict=True)):
            if row != UNKNOWN:
                stems[index] = self._of_row(row)
            elif surface in seen:
                stems[index] = seen[surface]
            else:
                stems[index] = seen[surface] = hash(self._of_written(surface))
        return stems

    def _stem_of_row(self, row: int) -> int:
        return hash(self._of_written(self._space.words(np.array([row], dtype=np.int32))[0]))


def _flanked(flags: Flags) -> Flags:
    both = np.zeros(len(flags), dtype=bool)
    both[1:-1] = flags[:-2] & flags[2:]
    return both


@dataclass(frozen=True, repr=False)
class TaskWords:
    """The words of a task inside a text. Private."""

    weight: Values  # information of each content word of the task
    equal: Flags  # words of the text x those words: the same stem
    cosine: Table  # the same, by likeness; 1 where the stem is the same

    @property
    def matched(self) -> Flags:
        return np.asarray(self.equal.any(axis=1))


def match(text: PassageWords, task: PassageWords) -> TaskWords:
    """Each word of the text against each content word of the task."""
    content = np.flatnonzero(task.information > 0)
    content = content[np.unique(task.stems[content], return_index=True)[1]]
    if len(content) > TASK_WORDS:
        telling = np.argsort(-task.information[content], kind="stable")[:TASK_WORDS]
        content = content[np.sort(telling)]
    equal = text.stems[:, None] == task.stems[content][None, :]
    cosine = text.vectors @ task.vectors[content].T
    cosine[(cosine < ALIKE) | (text.information == 0)[:, None]] = 0
    cosine[equal] = 1
    return TaskWords(task.information[content], equal, cosine)


def bm25(text: PassageWords, match: TaskWords) -> Values:
    """Robertson's BM25 of each sentence, with the text's own sentences as the collection."""
    count = int(text.sentence[-1]) + 1
    length = np.bincount(text.sentence, minlength=count)
    score = np.zeros(count)
    for column in match.equal.T:
        times = np.bincount(text.sentence[column], minlength=count)
        holds = int((times > 0).sum())
        rarity = np.log(1 + (count - holds + 0.5) / (holds + 0.5))
        damped = times + K1 * (1 - B + B * length / length.mean())
        score += rarity * times * (K1 + 1) / damped
    return score


def best_matches(text: PassageWords, match: TaskWords) -> Values:
    """How much of the task each sentence covers: every word of the task finds its best match."""
    count = int(text.sentence[-1]) + 1
    best = np.zeros((count, match.cosine.shape[1]))
    np.maximum.at(best, text.sentence, match.cosine)
    covered: Values = best @ match.weight / max(float(match.weight.sum()), 1e-9)
    return covered


def nearness(text: PassageWords, match: TaskWords) -> Values:
    """For each word, how near it stands to words of the task in its sentence."""
    near = np.zeros(len(text))
    strength = (match.equal * match.weight).max(axis=1, initial=0)
    for index in np.flatnonzero(strength).tolist():
        low, high = np.searchsorted(text.sentence, [text.sentence[index], text.sentence[index] + 1])
        distance = np.abs(np.arange(low, high) - index)
        near[low:high] += strength[index] * np.exp(-distance / REACH)
    return near
