"""Label loss: how often one word, swapped for another, moves labels, its own and those of others.

The promise is given the labels. Whoever sees a label that would be another one with another word
there, learns about that word beyond the promise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.frontier.words import main_class
from privstamp.grouping import NO_SPAN
from privstamp.lab.audit.figures import Figure
from privstamp.lab.audit.subject import Subject, Text
from privstamp.noise import Lane, Noise
from privstamp.pipeline import Privatizer
from privstamp.result import Trace
from privstamp.sensitivity.frequencies import zipf_frequencies
from privstamp.spaces.wordlists import FUNCTION_WORDS
from privstamp.types import UNKNOWN, Kind, Label

SWAPS: Final = 200
"""Of each kind: for a near word, where the space has them, and for one of like frequency."""
_PARTS: Final = ("sensitivity", "importance")
_COMMON: Final = 4.2  # Zipf frequency: some five thousand words
_NEAR: Final = 8
_NEIGHBOURS: Final = 40  # words on either side in the list by frequency


@dataclass(frozen=True, repr=False)
class _Labels:
    """What a receiver may see of each unit, part by part."""

    sensitivity: list[tuple[bool, str]]
    importance: list[bool]

    @classmethod
    def of(cls, trace: Trace) -> _Labels:
        groups, spans = trace.grouping.groups.tolist(), trace.grouping.spans.tolist()
        kinds = ["" if span == NO_SPAN else trace.grouping.findings[span].kind for span in spans]
        sensitive = [group <= 2 for group in groups]
        return cls(list(zip(sensitive, kinds, strict=True)), [group % 2 == 1 for group in groups])

    def moved(self, other: _Labels, place: int) -> Iterator[tuple[str, str]]:
        """Parts whose labels differ, at the swapped word and anywhere else."""
        for part in _PARTS:
            before, after = getattr(self, part), getattr(other, part)
            same = len(before) == len(after)
            if not same or before[place] != after[place]:
                yield part, "own"
            rest = before[:place] + before[place + 1 :]
            if not same or rest != after[:place] + after[place + 1 :]:
                yield part, "others"


def steadiness(
    subject: Subject, told: Callable[[float], None]
) -> tuple[dict[str, Figure], list[dict[str, Any]]]:
    """Figures over all swaps, and a table by kind of swap and part."""
    dice = _Dice(subject.key("steadiness"))
    tables, rows = {}, []
    kinds = {"like frequency": _like(), **_near(subject)}
    for number, (kind, candidates) in enumerate(kinds.items()):
        counts: Counter[tuple[str, str]] = Counter()
        done = 0
        for text, trace, place, word in _swaps(subject, candidates, dice):
            after = _swapped(subject.privatizer, text, trace, place, word)
            found = set(_Labels.of(trace).moved(after, place))
            counts.update(found)
            for where in {where for _, where in found}:
                counts["any", where] += 1
            done += 1
            told((number + done / SWAPS) / len(kinds))
        tables[kind] = counts, done
        for part in _PARTS:
            shares = {
                f"{where} moved": Figure.share(counts[part, where], done)
                for where in ("own", "others")
            }
            rows.append({"swap": kind, "part": part, "swaps": done, **shares})
    own, others, swaps = (
        sum(counts["any", "own"] for counts, _ in tables.values()),
        sum(counts["any", "others"] for counts, _ in tables.values()),
        sum(done for _, done in tables.values()),
    )
    figures = {
        "labels_moved_own": Figure.share(own, swaps),
        "labels_moved_others": Figure.share(others, swaps),
    }
    return figures, rows


class _Dice:
    """Numbers below a limit, one after the other."""

    def __init__(self, key: bytes) -> None:
        self._words = iter(Noise.of_document(key, np.arange(1)).words(20_000, Lane.CHOICE)[0])

    def below(self, limit: int) -> int:
        return int(next(self._words)) % limit


def _like() -> Callable[[str], list[str]]:
    """Content words that are written about as often."""
    frequency = zipf_frequencies("en", _COMMON)
    listed = sorted(
        (word for word in frequency if word.isalpha() and len(word) > 3),
        key=lambda word: (-frequency[word], word),
    )
    listed = [word for word in listed if word not in FUNCTION_WORDS]
    place = {word: number for number, word in enumerate(listed)}

    def candidates(word: str) -> list[str]:
        if word not in place:
            return []
        at = place[word]
        return [one for one in listed[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS] if one != word]

    return candidates


def _near(subject: Subject) -> dict[str, Callable[[str], list[str]]]:
    """The nearest words of the same class, where the space has outputs."""
    space = subject.parts.space
    if not sum(map(len, space.outputs)):
        return {}
    outputs = space.outputs[main_class(space)]
    table = np.ascontiguousarray(space.unit[outputs], dtype=np.float32)

    def candidates(word: str) -> list[str]:
        row = space.split(word).rows
        if len(row) != 1 or row[0] == UNKNOWN:
            return []
        cosine = table @ np.asarray(space.unit[row[0]], dtype=np.float32)
        nearest = outputs[np.argsort(-cosine)[: _NEAR + 1]]
        return [near for near in space.words(nearest) if near != word and near.isalpha()]

    return {"near word": candidates}


def _swaps(
    subject: Subject, candidates: Callable[[str], list[str]], dice: _Dice
) -> Iterator[tuple[Text, Trace, int, str]]:
    """Ordinary content words of the sample, and another word for each."""
    traces = [subject.privatizer.group(one.text, one.task) for one in subject.texts]
    places = [
        (number, place)
        for number, trace in enumerate(traces)
        for place in np.flatnonzero(
            (trace.grouping.groups >= 3)
            & (trace.units.kinds == Kind.WORD)
            & (trace.units.labels == Label.LOWER)
        ).tolist()
        if candidates(trace.units.surface(place))
    ]
    for _ in range(min(SWAPS, 4 * len(places))):
        number, place = places[dice.below(len(places))]
        words = candidates(traces[number].units.surface(place))
        yield subject.texts[number], traces[number], place, words[dice.below(len(words))]


def _swapped(privatizer: Privatizer, text: Text, trace: Trace, place: int, word: str) -> _Labels:
    start, end = int(trace.units.starts[place]), int(trace.units.ends[place])
    source = trace.units.text
    return _Labels.of(privatizer.group(source[:start] + word + source[end:], text.task))
