"""What labelled examples teach about words: weights by type, generalised over the table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from privstamp.errors import PolicyError
from privstamp.importance.shares import Common, Raw
from privstamp.protocols import Space
from privstamp.types import UNKNOWN, Ids, Rows

FEWEST: Final = 10
SHRINK: Final = 10.0
"""Mentions that a word needs before its own record weighs as much as that of words like it."""


class Learned:
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
        own = np.array([[label == one for one in labels] for _, label in examples], dtype=float)
        target = own - own.mean(axis=0)
        types = [_types(space, text) for text, _ in examples]
        self._directions = self._regress(types, target)
        self._keep_records(types, target)

    def raw(self, rows: Ids) -> Raw:
        """Length of each row's move over all labels."""
        moves = self._along(rows)
        place = np.minimum(np.searchsorted(self._seen, rows), len(self._seen) - 1)
        seen = self._seen[place] == rows
        moves[seen] = self._moves[place[seen]]
        found: Raw = np.sqrt((moves * moves).sum(axis=1)).astype(np.float32)
        found[self._space.prior[rows] == 0] = 0
        return found

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
    except OSError as error:
        problem = f"cannot be read ({type(error).__name__})"
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    if problem:
        raise PolicyError(f"importance: examples {path} {problem}")
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _parsed(line)
        if row is None:
            raise PolicyError(
                f'importance: examples {path}, line {number} is not {{"text": "...", "label": ...}}'
            )
        found.append(row)
    return found, hashlib.sha256(data).hexdigest()


def _parsed(line: str) -> tuple[str, str] | None:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or "label" not in row:
        return None
    return row["text"], str(row["label"])
