"""What a release gives away, as sums per example: any aggregate is a ratio of sums.

Sensitive units are those of annotated spans where somebody annotated them (`gold` is 1), else of
the condition's own detector. What that one missed of annotated spans, or of those that the default
detector finds, is counted apart. Recovery is that of an attacker who knows the mechanism, sees one
release and takes every word as equally likely (`uniform`) or as frequent as in public text
(`unigram`); a floor is what he gets who sees nothing. Units that left as they were are recovered,
those that were replaced are guessed blindly. Where laws must be estimated only some units of an
example are attacked, and stand for all: their number is `attacked`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from privstamp.budget import GROUPS
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit.recovery import Guesser, Target
from privstamp.lab.audit.subject import Cell, perturbed
from privstamp.lab.evals.contracts import Example, Span
from privstamp.noise import Lane, Noise, Randomness
from privstamp.protocols import Space
from privstamp.release.groups import small_words
from privstamp.release.parts import Parts
from privstamp.result import Trace
from privstamp.types import UNKNOWN, Finding, Kind, Units

VERSION: Final = "2"
Flags = npt.NDArray[np.bool_]
WORDED: Final = (Kind.WORD, Kind.PIECE)


class Attacker:
    """Guesses units of releases under one policy; each distinct release of a word once."""

    def __init__(self, parts: Parts, words: Callable[[int], Candidates], most: int) -> None:
        self.space = parts.space
        self.words = words
        self._most = most
        self._guesser = Guesser(parts, words)
        self._best = lru_cache(maxsize=100_000)(self._likeliest)

    def sums(self, trace: Trace, sensitive: Flags, example: str) -> dict[str, float]:
        """Recovered sensitive units and the floors."""
        met = perturbed(trace)
        sums = dict.fromkeys(
            ("recovered_uniform", "recovered_unigram", "floor_uniform", "floor_unigram"), 0.0
        )
        for index in np.flatnonzero(sensitive).tolist():
            uniform, unigram = self._blind(int(trace.units.rows[index]))
            sums["floor_uniform"] += uniform
            sums["floor_unigram"] += unigram
            if not met[index]:
                left = bool(np.isinf(trace.epsilon[index]))
                sums["recovered_uniform"] += 1.0 if left else uniform
                sums["recovered_unigram"] += 1.0 if left else unigram
        open_to = np.flatnonzero(sensitive & met)
        attacked = _some(open_to, self._most, example)
        weight = len(open_to) / max(len(attacked), 1)
        for index in attacked.tolist():
            for name in ("uniform", "unigram"):
                sums[f"recovered_{name}"] += weight * self._right(trace, index, name)
        return {**sums, "attacked": float(len(attacked))}

    def _blind(self, row: int) -> tuple[float, float]:
        """Chances of a guess without a release; a word in no list cannot be guessed."""
        if row == UNKNOWN:
            return 0.0, 0.0
        number = int(self.space.class_of[row])
        if not len(self.space.outputs[number]):  # text as it is written: there is no list
            return 0.0, 0.0
        words = self.words(number)
        place = words.place(row)
        if place is None:
            return 0.0, 0.0
        return 1.0 / len(words), float(place == int(words.unigram.argmax()))

    def _right(self, trace: Trace, index: int, prior: str) -> bool:
        cell = Cell.of(trace, index, self.space)
        place = self.words(cell.number).place(int(trace.units.rows[index]))
        return place is not None and place == self._best(cell, int(trace.rows[index]), prior)

    def _likeliest(self, cell: Cell, seen: int, prior: str) -> int:
        words = self.words(cell.number)
        log_prior = words.log_unigram if prior == "unigram" else np.zeros(len(words))
        target = Target(0, 0, cell, UNKNOWN, seen)
        return int(self._guesser.ranked(log_prior, [target], 1)[0])


def measure(
    example: Example,
    trace: Trace,
    released: str,
    attacker: Attacker,
    metrics: Sequence[str] = (),
    looked_for: Sequence[Finding] | None = None,
) -> dict[str, float]:
    """All sums of one release; `metrics` are those of the four groups, where there are groups.

    `looked_for` is what another detector finds, where nobody annotated the text.
    """
    units, gold = trace.units, example.spans is not None
    spans: Sequence[Span | Finding] = (
        trace.grouping.findings if example.spans is None else example.spans
    )
    sensitive = touched(units, spans)
    kept, content = unchanged(trace), ~sensitive & content_words(attacker.space, units)
    names = distinct(units.text, spans)
    sums = {
        "gold": float(gold),
        "units": float(len(units)),
        "sensitive": float(sensitive.sum()),
        "sensitive_kept": float((sensitive & kept).sum()),
        **attacker.sums(trace, sensitive, example.id),
        "spans": float(len(names)),
        "spans_kept": float(sum(survives(name, released) for name in names)),
        "content": float(content.sum()),
        "content_kept": float((content & kept).sum()),
        "replaced": float((trace.epsilon == 0).sum()),
        "unprotected": float(np.isinf(trace.epsilon).sum()),
    }
    if not metrics:
        return sums
    wanted = looked_for if example.spans is None else example.spans
    missed = {} if wanted is None else _missed(trace, touched(units, wanted))
    return {**sums, **_groups(trace, metrics), **missed}


def _missed(trace: Trace, wanted: Flags) -> dict[str, float]:
    """Units to be found, and those of them that were taken for others."""
    missed = wanted & (trace.grouping.groups > 2)
    return {"looked_for": float(wanted.sum()), "missed": float(missed.sum())}


def _groups(trace: Trace, metrics: Sequence[str]) -> dict[str, float]:
    """Units by group; finite epsilons by metric."""
    groups, finite = trace.grouping.groups, np.isfinite(trace.epsilon)
    sums = {f"group_{group}": float((groups == group).sum()) for group in GROUPS}
    for metric in dict.fromkeys(metrics):
        chosen = finite & np.isin(
            groups, [g for g, m in zip(GROUPS, metrics, strict=True) if m == metric]
        )
        sums[f"epsilon_{metric}"] = float(trace.epsilon[chosen].sum())
        sums[f"units_{metric}"] = float(chosen.sum())
    return sums


def touched(units: Units, spans: Sequence[Span | Finding]) -> Flags:
    """Units that a span touches; spans beyond the text (of a task) touch none."""
    flags = np.zeros(len(units), dtype=bool)
    for span in spans:
        first = int(np.searchsorted(units.ends, span.start, side="right"))
        last = int(np.searchsorted(units.starts, span.end, side="left"))
        flags[first:last] = True
    return flags


def unchanged(trace: Trace) -> Flags:
    """Units that came out as the same word, case aside; also surrogates that happen to."""
    units, before = trace.units, trace.units.surfaces()
    pairs = zip(before, trace.surfaces, strict=True)
    same = np.array(
        [before.strip().casefold() == two.strip().casefold() for before, two in pairs], dtype=bool
    )
    kept: Flags = same | (perturbed(trace) & (trace.rows == units.rows))
    return kept


def content_words(space: Space, units: Units) -> Flags:
    """Known words that are no function words; of piece tables, all pieces."""
    flags: Flags = (units.rows != UNKNOWN) & np.isin(units.kinds, WORDED)
    return flags & ~small_words(space, units.rows)


def distinct(text: str, spans: Sequence[Span | Finding]) -> list[str]:
    """The different strings that spans of a text cover, as they are compared."""
    inside = (text[span.start : span.end] for span in spans if span.end <= len(text))
    return list(dict.fromkeys(filter(None, map(folded, inside))))


def survives(name: str, released: str) -> bool:
    """Whether a string stands somewhere in a release, whole and in any case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded(released)) is not None


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _some(places: npt.NDArray[np.intp], most: int, example: str) -> npt.NDArray[np.intp]:
    """At most so many of them; always the same ones of an example."""
    if len(places) <= most:
        return places
    key = Randomness.make(seed=0).key(b"evals attack", example.encode())
    draws = Noise.of_document(key, np.arange(len(places))).uniform(1, Lane.CHOICE)[:, 0]
    return places[np.sort(np.argsort(draws)[:most])]
