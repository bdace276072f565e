"""The audit's test of itself: every mutant is refuted, and the sound lines pass.

On two small lines with real stages and a table of a few dozen words: `moving` replaces what is
sensitive and moves every other word; `selective` leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.budget import Budget
from privstamp.importance.nothing import Nothing
from privstamp.lab.audit.canaries import FRAME
from privstamp.lab.audit.line import moved, replaced
from privstamp.lab.audit.mutants import Mutant
from privstamp.lab.audit.promise import Promise
from privstamp.noise import Lane, Noise, Randomness
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Sensitivity, Space
from privstamp.registry import MECHANISMS, SENSITIVITY, SPACES
from privstamp.release.parts import Parts
from privstamp.spaces.splitter import split
from privstamp.types import Finding, Ids, Label, Scope, Scores, Table, Units

_MORE: Final = (
    "table window paper bridge street kitchen morning evening winter summer music market island "
    "forest butter silver engine ticket pocket corner season finger button candle basket mirror "
    "ladder hammer feather blanket"
)
_WORDS: Final = tuple(dict.fromkeys([*FRAME, *_MORE.split()]))
_DIMENSIONS: Final = 3
_EPSILON: Final = {3: 5.0, 4: 0.2}


class ToySpace:
    """The words of the canaries and some more, at random places."""

    classes: tuple[str, ...] = ("content",)

    def __init__(self) -> None:
        self.name = "toy"
        self.source = "a few dozen words at random places"
        key = Randomness.make(seed=1).key(b"toy space")
        raw = Noise.of_document(key, np.arange(len(_WORDS))).normal(_DIMENSIONS, Lane.COORDINATES)
        length = np.linalg.norm(raw, axis=1, keepdims=True)
        self.unit: Table = (raw / length).astype(np.float32)
        self.radius: npt.NDArray[np.float32] = np.ones(len(_WORDS), dtype=np.float32)
        self.class_of: npt.NDArray[np.uint8] = np.zeros(len(_WORDS), dtype=np.uint8)
        self.outputs: tuple[Ids, ...] = (np.arange(len(_WORDS), dtype=np.int32),)
        self.prior: npt.NDArray[np.float64] = np.full(len(_WORDS), 1.0 / len(_WORDS))
        self.fingerprint = "toy"
        self._rows = {word: row for row, word in enumerate(_WORDS)}
        self._split: dict[str, Units] = {}

    def split(self, text: str) -> Units:
        """Once for each text: the same ones are released again and again."""
        if text not in self._split:
            self._split[text] = split(text, self._rows)
        return self._split[text]

    def words(self, rows: Ids) -> list[str]:
        return [_WORDS[row] for row in rows.tolist()]

    def render(self, rows: Ids, labels: npt.NDArray[np.uint8]) -> list[str]:
        titled = (labels & Label.TITLE != 0).tolist()
        pairs = zip(self.words(rows), titled, strict=True)
        return [word.capitalize() if title else word for word, title in pairs]


class _Halves:
    """Every other word of the toy space is important."""

    name: Final = "halves"
    fingerprint: Final = "halves"
    scope: Final = Scope.unit_type("a list")

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        del tasks
        return [Scores((units.rows % 4 >= 2).astype(np.float32), 0.5) for units in batch]


class _Once:
    """Detectors that read a text once: they find the same in it every time."""

    def __init__(self, part: Sensitivity) -> None:
        self._part = part
        self._found: dict[str, list[Finding]] = {}
        self.name, self.scope, self.fingerprint = part.name, part.scope, part.fingerprint

    def find(self, batch: Sequence[Units]) -> list[list[Finding]]:
        new = {units.text: units for units in batch if units.text not in self._found}
        found = self._part.find(list(new.values()))
        self._found |= dict(zip(new, found, strict=True))
        return [self._found[units.text] for units in batch]

    def across(self, *pages: Any) -> Any:
        return self._part.across(*pages)  # type: ignore[attr-defined]


@cache
def _detectors() -> _Once:
    return _Once(SENSITIVITY.build("union", {"parts": ["rules", "lexicon"]}, numbers="all"))


def moving() -> tuple[Policy, Parts]:
    """Surrogates for what is sensitive, and steps along a small graph for the rest."""
    space = ToySpace()
    budget = Budget.of([0, 0, _EPSILON[3], _EPSILON[4]], metric="hops")
    steps = MECHANISMS.build("neighbourhood", {"k": 4}, space=space)
    parts = _parts(space, _Halves())
    return Policy(extends="readable", budget=budget), Parts(
        **{**vars(parts), "mechanisms": {3: steps, 4: steps}}
    )


def selective() -> tuple[Policy, Parts]:
    """Surrogates for what is sensitive, and nothing else."""
    space: Space = SPACES.build("plain", {})
    return Policy(extends="selective", format="plain"), _parts(space, Nothing(space))


def _parts(space: Space, importance: Any) -> Parts:
    return Parts(
        space=space,
        sensitivity=_detectors(),
        importance=importance,
        mechanisms={},
        replacements=dict.fromkeys((1, 2, 3, 4), MECHANISMS.build("surrogate", {})),
    )


Line: TypeAlias = tuple[
    Callable[[], tuple[Policy, Parts]], Callable[[Privatizer, bytes], Iterator[Promise]]
]
WORDS: Final[Line] = (moving, moved)
THINGS: Final[Line] = (selective, replaced)
"""Each line is held to the promises that it was made for, so that a self-test is quick."""
_FIRST: Final = {"mechanism": (WORDS,), "noise": (WORDS, THINGS)}
LINES: Final = (THINGS, WORDS)


@dataclass(frozen=True)
class Outcome:
    """Of one mutant: by which promise it was refuted; None if it was not."""

    mutant: Mutant
    by: str | None


def refuted(mutant: Mutant) -> Outcome:
    """Stops at the first promise that is broken."""
    with mutant.at_work():
        for line in _FIRST.get(mutant.stage, LINES):
            broken = _broken(line)
            if broken is not None:
                return Outcome(mutant, broken)
    return Outcome(mutant, None)


def sound() -> list[str]:
    """Promises that the unbroken lines seem to break: none."""
    return [broken for line in LINES if (broken := _broken(line)) is not None]


def _broken(line: Line) -> str | None:
    made, tests = line
    policy, parts = made()
    tested = tests(Privatizer(policy, parts=parts), Randomness.make().key())
    return next((promise.broken for promise in tested if not promise.kept), None)
